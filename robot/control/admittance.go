package control

import (
	"errors"
	"fmt"
)

// Admittance lets a stiff, position-controlled axis yield to a measured force as a mass on a spring with a damper would:
//
//	M x” + D x' + K x = f
//
// x is added to the desired position of the axis and x' to its velocity. With K = 0 the axis is guided by hand: it stays where it is
// left. Several axes, such as those of a tool, take a law each.
//
// A step holds the force and integrates by the trapezoidal rule, in which energy is neither gained nor, without damper, lost, whatever the
// sampling period: the sampled law is as passive as the spring, mass and damper are. Where x reaches Limit it stops there: the velocity is 0 until
// the force pulls it back.
//
// The zero value with Mass set is a free mass at rest.
//
// N. Hogan, Impedance Control: An Approach to Manipulation, 1985; B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, Robotics: Modelling,
// Planning and Control, 2009, section 9.2.2 (admittance control).
type Admittance struct {
	Mass      float64 // kg, or kg m²; positive
	Damping   float64 // N s/m, or N m s/rad; not negative
	Stiffness float64 // N/m, or N m/rad; not negative

	Limit float64 // of x in either sense, m or rad; 0: none

	x, v float64
}

// Step returns the displacement x (m or rad) and its velocity after the force f (N or N m) has acted for h seconds. If f or h, or the
// result, is not finite or h is negative, Step returns the previous ones and false.
func (a *Admittance) Step(f, h float64) (x, v float64, ok bool) {
	if h < 0 {
		return a.x, a.v, false
	}
	half := h / 2
	slow := half * (a.Damping + half*a.Stiffness)
	v = ((a.Mass-slow)*a.v + h*(f-a.Stiffness*a.x)) / (a.Mass + slow)
	x = a.x + half*(a.v+v)
	if !finite(x) || !finite(v) {
		return a.x, a.v, false
	}
	if limited := min(max(x, -a.Limit), a.Limit); a.Limit > 0 && limited != x {
		x, v = limited, 0
	}
	a.x, a.v = x, v
	return x, v, true
}

// Reset puts the law at rest at x = 0.
func (a *Admittance) Reset() { a.x, a.v = 0, 0 }

// Check reports all that is wrong with the tuning. Step never checks; call it before new tuning takes effect.
func (a *Admittance) Check() error {
	var errs []error
	if !finite(a.Mass) || a.Mass <= 0 {
		errs = append(errs, fmt.Errorf("Admittance: mass %v: must be finite and positive", a.Mass))
	}
	for _, p := range [...]struct {
		name  string
		value float64
	}{{"damping", a.Damping}, {"stiffness", a.Stiffness}, {"limit", a.Limit}} {
		if !finite(p.value) || p.value < 0 {
			errs = append(errs, fmt.Errorf("Admittance: %s %v: must be finite and not negative", p.name, p.value))
		}
	}
	return errors.Join(errs...)
}
