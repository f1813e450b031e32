package plan

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/cli/verb"
)

// result is the result of `sinew plan bench`.
type result struct {
	Robot    string    `json:"robot"`
	Planner  string    `json:"planner"`
	Engine   string    `json:"engine"`
	Note     string    `json:"note,omitempty"`
	Problems []problem `json:"problems"`
	Summary  summary   `json:"summary"`
}

// problem is the result of one problem. Times are the best of the repetitions.
type problem struct {
	Set        string      `json:"set"`
	Index      int         `json:"index"`
	Invalid    string      `json:"invalid,omitempty"` // why its ends cannot be planned between
	Failure    string      `json:"failure,omitempty"` // why it was not solved
	Solved     bool        `json:"solved"`
	PlanUS     float64     `json:"plan_us"`
	SimplifyUS float64     `json:"simplify_us"`
	Length     float64     `json:"length"`
	Waypoints  int         `json:"waypoints"`
	Verified   bool        `json:"verified"` // by the exact engine, at the robot's resolution
	Path       [][]float64 `json:"path"`
	Motion     *motion     `json:"motion,omitempty"` // with --timed

	prepareUS float64
}

// summary counts valid problems; its percentiles are those of solved ones, null if there are none.
type summary struct {
	Solved    int         `json:"solved"`
	N         int         `json:"n"`
	Invalid   int         `json:"invalid"`
	Verified  int         `json:"verified"`
	PlanUS    percentiles `json:"plan_us"`
	TotalUS   percentiles `json:"total_us"`
	PrepareUS percentiles `json:"prepare_us"` // scene and engine, before the plan
	LengthP50 verb.Number `json:"length_p50"`

	Motion *motionSummary `json:"motion,omitempty"` // with --timed
}

type percentiles struct {
	P50 verb.Number `json:"p50"`
	P95 verb.Number `json:"p95"`
}

// summarize returns the summary of problems.
func summarize(problems []problem) (s summary) {
	var plan, total, prepare, length []float64
	for i := range problems {
		p := &problems[i]
		if p.Invalid != "" {
			s.Invalid++
			continue
		}
		s.N++
		if !p.Solved {
			continue
		}
		s.Solved++
		if p.Verified {
			s.Verified++
		}
		plan, total = append(plan, p.PlanUS), append(total, p.PlanUS+p.SimplifyUS)
		prepare, length = append(prepare, p.prepareUS), append(length, p.Length)
	}
	s.PlanUS, s.TotalUS, s.PrepareUS = bothPercentiles(plan), bothPercentiles(total), bothPercentiles(prepare)
	s.LengthP50 = verb.Number(percentile(length, 50))
	s.Motion = summarizeMotions(problems)
	return s
}

func bothPercentiles(list []float64) percentiles {
	return percentiles{verb.Number(percentile(list, 50)), verb.Number(percentile(list, 95))}
}

// percentile returns the least value that p percent of the list do not exceed; NaN for an empty list.
func percentile(list []float64, p int) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[(len(list)*p+99)/100-1]
}

// print writes a table with a row for each set, and the problems that were not solved or not verified.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, engine %s; times in µs\n", r.Robot, r.Planner, r.Engine)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	fmt.Fprintf(w, "\n%-20s %9s %9s %7s %9s %9s %9s %9s %7s\n", "set", "solved", "verified", "invalid", "plan p50", "p95", "total p50", "p95", "length")
	row := func(name string, s summary) {
		fmt.Fprintf(w, "%-20s %9s %9d %7d %9.0f %9.0f %9.0f %9.0f %7.2f\n", name, fmt.Sprintf("%d/%d", s.Solved, s.N), s.Verified, s.Invalid,
			s.PlanUS.P50, s.PlanUS.P95, s.TotalUS.P50, s.TotalUS.P95, s.LengthP50)
	}
	for first := 0; first < len(r.Problems); {
		after := first
		for after < len(r.Problems) && r.Problems[after].Set == r.Problems[first].Set {
			after++
		}
		row(r.Problems[first].Set, summarize(r.Problems[first:after]))
		first = after
	}
	row("all", r.Summary)
	for i := range r.Problems {
		switch p := &r.Problems[i]; {
		case p.Invalid != "":
			fmt.Fprintf(w, "%s %d is invalid: %s\n", p.Set, p.Index, p.Invalid)
		case !p.Solved:
			fmt.Fprintf(w, "%s %d is not solved: %s\n", p.Set, p.Index, p.Failure)
		case !p.Verified:
			fmt.Fprintf(w, "%s %d is solved, but the exact engine finds a collision on the path\n", p.Set, p.Index)
		}
	}
	if r.Summary.Motion != nil {
		r.Summary.Motion.print(w, r.Problems)
	}
}
