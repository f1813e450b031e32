package scene

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ErrNotFinite refuses a configuration with a NaN or an infinity.
var ErrNotFinite = errors.New("place the bodies of a scene: a coordinate of the configuration is not finite; check where it was computed")

// Finite reports whether no coordinate of q, of any length, is a NaN or an infinity.
func Finite(q []float64) bool {
	zero := 0.0
	for _, x := range q {
		zero += x * 0
	}
	return zero == 0
}

// Placer computes where the bodies of a scene are: the workspace of one goroutine.
type Placer struct {
	Poses []spatial.Pose // of the bodies in the scene, as of the last Place

	scene  *Scene
	data   []*multibody.Data // of the models
	atZero []bool            // models whose base is the identity
	moving []int             // bodies that models carry
}

// NewPlacer allocates a placer. Resting bodies have their poses from then on.
func NewPlacer(s *Scene) *Placer {
	p := &Placer{scene: s, Poses: make([]spatial.Pose, len(s.bodies))}
	for i := range s.models {
		p.data = append(p.data, multibody.NewData(s.models[i].Model))
		p.atZero = append(p.atZero, s.models[i].Base == spatial.IdentityPose())
	}
	for i := range s.bodies {
		p.Poses[i] = s.bodies[i].Pose
		if s.bodies[i].Model >= 0 {
			p.moving = append(p.moving, i)
		}
	}
	return p
}

// Place computes the poses at the configuration q. It fails if a coordinate is not finite; q of the wrong length is a mistake of the program and
// panics. q has length NQ; rad or m.
func (p *Placer) Place(q []float64) error {
	if len(q) != p.scene.nq {
		panic(fmt.Sprintf("scene: a configuration has %d coordinates, want %d", len(q), p.scene.nq))
	}
	if !Finite(q) {
		return ErrNotFinite
	}
	for _, d := range p.data {
		n := d.Model().NQ()
		multibody.FK(d, q[:n])
		q = q[n:]
	}
	for _, i := range p.moving {
		b := &p.scene.bodies[i]
		p.Poses[i] = p.link(b.Model, b.Link)
		if b.Object {
			p.Poses[i] = p.Poses[i].Mul(b.Pose)
		}
	}
	return nil
}

// link returns the pose of a link in the scene, with or without shapes, as of the last Place.
func (p *Placer) link(model, link int) spatial.Pose {
	pose := p.data[model].Pose(link)
	if p.atZero[model] {
		return pose
	}
	return p.scene.models[model].Base.Mul(pose)
}
