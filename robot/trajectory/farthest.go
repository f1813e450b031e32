package trajectory

import "math"

// farthest describes, for one axis with limited velocity, acceleration and jerk, the motions that lead from a given
// velocity and acceleration to another in a given duration and go as far as possible meanwhile.
//
// By Pontryagin's principle their jerk has the signs (+ 0 - 0 - 0 +): the acceleration rises from a0 to a1, stays
// there if a1 is the limit m, falls (resting at 0 if the velocity limit V is reached) to a2, stays there if a2 is the
// limit -n, and rises to af. Everything is divided by the jerk limit, so that accelerations are times (s), velocities
// s², positions s³. With
//
//	A = v0 - a0²/2,  B = vf - af²/2   velocities extrapolated along a rising acceleration to where it is 0
//	K = B - A,  S = A + B
//	τ = T - (af - a0)                 the duration beyond that of a straight ramp
//	u = a1 - a2
//
// velocity and acceleration at the end are right if a1² - a2² = K (no limit reached), which has the rational
// parametrization a1 = (u + K/u)/2, a2 = (K/u - u)/2, and the displacement becomes a function of the one parameter
//
//	free:      u  = τ/2         P = c + S u + u³/4 - K²/(4u)
//	at m:      d² = m τ - K     P = c + K (S - m²)/(2m) + d² ((m-d)² + 2B)/(2m)   d = m - a2
//	at -n:     d² = n τ + K     P = c - K (S - n²)/(2n) + d² ((n-d)² + 2A)/(2n)   d = n + a1
//	at both:   P = c + (w+A)(w-A+m²)/(2m) + (w+B)(w-B+n²)/(2n)                    w the peak velocity, linear in τ
//	at V:      P linear in τ with slope V
//
// with c = B af - A a0 + (af³ - a0³)/6. These cases follow each other in τ. The motions that go least far are those of
// the mirrored axis.
type farthest struct {
	swing
	v       float64 // upper limit of the velocity
	A, B, S float64
	c       float64

	free0, free1 float64 // τ where the free case begins and ends
	both         float64 // τ where both acceleration limits are reached
	late         regime  // which one is reached first, after the free case
	cruise       float64 // τ where the velocity limit is reached
	up, down     float64 // half times of reaching v and leaving it: from a = a0 to 0 it takes 2 up - a0
}

// regime describes which limits a motion reaches.
type regime uint8

const (
	free    regime = iota // none
	atUpper               // the acceleration rests at m
	atLower               // the acceleration rests at -n
	atBoth                // both
)

// set prepares f for a start (v0, a0), an end (vf, af) and the limits m, n, v, all divided by the jerk limit.
func (f *farthest) set(v0, a0, vf, af, m, n, v float64) {
	f.swing.set(a0, af, vf-v0, m, n)
	f.v = v
	f.A, f.B = v0-a0*a0/2, vf-af*af/2
	f.S = f.A + f.B
	f.c = f.B*af - f.A*a0 + (af*af*af-a0*a0*a0)/6

	f.up = rise(v-f.A, m)
	f.down = rise(v-f.B, n)
	f.cruise = 2 * (f.up + f.down)

	f.free0 = 0
	m2, n2 := m*m, n*n
	switch {
	case f.K > m2:
		f.free1, f.late = 0, atUpper
	case -f.K > n2:
		f.free1, f.late = 0, atLower
	default:
		x, y := m+math.Sqrt(m2-f.K), n+math.Sqrt(n2+f.K)
		if f.K > 0 {
			f.free0 = 2 * f.K / x
		} else {
			f.free0 = -2 * f.K / y
		}
		if x <= y {
			f.free1, f.late = 2*x, atUpper
		} else {
			f.free1, f.late = 2*y, atLower
		}
	}
	if f.late == atUpper {
		f.both = ((m+n)*(m+n) + f.K) / m
	} else {
		f.both = ((m+n)*(m+n) - f.K) / n
	}
}

// rise returns half the time in which the acceleration goes from 0 to 0 and the velocity changes by dv, with an
// acceleration limit m and jerk 1.
func rise(dv, m float64) float64 {
	if dv <= m*m {
		return math.Sqrt(max(dv, 0))
	}
	return (dv/m + m) / 2
}

// regimeAt returns which limits are reached for τ below f.cruise.
func (f *farthest) regimeAt(tau float64) regime {
	switch {
	case tau < f.free0:
		if f.K > 0 {
			return atUpper
		}
		return atLower
	case tau <= f.free1:
		return free
	case tau < f.both:
		return f.late
	}
	return atBoth
}

// peak returns the peak velocity where both acceleration limits are reached.
func (f *farthest) peak(tau float64) float64 {
	return (tau + f.A/f.m + f.B/f.n - f.m - f.n) / (1/f.m + 1/f.n)
}

// displacement returns how far the axis gets.
func (f *farthest) displacement(tau float64) float64 {
	if tau >= f.cruise {
		return f.atCruise() + f.v*(tau-f.cruise)
	}
	r := f.regimeAt(tau)
	if r == atBoth {
		w := f.peak(tau)
		return f.c + (w+f.A)*(w-f.A+f.m*f.m)/(2*f.m) + (w+f.B)*(w-f.B+f.n*f.n)/(2*f.n)
	}
	b := f.branch(r)
	y, _ := b.at(b.parameter(tau))
	return y
}

// atCruise returns the displacement of the motion that just reaches the velocity limit.
func (f *farthest) atCruise() float64 {
	return f.c + (f.v+f.A)*f.up + (f.v+f.B)*f.down
}

// motion writes the phases of the motion, with jerk sign in place of 1. The free parameters of each case follow from
// τ with a loss of digits where the motion hardly depends on them; the constraint on the velocity is kept exactly.
func (f *farthest) motion(tau, sign float64, l *timeline) {
	var a1, a2, hold1, hold2, cruise float64
	if tau >= f.cruise {
		a1, a2 = min(f.up, f.m), -min(f.down, f.n)
		hold1, hold2 = 2*(f.up-a1), 2*(f.down+a2)
		cruise = tau - f.cruise
	} else {
		switch f.regimeAt(tau) {
		case free:
			u := max(tau/2, 0)
			if u > 0 {
				a1 = (u + f.K/u) / 2
			}
			a1 = max(a1, f.a0)
			a2 = min(a1-u, f.af)
			a1 = a2 + u
		case atUpper:
			d := math.Sqrt(max(f.m*tau-f.K, 0))
			a1, a2 = f.m, min(f.m-d, f.af)
			hold1 = (f.K+a2*a2)/f.m - f.m
		case atLower:
			d := math.Sqrt(max(f.n*tau+f.K, 0))
			a1, a2 = max(d-f.n, f.a0), -f.n
			hold2 = (a1*a1-f.K)/f.n - f.n
		case atBoth:
			w := f.peak(tau)
			a1, a2 = f.m, -f.n
			hold1, hold2 = (w-f.A)/f.m-f.m, (w-f.B)/f.n-f.n
		}
	}
	l.n = 0
	l.add(a1-f.a0, sign)
	l.add(hold1, 0)
	if cruise > 0 {
		l.add(a1, -sign)
		l.add(cruise, 0)
		l.add(-a2, -sign)
	} else {
		l.add(a1-a2, -sign)
	}
	l.add(hold2, 0)
	l.add(f.af-a2, sign)
}
