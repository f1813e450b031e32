package spatial

// ExpPose returns the pose exp(m) that the constant body velocity m reaches in unit time:
//
//	R = Exp(ω),  P = Jl(ω) v.
func ExpPose(m Motion) Pose {
	return Pose{R: Exp(m.Angular), P: LeftJacobian(m.Angular).MulVec(m.Linear)}
}

// Log returns the motion vector m with ExpPose(m) = x and |ω| ≤ π.
func (x Pose) Log() Motion {
	w := x.R.Log()
	return Motion{Linear: LeftJacobianInverse(w).MulVec(x.P), Angular: w}
}

// PoseJacobian is the derivative of the exponential map of SE(3), a 6×6 matrix (A B; 0 A) of 3×3 blocks, linear part
// first.
type PoseJacobian struct{ A, B Mat3 }

// MulMotion returns the Jacobian times m.
func (j PoseJacobian) MulMotion(m Motion) Motion {
	return Motion{
		Linear:  j.A.MulVec(m.Linear).Add(j.B.MulVec(m.Angular)),
		Angular: j.A.MulVec(m.Angular),
	}
}

// Inverse returns the inverse matrix (A⁻¹ -A⁻¹BA⁻¹; 0 A⁻¹).
func (j PoseJacobian) Inverse() PoseJacobian {
	a := j.A.Inverse()
	return PoseJacobian{A: a, B: a.Mul(j.B).Mul(a).Scale(-1)}
}

// RightPoseJacobian returns Jr(m): ExpPose(m + δ) ≈ ExpPose(m) ExpPose(Jr(m) δ).
func RightPoseJacobian(m Motion) PoseJacobian { return LeftPoseJacobian(m.Scale(-1)) }

// LeftPoseJacobian returns Jl(m): ExpPose(m + δ) ≈ ExpPose(Jl(m) δ) ExpPose(m)
// (Barfoot and Furgale 2014, equations 94 to 102).
func LeftPoseJacobian(m Motion) PoseJacobian {
	w, v := m.Angular.Skew(), m.Linear.Skew()
	t := m.Angular.Dot(m.Angular)
	a, b, c := barfootSeries(t)
	wv, vw := w.Mul(v), v.Mul(w)
	wvw := wv.Mul(w)
	ww := w.Mul(w)
	q := v.Scale(0.5).
		Add(wv.Add(vw).Add(wvw).Scale(a)).
		Add(ww.Mul(v).Add(vw.Mul(w)).Sub(wvw.Scale(3)).Scale(b)).
		Add(wvw.Mul(w).Add(w.Mul(wvw)).Scale(c))
	return PoseJacobian{A: LeftJacobian(m.Angular), B: q}
}

// barfootSeries returns the coefficients (x - sin x)/x³, (x² + 2 cos x - 2)/(2x⁴) and
// (2x - 3 sin x + x cos x)/(2x⁵) for t = x².
func barfootSeries(t float64) (a, b, c float64) {
	a = thirdSeries(t)
	if t < 1 {
		b = (1 - t/30*(1-t/56*(1-t/90*(1-t/132*(1-t/182*(1-t/240)))))) / 24
		c = (1 - t/21*(1-t/48*(1-t*2/165*(1-t*5/624*(1-t/175*(1-t*7/1632)))))) / 120
		return a, b, c
	}
	s, k := expSeries(t) // sin x / x, (1 - cos x)/x²
	b = (1 - 2*k) / (2 * t)
	c = (2 - 3*s + 1 - t*k) / (2 * t * t)
	return a, b, c
}
