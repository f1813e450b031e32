package trajectory

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// FollowTool returns the fastest motion of a tool along its path that keeps its limits, whatever robot moves it. It stops at
// the corners that have no blend. The axes of the motion are the coordinates x, y, z; [ToolPath.Pose] of the path
// coordinate from [PathMotion.Law] has the orientation too. limits.Path is set to path.
func FollowTool(path *ToolPath, limits ToolLimits, options PathOptions) (*PathMotion, error) {
	limits.Path = path
	none := Limits{Velocity: math.Inf(1), Acceleration: math.Inf(1)}
	options.Stops = path.Corners()
	return FollowPath(path, PathLimits{Axes: []Limits{none, none, none}, Tool: &limits}, options)
}

// InverseKinematics stores in q the joint positions that bring the tool to a pose, the solution nearest to what q holds
// on entry, or returns why there is none.
type InverseKinematics func(q []float64, tool spatial.Pose) error

// JointPathOptions configure how a path of the tool is carried over to the joints.
type JointPathOptions struct {
	Start []float64 // joint positions at the start or near; they choose among several solutions

	Lower, Upper []float64 // limits of the joint positions; nil for none

	// Step is how far the solutions are apart, in units of s; 0 stands for 0.01. Between them the joints run along a cubic
	// spline, and the tool leaves its path by an amount that shrinks with the fourth power of Step.
	Step float64

	// Jump is the largest change of a joint (rad or m) in a step; 0 stands for 0.2. More means that the tool passes a
	// singularity or the solution changed to another branch.
	Jump float64

	// Smooth asks for a path with continuous third and fourth derivatives: between the solutions the joints run along a spline of fifth degree, and the tool leaves its
	// path by an amount that shrinks with the sixth power of Step, or the third where the third derivative of the tool's path jumps, as at blends.
	Smooth bool
}

// JointPath returns the path of the joints that leads the tool along its path, with the same path coordinate: for
// [FollowPath], under limits of joints, torques and tool. It fails with a [*PathError] where there is no solution, where
// a joint leaves its limits or jumps. It panics if the numbers of joints do not agree.
func JointPath(tool *ToolPath, ik InverseKinematics, options JointPathOptions) (curve.Vector, error) {
	n := len(options.Start)
	if n == 0 || options.Lower != nil && len(options.Lower) != n || options.Upper != nil && len(options.Upper) != n {
		panic(fmt.Sprintf("trajectory: JointPath: expected limits of %d joints, the number of start positions", n))
	}
	if options.Step == 0 {
		options.Step = 0.01
	}
	if options.Jump == 0 {
		options.Jump = 0.2
	}
	_, length := tool.Domain()
	q := append([]float64(nil), options.Start...)
	sections := make([][]curve.Function, n) // of each joint, between corners
	from := 0.0
	for _, to := range append(append([]float64(nil), tool.Corners()...), length) {
		steps := max(4, int(math.Ceil((to-from)/options.Step)))
		s, points := make([]float64, steps+1), make([][]float64, steps+1)
		for k := range s {
			s[k] = from + (to-from)*float64(k)/float64(steps)
			if err := ik(q, tool.Pose(s[k])); err != nil {
				return nil, &PathError{s[k], "no inverse kinematics: " + err.Error(), -1}
			}
			points[k] = append([]float64(nil), q...)
			if k > 0 {
				if err := options.check(s[k], points[k-1], points[k]); err != nil {
					return nil, err
				}
			} else if err := options.check(s[k], q, q); err != nil {
				return nil, err
			}
		}
		h := s[1] - s[0]
		start, end := [][]float64{make([]float64, n)}, [][]float64{make([]float64, n)}
		for i := range n {
			start[0][i] = slope(points[0][i], points[1][i], points[2][i], points[3][i]) / h
			end[0][i] = -slope(points[steps][i], points[steps-1][i], points[steps-2][i], points[steps-3][i]) / h
		}
		if options.Smooth {
			start, end = smoothEnds(points, h)
		}
		for i, f := range curve.SplineThrough(s, points, start, end) {
			sections[i] = append(sections[i], f)
		}
		from = to
	}
	v := make(curve.Vector, n)
	for i := range v {
		v[i] = curve.NewPiecewise(0, sections[i]...)
	}
	return v, nil
}

// smoothEnds returns the first and second derivatives at the ends of points at distance h, at least five of them; exact for polynomials of fourth degree.
func smoothEnds(points [][]float64, h float64) (start, end [][]float64) {
	last := len(points) - 1
	for _, weights := range [...][5]float64{{-25. / 12, 4, -3, 4. / 3, -1. / 4}, {35. / 12, -26. / 3, 19. / 2, -14. / 3, 11. / 12}} {
		a, b := make([]float64, len(points[0])), make([]float64, len(points[0]))
		order := len(start) + 1
		for i := range a {
			for k, w := range weights {
				a[i] += w * points[k][i] / math.Pow(h, float64(order))
				b[i] += w * points[last-k][i] / math.Pow(-h, float64(order))
			}
		}
		start, end = append(start, a), append(end, b)
	}
	return start, end
}

// slope returns the derivative at the first of four points at distance 1, exact for cubics.
func slope(a, b, c, d float64) float64 { return (-11*a + 18*b - 9*c + 2*d) / 6 }

func (o *JointPathOptions) check(s float64, before, q []float64) error {
	for i := range q {
		switch {
		case math.Abs(q[i]-before[i]) > o.Jump:
			return &PathError{s, fmt.Sprintf("joint %d would jump from %g to %g: a singularity, or another branch of the inverse kinematics", i, before[i], q[i]), i}
		case o.Lower != nil && q[i] < o.Lower[i]:
			return &PathError{s, fmt.Sprintf("joint %d would be at %g, below its limit %g", i, q[i], o.Lower[i]), i}
		case o.Upper != nil && q[i] > o.Upper[i]:
			return &PathError{s, fmt.Sprintf("joint %d would be at %g, above its limit %g", i, q[i], o.Upper[i]), i}
		}
	}
	return nil
}

// Motion is a motion of several axes in time: a [Trajectory], [Route], [PathMotion] or [Rounded].
type Motion interface {
	// Axes returns the number of axes.
	Axes() int
	// Duration returns the time from start to end, s.
	Duration() float64
	// At writes the states of all axes at a time (s) to out. It panics unless len(out) is Axes().
	At(time float64, out []State)
}

// ToolError describes where a motion of the joints breaks a limit of the tool.
type ToolError struct {
	Time        float64 // s
	Limit       string  // which one
	Value, Most float64 // in the unit of the limit: m/s, m/s², rad/s or rad/s²
}

// Error names the limit, the time in s, the value and what is allowed, in SI units.
func (e *ToolError) Error() string {
	return fmt.Sprintf("trajectory: at %.4g s the %s of the tool is %.4g, above its limit %.4g", e.Time, e.Limit, e.Value, e.Most)
}

// CheckTool checks what a motion of the joints does to the tool, by the forward kinematics at every cycle (s) of it and
// differences of them: it returns a [*ToolError] for the first limit that is exceeded by more than 1 %, nil if there is none.
// limits.Path is not used.
func CheckTool(motion Motion, fk func(q []float64) spatial.Pose, limits ToolLimits, cycle float64) error {
	states, q := make([]State, motion.Axes()), make([]float64, motion.Axes())
	poseAt := func(t float64) spatial.Pose {
		motion.At(t, states)
		for i := range q {
			q[i] = states[i].Position
		}
		return fk(q)
	}
	var before, last spatial.Motion
	pose := poseAt(0)
	for k := 1; float64(k-1)*cycle < motion.Duration(); k++ {
		t := float64(k) * cycle
		next := poseAt(t)
		velocity := spatial.Motion{
			Linear:  next.P.Sub(pose.P).Scale(1 / cycle),
			Angular: next.R.Mul(pose.R.T()).Log().Scale(1 / cycle),
		}
		before, last, pose = last, velocity, next
		acceleration := last.Sub(before).Scale(1 / cycle)
		for _, c := range [...]ToolError{
			{t, "speed", last.Linear.Norm(), limits.Speed},
			{t, "angular speed", last.Angular.Norm(), limits.AngularSpeed},
			{t, "acceleration", acceleration.Linear.Norm(), limits.Acceleration},
			{t, "angular acceleration", acceleration.Angular.Norm(), limits.AngularAcceleration},
		} {
			if c.Most > 0 && c.Value > 1.01*c.Most {
				return &c
			}
		}
	}
	return nil
}
