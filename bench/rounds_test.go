package main

import "testing"

// The tables report medians, 99th percentiles and the worst of all rounds.
func TestRoundsReportMedianWorstAndSum(t *testing.T) {
	r := rounds{}
	for _, ns := range []float64{5, 1, 9, 3, 7} {
		r.add(times{"cycle": ns})
	}
	if m, w, s := r.median("cycle"), r.worst("cycle"), r.sum("cycle"); m != 5 || w != 9 || s != 25 {
		t.Errorf("median %v, worst %v, sum %v, want 5, 9, 25", m, w, s)
	}
	if m, w := r.median("none"), r.worst("none"); m != 0 || w != 0 {
		t.Errorf("without measurements: median %v, worst %v", m, w)
	}
	var all []int64
	for n := range int64(200) {
		all = append(all, 199-n)
	}
	if q := quantiles(all); q["p50"] != 100 || q["p99"] != 198 || q["max"] != 199 {
		t.Errorf("got %v of 0 … 199", q)
	}
}
