package mobile

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Pose is where a vehicle is in the plane.
type Pose struct {
	X, Y    float64 // m
	Heading float64 // rad, (-π, π]
}

// Displacement is the motion of a vehicle in one step, or its velocity in one second, along its own axes.
type Displacement struct {
	Forward, Left float64 // m
	Turn          float64 // rad
}

// Covariance is a symmetric 3 × 3 matrix, row by row: of X, Y and Heading of a pose (m², m rad, rad²), or of Forward, Left and Turn of a
// displacement.
type Covariance [9]float64

// Move returns the pose after a uniform motion: an arc of a circle, or a straight line where d.Turn is 0.
func (p Pose) Move(d Displacement) Pose {
	a, b := arc(d.Turn)
	forward, left := a*d.Forward-b*d.Left, b*d.Forward+a*d.Left
	s, c := math.Sincos(p.Heading)
	return Pose{p.X + c*forward - s*left, p.Y + s*forward + c*left, control.WrapAngle(p.Heading + d.Turn)}
}

// Spatial returns the pose in space: on the plane z = 0, turned about z.
func (p Pose) Spatial() spatial.Pose {
	return spatial.Pose{R: spatial.RotZ(p.Heading), P: spatial.Vec3{X: p.X, Y: p.Y}}
}

// Spatial returns the displacement as a motion in space, in the axes of the vehicle.
func (d Displacement) Spatial() spatial.Motion {
	return spatial.Motion{Linear: spatial.Vec3{X: d.Forward, Y: d.Left}, Angular: spatial.Vec3{Z: d.Turn}}
}

// Scale returns k d.
func (d Displacement) Scale(k float64) Displacement {
	return Displacement{k * d.Forward, k * d.Left, k * d.Turn}
}

func (d Displacement) finite() bool {
	return finite(d.Forward) && finite(d.Left) && finite(d.Turn)
}

// Sigma returns the standard deviations: the roots of the diagonal.
func (c *Covariance) Sigma() [3]float64 {
	return [3]float64{math.Sqrt(max(c[0], 0)), math.Sqrt(max(c[4], 0)), math.Sqrt(max(c[8], 0))}
}

// arc returns sin(t)/t and (1 - cos t)/t.
func arc(t float64) (a, b float64) {
	if math.Abs(t) < 1e-4 {
		return 1 - t*t/6, t / 2 * (1 - t*t/12)
	}
	s, c := math.Sincos(t / 2)
	return 2 * s * c / t, 2 * s * s / t
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return x-x == 0 }

// addOuter adds q u uᵀ.
func (c *Covariance) addOuter(q float64, u [3]float64) {
	for i := range u {
		for j := range u {
			c[3*i+j] += q * u[i] * u[j]
		}
	}
}

// addCongruent adds k m n mᵀ; n is symmetric.
func (c *Covariance) addCongruent(k float64, m *[9]float64, n *Covariance) {
	var t [9]float64
	for i := range 3 {
		for j := range 3 {
			t[3*i+j] = m[3*i]*n[j] + m[3*i+1]*n[3+j] + m[3*i+2]*n[6+j]
		}
	}
	for i := range 3 {
		for j := range i + 1 {
			s := k * (t[3*i]*m[3*j] + t[3*i+1]*m[3*j+1] + t[3*i+2]*m[3*j+2])
			c[3*i+j] += s
			if i != j {
				c[3*j+i] += s
			}
		}
	}
}

// isCovariance reports whether c is finite, symmetric and positive semidefinite up to rounding: all its principal minors are.
func (c *Covariance) isCovariance() bool {
	const rounding = 1e-9
	for i := range 3 {
		if d := c[4*i]; !finite(d) || d < 0 {
			return false
		}
		for j := range i {
			x, bound := c[3*i+j], math.Sqrt(c[4*i]*c[4*j])
			if !(math.Abs(x) <= bound*(1+rounding)) || math.Abs(x-c[3*j+i]) > rounding*bound {
				return false
			}
		}
	}
	xy, xt, yt := c[1], c[2], c[5]
	all := c[0] * c[4] * c[8]
	return all+2*xy*xt*yt-c[0]*yt*yt-c[4]*xt*xt-c[8]*xy*xy >= -4*rounding*all
}
