package timed

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Timer makes motions in time of paths: with rounded corners by [trajectory.Rounded], and examined by a [proof.Prover]. Where the rounding of a corner
// is not free the corner is made sharper, until the motion stops there. A path of at most 256 points allocates nothing.
type Timer struct {
	Deviation float64                    // with which corners are rounded at first, rad or m as the norm over all joints; infinite: what the edges leave room for
	Keep      *planning.ConstrainedSpace // constraint that the motion keeps within its tolerances at all times, which is proved; nil: none

	prover    *proof.Prover
	limits    []trajectory.Limits
	motion    *trajectory.Rounded
	points    []float64
	deviation []float64
}

// pathPoints is how many points a simplified path may have before memory has to grow.
const pathPoints = 256

// Report is what a [Timer] or a [Planner] did for a motion.
type Report struct {
	proof.Verdict
	Sharpened int                        // times that a corner was made sharper
	Replanned int                        // paths that were given up
	Waypoints int                        // of the path
	Kept      *planning.ConstrainedSpace // that the motion is proved to keep at all times; nil: none
}

// String describes the report in words.
func (r Report) String() string {
	text := r.Verdict.String()
	if r.Sharpened > 0 {
		text += fmt.Sprintf("; corners made sharper %d times", r.Sharpened)
	}
	if r.Replanned > 0 {
		text += fmt.Sprintf("; planned again %d times", r.Replanned)
	}
	if r.Kept != nil {
		text += fmt.Sprintf("; %s at all times", r.Kept)
	}
	return text
}

// NewTimer returns a timer of motions that keep limits, one for each joint of the space of the prover; another number panics.
func NewTimer(prover *proof.Prover, limits []trajectory.Limits) *Timer {
	n := prover.Joints().Dim()
	if len(limits) != n {
		panic(fmt.Sprintf("timed: a timer of %d joints with %d limits", n, len(limits)))
	}
	return &Timer{
		Deviation: math.Inf(1), prover: prover, limits: limits,
		motion: trajectory.NewRounded(n, pathPoints), points: make([]float64, 0, pathPoints*n), deviation: make([]float64, 0, pathPoints),
	}
}

// Prover returns the prover of the timer.
func (t *Timer) Prover() *proof.Prover { return t.prover }

// Motion returns the motion that was made last.
func (t *Timer) Motion() *trajectory.Rounded { return t.motion }

// Time makes a motion of a path, and adds to r what it did. It reports whether the motion is free and keeps the constraint; if it does not, an edge of the
// path does not.
func (t *Timer) Time(path *planning.Path, r *Report) (free bool, err error) {
	deviation := t.Deviation
	if t.Keep != nil {
		if path = t.Keep.Trace(path); path == nil {
			return false, nil
		}
		deviation = min(deviation, t.Keep.Rounding())
	}
	t.lay(path)
	return t.move(deviation, r)
}

// lay takes the points of a path, with those of circles going on beyond π.
func (t *Timer) lay(path *planning.Path) {
	s := t.prover.Joints()
	t.points = append(t.points[:0], path.At(0)...)
	for k := 1; k < path.Len(); k++ {
		last := len(t.points) - s.Dim()
		t.points = append(t.points, path.At(k)...)
		next := t.points[last+s.Dim():]
		s.Difference(path.At(k-1), path.At(k), next)
		for i, circle := range s.Circle {
			if circle {
				next[i] += t.points[last+i]
			} else {
				next[i] = path.At(k)[i]
			}
		}
	}
}

// move makes the motion through the points that were taken, with corners that are rounded with a deviation at first.
func (t *Timer) move(deviation float64, r *Report) (free bool, err error) {
	r.Waypoints = len(t.points) / t.prover.Joints().Dim()
	t.deviation = t.deviation[:0]
	for range r.Waypoints {
		t.deviation = append(t.deviation, deviation)
	}
	for {
		if err := t.motion.Plan(t.points, t.limits, t.deviation); err != nil {
			return false, err
		}
		if r.Verdict, err = t.prover.Motion(t.motion, t.limits); err != nil {
			return false, err
		}
		at, sharpest := r.Time, sharpest
		if r.Free {
			if t.Keep == nil {
				return true, nil
			}
			time, keeps := t.Keep.Motion(t.motion, t.limits)
			if keeps {
				r.Kept = t.Keep
				return true, nil
			}
			at, sharpest = time, t.Keep.Rounding()/8
		}
		k := t.motion.Corner(at)
		if k < 0 || t.motion.Deviation(k) == 0 {
			return false, nil
		}
		r.Sharpened++
		if t.deviation[k] = t.motion.Deviation(k) / 2; t.deviation[k] < sharpest {
			t.deviation[k] = 0
		}
	}
}

// sharpest is the deviation below which a corner becomes a stop.
const sharpest = 1e-3

// Polyline returns the points of the last motion, a value for each joint one after the other, and the deviation of each point, from which
// [trajectory.Rounded.Plan] makes the same motion. They are valid until the next call of Time.
func (t *Timer) Polyline() (points, deviation []float64) { return t.points, t.deviation }
