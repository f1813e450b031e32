package ik_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// For random poses, within reach or not, the search finds what the closed form finds, and gives the reasons that it proves.
func TestVerdictsAgreeWithClosedForm(t *testing.T) {
	for _, r := range arms {
		if r.class.Axes() != 6 {
			continue
		}
		const seed, n = 41, 150
		m, a := arm(t, r.name)
		tool, s := link(t, m, "tool"), ik.NewSolver(m)
		rng := rand.New(rand.NewPCG(seed, 0))
		q := m.Neutral()
		type pair struct{ proven, reported string }
		count, agree := map[pair]int{}, 0
		for range n {
			target := spatial.Pose{R: randomRotation(rng), P: randomVec(rng, 0.5)}
			_, proof := a.Solve(target, 0)
			p := pair{reason(t, proof), reason(t, s.Solve(m.Neutral(), []ik.Task{ik.Reach(tool, target)}, q))}
			if count[p]++; p.proven == p.reported {
				agree++
			}
			if p.proven != "solved" && p.reported == "solved" {
				t.Errorf("%s: solved what cannot be: %v", r.name, target)
			}
		}
		t.Logf("%s (proven, reported): %v", r.name, count)
		if agree < n*95/100 {
			t.Errorf("%s, seed %d: only %d of %d verdicts agree (proven, reported): %v", r.name, seed, agree, n, count)
		}
	}
}

func reason(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return "solved"
	}
	var f *ik.Failure
	if !errors.As(err, &f) {
		t.Fatal(err)
	}
	return f.Reason.String()
}
