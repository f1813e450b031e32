package spatial

import "math"

// Quat is a quaternion x i + y j + z k + w, scalar last. A unit quaternion is a rotation; q and -q are the same one.
// The zero value is not a rotation; start from [IdentityQuat].
type Quat struct{ X, Y, Z, W float64 }

// IdentityQuat returns the rotation that leaves everything in place.
func IdentityQuat() Quat { return Quat{W: 1} }

// Mul returns the Hamilton product p q: as rotations, first q, then p.
func (p Quat) Mul(q Quat) Quat {
	return Quat{
		p.W*q.X + p.X*q.W + p.Y*q.Z - p.Z*q.Y,
		p.W*q.Y - p.X*q.Z + p.Y*q.W + p.Z*q.X,
		p.W*q.Z + p.X*q.Y - p.Y*q.X + p.Z*q.W,
		p.W*q.W - p.X*q.X - p.Y*q.Y - p.Z*q.Z,
	}
}

// Conj returns the conjugate, which is the inverse of a unit quaternion.
func (p Quat) Conj() Quat { return Quat{-p.X, -p.Y, -p.Z, p.W} }

// Add returns p + q.
func (p Quat) Add(q Quat) Quat { return Quat{p.X + q.X, p.Y + q.Y, p.Z + q.Z, p.W + q.W} }

// Sub returns p - q.
func (p Quat) Sub(q Quat) Quat { return Quat{p.X - q.X, p.Y - q.Y, p.Z - q.Z, p.W - q.W} }

// Scale returns k p.
func (p Quat) Scale(k float64) Quat { return Quat{k * p.X, k * p.Y, k * p.Z, k * p.W} }

// Neg returns -p: the same rotation.
func (p Quat) Neg() Quat { return Quat{-p.X, -p.Y, -p.Z, -p.W} }

// Dot returns the scalar product of the four components: ±1 for equal rotations.
func (p Quat) Dot(q Quat) float64 { return p.X*q.X + p.Y*q.Y + p.Z*q.Z + p.W*q.W }

// Norm returns the length |p|.
func (p Quat) Norm() float64 { return math.Hypot(p.Vec().Norm(), p.W) }

// Vec returns the vector part.
func (p Quat) Vec() Vec3 { return Vec3{p.X, p.Y, p.Z} }

// Unit returns p / |p|. The zero quaternion gives the identity.
func (p Quat) Unit() Quat {
	n := p.Norm()
	if n == 0 {
		return IdentityQuat()
	}
	return Quat{p.X / n, p.Y / n, p.Z / n, p.W / n}
}

// Rotate turns the vector a by the unit quaternion p: the vector part of p a p*.
func (p Quat) Rotate(a Vec3) Vec3 {
	v := p.Vec()
	t := v.Cross(a)
	t = t.Add(t)
	return a.Add(t.Scale(p.W)).Add(v.Cross(t))
}

// Mat3 returns the rotation matrix of p. Any length but zero is accepted: the matrix is that of p / |p|.
func (p Quat) Mat3() Mat3 {
	s := 2 / p.Dot(p)
	xs, ys, zs := p.X*s, p.Y*s, p.Z*s
	xx, yy, zz := p.X*xs, p.Y*ys, p.Z*zs
	xy, xz, yz := p.X*ys, p.X*zs, p.Y*zs
	wx, wy, wz := p.W*xs, p.W*ys, p.W*zs
	return Mat3{
		{1 - (yy + zz), xy - wz, xz + wy},
		{xy + wz, 1 - (xx + zz), yz - wx},
		{xz - wy, yz + wx, 1 - (xx + yy)},
	}
}

// Quat returns the unit quaternion of the rotation m, with w ≥ 0. The largest component is computed first
// (Shepperd 1978), so it is accurate for every rotation.
func (m Mat3) Quat() Quat {
	var q Quat
	switch t := m.Trace(); {
	case t >= m[0][0] && t >= m[1][1] && t >= m[2][2]:
		q = Quat{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + t}
	case m[0][0] >= m[1][1] && m[0][0] >= m[2][2]:
		q = Quat{1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]}
	case m[1][1] >= m[2][2]:
		q = Quat{m[0][1] + m[1][0], 1 + m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1], m[0][2] - m[2][0]}
	default:
		q = Quat{m[0][2] + m[2][0], m[1][2] + m[2][1], 1 + m[2][2] - m[0][0] - m[1][1], m[1][0] - m[0][1]}
	}
	if q.W < 0 {
		q = q.Neg()
	}
	return q.Unit()
}
