package spatial

import "math"

// Exp returns the exponential of the quaternion p: e^w (sin|v| v/|v|, cos|v|).
func (p Quat) Exp() Quat {
	n, k := p.Vec().Norm(), math.Exp(p.W)
	return p.Vec().Scale(k * sinc(n)).quat(k * math.Cos(n))
}

// LogQuat returns the principal logarithm of the quaternion p: (atan2(|v|, w) v/|v|, ln|p|). Other than [Quat.Log] it
// tells p and -p apart. A negative real number has its logarithm on every axis; x is chosen.
func (p Quat) LogQuat() Quat {
	n, v := p.Vec().Norm(), p.Vec()
	switch {
	case n > 0:
		v = v.Scale(math.Atan2(n, p.W) / n)
	case p.W < 0:
		v = Vec3{X: math.Pi}
	}
	return v.quat(math.Log(p.Norm()))
}

// Pow returns p to the power t: exp(t log p). For a unit quaternion that is t times the rotation, along the way that
// p itself names: choose the sign of p before.
func (p Quat) Pow(t float64) Quat { return p.LogQuat().Scale(t).Exp() }

func (a Vec3) quat(w float64) Quat { return Quat{a.X, a.Y, a.Z, w} }

// toward returns q or -q, whichever is closer to p.
func (q Quat) toward(p Quat) Quat {
	if p.Dot(q) < 0 {
		return q.Neg()
	}
	return q
}

// Slerp interpolates from rotation p (t = 0) to q (t = 1) with constant angular velocity, the short way
// (Shoemake 1985). p and q need not have unit length; the result has.
func (p Quat) Slerp(q Quat, t float64) Quat {
	p, q = p.Unit(), q.Unit()
	return p.Mul(ExpQuat(p.Conj().Mul(q).Log().Scale(t)))
}

// SlerpVelocity returns the constant angular velocity (rad per unit of t, in fixed axes) of p.Slerp(q, t).
func (p Quat) SlerpVelocity(q Quat) Vec3 {
	p = p.Unit()
	return p.Rotate(p.Conj().Mul(q.Unit()).Log())
}

// SlerpDerivative returns dp.Slerp(q, t)/dt, a quaternion: ½ ω p(t).
func (p Quat) SlerpDerivative(q Quat, t float64) Quat {
	return p.Slerp(q, t).Derivative(p.SlerpVelocity(q))
}

// Squad interpolates from p (t = 0) to q (t = 1) on the spherical quadrangle with the inner control points a and b
// (Shoemake 1987). With the points of [SquadControl] consecutive pieces join with continuous velocity.
func (p Quat) Squad(a, b, q Quat, t float64) Quat {
	return p.Slerp(q, t).Slerp(a.Slerp(b, t), 2*t*(1-t))
}

// SquadControl returns the inner control point of Squad at p between its neighbours before and after:
// p exp(-(log(p⁻¹ after) + log(p⁻¹ before))/4).
func SquadControl(before, p, after Quat) Quat {
	p = p.Unit()
	a := p.Conj().Mul(after.Unit()).Log()
	b := p.Conj().Mul(before.Unit()).Log()
	return p.Mul(ExpQuat(a.Add(b).Scale(-0.25))) // Log is twice the quaternion logarithm, ExpQuat halves
}

// Derivative returns ṗ (1/s) of a rotation p that turns with the angular velocity w (rad/s) in fixed axes: ½ ω p.
func (p Quat) Derivative(w Vec3) Quat { return w.quat(0).Mul(p).Scale(0.5) }

// BodyDerivative returns ṗ (1/s) for an angular velocity w (rad/s) in the axes of the turning body: ½ p ω.
func (p Quat) BodyDerivative(w Vec3) Quat { return p.Mul(w.quat(0)).Scale(0.5) }

// AngularVelocity returns the angular velocity (rad/s, fixed axes) of a rotation p with derivative dp (1/s): the vector part of
// 2 ṗ p⁻¹. p need not have unit length.
func (p Quat) AngularVelocity(dp Quat) Vec3 {
	return dp.Mul(p.Conj()).Vec().Scale(2 / p.Dot(p))
}

// BodyAngularVelocity returns AngularVelocity (rad/s) in the axes of the turning body: 2 p⁻¹ ṗ.
func (p Quat) BodyAngularVelocity(dp Quat) Vec3 {
	return p.Conj().Mul(dp).Vec().Scale(2 / p.Dot(p))
}

// SecondDerivative returns p̈ of a rotation p with angular velocity w and angular acceleration dw in fixed axes:
// ½ ω̇ p + ¼ ω ω p.
func (p Quat) SecondDerivative(w, dw Vec3) Quat {
	return dw.quat(-w.Dot(w) / 2).Mul(p).Scale(0.5)
}

// AngularAcceleration returns the angular acceleration (fixed axes) of a rotation of unit length p with derivatives
// dp and ddp: the vector part of 2 p̈ p⁻¹.
func (p Quat) AngularAcceleration(dp, ddp Quat) Vec3 {
	n := p.Dot(p)
	a := ddp.Mul(p.Conj()).Vec().Scale(2 / n)
	// a length that changes contributes 2 (ṅ/n) ω, n = |p|²
	return a.Sub(p.AngularVelocity(dp).Scale(2 * p.Dot(dp) / n))
}

// Mean returns the weighted mean of rotations in the sense of Markley, Cheng, Crassidis and Oshman (2007): the
// eigenvector of the largest eigenvalue of Σ wᵢ qᵢ qᵢᵀ. It does not depend on the signs of the quaternions. Nil weights
// are equal ones. It panics without rotations, or when the numbers of rotations and weights differ. Rotations that
// cancel have no mean; one of the best is returned.
func Mean(qs []Quat, weights []float64) Quat {
	if len(qs) == 0 || weights != nil && len(weights) != len(qs) {
		panic("spatial: Mean wants at least one rotation, and as many weights as rotations or none")
	}
	var a [4][4]float64
	for i, q := range qs {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		u := q.Unit()
		c := [4]float64{u.X, u.Y, u.Z, u.W}
		for r := range a {
			for s := range a {
				a[r][s] += w * c[r] * c[s]
			}
		}
	}
	v := largestEigenvector(a)
	return Quat{v[0], v[1], v[2], v[3]}.toward(IdentityQuat())
}
