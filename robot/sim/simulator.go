package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Integrator is a method of integration; the package's documentation gives the equations of both.
type Integrator uint8

const (
	Midpoint Integrator = iota // second order, exact sticking, motors and rigid stops; O(n³) in the number of coordinates
	Euler                      // first order, compliant stops, no motors and no dry friction; O(n)
)

// DefaultSubstep returns the longest substep that a Simulator takes by default: 100 µs for Midpoint, short
// beside the time constants of motors, and 500 µs for Euler.
func (i Integrator) DefaultSubstep() time.Duration {
	if i == Euler {
		return 500 * time.Microsecond
	}
	return 100 * time.Microsecond
}

// Options are the choices of a Simulator. The zero value is Midpoint with its default substep and no drives.
type Options struct {
	Integrator Integrator
	Substep    time.Duration      // longest step of integration; 0: the integrator's default
	Drives     map[string]Drive   // by the names of joints; with Midpoint only. A joint without one has no motor
	Model      []multibody.Option // of the model: a floating base, another gravity
}

// Simulator is a robot that moves in time.
//
// Joints with one coordinate that follow no other are numbered from 0, in the order of the model's vectors; see Joints.
// Their positions, velocities and torques are in rad, rad/s and N m, or in m, m/s and N where the joint is prismatic.
// Joints with several coordinates, such as a floating base, have no number and move freely.
//
// It starts in the neutral configuration and at rest, with all torques, springs, pushes and voltages 0, motors powered
// and brakes released.
type Simulator struct {
	model *multibody.Model
	data  *multibody.Data
	names []string
	joint []joint

	integrator Integrator
	substep    time.Duration
	midpoint   midpoint
	euler      euler

	q, v   []float64
	tau    []float64 // nv: commanded torques, springs and forces on links
	move   []float64 // nv: scratch of shift
	pushes []multibody.LinkForce
	touch  []Contact
}

// New returns a simulator of the tree. The rotor inertias of drives are added to the Armature of their joints, and the
// tree's Damping and Friction to the friction of the drives. Limits of the tree are joint stops and bounds of torques.
//
// The error joins everything that is wrong: a tree that is no model or has nothing that moves, a joint that moves
// nothing with inertia, a drive for a joint that has no number, an impossible figure in a drive, drives or dry friction
// with Euler. New panics if the substep is negative or the integrator unknown.
func New(tree multibody.Tree, o Options) (*Simulator, error) {
	if o.Substep < 0 || o.Integrator > Euler {
		panic(fmt.Sprintf("sim: substep %v, integrator %d: expected at least 0, and Midpoint or Euler", o.Substep, o.Integrator))
	}
	if o.Substep == 0 {
		o.Substep = o.Integrator.DefaultSubstep()
	}
	tree.Joints = slices.Clone(tree.Joints)
	if err := equip(&tree, o); err != nil {
		return nil, err
	}
	model, err := multibody.NewModel(tree, o.Model...)
	if err != nil {
		return nil, err
	}
	if err := model.CheckInertia(); err != nil {
		return nil, fmt.Errorf("sim: robot %q: %w", tree.Name, err)
	}
	n := model.NV()
	if n == 0 {
		return nil, fmt.Errorf("sim: robot %q has no joint that moves", tree.Name)
	}
	s := &Simulator{
		model: model, data: multibody.NewData(model), integrator: o.Integrator, substep: o.Substep,
		q: model.Neutral(), v: make([]float64, n), tau: make([]float64, n), move: make([]float64, n),
		pushes: make([]multibody.LinkForce, 0, len(model.Links())),
	}
	s.number(o.Drives)
	if o.Integrator == Euler {
		s.euler, err = newEuler(tree, s.joint, o)
	} else {
		s.midpoint = newMidpoint(n, len(s.joint))
	}
	return s, err
}

// equip adds the rotors of the drives to the joints of the tree, and reports impossible drives and dry friction with Euler.
func equip(tree *multibody.Tree, o Options) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf("sim: "+format, args...)) }
	known := map[string]bool{}
	for i := range tree.Joints {
		j := &tree.Joints[i]
		known[j.Name] = true
		if o.Integrator == Euler && j.Friction != 0 {
			fail("joint %q has dry friction, which needs the integrator Midpoint", j.Name)
		}
		d, ok := o.Drives[j.Name]
		if !ok {
			continue
		}
		switch err := d.Check(); {
		case o.Integrator == Euler:
			fail("drive of joint %q needs the integrator Midpoint", j.Name)
		case j.Type.NV() != 1:
			fail("drive of joint %q, which is %v: only joints with one degree of freedom can be driven", j.Name, j.Type)
		case j.Mimic != nil:
			fail("drive of joint %q, which follows joint %q: drive that one", j.Name, j.Mimic.Joint)
		case err != nil:
			fail("drive of joint %q: %w", j.Name, err)
		}
		j.Armature += d.Armature()
	}
	for name := range o.Drives {
		if !known[name] {
			fail("drive for joint %q, which the robot %q does not have", name, tree.Name)
		}
	}
	return errors.Join(errs...)
}

// number finds the joints with a number.
func (s *Simulator) number(drives map[string]Drive) {
	lower, upper, effort := make([]float64, s.model.NQ()), make([]float64, s.model.NQ()), make([]float64, s.model.NV())
	s.model.PositionLimits(lower, upper)
	s.model.EffortLimits(effort)
	for _, j := range s.model.Joints() {
		if j.Mimic == nil && j.Type.NV() == 1 {
			s.names = append(s.names, j.Name)
			s.joint = append(s.joint, joint{q: j.Q, v: j.V, drive: drives[j.Name].in(j.Joint),
				lower: lower[j.Q], upper: upper[j.Q], effort: effort[j.V]})
		}
	}
}

// Model returns the model of the robot, rotor inertias included.
func (s *Simulator) Model() *multibody.Model { return s.model }

// Joints returns the names of the joints in the order of their numbers.
func (s *Simulator) Joints() []string { return slices.Clone(s.names) }

// Drive returns the drive of joint i, with the friction of its joint in the tree added and no defaults left open: torques in N m of a
// joint that turns, forces in N of one that slides. i is 0 to the number of joints minus 1, in the order of [Simulator.Joints]; any
// other panics.
func (s *Simulator) Drive(i int) Drive { return s.joint[i].drive }

// SetState puts the robot at positions q with velocities v (nil: at rest), both in the order of the model's vectors. It
// panics on wrong lengths and values that are not finite.
func (s *Simulator) SetState(q, v []float64) {
	if len(q) != len(s.q) || v != nil && len(v) != len(s.v) {
		panic(fmt.Sprintf("sim: SetState with %d positions and %d velocities, expected %d and %d", len(q), len(v), len(s.q), len(s.v)))
	}
	for _, x := range [...][]float64{q, v} {
		for i := range x {
			if x[i]-x[i] != 0 {
				panic(fmt.Sprintf("sim: SetState: value %d is %v, expected a finite number", i, x[i]))
			}
		}
	}
	copy(s.q, q)
	if v == nil {
		clear(s.v)
	}
	copy(s.v, v)
	s.midpoint.restart(s.v)
}

// Q returns the positions (rad or m; quaternions without unit) in the order of the model's vectors. The slice is the
// simulator's own: it changes with each Step; do not write to it.
func (s *Simulator) Q() []float64 { return s.q }

// V returns the velocities (rad/s or m/s) in the order of the model's vectors. The slice is the simulator's own, as that of Q.
func (s *Simulator) V() []float64 { return s.v }

// Position returns the position of joint i, rad or m. It panics unless 0 ≤ i < len(Joints()).
func (s *Simulator) Position(i int) float64 { return s.q[s.joint[i].q] }

// Velocity returns the velocity of joint i, rad/s or m/s. It panics unless 0 ≤ i < len(Joints()).
func (s *Simulator) Velocity(i int) float64 { return s.v[s.joint[i].v] }

// Step advances time by dt in equal substeps. It panics if dt is negative.
func (s *Simulator) Step(dt time.Duration) {
	if dt < 0 {
		panic(fmt.Sprintf("sim: Step by %v, expected at least 0", dt))
	}
	n := int((dt + s.substep - 1) / s.substep)
	h := dt.Seconds() / float64(n)
	for range n {
		if s.integrator == Euler {
			s.stepEuler(h)
		} else {
			s.stepMidpoint(h)
		}
	}
}

// shift moves the positions with the velocities v for h seconds.
func (s *Simulator) shift(v []float64, h float64) {
	for i := range v {
		s.move[i] = h * v[i]
	}
	s.model.Integrate(s.q, s.move, s.q)
}
