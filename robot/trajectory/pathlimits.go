package trajectory

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// PathLimits bound a motion along a path.
type PathLimits struct {
	// Axes are the limits of each axis: velocity and acceleration, which may be infinite. The jerk is not limited.
	Axes []Limits

	// Torque, if not nil, limits the torques or forces (N m, N) of the axes too.
	Torque *TorqueLimits

	// Tool, if not nil, limits the motion of the tool too.
	Tool *ToolLimits

	// Along, if not nil, returns the limits at the path coordinate s, which hold in place of the others: for paths whose parts have
	// limits of their own. It has as many Axes.
	Along func(s float64) PathLimits
}

// TorqueLimits bound the torques that a motion takes.
type TorqueLimits struct {
	// InverseDynamics stores in tau the torques that give the acceleration a at position q and velocity v, as
	// multibody.RNEA does. It must be of the form M(q) a + C(q, v) v + g(q), as rigid bodies without friction are.
	InverseDynamics func(q, v, a, tau []float64)

	Lower, Upper []float64 // Lower[i] ≤ tau[i] ≤ Upper[i]
}

// ToolLimits bound the speed and the acceleration of a tool along its path.
type ToolLimits struct {
	// Path is where the tool is. Its coordinate must be that of the path that is followed.
	Path ToolCurve

	Speed, Acceleration               float64 // of the tool's origin, m/s and m/s²; 0 is no limit
	AngularSpeed, AngularAcceleration float64 // rad/s and rad/s²; 0 is no limit
}

// ToolCurve is a path of a tool: a [ToolPath], or what a path of the joints makes of the tool.
type ToolCurve interface {
	// Derivative returns the derivative of order 1 or 2 of the pose in s, as [ToolPath.Derivative] does.
	Derivative(s float64, order int) spatial.Motion
}

// at adds the constraints at s, and returns the greatest x that the speeds allow. The acceleration d1 u + d2 x lies in
// a plane, where its norm is bounded by a polygon of 16 sides within the circle: a motion loses up to 2 %.
func (t *ToolLimits) at(s float64, between func(a, b, lower, upper float64)) float64 {
	d1, d2 := t.Path.Derivative(s, 1), t.Path.Derivative(s, 2)
	xMax := math.Inf(1)
	bound := func(d1, d2 spatial.Vec3, speed, acceleration float64) {
		if n := d1.Norm(); speed > 0 && n > 0 {
			xMax = min(xMax, speed*speed/(n*n))
		}
		if acceleration <= 0 {
			return
		}
		var along, across spatial.Vec3 // of the plane
		if n := d1.Norm(); n > 0 {
			along = d1.Scale(1 / n)
		}
		rest := d2.Sub(along.Scale(along.Dot(d2)))
		if n := rest.Norm(); n > 1e-12*d2.Norm() {
			across = rest.Scale(1 / n)
		}
		const sides = 16
		limit := acceleration * math.Cos(math.Pi/sides)
		for k := range sides / 2 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
			e := along.Scale(cos).Add(across.Scale(sin))
			between(e.Dot(d1), e.Dot(d2), -limit, limit)
		}
	}
	bound(d1.Linear, d2.Linear, t.Speed, t.Acceleration)
	bound(d1.Angular, d2.Angular, t.AngularSpeed, t.AngularAcceleration)
	return xMax
}

// check returns an error for the first axis whose limits are wrong, and panics if numbers do not agree.
func (l *PathLimits) check() error {
	n := len(l.Axes)
	if t := l.Torque; t != nil && (len(t.Lower) != n || len(t.Upper) != n || t.InverseDynamics == nil) {
		panic(fmt.Sprintf("trajectory: path limits: expected inverse dynamics and %d lower and upper torques", n))
	}
	for i, x := range l.Axes {
		switch {
		case math.IsNaN(x.Velocity+x.Acceleration) || math.IsNaN(x.MinVelocity+x.MinAcceleration):
			return &AxisError{i, ErrNotFinite}
		case !(x.Velocity > 0) || !(x.Acceleration > 0) || x.MinVelocity > 0 || x.MinAcceleration > 0:
			return &AxisError{i, ErrLimits}
		}
	}
	return nil
}

// constraints builds the half planes of a point of the path.
type constraints struct {
	limits                   PathLimits
	q, dq, ddq, zero         []float64
	gravity, inertia, motion []float64 // torques: at rest, for u = 1, for x = 1
}

func newConstraints(limits PathLimits) *constraints {
	c := &constraints{limits: limits}
	for _, v := range []*[]float64{&c.q, &c.dq, &c.ddq, &c.zero, &c.gravity, &c.inertia, &c.motion} {
		*v = make([]float64, len(limits.Axes))
	}
	return c
}

func (c *constraints) at(path Path, s float64) (planes []halfPlane, xMax float64) {
	path.At(c.q, s, 0)
	path.At(c.dq, s, 1)
	path.At(c.ddq, s, 2)
	xMax = math.Inf(1)
	if c.limits.Along != nil {
		along := c.limits.Along
		c.limits = along(s)
		c.limits.Along = along
	}
	between := func(a, b, lower, upper float64) {
		if !math.IsInf(upper, 1) {
			planes = append(planes, halfPlane{a, b, upper})
		}
		if !math.IsInf(lower, -1) {
			planes = append(planes, halfPlane{-a, -b, -lower})
		}
	}
	for i := range c.limits.Axes {
		l := c.limits.Axes[i].bounds()
		v := l.upperVelocity
		if c.dq[i] < 0 {
			v = l.lowerVelocity
		}
		if c.dq[i] != 0 {
			xMax = min(xMax, v*v/(c.dq[i]*c.dq[i]))
		}
		between(c.dq[i], c.ddq[i], -l.lowerAcceleration, l.upperAcceleration)
	}
	if t := c.limits.Tool; t != nil {
		xMax = min(xMax, t.at(s, between))
	}
	if t := c.limits.Torque; t != nil {
		t.InverseDynamics(c.q, c.zero, c.zero, c.gravity)
		t.InverseDynamics(c.q, c.zero, c.dq, c.inertia)
		t.InverseDynamics(c.q, c.dq, c.ddq, c.motion)
		for i, g := range c.gravity {
			between(c.inertia[i]-g, c.motion[i]-g, t.Lower[i]-g, t.Upper[i]-g)
		}
	}
	return planes, xMax
}
