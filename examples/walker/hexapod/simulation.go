package hexapod

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Figures of the simulation that nobody needs to tune.
const (
	substep      = 0.0005 // s
	rotorInertia = 0.01   // kg m², of a servo's motor behind its gear
	effort       = 8      // N m, the most a servo gives
	footRadius   = 0.012  // m

	groundStiffness = 8000.0 // N/m, of each point of contact: half a millimetre under the load of a standing leg
	groundDamping   = 60.0   // N s/m
	gripStiffness   = 8000.0 // N/m, along the ground
	gripDamping     = 60.0   // N s/m
	looseDamping    = 0.2    // N m s/rad, of a servo that is switched off

	baseQ, baseV = 7, 6 // coordinates of the floating base before those of the joints
)

// simulation moves a free body with legs on flat ground at z = 0, by Euler's semi-implicit method.
//
//	M(q) v' + h(q, v) = τ + Σ Jᵀ f
//
// Each point of contact is a spring and a damper across the ground, and a spring and a damper along it whose far end
// sticks to the ground until the force would leave the cone of friction; then it is dragged along (P. Cundall and
// O. Strack, A discrete numerical model for granular assemblies, Géotechnique 1979). So a standing machine does not
// creep.
type simulation struct {
	model     *multibody.Model
	data      *multibody.Data
	q, v      []float64
	a, tau, w []float64
	contacts  []contact // those of the feet first
	forces    []multibody.LinkForce
	servos    []servo

	stiffness, damping, friction float64
}

// contact is a point of the machine that may touch the ground.
type contact struct {
	link   int
	at     spatial.Vec3 // in the frame of the link
	radius float64
	stuck  bool
	anchor spatial.Vec3 // where the ground holds it
	point  spatial.Vec3 // where it touches, or would
	force  spatial.Vec3 // of the ground on it
}

// servo turns one joint towards its target.
type servo struct {
	target float64
	on     bool
}

// bellyCorners are the corners of the body's underside.
var bellyCorners = []spatial.Vec3{{X: 0.2, Y: 0.1, Z: -0.035}, {X: 0.2, Y: -0.1, Z: -0.035}, {X: -0.2, Y: 0.1, Z: -0.035}, {X: -0.2, Y: -0.1, Z: -0.035}}

// newSimulation returns the machine with the belly on the ground and its legs folded.
func newSimulation(model *multibody.Model) (*simulation, error) {
	n := model.NV()
	s := &simulation{
		model: model, data: multibody.NewData(model), q: model.Neutral(), v: make([]float64, n), a: make([]float64, n),
		tau: make([]float64, n), w: make([]float64, n), servos: make([]servo, 3*len(Legs)),
	}
	if n != baseV+len(s.servos) {
		return nil, fmt.Errorf("it has %d joints: wants %d", n-baseV, len(s.servos))
	}
	for i, leg := range Legs {
		foot, err := model.Link(leg + "_foot")
		if err != nil {
			return nil, err
		}
		joint, err := model.Joint(leg + "_coxa")
		if err != nil {
			return nil, err
		}
		if joint.V != baseV+3*i {
			return nil, fmt.Errorf("joint %q is not the one it should be by its number", joint.Name)
		}
		s.contacts = append(s.contacts, contact{link: foot, radius: footRadius})
		copy(s.q[joint.Q:], Folded[:])
	}
	body, err := model.Link("body")
	if err != nil {
		return nil, err
	}
	for _, corner := range bellyCorners {
		s.contacts = append(s.contacts, contact{link: body, at: corner})
	}
	s.q[2] = -bellyCorners[0].Z
	s.forces = make([]multibody.LinkForce, len(s.contacts))
	return s, nil
}

// base returns position and orientation of the body.
func (s *simulation) base() (spatial.Vec3, spatial.Quat) {
	return spatial.Vec3{X: s.q[0], Y: s.q[1], Z: s.q[2]}, spatial.Quat{X: s.q[3], Y: s.q[4], Z: s.q[5], W: s.q[6]}
}

// advance moves the machine for dt seconds.
func (s *simulation) advance(dt float64) {
	n := int(math.Ceil(dt/substep - 1e-9))
	for range n {
		s.step(dt / float64(n))
	}
}

func (s *simulation) step(h float64) {
	multibody.FKVelocity(s.data, s.q, s.v)
	for i := range s.contacts {
		c := &s.contacts[i]
		pose, motion := s.data.Pose(c.link), s.data.Velocity(c.link, multibody.Mixed)
		arm := pose.R.MulVec(c.at)
		c.touch(pose.P.Add(arm), motion.Linear.Add(motion.Angular.Cross(arm)), s.friction)
		s.forces[i] = multibody.LinkForce{Link: c.link, Ref: multibody.Mixed,
			Force: spatial.Force{Linear: c.force, Angular: arm.Cross(c.force)}}
	}
	clear(s.tau)
	for i := range s.servos {
		s.tau[baseV+i] = s.torque(i)
	}
	multibody.AddForces(s.data, s.q, s.forces, s.tau)
	multibody.ABA(s.data, s.q, s.v, s.tau, s.a)
	for i := range s.v {
		s.v[i] += h * s.a[i]
		s.w[i] = h * s.v[i]
	}
	s.model.Integrate(s.q, s.w, s.q)
}

// torque returns what servo i gives.
func (s *simulation) torque(i int) float64 {
	q, v := s.q[baseQ+i], s.v[baseV+i]
	if !s.servos[i].on {
		return -looseDamping * v
	}
	tau := s.stiffness*(s.servos[i].target-q) - s.damping*v
	return min(max(tau, -effort), effort)
}

// touch finds the force of the ground on a point at p that moves with v.
func (c *contact) touch(p, v spatial.Vec3, friction float64) {
	c.point = spatial.Vec3{X: p.X, Y: p.Y, Z: p.Z - c.radius}
	depth := c.radius - p.Z
	normal := groundStiffness*depth - groundDamping*v.Z
	if depth <= 0 || normal <= 0 {
		c.stuck, c.force = false, spatial.Vec3{}
		return
	}
	if !c.stuck {
		c.stuck, c.anchor = true, p
	}
	fx := gripStiffness*(c.anchor.X-p.X) - gripDamping*v.X
	fy := gripStiffness*(c.anchor.Y-p.Y) - gripDamping*v.Y
	if size, most := math.Hypot(fx, fy), friction*normal; size > most {
		fx, fy = fx*most/size, fy*most/size
		c.anchor.X, c.anchor.Y = p.X+fx/gripStiffness, p.Y+fy/gripStiffness
	}
	c.force = spatial.Vec3{X: fx, Y: fy, Z: normal}
}
