package exact

import (
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// box is a box around a shape in its frame. The ball of a link far from the middle of a long board hits the board's ball, but not its box.
type box struct{ center, half spatial.Vec3 }

// boxOf returns the box around a shape, larger than that by the errors of poses; nil for a plane and for a shape that changes.
func boxOf(s *geometry.Shape) *box {
	if s.Kind() == geometry.Plane || s.Changes() {
		return nil
	}
	identity := spatial.IdentityPose()
	b := s.Bounds(&identity)
	size := b.Max.Sub(b.Min).Scale(0.5)
	return &box{b.Min.Lerp(b.Max, 0.5), size.Add(spatial.Vec3{X: rounding, Y: rounding, Z: rounding})}
}

// apart reports whether the ball of one of two parts misses the box of the other one by more than limit (m). It asks only where a query of the shapes takes longer: if one
// of them has many points.
func apart(x, y *part, limit float64) bool {
	if x.shape.Kind() < geometry.Hull && y.shape.Kind() < geometry.Hull {
		return false
	}
	return x.misses(y, limit) || y.misses(x, limit)
}

// misses reports whether the ball of a part is farther than limit from the box of another one.
func (p *part) misses(other *part, limit float64) bool {
	b := other.box
	if b == nil {
		return false
	}
	d := other.pose.ApplyInverse(p.at).Sub(b.center)
	x, y, z := outside(d.X, b.half.X), outside(d.Y, b.half.Y), outside(d.Z, b.half.Z)
	r := p.ball.Radius + limit
	return x*x+y*y+z*z > r*r
}

// outside returns how far a coordinate is outside of an interval about zero, without its sign.
func outside(x, half float64) float64 { return max(x-half, -x-half, 0) }
