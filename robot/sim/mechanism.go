package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// DefaultSubstep is the step of integration that suits drives of robots: short beside their time constants.
const DefaultSubstep = 100 * time.Microsecond

// Mechanism is a robot of joints with one degree of freedom each, with a drive on each of them, moving in time. Joints
// are numbered in the order of the model's vectors; see Joints. All positions, velocities and torques are those of the
// joint (rad, rad/s, N m; m, m/s, N for prismatic joints).
//
// It starts at q = 0 and at rest, powered with 0 V, brakes released.
type Mechanism struct {
	model   *multibody.Model
	data    *multibody.Data
	substep time.Duration
	names   []string
	axis    []axis

	q, v []float64

	solver
}

// axis is a joint with its drive and what is asked of it.
type axis struct {
	drive        Drive
	nk           float64 // torque at the joint per ampere, N m/A
	lower, upper float64 // stops, rad

	volts   float64
	open    bool // the motor's circuit is open: no current
	braking bool
}

// NewMechanism returns the mechanism of the tree with the drives given by the names of joints; a joint without one is
// free. Rotor inertia is added to the Armature of its joint, and what the tree says of Damping and Friction to the drive's. The
// limits of a joint's position are its stops. Substep is the longest step of integration; 0 means DefaultSubstep.
//
// The error says all that is wrong: a tree that is no model, a joint of several degrees of freedom, a drive for a
// joint that does not exist, an impossible figure in a drive.
func NewMechanism(tree multibody.Tree, drives map[string]Drive, substep time.Duration, options ...multibody.Option) (*Mechanism, error) {
	if substep < 0 {
		panic(fmt.Sprintf("sim: substep %v is negative", substep))
	}
	if substep == 0 {
		substep = DefaultSubstep
	}
	var errs []error
	tree.Joints = slices.Clone(tree.Joints)
	known := map[string]bool{}
	for i := range tree.Joints {
		j := &tree.Joints[i]
		known[j.Name] = true
		d := drives[j.Name]
		if err := d.Check(); err != nil {
			errs = append(errs, fmt.Errorf("sim: drive of joint %q: %w", j.Name, err))
		}
		j.Armature += d.Armature()
		if j.Type.NV() > 1 {
			errs = append(errs, fmt.Errorf("sim: joint %q is %v: only joints with one degree of freedom can be driven", j.Name, j.Type))
		}
	}
	for name := range drives {
		if !known[name] {
			errs = append(errs, fmt.Errorf("sim: drive for joint %q, which the robot %q does not have", name, tree.Name))
		}
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	model, err := multibody.NewModel(tree, options...)
	if err != nil {
		return nil, err
	}
	n := model.NV()
	m := &Mechanism{model: model, data: multibody.NewData(model), substep: substep,
		names: make([]string, n), axis: make([]axis, n), q: make([]float64, n), v: make([]float64, n)}
	for _, j := range model.Joints() {
		if j.Mimic == nil {
			m.names[j.V], m.axis[j.V] = j.Name, newAxis(j.Joint, drives[j.Name])
		}
	}
	m.solver = newSolver(n)
	if multibody.CRBA(m.data, m.q, m.mass); !invert(m.mass, m.inverse, n) {
		return nil, fmt.Errorf("sim: the links of robot %q beyond some joint have no inertia about its axis: give them mass, or the joint a motor", tree.Name)
	}
	return m, nil
}

func newAxis(j multibody.Joint, d Drive) axis {
	if d.Gear.Ratio == 0 {
		d.Gear.Ratio = 1
	}
	if d.Gear.Efficiency == 0 {
		d.Gear.Efficiency = 1
	}
	a := axis{drive: d, nk: d.Gear.Ratio * d.Motor.TorqueConstant,
		lower: math.Inf(-1), upper: math.Inf(1)}
	f := &a.drive.Friction
	f.Static = max(f.Static, f.Coulomb) + j.Friction
	f.Coulomb += j.Friction
	f.Viscous += j.Damping
	if j.Limits != nil && j.Type != multibody.Continuous {
		a.lower, a.upper = j.Limits.Lower, j.Limits.Upper
	}
	return a
}

// Model returns the model of the mechanism, rotor inertias included.
func (m *Mechanism) Model() *multibody.Model { return m.model }

// Joints returns the names of the joints in the order of their numbers.
func (m *Mechanism) Joints() []string { return slices.Clone(m.names) }

// Drive returns the drive of joint i, with the friction of its joint in the tree added and no defaults left open.
func (m *Mechanism) Drive(i int) Drive { return m.axis[i].drive }

// SetState puts the mechanism at positions q with velocities v (nil: at rest). It panics on wrong lengths and values
// that are not finite.
func (m *Mechanism) SetState(q, v []float64) {
	if len(q) != len(m.q) || v != nil && len(v) != len(m.v) {
		panic(fmt.Sprintf("sim: SetState with %d positions and %d velocities, expected %d", len(q), len(v), len(m.q)))
	}
	for i, x := range q {
		if x-x != 0 || v != nil && v[i]-v[i] != 0 {
			panic(fmt.Sprintf("sim: SetState: state of joint %q is not finite", m.names[i]))
		}
	}
	copy(m.q, q)
	clear(m.v)
	copy(m.v, v)
	copy(m.last, m.v)
	clear(m.impulse)
}

// Position returns the position of joint i.
func (m *Mechanism) Position(i int) float64 { return m.q[i] }

// Velocity returns the velocity of joint i.
func (m *Mechanism) Velocity(i int) float64 { return m.v[i] }

// Current returns the current of the motor of joint i in A.
func (m *Mechanism) Current(i int) float64 {
	a := &m.axis[i]
	if a.open {
		return 0
	}
	return a.drive.Current(a.volts, m.v[i])
}

// Apply puts a voltage on the motor of joint i from now on, limited to the supply of its drive. NaN counts as 0 V.
func (m *Mechanism) Apply(i int, volts float64) {
	a := &m.axis[i]
	if math.IsNaN(volts) {
		volts = 0
	}
	a.volts = min(max(volts, -a.drive.Supply), a.drive.Supply)
}

// Power connects the motor of joint i to its amplifier, or disconnects it. A disconnected motor turns freely; one that
// is connected brakes by its back-EMF even at 0 V.
func (m *Mechanism) Power(i int, on bool) { m.axis[i].open = !on }

// Brake applies or releases the brake of joint i.
func (m *Mechanism) Brake(i int, on bool) { m.axis[i].braking = on }

// Step advances time by dt in equal substeps. It panics if dt is negative.
func (m *Mechanism) Step(dt time.Duration) {
	if dt < 0 {
		panic("sim: Step with a negative time")
	}
	n := int((dt + m.substep - 1) / m.substep)
	h := dt.Seconds() / float64(n)
	for range n {
		m.advance(h)
	}
}
