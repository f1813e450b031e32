package multibody

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// BodyKind is how a [Body] moves against its parent.
type BodyKind uint8

// The kinds of bodies. Cylindrical, planar and universal joints are chains of bodies of the first two.
const (
	Turning        = BodyKind(revolute)
	Sliding        = BodyKind(prismatic)
	Screwing       = BodyKind(helical)
	BallMounted    = BodyKind(spherical)
	FreelyFloating = BodyKind(floating)
)

// Body is what a model is compiled to: a rigid body and the elementary joint that carries it, for programs that write or
// vectorize algorithms of their own. Its frame is turned so that a single axis is z:
//
//	placement in the parent's frame = Trans(Origin + pitch·q·Axis) Rz(β) Rx(α) Rz(γ+q)   (turning; q leaves where it does not turn)
//
// and of ball-mounted and floating bodies Trans(Origin + Rotation·position) Rotation · rotation(quaternion).
type Body struct {
	Parent             int // index among the bodies; 0 is the world
	Kind               BodyKind
	Q, V               int          // first index in q and v
	CosAlpha, SinAlpha float64      // of the turn α about x
	CosBeta, SinBeta   float64      // of the turn β about z before it
	Gamma              float64      // rad
	Pitch              float64      // m/rad, of a screwing body
	Origin, Axis       spatial.Vec3 // in the parent's frame: m, and the unit vector of the shift
	Rotation           spatial.Mat3 // of ball-mounted and floating bodies in the parent's frame
	Mass               float64      // kg
	FirstMoment        spatial.Vec3 // kg m
	Inertia            spatial.Sym3 // about the origin, kg m²
	SecondMoment       spatial.Sym3 // tr(Inertia)/2 1 - Inertia
	Armature           float64      // kg m² or kg, as of Joint
}

// Bodies returns the compiled bodies, parents before children; the first is the world. It panics for a model with mimic
// joints, whose coordinates are not those of the bodies: compile it with [IgnoreMimic].
func (m *Model) Bodies() []Body {
	if m.mimic != nil {
		panic("multibody: Bodies: the model has mimic joints; compile it with IgnoreMimic")
	}
	bodies, _ := m.Tree()
	return bodies
}

// Coordinate is how a coordinate of the compiled bodies follows from one of the model: Scale q[From] + Offset.
type Coordinate struct {
	From   int     // number of the coordinate in q of the model, from 0
	Scale  float64 // ratio of the two, not 0; 1 where the joint mimics none
	Offset float64 // rad or m, as the joint; 0 where it mimics none
}

// Tree returns the compiled bodies of any model, and how their coordinates follow from those of the model: where no joint mimics another one, they are
// the same.
func (m *Model) Tree() ([]Body, []Coordinate) {
	coordinates := make([]Coordinate, m.nq)
	for i := range coordinates {
		coordinates[i] = Coordinate{From: i, Scale: 1}
	}
	if m.mimic != nil {
		coordinates = make([]Coordinate, m.mimic.nq)
		for i, c := range m.mimic.q {
			coordinates[i] = Coordinate{int(c.from), c.scale, c.offset}
		}
	}
	bodies := make([]Body, len(m.body))
	for i := range m.body {
		b := &m.body[i]
		bodies[i] = Body{
			Parent: int(b.parent), Kind: BodyKind(b.kind), Q: int(b.iq), V: int(b.iv),
			CosAlpha: b.ca, SinAlpha: b.sa, CosBeta: 1, Gamma: b.gamma, Pitch: b.pitch, Origin: b.p, Axis: b.z, Rotation: b.r,
			Mass: b.mass, FirstMoment: b.h, Inertia: b.i, SecondMoment: b.j, Armature: b.armature,
		}
		if b.turned {
			bodies[i].CosBeta, bodies[i].SinBeta = b.cb, b.sb
		}
	}
	return bodies, coordinates
}

// LinkFrame returns the body that a link is fixed to and the pose of the link in the body's frame.
func (m *Model) LinkFrame(link int) (body int, pose spatial.Pose) {
	l := &m.links[link]
	return int(l.body), l.place
}

// Mimics reports whether joints of the model follow others.
func (m *Model) Mimics() bool { return m.mimic != nil }

// SinCos computes the sines and cosines of all x + shift, within two units in the last place, four at a time where the processor
// can. x and shift have the same length; sin and cos at least that rounded up to a multiple of four, and what lies behind is
// overwritten.
func SinCos(x, shift, sin, cos []float64) {
	want("SinCos", "shift", len(shift), len(x))
	if n := (len(x) + 3) &^ 3; len(sin) < n || len(cos) < n {
		panic(fmt.Sprintf("multibody: SinCos: sin and cos have %d and %d elements, want at least %d", len(sin), len(cos), n))
	}
	sincosAll(x, shift, sin, cos)
}
