package spatial

import "math"

// Exp returns the rotation exp([a]×) by the rotation vector a (axis times angle, rad), any length.
func Exp(a Vec3) Mat3 {
	s, c := expSeries(a.Dot(a))
	k := a.Skew()
	return Identity().Add(k.Scale(s)).Add(k.Mul(k).Scale(c))
}

// Log returns the rotation vector of the rotation m: the a with Exp(a) = m and |a| ≤ π. At an angle of π both ±a are
// right; one of them is returned.
func (m Mat3) Log() Vec3 { return m.Quat().Log() }

// ExpQuat returns the unit quaternion of the rotation by the rotation vector a, any length.
func ExpQuat(a Vec3) Quat {
	h := a.Norm() / 2
	k := sinc(h) / 2
	return Quat{k * a.X, k * a.Y, k * a.Z, math.Cos(h)}
}

// Log returns the rotation vector, |a| ≤ π, of the rotation that p (of any length but zero) stands for. p and -p have the
// same one.
func (p Quat) Log() Vec3 {
	v, w := p.Vec(), p.W
	if w < 0 {
		v, w = v.Neg(), -w
	}
	n := v.Norm()
	if n < 1e-8*w {
		return v.Scale(2 / w) // atan(x)/x = 1 to rounding
	}
	return v.Scale(2 * math.Atan2(n, w) / n)
}

// RightJacobian returns the matrix Jr(a) with which the exponential map changes in body axes:
// Exp(a + δ) ≈ Exp(a) Exp(Jr(a) δ) (Chirikjian 2012, section 10.6).
func RightJacobian(a Vec3) Mat3 { return LeftJacobian(a.Neg()) }

// LeftJacobian returns Jl(a): Exp(a + δ) ≈ Exp(Jl(a) δ) Exp(a).
func LeftJacobian(a Vec3) Mat3 {
	t := a.Dot(a)
	_, c := expSeries(t)
	k := a.Skew()
	return Identity().Add(k.Scale(c)).Add(k.Mul(k).Scale(thirdSeries(t)))
}

// RightJacobianInverse returns the inverse of RightJacobian(a); |a| < 2π.
func RightJacobianInverse(a Vec3) Mat3 { return LeftJacobianInverse(a.Neg()) }

// LeftJacobianInverse returns the inverse of LeftJacobian(a); |a| < 2π.
func LeftJacobianInverse(a Vec3) Mat3 {
	k := a.Skew()
	return Identity().Sub(k.Scale(0.5)).Add(k.Mul(k).Scale(inverseSeries(a.Dot(a))))
}

// small is the squared angle below which the series here are used: their remainder is below rounding there.
const small = 0.01

// sinc returns sin(x)/x.
func sinc(x float64) float64 {
	if t := x * x; t < small {
		return 1 - t/6*(1-t/20*(1-t/42*(1-t/72)))
	}
	return math.Sin(x) / x
}

// expSeries returns sin(x)/x and (1 - cos x)/x² for t = x².
func expSeries(t float64) (s, c float64) {
	if t < small {
		return 1 - t/6*(1-t/20*(1-t/42*(1-t/72))), 0.5 * (1 - t/12*(1-t/30*(1-t/56*(1-t/90))))
	}
	x := math.Sqrt(t)
	h := math.Sin(x / 2)
	return math.Sin(x) / x, 2 * h * h / t
}

// thirdSeries returns (x - sin x)/x³ for t = x².
func thirdSeries(t float64) float64 {
	if t < 0.25 { // the difference cancels longer than the others
		return (1 - t/20*(1-t/42*(1-t/72*(1-t/110*(1-t/156*(1-t/210)))))) / 6
	}
	x := math.Sqrt(t)
	return (x - math.Sin(x)) / (t * x)
}

// inverseSeries returns 1/x² - (1 + cos x)/(2 x sin x) for t = x².
func inverseSeries(t float64) float64 {
	if t < 0.25 {
		return (1 + t/60*(1+t/42*(1+t/40*(1+t*5/198*(1+t*691/27300*(1+t*35/1382)))))) / 12
	}
	// (1 + cos x)/sin x = cot(x/2)
	x := math.Sqrt(t)
	return (1 - x/2/math.Tan(x/2)) / t
}
