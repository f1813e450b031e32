package main

import "testing"

func TestQuantilesCountProblemsThatBothSolve(t *testing.T) {
	ours := times{"plan.0": 4, "plan.1": 1, "plan.2": 9, "total.0": 5}
	theirs := times{"plan.0": 2, "plan.1": 3}
	if x, n := ours.quantile("plan", 0.5, nil); x != 4 || n != 3 {
		t.Errorf("the median of all is %g of %d, want 4 of 3", x, n)
	}
	if x, n := ours.quantile("plan", 0.95, theirs); x != 4 || n != 2 {
		t.Errorf("the 95th percentile of those of both is %g of %d, want 4 of 2", x, n)
	}
	if x, n := ours.quantile("length", 0.5, nil); x != 0 || n != 0 {
		t.Errorf("the median of nothing is %g of %d", x, n)
	}
}
