package trajectory

import (
	"fmt"
	"math"
)

// PathLimits bound a motion along a path.
type PathLimits struct {
	// Axes are the limits of each axis: velocity and acceleration. The jerk is not limited. An infinite Acceleration is no
	// limit.
	Axes []Limits

	// Torque, if not nil, limits the torques or forces (N m, N) of the axes too.
	Torque *TorqueLimits
}

// TorqueLimits bound the torques that a motion takes.
type TorqueLimits struct {
	// InverseDynamics stores in tau the torques that give the acceleration a at position q and velocity v. It must be
	// of the form M(q) a + C(q, v) v + g(q), as rigid bodies without friction are.
	InverseDynamics func(tau, q, v, a []float64)

	Lower, Upper []float64 // Lower[i] ≤ tau[i] ≤ Upper[i]
}

// PathOptions say how a path is to be followed. The zero value starts and ends at rest.
type PathOptions struct {
	StartSpeed, EndSpeed float64 // ds/dt at the ends, not negative
	Intervals            int     // of the grid; 0 stands for 500
}

// PathError says where a path cannot be followed.
type PathError struct {
	S      float64
	Reason string
}

func (e *PathError) Error() string {
	return fmt.Sprintf("trajectory: cannot follow the path at s = %g: %s", e.S, e.Reason)
}

// FollowPath returns the fastest motion along a path that keeps the limits.
//
// With x = ṡ² and u = s̈ all limits are linear: velocity q'² x ≤ v², acceleration q' u + q” x, torque
// (M q') u + (M q” + C(q, q') q') x + g. On a grid, x grows by 2 Δs u in an interval. A pass from the end finds for each
// grid point the interval of x from which the end can still be reached; a pass from the start then takes the
// greatest u that stays in it. Limits are checked at both ends of each interval.
//
// H. Pham, Q.-C. Pham, "A New Approach to Time-Optimal Path Parameterization based on Reachability Analysis", IEEE
// Transactions on Robotics, 2018 (TOPP-RA).
//
// Between grid points the limits may be exceeded by an amount that shrinks with the square of the interval: the path
// should be smooth (continuous second derivative) there. FollowPath fails with a [*PathError], and panics if the
// numbers of limits do not agree.
func FollowPath(path Path, limits PathLimits, options PathOptions) (*PathMotion, error) {
	n := len(limits.Axes)
	if t := limits.Torque; t != nil && (len(t.Lower) != n || len(t.Upper) != n || t.InverseDynamics == nil) {
		panic(fmt.Sprintf("trajectory: FollowPath: expected inverse dynamics and %d lower and upper torques", n))
	}
	for i := range limits.Axes {
		if x := (Axis{Limits: limits.Axes[i]}); math.IsInf(x.Limits.Acceleration, 1) {
			x.Limits.Jerk = math.Inf(1)
		} else if x.Limits.Jerk = 1; x.check() != nil {
			return nil, &AxisError{i, x.check()}
		}
	}
	if options.Intervals == 0 {
		options.Intervals = 500
	}
	p := newParameterization(path, limits, options.Intervals)
	if err := p.backward(options.EndSpeed); err != nil {
		return nil, err
	}
	return p.forward(options.StartSpeed)
}

// parameterization is the state of FollowPath.
type parameterization struct {
	path     Path
	s        []float64
	step     float64
	planes   [][]halfPlane // at each grid point, of (u, x)
	xMax     []float64     // by the velocity limits
	min, max []float64     // interval of x from which the end can be reached
	program  linearProgram
	axes     int
}

func newParameterization(path Path, limits PathLimits, intervals int) *parameterization {
	lower, upper := path.Domain()
	p := &parameterization{path: path, axes: len(limits.Axes), step: (upper - lower) / float64(intervals)}
	points := intervals + 1
	p.s, p.xMax = make([]float64, points), make([]float64, points)
	p.min, p.max = make([]float64, points), make([]float64, points)
	p.planes = make([][]halfPlane, points)
	c := newConstraints(limits)
	for k := range p.s {
		p.s[k] = lower + (upper-lower)*float64(k)/float64(intervals)
		p.planes[k], p.xMax[k] = c.at(path, p.s[k])
	}
	return p
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
			v /= c.dq[i]
			xMax = min(xMax, v*v)
		}
		between(c.dq[i], c.ddq[i], -l.lowerAcceleration, l.upperAcceleration)
	}
	if t := c.limits.Torque; t != nil {
		t.InverseDynamics(c.gravity, c.q, c.zero, c.zero)
		t.InverseDynamics(c.inertia, c.q, c.zero, c.dq)
		t.InverseDynamics(c.motion, c.q, c.dq, c.ddq)
		for i, g := range c.gravity {
			between(c.inertia[i]-g, c.motion[i]-g, t.Lower[i]-g, t.Upper[i]-g)
		}
	}
	return planes, xMax
}

// interval sets up the linear program of interval k: limits at its start and at its end, where x is x + 2 step u.
func (p *parameterization) interval(k int) *linearProgram {
	l := &p.program
	l.planes = l.planes[:0]
	l.xMin, l.xMax = 0, min(p.xMax[k], maxSpeed)
	l.box = maxSpeed / p.step
	for _, h := range p.planes[k] {
		l.add(h.a, h.b, h.c)
	}
	for _, h := range p.planes[k+1] {
		l.add(h.a+2*p.step*h.b, h.b, h.c)
	}
	l.add(2*p.step, 1, p.max[k+1])
	l.add(-2*p.step, -1, -p.min[k+1])
	return l
}

// maxSpeed bounds ṡ² where no limit does, because the path stands still.
const maxSpeed = 1e12

// backward finds from where the end can be reached with the given speed.
func (p *parameterization) backward(speed float64) error {
	last := len(p.s) - 1
	p.min[last], p.max[last] = speed*speed, speed*speed
	if speed*speed > p.xMax[last] {
		return &PathError{p.s[last], "the end speed is above the velocity limits"}
	}
	for k := last - 1; k >= 0; k-- {
		l := p.interval(k)
		_, high, ok := l.maximize(0, 1)
		_, low, also := l.maximize(0, -1)
		if !ok || !also {
			return &PathError{p.s[k], "no speed keeps the limits and still reaches the end; check the acceleration and torque limits there"}
		}
		p.max[k], p.min[k] = max(high, 0), max(min(low, high), 0)
	}
	return nil
}

// forward goes as fast as it can without leaving what backward found.
func (p *parameterization) forward(speed float64) (*PathMotion, error) {
	n := len(p.s)
	m := &PathMotion{path: p.path, s: p.s, x: make([]float64, n), t: make([]float64, n)}
	for i := range m.q {
		m.q[i] = make([]float64, p.axes)
	}
	x := speed * speed
	if x > p.max[0]*(1+1e-9) || x < p.min[0]*(1-1e-9) {
		return nil, &PathError{p.s[0], fmt.Sprintf("the start speed must be between %g and %g", root(p.min[0]), root(p.max[0]))}
	}
	m.x[0] = x
	for k := range n - 1 {
		x = min(max(x, p.min[k]), p.max[k])
		_, u := p.interval(k).atX(x)
		next := min(max(x+2*p.step*u, p.min[k+1]), p.max[k+1])
		sum := root(x) + root(next)
		if sum == 0 {
			return nil, &PathError{p.s[k], "the motion stops there"}
		}
		m.t[k+1] = m.t[k] + 2*p.step/sum
		m.x[k+1], x = next, next
	}
	return m, nil
}

func root(x float64) float64 { return math.Sqrt(max(x, 0)) }
