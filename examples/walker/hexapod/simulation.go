package hexapod

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Constants of the simulation.
const (
	rotorInertia = 0.01  // kg m², of a servo's motor behind its gear
	looseDamping = 0.2   // N m s/rad, of a servo that is switched off
	footRadius   = 0.012 // m

	baseQ, baseV = 7, 6 // coordinates of the floating base before those of the joints
)

// surface is the ground: under the load of a standing leg a foot dips in by half a millimetre.
var surface = sim.Surface{Stiffness: 8000, Damping: 60, GripStiffness: 8000, GripDamping: 60, Friction: 0.8}

// bellyCorners are the corners of the body's underside.
var bellyCorners = []spatial.Vec3{{X: 0.2, Y: 0.1, Z: -0.035}, {X: 0.2, Y: -0.1, Z: -0.035}, {X: -0.2, Y: 0.1, Z: -0.035}, {X: -0.2, Y: -0.1, Z: -0.035}}

// simulation is the machine as a free body with legs on level ground. Points of contact are the feet, in the order of
// [Legs], then the corners of the belly.
type simulation struct {
	*sim.Simulator
	ground *sim.Ground
	points int
	servos []servo
}

// servo turns one joint towards its target.
type servo struct {
	target float64
	on     bool
}

// newSimulation returns the machine with the belly on the ground and its legs folded.
func newSimulation(tree multibody.Tree) (*simulation, error) {
	for i := range tree.Joints {
		if tree.Joints[i].Type != multibody.Fixed {
			tree.Joints[i].Armature = rotorInertia
		}
	}
	body, err := sim.New(tree, sim.Options{Integrator: sim.Euler, Model: []multibody.Option{multibody.FloatingBase()}})
	if err != nil {
		return nil, err
	}
	s := &simulation{Simulator: body, servos: make([]servo, 3*len(Legs))}
	model := body.Model()
	if n := model.NV() - baseV; n != len(s.servos) {
		return nil, fmt.Errorf("it has %d joints: wants %d", n, len(s.servos))
	}
	q := model.Neutral()
	q[2] = -bellyCorners[0].Z
	var points []sim.Point
	for i, leg := range Legs {
		joint, err := model.Joint(leg + "_coxa")
		if err != nil {
			return nil, err
		}
		if joint.V != baseV+3*i {
			return nil, fmt.Errorf("joint %q is not the one it should be by its number", joint.Name)
		}
		copy(q[joint.Q:], Folded[:])
		points = append(points, sim.Point{Link: leg + "_foot", Radius: footRadius})
	}
	for _, corner := range bellyCorners {
		points = append(points, sim.Point{Link: "body", At: corner})
	}
	s.SetState(q, nil)
	s.points = len(points)
	if s.ground, err = sim.NewGround(model, surface, points...); err != nil {
		return nil, err
	}
	s.AddContact(s.ground)
	return s, nil
}

// drive sets the springs that the servos are, with their stiffness (N m/rad) and damping (N m s/rad).
func (s *simulation) drive(stiffness, damping float64) {
	for i, servo := range s.servos {
		spring := sim.Spring{Damping: looseDamping}
		if servo.on {
			spring = sim.Spring{Rest: servo.target, Stiffness: stiffness, Damping: damping}
		}
		s.SetSpring(i, spring)
	}
}

// base returns position and orientation of the body.
func (s *simulation) base() (spatial.Vec3, spatial.Quat) {
	q := s.Q()
	return spatial.Vec3{X: q[0], Y: q[1], Z: q[2]}, spatial.Quat{X: q[3], Y: q[4], Z: q[5], W: q[6]}
}
