package batch

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// body is where the kernels find what they need of a body, and which kernels they are.
type body struct {
	class   class
	q, v    int // first coordinates
	onWorld bool

	// rows of eight numbers, but for the constants
	constants, angle                 *float64
	frame, motion, velocity, acc     *float64
	force, bias, joint               *float64
	carriedForce, carriedArticulated *float64 // what the parent feels
	frameOf, motionOf, velocityOf    *float64 // of the parent
	accOf                            *float64
	childForce, childArticulated     *float64    // what the children add up to
	addForce, addArticulated         [2]*float64 // siblings: what was there before, and the sum
	floating                         coordinates // packed rows of a floating body
}

// coordinates are rows of a floating body, which the kernels want one after another.
type coordinates struct {
	q, v, a, tau []float64
}

// class is the class of kernels that serves a body.
type class uint8

const (
	flat     class = iota // turns; α = β = 0
	quarter               // turns; α = π/2, β = 0
	turning               // turns
	axis                  // turns, slides or both, with armature
	floating              // floats in the world
	classes
)

// spin is a run of bodies with consecutive coordinates that turn.
type spin struct {
	q, rows  int
	shift    []float64 // γ
	sin, cos []float64 // of the first body, the others every two rows
}

type link struct {
	body  int
	place []float64 // rotation row by row and position, in the frame of the body
}

// world is what the bodies on the world find there.
type world struct {
	frame, motion, velocity, acc []float64
	zero                         []float64
}

// served tells whether the kernels can evaluate the model.
func served(m *multibody.Model) bool {
	if m.Mimics() {
		return false
	}
	for _, b := range m.Bodies()[1:] {
		if b.Kind == multibody.BallMounted || b.Kind == multibody.FreelyFloating && b.Parent != 0 {
			return false
		}
	}
	return true
}

// plan lays out the memory and chooses the kernels.
func (b *Batch) plan(k *kernels) {
	m := b.model
	source := m.Bodies()
	places := make([]spatial.Pose, len(m.Links()))
	for i := range places {
		body, place := m.LinkFrame(i)
		b.links = append(b.links, link{body: body - 1})
		places[i] = place
	}
	for i, flipped := range straighten(source) {
		if !flipped {
			continue
		}
		for l := range b.links {
			if b.links[l].body == i-1 {
				places[l].R, places[l].P = halfTurn(places[l].R), halfTurnVec(places[l].P)
			}
		}
	}
	for l := range b.links {
		r, p := &places[l].R, places[l].P
		b.links[l].place = []float64{r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2], p.X, p.Y, p.Z}
	}
	rows := func(n int) []float64 { return aligned(n * Lanes) }
	b.setWorld(rows)
	b.scratch = &aligned(scratchLen)[0]
	b.pose = rows(record.Frame)
	b.packed = packed{rows(m.NQ()), rows(m.NV()), rows(m.NV()), rows(m.NV())}
	b.bodies = make([]body, len(source)-1)
	angles := rows(2 * len(source))
	for i := 1; i < len(source); i++ {
		s, o := &source[i], &b.bodies[i-1]
		*o = body{
			class: k.classify(s), q: s.Q, v: s.V, onWorld: s.Parent == 0,
			constants: &constants(s)[0], angle: &angles[2*i*Lanes],
			frame: &rows(record.Frame)[0], motion: &rows(record.Motion)[0], velocity: &rows(3)[0], acc: &rows(record.Acc)[0],
			force: &rows(record.Force)[0], bias: &rows(record.Bias)[0], joint: &rows(record.Joint)[0],
			carriedForce: &rows(record.Force)[0], carriedArticulated: &rows(record.Art)[0],
			childForce: &b.world.zero[0], childArticulated: &b.world.zero[0],
			frameOf: &b.world.frame[0], motionOf: &b.world.motion[0], velocityOf: &b.world.velocity[0], accOf: &b.world.acc[0],
		}
		if s.Parent > 0 {
			p := &b.bodies[s.Parent-1]
			o.frameOf, o.motionOf, o.velocityOf, o.accOf = p.frame, p.motion, p.velocity, p.acc
		}
		if o.class == floating {
			o.floating = coordinates{rows(7), rows(6), rows(6), rows(6)}
		}
		b.addSpin(s, angles[2*i*Lanes:])
	}
	b.addUp(source)
}

// setWorld fills the rows of the world, which rises against gravity.
func (b *Batch) setWorld(rows func(int) []float64) {
	w := &b.world
	*w = world{rows(record.Frame), rows(record.Motion), rows(3), rows(record.Acc), rows(record.Art)}
	g := b.model.Gravity()
	for s := range Lanes {
		for k := range 3 {
			w.frame[4*k*Lanes+s] = 1
		}
		for k, x := range []float64{g.X, g.Y, g.Z} {
			w.motion[(15+k)*Lanes+s] = -x
			w.acc[(3+k)*Lanes+s] = -x
		}
	}
}

// addSpin notes where sine and cosine of the body come from: its angle, or once for all where it does not turn.
func (b *Batch) addSpin(s *multibody.Body, angle []float64) {
	switch s.Kind {
	case multibody.Sliding:
		sin, cos := math.Sincos(s.Gamma)
		for lane := range Lanes {
			angle[lane], angle[Lanes+lane] = sin, cos
		}
	case multibody.Turning, multibody.Screwing:
		if n := len(b.spins); n > 0 {
			if last := &b.spins[n-1]; last.q+last.rows == s.Q && &last.sin[2*Lanes*last.rows] == &angle[0] {
				last.rows++
				last.shift = append(last.shift, s.Gamma)
				return
			}
		}
		b.spins = append(b.spins, spin{s.Q, 1, []float64{s.Gamma}, angle, angle[Lanes:]})
	}
}

// addUp notes where the sums over children are: nothing, what the only child gives, or a place of their own.
func (b *Batch) addUp(source []multibody.Body) {
	children := make([]int, len(source))
	for i := 1; i < len(source); i++ {
		children[source[i].Parent]++
	}
	begun := make([]bool, len(source))
	for i := len(source) - 1; i > 0; i-- {
		p := source[i].Parent
		if p == 0 {
			continue
		}
		o, to := &b.bodies[i-1], &b.bodies[p-1]
		if children[p] == 1 {
			to.childForce, to.childArticulated = o.carriedForce, o.carriedArticulated
			continue
		}
		before := [2]*float64{to.childForce, to.childArticulated}
		if !begun[p] {
			begun[p] = true
			to.childForce, to.childArticulated = &aligned(record.Force * Lanes)[0], &aligned(record.Art * Lanes)[0]
		}
		o.addForce = [2]*float64{before[0], to.childForce}
		o.addArticulated = [2]*float64{before[1], to.childArticulated}
	}
}

// constants returns the constants of a body in the order of package record.
func constants(s *multibody.Body) []float64 {
	c := make([]float64, record.Len)
	vec := func(at int, v spatial.Vec3) { c[at], c[at+1], c[at+2] = v.X, v.Y, v.Z }
	sym := func(at int, m spatial.Sym3) {
		c[at], c[at+1], c[at+2], c[at+3], c[at+4], c[at+5] = m.XX, m.XY, m.XZ, m.YY, m.YZ, m.ZZ
	}
	turn, slide := 1.0, 0.0
	switch s.Kind {
	case multibody.Sliding:
		turn, slide = 0, 1
	case multibody.Screwing:
		slide = s.Pitch
	}
	vec(record.Origin, s.Origin)
	c[record.CosAlpha], c[record.SinAlpha], c[record.CosBeta], c[record.SinBeta] = s.CosAlpha, s.SinAlpha, s.CosBeta, s.SinBeta
	c[record.Turn], c[record.Slide] = turn, slide
	vec(record.Advance, s.Axis.Scale(slide))
	c[record.Mass], c[record.Armature] = s.Mass, s.Armature
	vec(record.FirstMoment, s.FirstMoment)
	sym(record.SecondMoment, s.SecondMoment)
	sym(record.Inertia, s.Inertia)
	for i := range 3 {
		for j := range 3 {
			c[record.Rotation+3*i+j] = s.Rotation[i][j]
		}
	}
	return c
}
