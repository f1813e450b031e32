package curve

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Line returns the straight line from a to b at constant speed on [0, duration].
func Line(a, b spatial.Vec3, duration float64) Path {
	line := func(a, b float64) Function { return Hermite(0, duration, []float64{a}, []float64{b}) }
	return Path{line(a.X, b.X), line(a.Y, b.Y), line(a.Z, b.Z)}
}

// Arc returns the circular segment that begins at start and turns by angle (rad, of either sign, any size) about the axis
// through center, at constant speed on [0, duration]. The axis may have any length but 0; a part of start along it is
// kept. It panics unless axis and duration are positive.
func Arc(center, axis, start spatial.Vec3, angle, duration float64) Path {
	n := axis.Unit()
	if !(n.Norm() > 0.5) || !(duration > 0) {
		panic("curve: Arc: axis must not be zero and duration positive")
	}
	r := start.Sub(center)
	along := n.Scale(n.Dot(r))
	u := r.Sub(along)
	v := n.Cross(u)
	c := center.Add(along)
	rate := angle / duration
	return Path{
		NewSinusoid(0, duration, c.X, u.X, v.X, rate),
		NewSinusoid(0, duration, c.Y, u.Y, v.Y, rate),
		NewSinusoid(0, duration, c.Z, u.Z, v.Z, rate),
	}
}

// ErrStraight means that three points determine no circle.
var ErrStraight = errors.New("curve: the three points lie on a straight line: no circular arc goes through them")

// ArcThrough returns the circular segment from a through b to c, at constant speed on [0, duration]. Points on a
// straight line, equal ones included, give ErrStraight. It panics unless duration is positive.
func ArcThrough(a, b, c spatial.Vec3, duration float64) (Path, error) {
	p, q := b.Sub(a), c.Sub(a)
	n := p.Cross(q)
	if !(n.Norm() > 1e-12*p.Norm()*q.Norm()) || !(c.Sub(b).Norm() > 0) {
		return Path{}, ErrStraight
	}
	// The centre from a: equally far from the three points, in their plane.
	m := q.Scale(p.Dot(p)).Sub(p.Scale(q.Dot(q))).Cross(n).Scale(1 / (2 * n.Dot(n)))
	center := a.Add(m)
	u, w := a.Sub(center), c.Sub(center)
	angle := math.Atan2(n.Unit().Dot(u.Cross(w)), u.Dot(w))
	if angle <= 0 { // n is such that b comes before c
		angle += 2 * math.Pi
	}
	return Arc(center, n, a, angle, duration), nil
}
