package sim

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Ground is level ground at z = 0 of the world, which carries points of a robot. Each point is a small sphere. Where it
// dips into the ground by a depth d, it feels a spring and a damper across the ground and a spring and a damper along
// it, whose far end sticks to the ground at the anchor a where they met,
//
//	N = Stiffness d - Damping ż
//	T = GripStiffness (a - p) - GripDamping ṗ       along the ground, |T| ≤ Friction N
//
// When T would leave the cone of friction, it is cut to its edge and the anchor is dragged along. So a robot at rest
// does not creep. The ground never pulls: a point with d ≤ 0 or N ≤ 0 is loose. The force acts on the centre of the
// sphere.
//
// P. A. Cundall, O. D. L. Strack, A discrete numerical model for granular assemblies, Géotechnique 29, 1979.
type Ground struct {
	surface Surface
	points  []groundPoint
	forces  []multibody.LinkForce
}

// Surface describes how hard and how rough ground is. A point that carries the mass m bounces with the damping ratio
// Damping/(2 √(Stiffness m)). No figure may be negative.
type Surface struct {
	Stiffness, Damping         float64 // of each point across the ground, N/m and N s/m
	GripStiffness, GripDamping float64 // of each point along the ground, N/m and N s/m; with Friction, GripStiffness is not 0
	Friction                   float64 // coefficient μ of friction, static and of motion
}

// Point is a point of a robot that may touch the ground.
type Point struct {
	Link   string       // name
	At     spatial.Vec3 // centre in the frame of the link, m
	Radius float64      // of the sphere about it, m; may be 0
}

type groundPoint struct {
	link   int
	at     spatial.Vec3 // in the frame of the link
	radius float64
	stuck  bool
	anchor spatial.Vec3 // where the ground holds it
	place  spatial.Vec3 // where it touches, or would
	force  spatial.Vec3
}

// NewGround returns ground under the given points of a model. The error joins everything that is wrong: figures that are
// negative or not finite, links that the model does not have.
func NewGround(model *multibody.Model, surface Surface, points ...Point) (*Ground, error) {
	errs := []error{surface.check()}
	g := &Ground{surface: surface, forces: make([]multibody.LinkForce, 0, len(points))}
	for i, p := range points {
		link, err := model.Link(p.Link)
		if err != nil {
			errs = append(errs, fmt.Errorf("sim: point %d on the ground: %w", i, err))
		}
		if x := p.At.Norm() + p.Radius; x-x != 0 || p.Radius < 0 {
			errs = append(errs, fmt.Errorf("sim: point %d on the ground is at %v with radius %v: must be finite, the radius not negative", i, p.At, p.Radius))
		}
		g.points = append(g.points, groundPoint{link: link, at: p.At, radius: p.Radius})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return g, nil
}

func (s *Surface) check() error {
	for _, x := range [...]float64{s.Stiffness, s.Damping, s.GripStiffness, s.GripDamping, s.Friction} {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("sim: the ground is %+v: figures must be finite and not negative", *s)
		}
	}
	if s.Friction > 0 && s.GripStiffness == 0 {
		return fmt.Errorf("sim: the ground has friction %v but GripStiffness = 0: must be positive", s.Friction)
	}
	return nil
}

// SetFriction changes the coefficient of friction from now on. It panics if μ is negative or not finite.
func (g *Ground) SetFriction(μ float64) {
	g.surface.Friction = μ
	if err := g.surface.check(); err != nil {
		panic(err.Error())
	}
}

// Touch returns where point i touches the ground, or would if it were lower, and the force of the ground on it (N, zero
// where it is loose), both in the world, as of the last substep.
func (g *Ground) Touch(i int) (at, force spatial.Vec3) { return g.points[i].place, g.points[i].force }

// Forces implements Contact.
func (g *Ground) Forces(d *multibody.Data) []multibody.LinkForce {
	g.forces = g.forces[:0]
	for i := range g.points {
		p := &g.points[i]
		pose, motion := d.Pose(p.link), d.Velocity(p.link, multibody.Mixed)
		arm := pose.R.MulVec(p.at)
		p.meet(&g.surface, pose.P.Add(arm), motion.Linear.Add(motion.Angular.Cross(arm)))
		if p.force != (spatial.Vec3{}) {
			g.forces = append(g.forces, multibody.LinkForce{Link: p.link, Ref: multibody.Mixed,
				Force: spatial.Force{Linear: p.force, Angular: arm.Cross(p.force)}})
		}
	}
	return g.forces
}

// meet finds the force of the ground on the point when its centre is at c and moves with v.
func (p *groundPoint) meet(s *Surface, c, v spatial.Vec3) {
	p.place = spatial.Vec3{X: c.X, Y: c.Y, Z: c.Z - p.radius}
	depth := p.radius - c.Z
	normal := s.Stiffness*depth - s.Damping*v.Z
	if depth <= 0 || normal <= 0 {
		p.stuck, p.force = false, spatial.Vec3{}
		return
	}
	if !p.stuck {
		p.stuck, p.anchor = true, c
	}
	fx := s.GripStiffness*(p.anchor.X-c.X) - s.GripDamping*v.X
	fy := s.GripStiffness*(p.anchor.Y-c.Y) - s.GripDamping*v.Y
	if size, most := math.Hypot(fx, fy), s.Friction*normal; size > most {
		fx, fy = fx*most/size, fy*most/size
		p.anchor.X, p.anchor.Y = c.X+fx/s.GripStiffness, c.Y+fy/s.GripStiffness
	}
	p.force = spatial.Vec3{X: fx, Y: fy, Z: normal}
}
