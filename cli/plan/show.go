package plan

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// print writes an answer for people.
func (a *answer) print(w io.Writer, t *task) {
	fmt.Fprintf(w, "%s: %s\n", a.File, a.Robot)
	for _, n := range a.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	bodies := t.scene.Bodies()
	objects := 0
	for i := range bodies {
		if bodies[i].Object {
			objects++
		}
	}
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("scene", "%s with shapes, %s; engine %s", verb.Count(len(bodies)-objects, "link"), verb.Count(objects, "obstacle"), a.Engine)
	line("planner", "%s, edges checked every %.3g", a.Planner, a.Resolution)
	line("joints", "%s", strings.Join(a.Joints, ", "))
	line("start", "%s", values(a.Start))
	if len(a.Goal) > 0 {
		line("goal", "%s", values(a.Goal))
	}
	if !a.Solved {
		return
	}
	line("time", "%s to plan (%s, %s), %s to simplify", duration(a.PlanUS), verb.Count(a.Samples, "sample"), verb.Count(a.Checked, "configuration")+" checked", duration(a.SimplifyUS))
	line("path", "%s, length %.4g (straight: %.4g)", verb.Count(a.Waypoints, "waypoint"), a.Length, t.space.Distance(a.Start, a.Goal))
	if a.Verified {
		line("verified", "free by the exact engine, sampled every %.3g", a.Resolution)
	} else {
		line("verified", "NO: the exact engine finds a collision on the path, sampled every %.3g", a.Resolution)
	}
	switch m := a.Motion; {
	case m == nil:
	case m.Failure != "":
		line("motion", "NO: %s", m.Failure)
	default:
		line("motion", "%.3g s from rest to rest, made in %s; %s", m.Duration, duration(m.US), m.Report)
		line("fastest", "%s", values(m.fastest()))
	}
}

// values lists numbers with at most four decimals.
func values(list []float64) string {
	text := make([]string, len(list))
	for i, x := range list {
		text[i] = strconv.FormatFloat(x, 'f', 4, 64)
		if strings.Contains(text[i], ".") {
			text[i] = strings.TrimRight(strings.TrimRight(text[i], "0"), ".")
		}
		if text[i] == "-0" {
			text[i] = "0"
		}
	}
	return strings.Join(text, ", ")
}

// duration formats a time in µs.
func duration(us float64) string {
	switch {
	case us < 1000:
		return fmt.Sprintf("%.0f µs", us)
	case us < 1e6:
		return fmt.Sprintf("%.3g ms", us/1000)
	}
	return fmt.Sprintf("%.3g s", us/1e6)
}

// along returns points on a path, a number of them on each edge, with their distance from its start.
func along(path [][]float64, s space.Space, each int) (at []float64, points [][]float64) {
	length := 0.0
	for i := range path {
		if i == 0 {
			at, points = append(at, 0), append(points, path[0])
			continue
		}
		edge := s.Distance(path[i-1], path[i])
		for k := 1; k <= each; k++ {
			f := float64(k) / float64(each)
			p := make([]float64, s.Dim())
			s.Interpolate(path[i-1], path[i], f, p)
			at, points = append(at, length+f*edge), append(points, p)
		}
		length += edge
	}
	return at, points
}
