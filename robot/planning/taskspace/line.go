package taskspace

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Line finds paths on which a tool goes straight from one pose to another, while it turns about one axis. It is the workspace of one goroutine.
//
// The points of a path are solutions of the inverse kinematics, each the nearest to the one before. They are as far apart as the way of the
// joints between them allows: at its middle the tool is off the line by at most a quarter of Tolerance and Turn. So a leap to another branch, which
// takes the tool off the line, ends the path with an error.
type Line struct {
	Tolerance float64 // how far the tool may be off the line, m
	Turn      float64 // and how far its orientation, rad

	goals    *Goals
	verifier *planning.Verifier
	data     *multibody.Data
	path     *planning.Path
	next     []float64
	middle   []float64
	fault    LineError
}

// LineError describes where a line ends.
type LineError struct {
	Share  float64 // of the line that is possible, from 0 to 1
	Reason error
}

// Error names the place and the reason.
func (e *LineError) Error() string {
	return fmt.Sprintf("move a tool along a line: it ends at %.3g of its length: %v", e.Share, e.Reason)
}

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Reason }

// Reasons for which a line ends, beside those of package ik.
var (
	// ErrBranch means that the joints would have to leap: to another branch, at a singularity, or at a limit.
	ErrBranch = errors.New("the joints cannot go on without a leap: a singularity, or another branch of the inverse kinematics; start in another posture")
	// ErrNotFree means that there is a contact.
	ErrNotFree = errors.New("a contact; go another way, or plan a motion that is not straight")
)

// shortestStep is the share of a line below which two points that differ count as a leap.
const shortestStep = 1e-5

// NewLine returns a finder of lines for the tool of goals that verifies with v.
func NewLine(goals *Goals, v *planning.Verifier) *Line {
	n := goals.space.Dim()
	return &Line{
		Tolerance: 1e-3, Turn: 1e-2, goals: goals, verifier: v, data: multibody.NewData(goals.model), path: planning.NewPath(n),
		next: make([]float64, n), middle: make([]float64, n),
	}
}

// Plan returns the path of the joints from start on which the tool goes straight to target, a pose in the scene; it is valid until the next call.
// The error is a [*LineError], valid as long.
func (l *Line) Plan(start []float64, target spatial.Pose) (*planning.Path, error) {
	l.path.Reset()
	l.path.Add(start)
	if !l.verifier.Free(start) {
		return nil, l.end(0, ErrNotFree)
	}
	from := l.tool(start)
	way := target.P.Sub(from.P)
	turn := from.R.T().Mul(target.R).Log()
	at := func(s float64) spatial.Pose {
		return spatial.Pose{R: from.R.Mul(spatial.Exp(turn.Scale(s))), P: from.P.Add(way.Scale(s))}
	}
	for s, step := 0.0, 0.25; s < 1; {
		last := l.path.At(l.path.Len() - 1)
		to := min(s+step, 1)
		err := l.solve(at(to), last)
		if err == nil && !l.straight(last, at(s+(to-s)/2)) {
			err = ErrBranch
		}
		switch {
		case err == nil && !l.verifier.Edge(last, l.next):
			return nil, l.end(s, ErrNotFree)
		case err == nil:
			l.path.Add(l.next)
			s, step = to, 2*step
		case step < shortestStep:
			return nil, l.end(s, err)
		default:
			step /= 2
		}
	}
	return l.path, nil
}

func (l *Line) end(share float64, reason error) error {
	l.fault = LineError{share, reason}
	return &l.fault
}

// tool returns the pose of the tool in the scene at a point.
func (l *Line) tool(p []float64) spatial.Pose {
	g := l.goals
	g.space.Configuration(p, g.full)
	multibody.FK(l.data, g.full[g.first:g.first+g.model.NQ()])
	return g.base.Mul(l.data.Pose(g.link)).Mul(g.inverse.Inverse())
}

// solve stores in next the solution for a pose of the tool that is nearest to a point.
func (l *Line) solve(pose spatial.Pose, near []float64) error {
	g := l.goals
	g.space.Configuration(near, g.full)
	own := g.full[g.first : g.first+g.model.NQ()]
	target := g.base.InvMul(pose).Mul(g.inverse)
	if g.analytic != nil {
		if err := g.analytic.Nearest(target, own, g.q); err != nil {
			return err
		}
	} else {
		g.task[0] = ik.Reach(g.link, target)
		if err := g.solver.Solve(own, g.task[:], g.q); err != nil {
			return err
		}
	}
	g.points = g.points[:0]
	if g.add(near); len(g.points) == 0 {
		return errJoints
	}
	copy(l.next, g.points)
	return nil
}

// straight reports whether the tool is on the line, at this pose, in the middle between a point and next.
func (l *Line) straight(last []float64, pose spatial.Pose) bool {
	l.goals.space.Difference(last, l.next, l.middle)
	for i := range l.middle {
		l.middle[i] = last[i] + l.middle[i]/2
	}
	x := l.tool(l.middle)
	return x.P.Sub(pose.P).Norm() <= l.Tolerance/4 && math.Abs(x.R.T().Mul(pose.R).Log().Norm()) <= l.Turn/4
}
