package sim

import (
	"fmt"
	"math"
)

// Spring pulls a joint to a position, as the servo of a hobby motor or an impedance-controlled drive does, with
//
//	τ = Stiffness (Rest - q) - Damping q'
//
// The zero value does nothing.
type Spring struct {
	Rest      float64 // position without torque, rad (m)
	Stiffness float64 // N m/rad (N/m), not negative
	Damping   float64 // N m s/rad (N s/m), not negative
}

// joint is a joint with a number: its limits, its drive and its commands.
type joint struct {
	q, v         int // its coordinate in the model's vectors
	lower, upper float64
	effort       float64
	stop         stop // of Euler
	drive        Drive

	torque  float64
	spring  Spring
	volts   float64
	open    bool // the motor's circuit is open: no current
	braking bool
}

// SetTorque commands the torque (N m, or force in N) at joint i from now on. Together with that of the joint's spring it is cut
// to the effort of the joint. A torque that is not a number counts as 0, as does an infinite one where the effort has no limit.
func (s *Simulator) SetTorque(i int, torque float64) {
	j := &s.joint[i]
	torque = min(max(torque, -j.effort), j.effort)
	if torque-torque != 0 {
		torque = 0
	}
	j.torque = torque
}

// SetSpring puts a spring on joint i in place of the one before. It panics on figures that are not finite, and on
// negative stiffness and damping.
func (s *Simulator) SetSpring(i int, spring Spring) {
	if !(spring.Stiffness >= 0 && spring.Damping >= 0) || spring.Rest-spring.Rest != 0 || math.IsInf(spring.Stiffness+spring.Damping, 0) {
		panic(fmt.Sprintf("sim: SetSpring at joint %q: %+v: expected finite figures, stiffness and damping not negative", s.names[i], spring))
	}
	s.joint[i].spring = spring
}

// SetVoltage puts a voltage in V on the motor of joint i from now on, limited to the supply of its drive. NaN counts as 0 V.
func (s *Simulator) SetVoltage(i int, volts float64) {
	j := &s.joint[i]
	if math.IsNaN(volts) {
		volts = 0
	}
	j.volts = min(max(volts, -j.drive.Supply), j.drive.Supply)
}

// SetPower connects the motor of joint i to its amplifier, or disconnects it. A disconnected motor turns freely; one
// that is connected brakes by its back-EMF even at 0 V.
func (s *Simulator) SetPower(i int, on bool) { s.joint[i].open = !on }

// SetBrake applies or releases the brake of joint i.
func (s *Simulator) SetBrake(i int, on bool) { s.joint[i].braking = on }

// Current returns the current of the motor of joint i in A.
func (s *Simulator) Current(i int) float64 {
	j := &s.joint[i]
	if j.open {
		return 0
	}
	return j.drive.Current(j.volts, s.v[j.v])
}

// commanded returns the torque that the commands of the joint amount to at position q with velocity v.
func (j *joint) commanded(q, v float64) float64 {
	k := &j.spring
	return min(max(j.torque+k.Stiffness*(k.Rest-q)-k.Damping*v, -j.effort), j.effort)
}
