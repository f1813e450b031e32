package plan

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// proofResolution is the distance between points at which motions are sampled where they are not proved free, rad or m.
const proofResolution = 1e-3

// motion is the timed motion of a problem.
type motion struct {
	Failure   string  `json:"failure,omitempty"`
	US        float64 `json:"us"`       // from the problem to the motion, best of the repetitions
	Duration  float64 `json:"duration"` // s
	Stops     float64 `json:"stops"`    // s, of a motion along the same path that stops at each point
	Proved    bool    `json:"proved"`   // free at all times; otherwise partly sampled at 1e-3 rad
	Sharpened int     `json:"sharpened"`
	Replanned int     `json:"replanned"`
}

// motionSummary is about the motions of solved problems.
type motionSummary struct {
	Free       int         `json:"free"`
	Proved     int         `json:"proved"`
	US         percentiles `json:"us"`
	Duration   percentiles `json:"duration"`
	OfStopsP50 verb.Number `json:"of_stops_p50"`
}

// timed plans the timed motion of a problem as often as wanted.
func (b *bench) timed(s *solver, of *scenario.Problem, world *scene.Scene) (*motion, error) {
	joints, ok := s.space.(*space.Joints)
	if !ok {
		return nil, fmt.Errorf("--timed %s: a robot with a joint of several coordinates has no limits of time: leave --timed out", b.timing.text)
	}
	limits, _, err := b.timing.of(joints, world)
	if err != nil {
		return nil, err
	}
	prover, err := proof.NewProver(world, joints, proofResolution)
	if err != nil {
		return nil, err
	}
	connect, ok := s.planner.(*planning.Connect)
	if !ok {
		return nil, fmt.Errorf("--timed with --planner %s: want a planner with trees from start and goal, such as %s", s.kind.Name, planning.Kinds()[0].Name)
	}
	planner := timed.NewPlanner(connect, prover, limits)
	planner.Simplifier().Seed = b.seed
	m := &motion{}
	for i := range b.repeat {
		begin := time.Now()
		result, report, err := planner.Plan(of.Start, of.Goal)
		us := since(begin)
		var contact *timed.ContactError
		if errors.As(err, &contact) || errors.Is(err, planning.ErrNoPath) {
			m.Failure = err.Error()
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		if i == 0 || us < m.US {
			m.US = us
		}
		m.Duration, m.Proved, m.Sharpened, m.Replanned = result.Duration(), report.Proved, report.Sharpened, report.Replanned
	}
	planner.Deviation = 0
	if result, _, err := planner.Plan(of.Start, of.Goal); err == nil {
		m.Stops = result.Duration()
	}
	return m, nil
}

// summarizeMotions returns the summary of the motions of problems, nil if there is none.
func summarizeMotions(problems []problem) *motionSummary {
	var s *motionSummary
	var us, duration, share []float64
	for i := range problems {
		m := problems[i].Motion
		if m == nil {
			continue
		}
		if s == nil {
			s = &motionSummary{}
		}
		if m.Failure != "" {
			continue
		}
		s.Free++
		if m.Proved {
			s.Proved++
		}
		us, duration = append(us, m.US), append(duration, m.Duration)
		if m.Stops > 0 {
			share = append(share, m.Duration/m.Stops)
		}
	}
	if s != nil {
		s.US, s.Duration = bothPercentiles(us), bothPercentiles(duration)
		s.OfStopsP50 = verb.Number(percentile(share, 50))
	}
	return s
}

// print writes what the motions of all problems are like.
func (s *motionSummary) print(w io.Writer, problems []problem) {
	fmt.Fprintf(w, "\ntimed motions: %d free, %d of them proved at all times; from problem to motion p50 %.0f µs, p95 %.0f µs\n", s.Free, s.Proved, s.US.P50, s.US.P95)
	fmt.Fprintf(w, "they last p50 %.3f s, p95 %.3f s; p50 %.2f of a stop at each point\n", s.Duration.P50, s.Duration.P95, s.OfStopsP50)
	for i := range problems {
		p := &problems[i]
		if p.Motion == nil {
			continue
		}
		switch m := p.Motion; {
		case m.Failure != "":
			fmt.Fprintf(w, "%s %d has no motion: %s\n", p.Set, p.Index, m.Failure)
		case m.Sharpened+m.Replanned > 0:
			fmt.Fprintf(w, "%s %d: corners made sharper %d times, planned again %d times\n", p.Set, p.Index, m.Sharpened, m.Replanned)
		}
	}
}
