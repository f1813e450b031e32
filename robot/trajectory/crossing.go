package trajectory

import "math"

// branch is the displacement of [farthest] in one of the cases with one free parameter x, and its extrema.
//
//	free:   y = c + S x + x³/4 - K²/(4x)            x = τ/2
//	resting at an acceleration limit m:
//	        y = c + x² ((m-x)² + 2B)/(2m)           x² = m τ - K
//
// Both rise, may then fall once, and rise for good.
type branch struct {
	regime     regime
	c, S, K, m float64 // S is 2B for a resting branch
}

// branch returns the displacement in regime r, which is not atBoth.
func (f *farthest) branch(r regime) branch {
	switch r {
	case atUpper:
		return branch{r, f.c + f.K*(f.S-f.m*f.m)/(2*f.m), 2 * f.B, f.K, f.m}
	case atLower:
		return branch{r, f.c - f.K*(f.S-f.n*f.n)/(2*f.n), 2 * f.A, -f.K, f.n}
	}
	return branch{r, f.c, f.S, f.K, 0}
}

// parameter returns x for τ, and tau the reverse.
func (b *branch) parameter(tau float64) float64 {
	if b.regime == free {
		return tau / 2
	}
	return math.Sqrt(max(b.m*tau-b.K, 0))
}

func (b *branch) tau(x float64) float64 {
	if b.regime == free {
		return 2 * x
	}
	return (x*x + b.K) / b.m
}

// at returns the displacement and its derivative in x.
func (b *branch) at(x float64) (y, dy float64) {
	if b.regime == free {
		q := 0.0
		if x > 0 {
			q = b.K / (2 * x)
		}
		x2, q2 := x*x, q*q
		return b.c + x*(b.S+x2/4-q2), b.S + 0.75*x2 + q2
	}
	e := b.m - x
	g := e*e + b.S
	return b.c + x*x*g/(2*b.m), x * (g - x*e) / b.m
}

// extrema returns where the displacement begins to fall and to rise again; ok is false if it never falls.
func (b *branch) extrema() (top, bottom float64, ok bool) {
	if b.regime == free {
		d := b.S*b.S - 0.75*b.K*b.K
		if b.S >= 0 || d <= 0 {
			return 0, 0, false
		}
		s := math.Sqrt(d) - b.S
		return math.Abs(b.K) / math.Sqrt(2*s), math.Sqrt(2 * s / 3), true
	}
	d := b.m*b.m - 8*b.S
	if d <= 0 {
		return 0, 0, false
	}
	s := math.Sqrt(d)
	return (3*b.m - s) / 4, (3*b.m + s) / 4, true
}

// first returns the first x in [lower, upper] where the displacement is p, if it is less at lower. A maximum that
// misses p by no more than slack counts as reaching it.
func (b *branch) first(p, lower, upper, slack float64) (x float64, ok bool) {
	if top, bottom, wave := b.extrema(); wave && lower < bottom {
		if lower < top && top < upper {
			if y, _ := b.at(top); y >= p {
				return b.solve(p, lower, top), true
			} else if y >= p-slack {
				return top, true
			}
		}
		if lower < top && top >= upper {
			bottom = lower
		}
		lower = max(lower, bottom)
	}
	if lower > upper {
		return 0, false
	}
	if y, _ := b.at(upper); y < p {
		return 0, false
	}
	return b.solve(p, lower, upper), true
}

// solve returns the root of at(x) = p in an interval in which the displacement rises from below p to at least p. Newton's
// method, which needs five to eight steps as a rule; halving where it would leave the interval.
func (b *branch) solve(p, lower, upper float64) float64 {
	x := upper
	for range 100 {
		y, dy := b.at(x)
		y -= p
		if y == 0 {
			return x
		}
		if y > 0 {
			upper = x
		} else {
			lower = x
		}
		next := x - y/dy
		if !(next > lower && next < upper) {
			if next == x || upper-lower <= 4e-16*upper {
				return x
			}
			next = (lower + upper) / 2
		}
		if math.Abs(next-x) <= 2e-16*x {
			return next
		}
		x = next
	}
	return x
}

// first returns the first τ in [from, to] at which the displacement is p. It must be less than p at from. A maximum
// that misses p by no more than slack counts as reaching it.
func (f *farthest) first(p, from, to, slack float64) (tau float64, ok bool) {
	end := min(to, f.cruise)
	for from < end {
		r, upper := atBoth, end
		switch {
		case from < f.free0:
			r, upper = f.regimeAt(from), min(end, f.free0)
		case from < f.free1:
			r, upper = free, min(end, f.free1)
		case from < f.both:
			r, upper = f.late, min(end, f.both)
		}
		if r == atBoth {
			if tau := f.firstAtBoth(p); tau >= from && tau <= upper {
				return tau, true
			}
		} else {
			b := f.branch(r)
			if x, ok := b.first(p, b.parameter(from), b.parameter(upper), slack); ok {
				return min(max(b.tau(x), from), upper), true
			}
		}
		from = upper
	}
	if to > f.cruise {
		if tau := f.cruise + (p-f.atCruise())/f.v; tau <= to {
			return max(tau, from), true
		}
	}
	return 0, false
}

// firstAtBoth returns where the displacement is p on its rising branch with both acceleration limits reached; NaN if
// nowhere.
func (f *farthest) firstAtBoth(p float64) float64 {
	a, b := (1/f.m+1/f.n)/2, (f.m+f.n)/2
	c := f.c - p + (f.A*f.m-f.A*f.A/f.m+f.B*f.n-f.B*f.B/f.n)/2
	w := (math.Sqrt(b*b-4*a*c) - b) / (2 * a)
	return 2*a*w - f.A/f.m - f.B/f.n + f.m + f.n
}
