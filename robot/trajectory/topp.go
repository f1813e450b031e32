package trajectory

import (
	"fmt"
	"math"
)

// PathOptions configure how a path is followed. The zero value starts and ends at rest.
type PathOptions struct {
	StartSpeed, EndSpeed float64 // ds/dt at the ends, not negative
	Intervals            int     // of the grid, at least; 0 stands for 500

	// Stops are values of s, ascending, at which the motion stops. It must stop where the direction jumps.
	Stops []float64
}

// PathError describes where a path cannot be followed.
type PathError struct {
	S      float64 // coordinate of the path
	Reason string  // without the place
	Axis   int     // that it is about, from 0; -1 if it is about no single one
}

// Error names the path coordinate and the reason.
func (e *PathError) Error() string {
	return fmt.Sprintf("trajectory: cannot follow the path at s = %g: %s", e.S, e.Reason)
}

// FollowPath returns the fastest motion along a path that keeps the limits.
//
// With x = ṡ² and u = s̈ all limits are linear: velocity q′² x ≤ v², acceleration q′ u + q″ x, torque
// (M q′) u + (M q″ + C(q, q′) q′) x + g. On a grid, x grows by 2 Δs u in an interval. A pass from the end finds for each
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
	if err := limits.check(); err != nil {
		return nil, err
	}
	if options.Intervals == 0 {
		options.Intervals = 500
	}
	p := newParameterization(path, limits, options)
	if err := p.backward(options.EndSpeed); err != nil {
		return nil, err
	}
	return p.forward(options.StartSpeed)
}

// parameterization is the state of FollowPath. Interval k lies between grid points k and k+1.
type parameterization struct {
	path       Path
	s          []float64
	start, end [][]halfPlane // of (u, x) at the start and at the end of each interval
	stop       []bool        // at each grid point, whether the motion stops
	xMax       []float64     // by the velocity limits
	min, max   []float64     // interval of x from which the end can be reached
	program    linearProgram
	axes       int
}

func newParameterization(path Path, limits PathLimits, options PathOptions) *parameterization {
	p := &parameterization{path: path, axes: len(limits.Axes)}
	p.grid(options)
	points := len(p.s)
	p.xMax, p.min, p.max = make([]float64, points), make([]float64, points), make([]float64, points)
	p.start, p.end = make([][]halfPlane, points), make([][]halfPlane, points)
	c := newConstraints(limits)
	for k := range p.s {
		p.start[k], p.xMax[k] = c.at(path, p.s[k])
		if k > 0 {
			p.end[k-1] = p.start[k]
			if p.stop[k] { // the limit from the left
				p.end[k-1], _ = c.at(path, p.s[k]-1e-6*(p.s[k]-p.s[k-1]))
			}
		}
	}
	return p
}

// grid spreads the intervals evenly between stops.
func (p *parameterization) grid(options PathOptions) {
	lower, upper := p.path.Domain()
	from := lower
	p.s, p.stop = []float64{lower}, []bool{false}
	for k := 0; k <= len(options.Stops); k++ {
		to := upper
		if k < len(options.Stops) {
			to = options.Stops[k]
			if !(to > from && to < upper) {
				panic(fmt.Sprintf("trajectory: FollowPath: stop %d at %g: expected stops in ascending order between %g and %g", k, to, lower, upper))
			}
		}
		n := max(1, int(math.Ceil(float64(options.Intervals)*(to-from)/(upper-lower))))
		for i := 1; i <= n; i++ {
			p.s = append(p.s, from+(to-from)*float64(i)/float64(n))
			p.stop = append(p.stop, i == n && k < len(options.Stops))
		}
		from = to
	}
}

// interval sets up the linear program of interval k: limits at its start, and at its end, where x is x + 2 step u.
func (p *parameterization) interval(k int) (l *linearProgram, step float64) {
	step = p.s[k+1] - p.s[k]
	l = &p.program
	l.planes = l.planes[:0]
	l.xMin, l.xMax = 0, min(p.xMax[k], maxSpeed)
	if p.stop[k] {
		l.xMax = 0
	}
	l.box = maxSpeed / step
	for _, h := range p.start[k] {
		l.add(h.a, h.b, h.c)
	}
	for _, h := range p.end[k] {
		l.add(h.a+2*step*h.b, h.b, h.c)
	}
	l.add(2*step, 1, p.max[k+1])
	l.add(-2*step, -1, -p.min[k+1])
	return l, step
}

// maxSpeed bounds ṡ² where no limit does, because the path stands still.
const maxSpeed = 1e12

// backward finds from where the end can be reached with the given speed.
func (p *parameterization) backward(speed float64) error {
	last := len(p.s) - 1
	p.min[last], p.max[last] = speed*speed, speed*speed
	if speed*speed > p.xMax[last] {
		return &PathError{p.s[last], "the end speed is above the velocity limits", -1}
	}
	for k := last - 1; k >= 0; k-- {
		l, _ := p.interval(k)
		_, high, ok := l.maximize(0, 1)
		_, low, also := l.maximize(0, -1)
		if !ok || !also {
			return &PathError{p.s[k], "no speed keeps the limits and still reaches the end; check the acceleration and torque limits there", -1}
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
	if slack := 1e-9 * p.max[0]; x > p.max[0]+slack || x < p.min[0]-slack {
		return nil, &PathError{p.s[0], fmt.Sprintf("the start speed must be between %g and %g", root(p.min[0]), root(p.max[0])), -1}
	}
	m.x[0] = x
	for k := range n - 1 {
		x = min(max(x, p.min[k]), p.max[k])
		l, step := p.interval(k)
		_, u := l.atX(x)
		next := min(max(x+2*step*u, p.min[k+1]), p.max[k+1])
		sum := root(x) + root(next)
		if sum == 0 {
			return nil, &PathError{p.s[k], "the motion stops there", -1}
		}
		m.t[k+1] = m.t[k] + 2*step/sum
		m.x[k+1], x = next, next
	}
	return m, nil
}

func root(x float64) float64 { return math.Sqrt(max(x, 0)) }
