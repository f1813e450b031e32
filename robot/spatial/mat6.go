package spatial

// MotionMatrix returns the 6×6 matrix of [Pose.Motion], row by row, linear part first: it takes motion vectors from frame b to frame a,
//
//	Ad(x) = (R  [P]×R; 0  R).
//
// Featherstone (2008, section 2.8) calls it ᵃX_b, with the angular part first: there (R 0; [P]×R R). The actions of [Pose] need no matrix;
// it is for programs that stack Jacobians, covariances or systems of equations.
func (x Pose) MotionMatrix() [6][6]float64 {
	return blocks(x.R, x.P.Skew().Mul(x.R), Mat3{}, x.R)
}

// ForceMatrix returns the 6×6 matrix of [Pose.Force], row by row, linear part first: it takes force vectors from frame b to frame a,
//
//	Ad(x)⁻ᵀ = (R  0; [P]×R  R).
//
// Featherstone (2008, section 2.8) calls it ᵃX_b*, with the moment first: there (R [P]×R; 0 R).
func (x Pose) ForceMatrix() [6][6]float64 {
	return blocks(x.R, Mat3{}, x.P.Skew().Mul(x.R), x.R)
}

// Matrix returns the 6×6 matrix of [Inertia.Mul], row by row, linear part first, symmetric and positive semidefinite: with mass m, centre of
// mass c and rotational inertia I about it,
//
//	(m 1  -m [c]×; m [c]×  I + m [c]×[c]×ᵀ),
//
// in kg, kg m and kg m². Featherstone (2008, section 2.13) has the angular part first: there (I + m [c]×[c]×ᵀ  m [c]×; m [c]×ᵀ  m 1).
func (a Inertia) Matrix() [6][6]float64 {
	h := a.FirstMoment().Skew()
	return blocks(Diag(Vec3{a.Mass, a.Mass, a.Mass}), h.T(), h, a.AboutOrigin().Mat3())
}

// blocks returns the matrix (a b; c d).
func blocks(a, b, c, d Mat3) (m [6][6]float64) {
	for i := range 3 {
		copy(m[i][:3], a[i][:])
		copy(m[i][3:], b[i][:])
		copy(m[i+3][:3], c[i][:])
		copy(m[i+3][3:], d[i][:])
	}
	return m
}
