package planning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

func TestEveryPlannerCanBeDrawn(t *testing.T) {
	for _, k := range planning.Kinds() {
		s, start, goal := wall()
		p := must(k.New(exact.New(s), joints(s), resolution, 3000))
		improve(p, 300)
		if _, err := p.Plan(start, goal); err != nil {
			t.Fatal(err)
		}
		grower, ok := p.(planning.Grower)
		if !ok {
			t.Errorf("%s cannot be drawn", k.Name)
			continue
		}
		all := 0
		points := map[[2]float64]bool{}
		grower.Edges(func(from, to []float64) bool {
			all++
			points[[2]float64(from)], points[[2]float64(to)] = true, true
			return true
		})
		// Each point of an edge counts, those without an edge besides; a forest of two trees has two points more than edges.
		if n := grower.Vertices(); n < len(points) || p.Common().Samples == 0 && n != 0 || strings.HasPrefix(k.Name, "rrt") && n > all+2 {
			t.Errorf("%s: %d points among %d ends of %d edges", k.Name, n, len(points), all)
		}
		edges := 0
		grower.Edges(func(from, to []float64) bool {
			if len(from) != len(start) || len(to) != len(start) || slices.Equal(from, to) {
				t.Fatalf("%s: an edge from %v to %v", k.Name, from, to)
			}
			edges++
			return edges < 7
		})
		if p.Common().Samples > 0 && (edges == 0 || edges > 7) {
			t.Errorf("%s: %d edges after %d samples", k.Name, edges, p.Common().Samples)
		}
	}
}
