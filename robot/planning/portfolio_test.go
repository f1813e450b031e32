package planning_test

import (
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// TestPortfolioChecksLessWhereOnePlannerIsUnlucky compares how many configurations are checked by a portfolio, with all of its planners, and by RRT-Connect alone: for
// problems whose times have a long tail, and for easy ones, where its first planner answers at once.
func TestPortfolioChecksLessWhereOnePlannerIsUnlucky(t *testing.T) {
	for _, c := range []struct {
		robot, set string
		share      float64 // of the 95th percentile of RRT-Connect
		winners    int
	}{{"fetch", "bookshelf_thin", 0.5, 3}, {"panda", "bookshelf_thin", 1, 1}} {
		b := planningtest.New(t, c.robot, c.set, 2)
		engine := must(spheres.New(b.Base))
		portfolio := must(planning.NewPortfolio(engine, b.Space, resolution, 50_000))
		alone := must(planning.NewConnect(engine, b.Space, resolution, 50_000))
		counts := map[planning.Planner][]int{}
		solved := map[planning.Planner]int{}
		winners := map[string]int{}
		for i := range b.Set.Problems {
			q, s := b.Problem(t, i)
			if !*q.Valid {
				continue
			}
			for _, p := range []planning.Planner{alone, portfolio} {
				v := p.Common().Verifier()
				if err := v.Use(must(spheres.New(s))); err != nil {
					t.Fatal(err)
				}
				v.Checked, p.Common().Iterations = 0, 300_000
				path, err := p.Plan(q.Start, q.Goal)
				counts[p] = append(counts[p], v.Checked)
				if err != nil {
					continue
				}
				solved[p]++
				if !v.Path(path) || !slices.Equal(path.At(0), q.Start) || !slices.Equal(path.At(path.Len()-1), q.Goal) {
					t.Errorf("%s %d: the path is not free or leads elsewhere", c.set, q.Index)
				}
				if p == portfolio {
					winners[portfolio.Winner()]++
				}
			}
		}
		tail := func(p planning.Planner) int {
			slices.Sort(counts[p])
			return counts[p][len(counts[p])*95/100]
		}
		t.Logf("%s %s: 95th percentile %d of %d checks, solved %d and %d; %v", c.robot, c.set, tail(portfolio), tail(alone), solved[portfolio], solved[alone], winners)
		if float64(tail(portfolio)) > c.share*float64(tail(alone)) || solved[portfolio] < solved[alone] || len(winners) < c.winners {
			t.Errorf("%s %s: the portfolio checks %d configurations at the 95th percentile, RRT-Connect %d; winners %v", c.robot, c.set, tail(portfolio), tail(alone), winners)
		}
	}
}
