package spheres

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// obstacles are the parts of all resting bodies.
type obstacles struct {
	name  []string
	ball  []ball // around each
	solid []solid
	query geometry.Query
	point geometry.Shape // of a sphere without its radius
}

type ball struct{ x, y, z, r float64 }

// solid is a part of a resting body.
type solid struct {
	form  form
	pose  spatial.Pose
	half  spatial.Vec3 // of a box
	axis  spatial.Vec3 // of a capsule: from the middle to an end
	scale float64      // of a capsule: 1/axis², 0 for a point
	round float64
	shape *geometry.Shape
}

// form is how a sphere is tested against a part.
type form uint8

const (
	other form = iota // by package geometry
	round             // the ball is the part
	straight
	box
)

// add appends the parts of a resting body and returns their indices.
func (o *obstacles) add(b *scene.Body) (added []int32) {
	for k := range b.Parts {
		p := &b.Parts[k]
		around := scene.EnclosingBall(p)
		c := b.Pose.Apply(around.Center)
		s := solid{pose: b.Pose.Mul(p.Pose), shape: p.Shape, round: p.Shape.Radius()}
		identity := spatial.IdentityPose()
		bounds := p.Shape.Bounds(&identity)
		switch p.Shape.Kind() {
		case geometry.Sphere:
			s.form = round
		case geometry.Capsule:
			s.form = straight
			s.axis = s.pose.R.MulVec(spatial.Vec3{Z: bounds.Max.Z - s.round})
			if d := s.axis.Dot(s.axis); d > 0 {
				s.scale = 1 / d
			}
		case geometry.Box:
			s.form = box
			s.half = bounds.Max.Sub(spatial.Vec3{X: s.round, Y: s.round, Z: s.round})
		}
		added = append(added, int32(len(o.solid)))
		o.name = append(o.name, b.Name)
		o.ball = append(o.ball, ball{c.X, c.Y, c.Z, around.Radius})
		o.solid = append(o.solid, s)
	}
	return added
}

// meets reports whether a ball touches part i, or may touch it later because it changes.
func (o *obstacles) meets(i int32, b scene.Ball) bool {
	if math.IsInf(b.Radius, 1) {
		return true
	}
	around, r := o.ball[i], b.Radius+o.ball[i].r
	x, y, z := b.Center.X-around.x, b.Center.Y-around.y, b.Center.Z-around.z
	return x*x+y*y+z*z <= r*r && (o.solid[i].shape.Changes() || o.touches(i, b.Center, b.Radius))
}

// touches reports whether a sphere, which touches the ball around part i, touches the part.
func (o *obstacles) touches(i int32, c spatial.Vec3, r float64) bool {
	s := &o.solid[i]
	x, y, z := c.X-s.pose.P.X, c.Y-s.pose.P.Y, c.Z-s.pose.P.Z
	switch s.form {
	case round:
		return true
	case straight:
		t := (x*s.axis.X + y*s.axis.Y + z*s.axis.Z) * s.scale
		if t > 1 {
			t = 1
		} else if t < -1 {
			t = -1
		}
		x, y, z = x-t*s.axis.X, y-t*s.axis.Y, z-t*s.axis.Z
		r += s.round
		return x*x+y*y+z*z <= r*r
	case box:
		m := &s.pose.R
		u := math.Abs(m[0][0]*x+m[1][0]*y+m[2][0]*z) - s.half.X
		v := math.Abs(m[0][1]*x+m[1][1]*y+m[2][1]*z) - s.half.Y
		w := math.Abs(m[0][2]*x+m[1][2]*y+m[2][2]*z) - s.half.Z
		r += s.round
		if u > r || v > r || w > r {
			return false
		}
		d := 0.0
		if u > 0 {
			d = u * u
		}
		if v > 0 {
			d += v * v
		}
		if w > 0 {
			d += w * w
		}
		return d <= r*r
	}
	at := spatial.Translation(c)
	hit, _, err := o.query.Hit(&o.point, &at, s.shape, &s.pose, r, nil)
	return hit || err != nil // poses are finite: no error is possible, and one would not be free space
}
