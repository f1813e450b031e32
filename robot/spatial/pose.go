package spatial

// Pose is a rigid transformation, an element of SE(3): the placement of a frame b in a frame a.
// R holds the axes of b in a, P the origin of b in a (metres). A point x_b of b is x_a = R x_b + P in a.
// The zero value is not a pose (its R is no rotation); start from [IdentityPose].
type Pose struct {
	R Mat3 // a rotation: orthogonal, determinant 1
	P Vec3 // m
}

// IdentityPose returns the pose of a frame that coincides with its reference.
func IdentityPose() Pose { return Pose{R: Identity()} }

// Translation returns the pose of a frame displaced by p and not turned.
func Translation(p Vec3) Pose { return Pose{R: Identity(), P: p} }

// Rotation returns the pose of a frame turned by r about the common origin.
func Rotation(r Mat3) Pose { return Pose{R: r} }

// Mul composes: with x = T_ab and y = T_bc it returns T_ac.
func (x Pose) Mul(y Pose) Pose {
	return Pose{R: x.R.Mul(y.R), P: x.R.MulVec(y.P).Add(x.P)}
}

// Inverse returns T_ba of x = T_ab.
func (x Pose) Inverse() Pose {
	return Pose{R: x.R.T(), P: x.R.TMulVec(x.P).Neg()}
}

// InvMul returns x⁻¹ y: with x = T_ab and y = T_ac the pose T_bc of c seen from b.
func (x Pose) InvMul(y Pose) Pose {
	return Pose{R: x.R.T().Mul(y.R), P: x.R.TMulVec(y.P.Sub(x.P))}
}

// Apply takes the point p from frame b to frame a: R p + P.
func (x Pose) Apply(p Vec3) Vec3 { return x.R.MulVec(p).Add(x.P) }

// ApplyInverse takes the point p from frame a to frame b: Rᵀ (p - P).
func (x Pose) ApplyInverse(p Vec3) Vec3 { return x.R.TMulVec(p.Sub(x.P)) }

// Motion takes a motion vector from frame b (axes and point of reference b) to frame a: the action Ad(x) without
// forming its 6×6 matrix,
//
//	ω_a = R ω_b,  v_a = R v_b + P × ω_a.
func (x Pose) Motion(m Motion) Motion {
	w := x.R.MulVec(m.Angular)
	return Motion{Linear: x.R.MulVec(m.Linear).Add(x.P.Cross(w)), Angular: w}
}

// MotionInverse takes a motion vector from frame a to frame b: Ad(x⁻¹).
func (x Pose) MotionInverse(m Motion) Motion {
	return Motion{
		Linear:  x.R.TMulVec(m.Linear.Sub(x.P.Cross(m.Angular))),
		Angular: x.R.TMulVec(m.Angular),
	}
}

// Force takes a force vector from frame b to frame a: Ad(x)⁻ᵀ,
//
//	f_a = R f_b,  n_a = R n_b + P × f_a.
func (x Pose) Force(f Force) Force {
	l := x.R.MulVec(f.Linear)
	return Force{Linear: l, Angular: x.R.MulVec(f.Angular).Add(x.P.Cross(l))}
}

// ForceInverse takes a force vector from frame a to frame b: Ad(x)ᵀ.
func (x Pose) ForceInverse(f Force) Force {
	return Force{
		Linear:  x.R.TMulVec(f.Linear),
		Angular: x.R.TMulVec(f.Angular.Sub(x.P.Cross(f.Linear))),
	}
}

// Inertia takes the inertia of a body from frame b to frame a.
func (x Pose) Inertia(i Inertia) Inertia {
	return Inertia{Mass: i.Mass, COM: x.Apply(i.COM), Rotational: i.Rotational.Rotate(x.R)}
}
