package multibody

import "math"

// sincos returns the sine and cosine of x together, within one or two units in the last place for |x| < 1e5 and by
// math.Sincos beyond. It has no branch but that one: the argument is reduced by multiples of π/2 in three parts
// (Cody and Waite 1980), both kernels (the minimax polynomials of fdlibm, Sun 1993) are evaluated by Estrin's scheme,
// and the quadrant is chosen by bit operations.
func sincos(x float64) (sin, cos float64) {
	const (
		halfPi1 = 1.57079632673412561417e+00 // 33 bits each: k·halfPi1 is exact
		halfPi2 = 6.07710050630396597660e-11
		halfPi3 = 2.02226624879595063154e-21
		round   = 6755399441055744.0 // 1.5·2⁵²: adding it rounds to an integer

		s1, s2, s3 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
		s4, s5, s6 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
		c1, c2, c3 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
		c4, c5, c6 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11
	)
	if !(x < 1e5 && x > -1e5) {
		return math.Sincos(x)
	}
	t := x*(2/math.Pi) + round
	quadrant := math.Float64bits(t)
	k := t - round
	r := ((x - k*halfPi1) - k*halfPi2) - k*halfPi3
	z := r * r
	z2 := z * z
	ps := (s1 + z*s2) + z2*((s3+z*s4)+z2*(s5+z*s6))
	pc := (c1 + z*c2) + z2*((c3+z*c4)+z2*(c5+z*c6))
	s := math.Float64bits(r + r*z*ps)
	c := math.Float64bits((1 - 0.5*z) + z2*pc)
	swap := (s ^ c) & -(quadrant & 1)
	s ^= swap ^ (quadrant&2)<<62
	c ^= swap ^ ((quadrant+1)&2)<<62
	return math.Float64frombits(s), math.Float64frombits(c)
}
