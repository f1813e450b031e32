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
	Robot    string    `json:"robot"`   // of several ones the names with commas between them, as below
	Planner  string    `json:"planner"` // or all
	Engine   string    `json:"engine"`
	Note     string    `json:"note,omitempty"`
	Problems []problem `json:"problems"`
	Summary  summary   `json:"summary"`
}

// problem is the result of one problem. Times are the best of the repetitions.
type problem struct {
	Set        string      `json:"set"`
	Index      int         `json:"index"`
	Planner    string      `json:"planner"`
	Invalid    string      `json:"invalid,omitempty"` // why its ends cannot be planned between
	Failure    string      `json:"failure,omitempty"` // why it was not solved
	Solved     bool        `json:"solved"`
	PlanUS     float64     `json:"plan_us"`
	SimplifyUS float64     `json:"simplify_us"`
	Samples    int         `json:"samples"`
	Checked    int         `json:"checked"`  // configurations that the planner asked for collisions
	Vertices   int         `json:"vertices"` // of the trees or the roadmap; 0: the straight way is free
	Edges      int         `json:"edges"`
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

	VerticesP50 verb.Number `json:"vertices_p50"`
	CheckedP50  verb.Number `json:"checked_p50"`

	Motion *motionSummary `json:"motion,omitempty"` // with --timed
}

type percentiles struct {
	P50 verb.Number `json:"p50"`
	P95 verb.Number `json:"p95"`
}

// summarize returns the summary of problems.
func summarize(problems []problem) (s summary) {
	var plan, total, prepare, length, vertices, checked []float64
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
		vertices, checked = append(vertices, float64(p.Vertices)), append(checked, float64(p.Checked))
	}
	s.PlanUS, s.TotalUS, s.PrepareUS = bothPercentiles(plan), bothPercentiles(total), bothPercentiles(prepare)
	s.LengthP50, s.VerticesP50, s.CheckedP50 = verb.Number(percentile(length, 50)), verb.Number(percentile(vertices, 50)), verb.Number(percentile(checked, 50))
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

// print writes a table with a row for each set and planner, and the problems that were not solved or not verified.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, engine %s; times in µs\n", r.Robot, r.Planner, r.Engine)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	wide, several := 20, false
	for i := range r.Problems {
		wide = max(wide, len(r.Problems[i].Set))
		several = several || r.Problems[i].Planner != r.Problems[0].Planner
	}
	name := func(set, planner string) string {
		if several {
			return fmt.Sprintf("%-*s %-18s", wide, set, planner)
		}
		return fmt.Sprintf("%-*s", wide, set)
	}
	fmt.Fprintf(w, "\n%s %9s %9s %7s %9s %9s %9s %9s %7s %8s %8s\n", name("set", "planner"), "solved", "verified", "invalid", "plan p50", "p95", "total p50", "p95", "length", "vertices", "checked")
	row := func(set, planner string, s summary) {
		fmt.Fprintf(w, "%s %9s %9d %7d %9.0f %9.0f %9.0f %9.0f %7.2f %8.0f %8.0f\n", name(set, planner), fmt.Sprintf("%d/%d", s.Solved, s.N), s.Verified, s.Invalid,
			s.PlanUS.P50, s.PlanUS.P95, s.TotalUS.P50, s.TotalUS.P95, s.LengthP50, s.VerticesP50, s.CheckedP50)
	}
	for first := 0; first < len(r.Problems); {
		of, after := &r.Problems[first], first
		for after < len(r.Problems) && r.Problems[after].Set == of.Set && r.Problems[after].Planner == of.Planner {
			after++
		}
		row(of.Set, of.Planner, summarize(r.Problems[first:after]))
		first = after
	}
	row("all", "", r.Summary)
	for i := range r.Problems {
		switch p := &r.Problems[i]; {
		case p.Invalid != "":
			fmt.Fprintf(w, "%s is invalid: %s\n", p.name(several), p.Invalid)
		case !p.Solved:
			fmt.Fprintf(w, "%s is not solved: %s\n", p.name(several), p.Failure)
		case !p.Verified:
			fmt.Fprintf(w, "%s is solved, but the exact engine finds a collision on the path\n", p.name(several))
		}
	}
	if r.Summary.Motion != nil {
		r.Summary.Motion.print(w, r.Problems)
	}
}

// name returns how a problem is named below the table, with its planner if there are several.
func (p *problem) name(planner bool) string {
	if planner {
		return fmt.Sprintf("%s %d, %s,", p.Set, p.Index, p.Planner)
	}
	return fmt.Sprintf("%s %d", p.Set, p.Index)
}
