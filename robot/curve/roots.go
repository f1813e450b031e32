package curve

import "math"

// Roots returns the distinct real roots of p on [lower, upper], ascending. A root without change of sign (of even
// multiplicity) is found if the polynomial is 0 there up to the rounding error of its evaluation. The zero polynomial
// has no distinct roots: Roots then returns none.
//
// By Rolle's theorem the roots of p' part the interval into pieces on which p is monotone, with at most one root
// each, which bisection with Newton steps cannot miss. The roots of p' come from those of p”, and so on.
func (p Polynomial) Roots(lower, upper float64) []float64 {
	mustBeInterval("Roots", lower, upper)
	r := roots(p.c[:p.Degree()+1], lower-p.lower, upper-p.lower)
	for i := range r {
		r[i] = min(max(r[i]+p.lower, lower), upper)
	}
	return r
}

// Range returns the extremes of a derivative from the roots of the next one.
func (p Polynomial) Range(order int, lower, upper float64) Range {
	mustBeInterval("Range", lower, upper)
	r := nothing(lower)
	r.include(lower, p.At(lower, order))
	r.include(upper, p.At(upper, order))
	c := p.c[:p.Degree()+1]
	for range order + 1 {
		c = differentiate(c)
	}
	for _, s := range roots(c, lower-p.lower, upper-p.lower) {
		t := p.lower + s
		r.include(t, p.At(t, order))
	}
	return r
}

// roots returns the distinct roots of the polynomial with coefficients c (the last one not 0) on [lower, upper].
func roots(c []float64, lower, upper float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	if len(c) == 2 {
		if x := -c[0] / c[1]; x >= lower && x <= upper {
			return []float64{x}
		}
		return nil
	}
	var found []float64
	stationary := append(roots(differentiate(c), lower, upper), upper)
	a, sa := lower, sign(c, lower)
	if sa == 0 {
		found = append(found, a)
	}
	for _, b := range stationary {
		if b == a {
			continue
		}
		sb := sign(c, b)
		switch {
		case sb == 0:
			found = append(found, b)
		case sa*sb < 0:
			found = append(found, bracketed(c, a, b, sa))
		}
		a, sa = b, sb
	}
	return found
}

// sign returns the sign of the polynomial at x, 0 if its value is within the rounding error of its evaluation.
func sign(c []float64, x float64) int {
	const unit = 0x1p-53
	y, size := 0.0, 0.0
	for i := len(c) - 1; i >= 0; i-- {
		y = y*x + c[i]
		size = size*math.Abs(x) + math.Abs(c[i])
	}
	switch bound := 2 * float64(len(c)) * unit * size; {
	case y > bound:
		return 1
	case y < -bound:
		return -1
	}
	return 0
}

// bracketed returns the root between a and b, where the polynomial is monotone and has the signs sa and -sa.
func bracketed(c []float64, a, b float64, sa int) float64 {
	x := a + (b-a)/2
	for range 200 {
		y, dy := 0.0, 0.0
		for i := len(c) - 1; i >= 0; i-- {
			dy = dy*x + y
			y = y*x + c[i]
		}
		if y == 0 {
			return x
		}
		if (y > 0) == (sa > 0) {
			a = x
		} else {
			b = x
		}
		next := x - y/dy
		if !(next > a && next < b) {
			next = a + (b-a)/2
		}
		if next == x || next == a || next == b {
			return next
		}
		x = next
	}
	return x
}
