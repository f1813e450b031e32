package planning_test

import (
	"slices"
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
