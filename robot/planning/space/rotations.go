package space

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Rotations is SO(3). Points are unit quaternions (x, y, z, w), q and -q the same one, so that the set is the real projective space RP3. The
// distance is the angle of the rotation between two points, from 0 to π.
type Rotations struct{ Name string }

// Dim returns 4.
func (r Rotations) Dim() int { return 4 }

// Distance returns the angle between the unit quaternions a and b of 4 values, from 0 to π rad. It comes from the chord and not from the cosine, which is inexact for small angles.
func (r Rotations) Distance(a, b []float64) float64 {
	p, q := quat(a), quat(b)
	return 4 * math.Asin(min(1, min(p.Sub(q).Norm(), p.Add(q).Norm())/2))
}

// Symmetric returns true.
func (r Rotations) Symmetric() bool { return true }

// Interpolate writes to out the point at the fraction t, from 0 to 1, of the shortest rotation from a to b (Shoemake 1985). All have 4 values;
// out may be a or b.
func (r Rotations) Interpolate(a, b []float64, t float64, out []float64) {
	p, q := quat(a), quat(b)
	if p.Dot(q) < 0 {
		q = q.Neg()
	}
	angle := 2 * math.Asin(min(1, p.Sub(q).Norm()/2)) // between the quaternions: half of that between the rotations
	u, v := 1-t, t
	if s := math.Sin(angle); s > 1e-9 {
		u, v = math.Sin(u*angle)/s, math.Sin(v*angle)/s
	}
	write(p.Scale(u).Add(q.Scale(v)), out)
}

// Move turns a by the rotation vector in the first three values of d, rad, in the axes of a, and writes the result to out. All have 4 values; out may be a.
func (r Rotations) Move(a, d, out []float64) {
	v := spatial.Vec3{X: d[0], Y: d[1], Z: d[2]}
	k := 0.5 // sin(x/2)/x for x → 0
	angle := v.Norm()
	if angle > 1e-9 {
		k = math.Sin(angle/2) / angle
	}
	write(quat(a).Mul(spatial.Quat{X: k * v.X, Y: k * v.Y, Z: k * v.Z, W: math.Cos(angle / 2)}), out)
}

// Scale turns the first three values of a point of the unit cube into a rotation (Shoemake 1992). p has 4 values.
func (r Rotations) Scale(p []float64) {
	u, v := math.Sqrt(1-p[0]), math.Sqrt(p[0])
	s, c := math.Sincos(2 * math.Pi * p[1])
	s2, c2 := math.Sincos(2 * math.Pi * p[2])
	p[0], p[1], p[2], p[3] = u*s, u*c, v*s2, v*c2
}

// ScaleNear turns the first three values of a point of the unit cube into the rotation that turns center about each axis by at most an angle, rad, at most π.
// p and center have 4 values.
func (r Rotations) ScaleNear(center []float64, angle float64, p []float64) {
	angle = min(angle, math.Pi)
	for i := range p {
		p[i] = angle * (2*p[i] - 1)
	}
	r.Move(center, p, p)
}

// Limits returns the name of the rotation with that of the value, and -1 and 1.
func (r Rotations) Limits(i int) (name string, lower, upper float64) {
	return r.Name + [...]string{".x", ".y", ".z", ".w"}[i], -1, 1
}

// Outside returns the first value outside -1 to 1, 3 if the quaternion is not of unit length within 1e-6, or -1. p has 4 values.
func (r Rotations) Outside(p []float64) int {
	for i, x := range p {
		if !(x >= -1-1e-6 && x <= 1+1e-6) {
			return i
		}
	}
	if math.Abs(quat(p).Norm()-1) > 1e-6 {
		return 3
	}
	return -1
}

func quat(p []float64) spatial.Quat { return spatial.Quat{X: p[0], Y: p[1], Z: p[2], W: p[3]} }

// write writes the unit quaternion along q.
func write(q spatial.Quat, out []float64) {
	q = q.Unit()
	out[0], out[1], out[2], out[3] = q.X, q.Y, q.Z, q.W
}
