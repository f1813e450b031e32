package control

// PositionPID is the PID law of a joint that is commanded a torque and whose velocity is measured, with an integral that does not
// wind up:
//
//	u = sat( Kp e + I + Kd e' ),   I grows by Ki e h, but not while the command is at its limit and e drives it further
//
// The zero value with gains set has an integral of 0 and no limit.
//
// K. J. Åström, T. Hägglund, PID Controllers: Theory, Design, and Tuning, 2nd ed. 1995, section 3.5 (conditional integration).
type PositionPID struct {
	Kp float64 // N m/rad
	Ki float64 // N m/(rad s)
	Kd float64 // N m s/rad

	Limit float64 // of the command in either sense, N m; 0: none

	integral float64 // N m
	u        float64
}

// Step returns the command for the error e (rad), its rate of change (rad/s) and the time h (s) since the last step. If one of
// them, or the command, is not finite it returns the previous command and false.
func (p *PositionPID) Step(e, rate, h float64) (u float64, ok bool) {
	integral := p.integral + p.Ki*e*h
	u = p.Kp*e + integral + p.Kd*rate
	if !finite(u) {
		return p.u, false
	}
	if limited := min(max(u, -p.Limit), p.Limit); p.Limit > 0 && limited != u {
		if (u > 0) == (p.Ki*e > 0) {
			integral = p.integral
		}
		u = limited
	}
	p.integral, p.u = integral, u
	return u, true
}

// Reset forgets the integral.
func (p *PositionPID) Reset() { p.integral, p.u = 0, 0 }
