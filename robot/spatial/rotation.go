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

// RPY returns roll, pitch and yaw (rad) of the rotation m: pitch in [-π/2, π/2], the others in (-π, π].
// In gimbal lock (pitch = ±π/2) only a sum of roll and yaw is determined; yaw is then zero.
func (m Mat3) RPY() (roll, pitch, yaw float64) {
	n := math.Hypot(m[0][0], m[1][0])
	pitch = math.Atan2(-m[2][0], n)
	if n < 1e-15 {
		return math.Atan2(-m[1][2]*math.Copysign(1, 1), m[1][1]), pitch, 0
	}
	return math.Atan2(m[2][1], m[2][2]), pitch, math.Atan2(m[1][0], m[0][0])
}
