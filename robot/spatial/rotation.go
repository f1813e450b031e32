package spatial

import "math"

// RotX returns the rotation by angle (rad) about the x axis.
func RotX(angle float64) Mat3 {
	s, c := math.Sincos(angle)
	return Mat3{{1, 0, 0}, {0, c, -s}, {0, s, c}}
}

// RotY returns the rotation by angle (rad) about the y axis.
func RotY(angle float64) Mat3 {
	s, c := math.Sincos(angle)
	return Mat3{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
}

// RotZ returns the rotation by angle (rad) about the z axis.
func RotZ(angle float64) Mat3 {
	s, c := math.Sincos(angle)
	return Mat3{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
}

// AngleAxis returns the rotation by angle (rad) about axis, which need not have unit length (Rodrigues).
// A zero axis gives the identity.
func AngleAxis(angle float64, axis Vec3) Mat3 {
	u := axis.Unit()
	s, c := math.Sincos(angle)
	// 1 - cos without cancellation
	h := math.Sin(angle / 2)
	k := 2 * h * h
	if u == (Vec3{}) {
		return Identity()
	}
	return Mat3{
		{c + k*u.X*u.X, k*u.X*u.Y - s*u.Z, k*u.X*u.Z + s*u.Y},
		{k*u.X*u.Y + s*u.Z, c + k*u.Y*u.Y, k*u.Y*u.Z - s*u.X},
		{k*u.X*u.Z - s*u.Y, k*u.Y*u.Z + s*u.X, c + k*u.Z*u.Z},
	}
}

// RPY returns the rotation with roll, pitch and yaw (rad) about the fixed axes x, y, z in this order, which is what
// URDF means by rpy:
//
//	R = Rz(yaw) Ry(pitch) Rx(roll)
func RPY(roll, pitch, yaw float64) Mat3 {
	sr, cr := math.Sincos(roll)
	sp, cp := math.Sincos(pitch)
	sy, cy := math.Sincos(yaw)
	return Mat3{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}
}

// RPY returns roll, pitch and yaw (rad) of the rotation m: m.Euler(FixedXYZ).
func (m Mat3) RPY() (roll, pitch, yaw float64) { return m.Euler(FixedXYZ) }

// AngleAxis returns the angle (rad, in [0, π]) and the axis (unit length) of the rotation m. The identity has angle 0
// and, since any axis would do, the axis x.
func (m Mat3) AngleAxis() (angle float64, axis Vec3) {
	a := m.Log()
	angle = a.Norm()
	if angle == 0 {
		return 0, Vec3{X: 1}
	}
	return angle, a.Scale(1 / angle)
}

// Orthonormalize returns the rotation closest to m in the Frobenius norm, where m is roughly a rotation: one that was
// read from a file with few digits or has drifted. It iterates m ← (m + m⁻ᵀ)/2 (Higham 1986), which converges
// quadratically. It panics unless the determinant is positive.
func (m Mat3) Orthonormalize() Mat3 {
	if !(m.Det() > 0) {
		panic("spatial: Orthonormalize wants a matrix of positive determinant")
	}
	for range 60 {
		n := m.Add(m.Inverse().T()).Scale(0.5)
		if d := n.Sub(m); d.Mul(d.T()).Trace() < 1e-32 {
			return n
		}
		m = n
	}
	return m
}
