package plans

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// plan solves a problem.
func (x *Planner) plan(w *robots.World, q *Problem, ended func() bool) (*Reply, error) {
	begin := time.Now()
	if err := x.prepare(w, q); err != nil {
		return nil, err
	}
	link, err := w.Scene.Models()[0].Model.Link(q.Link)
	if err != nil {
		return nil, err
	}
	name := q.Planner
	if name == "" {
		name = plannerNames()[0]
	}
	r := &Reply{Goal: slices.Clone(q.Goal), Planner: name, Engine: x.engine.Name(), Waypoints: [][]float64{}}
	defer func() { r.TotalUS = since(begin) }()
	goals := [][]float64{x.spaces.narrow(q.Goal)}
	if q.Pose != nil {
		if goals, r.Goal, r.Why, err = x.reach(q); err != nil || r.Why != nil {
			return r, err
		}
	} else if joint := x.spaces.apart(q.Goal); joint != "" {
		r.Why = &Reason{Kind: "held", End: "goal", Joint: joint, Contacts: []Contact{}, Text: fmt.Sprintf("plan a motion: joint %q is held, but the goal has it elsewhere than the start", joint)}
		return r, nil
	}
	r.PrepareUS = since(begin)
	planning := time.Now()
	x.growth.begin()
	defer x.growth.end()
	over := func() bool {
		x.growth.publish(func() Numbers { return x.edges(link) })
		return ended() || time.Since(planning).Seconds() > q.Seconds
	}
	motion, err := x.solve(q, goals, over, r)
	r.PlanUS = since(planning)
	if err != nil {
		r.Why, err = x.why(err, q.Seconds)
		if q.Tree && r.Why != nil {
			r.Tree = x.edges(link)
		}
		if motion != nil { // to the point nearest to the goal
			r.sample(x, motion, link)
		}
		return r, err
	}
	r.sample(x, motion, link)
	r.Goal = x.spaces.widen(r.last)
	if q.Tree {
		r.Tree = x.edges(link)
	}
	if q.Distance {
		r.measure(x)
	}
	return r, nil
}

func since(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1000 }

// timedMotion is a motion of the joints that move.
type timedMotion interface {
	Duration() float64
	// at writes the point at a time.
	at(t float64, q []float64)
}

// rounded is a motion under limits.
type rounded struct {
	*trajectory.Rounded
	states []trajectory.State
}

func (m rounded) at(t float64, q []float64) {
	m.At(t, m.states)
	for i, s := range m.states {
		q[i] = s.Position
	}
}

// solve finds a path and makes a motion of it. With an error the motion may lead to the point nearest to the goal.
func (x *Planner) solve(q *Problem, goals [][]float64, over func() bool, r *Reply) (timedMotion, error) {
	common := x.planner.Common()
	common.Seed, common.Stop, common.Verifier().Checked = q.Seed, over, 0
	defer func() {
		common.Stop = nil
		r.Samples, r.Checked = common.Samples, common.Verifier().Checked
	}()
	start := x.spaces.narrow(q.Start)
	if x.spaces.joints == nil {
		return x.solveUntimed(q, start, goals[0], over, r)
	}
	limits, _ := limitsOf(x.world, x.spaces.joints.Names, q.Acceleration, q.Jerk)
	timer := timed.NewPlanner(x.timer, x.prover, limits)
	timer.Simplifier().Seed, timer.Simplifier().Stop = q.Seed, over
	var motion *trajectory.Rounded
	var report timed.Report
	var err error
	if _, ok := x.planner.(*planning.Connect); ok {
		motion, report, err = timer.Plan(start, goals...)
	} else {
		var part *planning.Path
		if motion, part, report, err = x.solveBy(timer, q, start, goals[0]); err != nil {
			return x.along(part), err
		}
	}
	if err != nil {
		return nil, err
	}
	r.Proved, r.Report = report.Proved, report.String()
	points, _ := timer.Polyline()
	n := x.spaces.joints.Dim()
	for i := 0; i+n <= len(points); i += n {
		r.corner(x, points[i:i+n])
	}
	return rounded{motion, make([]trajectory.State, motion.Axes())}, nil
}

// corner adds a corner of the path.
func (r *Reply) corner(x *Planner, p []float64) {
	r.Waypoints = append(r.Waypoints, x.spaces.widen(p))
	if r.last != nil {
		r.Length += x.spaces.moving.Distance(r.last, p)
	}
	r.last = slices.Clone(p)
}

// solveBy makes a motion of the path that a planner of another kind finds; with an error it returns the path to the point nearest to the goal, if there is one.
func (x *Planner) solveBy(timer *timed.Planner, q *Problem, start, goal []float64) (*trajectory.Rounded, *planning.Path, timed.Report, error) {
	var r timed.Report
	common := x.planner.Common()
	for r.Replanned = 0; r.Replanned < attempts; r.Replanned++ {
		path, err := x.planner.Plan(start, goal)
		if err != nil {
			return nil, path, r, err
		}
		timer.Simplifier().Simplify(path)
		free, err := timer.Time(path, &r)
		if err != nil || free {
			return timer.Motion(), nil, r, err
		}
		common.Seed++
	}
	return nil, nil, r, &timed.ContactError{Attempts: attempts, Verdict: r.Verdict}
}

// why returns the reason why there is no plan; other errors it returns.
func (x *Planner) why(err error, seconds float64) (*Reason, error) {
	var collision *planning.CollisionError
	var limit *planning.LimitError
	var contact *timed.ContactError
	w := &Reason{Text: err.Error(), Contacts: []Contact{}}
	switch {
	case errors.As(err, &collision):
		w.Kind, w.End, w.Contacts = collision.End, collision.End, contacts(collision.Contacts)
	case errors.As(err, &limit):
		w.Kind, w.End, w.Joint = "limit", limit.End, limit.Joint
	case errors.As(err, &contact):
		w.Kind = "contact"
		if contact.Pair.A != "" {
			w.Contacts = append(w.Contacts, Contact{A: contact.Pair.A, B: contact.Pair.B})
		}
	case errors.Is(err, planning.ErrStopped):
		w.Kind, w.Text = "time", fmt.Sprintf("plan a motion: no path was found within %g s; give more time, or check that the goal can be reached", seconds)
	case errors.Is(err, planning.ErrNoPath):
		w.Kind = "none"
	default:
		return nil, err
	}
	return w, nil
}

// sample writes the motion at equal distances of time, and the path of a link.
func (r *Reply) sample(x *Planner, m timedMotion, link int) {
	r.Duration = m.Duration()
	n := min(mostSamples, max(2, 1+int(math.Ceil(r.Duration*sampleRate))))
	q := make([]float64, len(x.spaces.index))
	for i := range n {
		m.at(r.Duration*float64(i)/float64(n-1), q)
		at := x.hand(link, q)
		r.Q, r.Hand = append(r.Q, x.spaces.widen(q)...), append(r.Hand, at[:]...)
	}
	r.last = slices.Clone(q)
}

// distancePoints is the number of points of a motion at which distances are measured.
const distancePoints = 40

// measure finds the least distance on the way.
func (r *Reply) measure(x *Planner) {
	width := len(x.spaces.rest)
	n := len(r.Q) / width
	for i := range min(n, distancePoints) {
		k := i * (n - 1) / (min(n, distancePoints) - 1)
		x.spaces.all.Configuration(r.Q.Row(k, width), x.fullQ)
		c, err := x.exact.Distance(x.fullQ)
		if err != nil || math.IsInf(c.Distance, 0) || r.Least != nil && c.Distance >= r.Least.Distance {
			continue
		}
		least := contact(c)
		least.Time = r.Duration * float64(k) / float64(n-1)
		r.Least = &least
	}
}
