package scene

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Ball is a ball that encloses something.
type Ball struct {
	Center spatial.Vec3 // m, in the frame of what it encloses
	Radius float64      // m; +Inf around a plane
}

// EnclosingBall returns a ball around a part in the frame of its body. A plane's has an infinite radius.
func EnclosingBall(p *geometry.Part) Ball {
	switch p.Shape.Kind() {
	case geometry.Plane:
		return Ball{p.Pose.P, math.Inf(1)}
	case geometry.Sphere:
		return Ball{p.Pose.P, p.Shape.Radius()}
	}
	identity := spatial.IdentityPose()
	b := p.Shape.Bounds(&identity)
	center := b.Min.Lerp(b.Max, 0.5)
	about := b.Max.Sub(center).Norm()
	if reach := p.Shape.Reach(); reach <= about {
		return Ball{p.Pose.P, reach}
	}
	return Ball{p.Pose.Apply(center), about}
}

// EnclosingBalls returns a ball around balls: the best of its kind about the middle of their bounds, not the smallest of all.
func EnclosingBalls(list []Ball) Ball {
	low, high := list[0].Center, list[0].Center
	for _, b := range list {
		if math.IsInf(b.Radius, 1) {
			return Ball{b.Center, b.Radius}
		}
		c, r := b.Center, b.Radius
		low = spatial.Vec3{X: min(low.X, c.X-r), Y: min(low.Y, c.Y-r), Z: min(low.Z, c.Z-r)}
		high = spatial.Vec3{X: max(high.X, c.X+r), Y: max(high.Y, c.Y+r), Z: max(high.Z, c.Z+r)}
	}
	around := Ball{Center: low.Lerp(high, 0.5)}
	for range 64 { // towards the ball that reaches farthest (Badoiu and Clarkson 2003)
		far := 0
		reach := -1.0
		for i, b := range list {
			if d := b.Center.Sub(around.Center).Norm() + b.Radius; d > reach {
				far, reach = i, d
			}
		}
		if around.Radius == 0 || reach < around.Radius {
			around.Radius = reach
		}
		step := list[far].Center.Sub(around.Center)
		next := around.Center.Add(step.Scale(1.0 / 64))
		worst := 0.0
		for _, b := range list {
			worst = max(worst, b.Center.Sub(next).Norm()+b.Radius)
		}
		if worst >= around.Radius {
			break
		}
		around = Ball{next, worst}
	}
	return around
}
