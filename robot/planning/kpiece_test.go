package planning_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// TestCellExplorationReachesGoalsOfArms counts problems that one tree and two solve within 20,000 samples: without edges to the goal one tree finds almost none.
func TestCellExplorationReachesGoalsOfArms(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 2)
	for _, both := range []bool{false, true} {
		p := must(planning.NewKPIECE(must(spheres.New(b.Base)), b.Space, resolution, 20_000))
		p.Both, p.Iterations = both, 20_000
		solved, n := 0, 0
		for i := range b.Set.Problems {
			q, s := b.Problem(t, i)
			if !*q.Valid {
				continue
			}
			if err := p.Verifier().Use(must(spheres.New(s))); err != nil {
				t.Fatal(err)
			}
			n++
			if path, err := p.Plan(q.Start, q.Goal); err == nil && p.Verifier().Path(path) {
				solved++
			}
		}
		t.Logf("both trees %t: %d of %d", both, solved, n)
		if solved < n*8/10 {
			t.Errorf("both trees %t: %d of %d problems are solved", both, solved, n)
		}
	}
}
