package spatial

import "math"

// Vec3 is a vector of three components: a point, a direction, a velocity, a force.
// The field or argument that holds it defines unit and frame.
type Vec3 struct{ X, Y, Z float64 }

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a.
func (a Vec3) Neg() Vec3 { return Vec3{-a.X, -a.Y, -a.Z} }

// Scale returns k a.
func (a Vec3) Scale(k float64) Vec3 { return Vec3{k * a.X, k * a.Y, k * a.Z} }

// Dot returns the scalar product a · b.
func (a Vec3) Dot(b Vec3) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// Cross returns the vector product a × b.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}

// Norm returns the length |a|. It neither overflows nor underflows.
func (a Vec3) Norm() float64 {
	if n := a.Dot(a); n > 1e-280 && n < 1e280 {
		return math.Sqrt(n)
	}
	return math.Hypot(math.Hypot(a.X, a.Y), a.Z)
}

// Unit returns a / |a|. The zero vector has no direction: Unit then returns it unchanged.
func (a Vec3) Unit() Vec3 {
	n := a.Norm()
	if n == 0 {
		return a
	}
	return Vec3{a.X / n, a.Y / n, a.Z / n}
}

// Lerp returns (1-t) a + t b.
func (a Vec3) Lerp(b Vec3, t float64) Vec3 { return a.Add(b.Sub(a).Scale(t)) }

// Skew returns the matrix [a]× for which [a]× b = a × b.
func (a Vec3) Skew() Mat3 {
	return Mat3{{0, -a.Z, a.Y}, {a.Z, 0, -a.X}, {-a.Y, a.X, 0}}
}

// Outer returns a bᵀ.
func (a Vec3) Outer(b Vec3) Mat3 {
	return Mat3{
		{a.X * b.X, a.X * b.Y, a.X * b.Z},
		{a.Y * b.X, a.Y * b.Y, a.Y * b.Z},
		{a.Z * b.X, a.Z * b.Y, a.Z * b.Z},
	}
}

// IsFinite reports whether no component is NaN or infinite.
func (a Vec3) IsFinite() bool { return finite(a.X) && finite(a.Y) && finite(a.Z) }

func finite(x float64) bool { return x-x == 0 }
