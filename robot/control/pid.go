package control

import (
	"errors"
	"fmt"
	"math"
)

// PID is the incremental (velocity-form) servo law with output limits:
//
//	u[k] = sat( u[k-1] + Kp (e[k]-e[k-1]) + Ki e[k] + Kd (e[k] - 2 e[k-1] + e[k-2]) )
//
// e is the error (desired minus measured), u the command. The gains are those of the sampled law: with the continuous
// gains K (1 + 1/(Ti s) + Td s) and the sampling period h, Kp = K, Ki = K h/Ti and Kd = K Td/h.
//
// The saturated value, not the wanted one, becomes u[k-1]. So there is no integral to wind up: the command leaves a
// limit in the first sample in which the increment points away from it. The price is that with Ki = 0 a saturation
// leaves a lasting offset, since nothing remembers what was cut off.
//
// The zero value with gains set is at rest (u = 0, past errors 0) and has no limits.
//
// K. J. Åström, B. Wittenmark, Computer-Controlled Systems, 3rd ed. 1997, section 8.5; D. C. Santini, W. F. Lages 2011.
type PID struct {
	Kp, Ki, Kd float64 // gains of the sampled law, in units of u per unit of e

	// UMin and UMax limit the command. Both 0 mean no limits.
	UMin, UMax float64

	u      float64 // u[k-1], after saturation
	e1, e2 float64 // e[k-1], e[k-2]
}

// Step returns the command for the error e of this sample.
//
// If e is not finite, or the gains and e give a command that is not, it returns the previous command and false; the
// state stays as it was.
func (p *PID) Step(e float64) (u float64, ok bool) {
	u = p.u + p.Kp*(e-p.e1) + p.Ki*e + p.Kd*(e-2*p.e1+p.e2)
	if !finite(u) || !finite(e) {
		return p.u, false
	}
	u = p.saturate(u)
	p.u, p.e1, p.e2 = u, e, p.e1
	return u, true
}

// Reset puts the law at rest: u = 0 and past errors 0. The next Step with a large error therefore answers with
// (Kp+Ki+Kd) e at once; use Bumpless to avoid that.
func (p *PID) Reset() { p.u, p.e1, p.e2 = 0, 0, 0 }

// Bumpless takes over from another controller, or from standstill, without a jump: the next command continues from u,
// and e counts as the error of the past samples. Values that are not finite count as 0.
func (p *PID) Bumpless(u, e float64) {
	if !finite(u) {
		u = 0
	}
	if !finite(e) {
		e = 0
	}
	p.u, p.e1, p.e2 = p.saturate(u), e, e
}

// Output returns the last command.
func (p *PID) Output() float64 { return p.u }

// Check reports all that is wrong with the tuning: gains that are negative or not finite, limits that are NaN or
// reversed. Step never checks; call it before new tuning takes effect.
func (p *PID) Check() error {
	var errs []error
	for _, g := range [...]struct {
		name  string
		value float64
	}{{"Kp", p.Kp}, {"Ki", p.Ki}, {"Kd", p.Kd}} {
		if !finite(g.value) || g.value < 0 {
			errs = append(errs, fmt.Errorf("PID: gain %s = %v: must be finite and not negative", g.name, g.value))
		}
	}
	if math.IsNaN(p.UMin) || math.IsNaN(p.UMax) || p.UMin > p.UMax {
		errs = append(errs, fmt.Errorf("PID: limits [%v, %v]: UMin must not exceed UMax", p.UMin, p.UMax))
	}
	return errors.Join(errs...)
}

func (p *PID) saturate(u float64) float64 {
	if p.UMin == 0 && p.UMax == 0 {
		return u
	}
	return min(max(u, p.UMin), p.UMax)
}
