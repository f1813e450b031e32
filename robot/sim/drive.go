package sim

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Drive describes the DC motor, gear, friction and brake of a joint. The zero value is a joint without any of them.
//
// The motor's current is taken as settled, i = (u - k ω)/R: the electrical time constant L/R of motors up to some
// hundred watts (0.1 ms) is short beside the mechanical one (5 ms) and beside a control cycle.
type Drive struct {
	Motor    Motor
	Gear     Gear
	Friction Friction
	Brake    float64 // torque of the applied brake at the joint, N m
	Supply   float64 // voltage that the amplifier can apply in either direction, V
}

// Motor is a DC motor with permanent magnets. A motor with resistance 0 is none.
type Motor struct {
	Resistance     float64 // R of the winding, ohm
	TorqueConstant float64 // k, N m/A; in SI units also the back-EMF in V s/rad
	RotorInertia   float64 // of the rotor and all that turns with it before the gear, kg m²
}

// Gear is between motor and joint.
type Gear struct {
	Ratio float64 // n: turns of the motor per turn of the joint; 0 means 1

	// Efficiency η is the part of the motor's torque that reaches the joint, 0 < η ≤ 1; 0 means 1. The rest acts as dry
	// friction in proportion to the torque, (1-η) n |τ_motor|: so it holds back both a motor that drives and a load
	// that drives the motor.
	Efficiency float64
}

// Friction is that of the joint with its bearings, gear and motor, as felt at the joint. The dry part is, with the
// Stribeck curve between static and Coulomb friction,
//
//	F(v) = Coulomb + (Static - Coulomb) exp(-(v/StribeckVelocity)²)
//
// B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools and compensation methods for
// the control of machines with friction, 1994.
type Friction struct {
	Viscous          float64 // N m s/rad
	Coulomb          float64 // N m, of motion
	Static           float64 // N m, at rest; not below Coulomb, 0 means Coulomb
	StribeckVelocity float64 // rad/s, where the excess of Static has fallen to 1/e; 0 if there is none
}

// in returns the drive in its joint: with the joint's friction added and no defaults left open.
func (d Drive) in(j multibody.Joint) Drive {
	d.Gear = Gear{Ratio: d.ratio(), Efficiency: d.efficiency()}
	f := &d.Friction
	f.Static = max(f.Static, f.Coulomb) + j.Friction
	f.Coulomb += j.Friction
	f.Viscous += j.Damping
	return d
}

// Armature returns the rotor's inertia as felt at the joint, n² J, in kg m².
func (d *Drive) Armature() float64 { n := d.ratio(); return n * n * d.Motor.RotorInertia }

// Current returns the motor's current in A with voltage u and joint velocity v (rad/s).
func (d *Drive) Current(u, v float64) float64 {
	if d.Motor.Resistance == 0 {
		return 0
	}
	return (u - d.Motor.TorqueConstant*d.ratio()*v) / d.Motor.Resistance
}

// Voltage returns the voltage with which the joint feels the torque (N m) from the motor while it turns at velocity v
// (rad/s), gear losses made up for but not Friction, for feedforward controllers. It is not limited to the supply. A drive without motor gives 0.
func (d *Drive) Voltage(torque, v float64) float64 {
	nk := d.ratio() * d.Motor.TorqueConstant
	if nk == 0 {
		return 0
	}
	loss := 1 - d.efficiency()
	switch power := torque * v; {
	case power > 0:
		torque /= 1 - loss
	case power < 0:
		torque /= 1 + loss
	}
	return torque*d.Motor.Resistance/nk + nk*v
}

// dry returns the bound of the dry friction torque at velocity v with the motor torque (at the joint, before losses).
func (d *Drive) dry(v, motor float64) float64 {
	f := &d.Friction
	dry := f.Coulomb
	if f.Static > f.Coulomb {
		if v == 0 {
			dry = f.Static
		} else if r := v / f.StribeckVelocity; r > -6 && r < 6 { // beyond, the excess is below 1e-15
			dry += (f.Static - f.Coulomb) * math.Exp(-r*r)
		}
	}
	return dry + (1-d.efficiency())*math.Abs(motor)
}

func (d *Drive) ratio() float64 {
	if d.Gear.Ratio == 0 {
		return 1
	}
	return d.Gear.Ratio
}

func (d *Drive) efficiency() float64 {
	if d.Gear.Efficiency == 0 {
		return 1
	}
	return d.Gear.Efficiency
}

// Check reports every figure that is not possible, by the name of its field.
func (d *Drive) Check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, f := range [...]struct {
		name  string
		value float64
	}{
		{"Motor.Resistance", d.Motor.Resistance}, {"Motor.TorqueConstant", d.Motor.TorqueConstant},
		{"Motor.RotorInertia", d.Motor.RotorInertia}, {"Gear.Ratio", d.Gear.Ratio}, {"Gear.Efficiency", d.Gear.Efficiency},
		{"Friction.Viscous", d.Friction.Viscous}, {"Friction.Coulomb", d.Friction.Coulomb}, {"Friction.Static", d.Friction.Static},
		{"Friction.StribeckVelocity", d.Friction.StribeckVelocity}, {"Brake", d.Brake}, {"Supply", d.Supply},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			fail("%s = %v: must be finite and not negative", f.name, f.value)
		}
	}
	if d.Gear.Efficiency > 1 {
		fail("Gear.Efficiency = %v: must not exceed 1", d.Gear.Efficiency)
	}
	if s := d.Friction.Static; s != 0 && s < d.Friction.Coulomb {
		fail("Friction.Static = %v: must not be below Coulomb = %v", s, d.Friction.Coulomb)
	}
	if d.Friction.Static > d.Friction.Coulomb && d.Friction.StribeckVelocity == 0 {
		fail("Friction.StribeckVelocity = 0: must be positive when Static exceeds Coulomb")
	}
	if d.Motor.TorqueConstant > 0 && d.Motor.Resistance == 0 {
		fail("Motor.Resistance = 0: must be positive, or TorqueConstant 0 as well")
	}
	return errors.Join(errs...)
}
