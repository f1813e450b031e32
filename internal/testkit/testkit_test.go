package testkit

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// witness replaces a test and records the calls of a helper.
type witness struct {
	testing.TB // Helper, Name and Context of the real test
	failed     bool
	output     []string
	cleanups   []func()
}

func (w *witness) Errorf(format string, args ...any) { w.failed = true; w.Logf(format, args...) }
func (w *witness) Error(args ...any) {
	w.failed = true
	w.output = append(w.output, fmt.Sprint(args...))
}
func (w *witness) Logf(format string, args ...any) {
	w.output = append(w.output, fmt.Sprintf(format, args...))
}
func (w *witness) Skipf(format string, args ...any) { w.Logf(format, args...) }
func (w *witness) Failed() bool                     { return w.failed }
func (w *witness) Cleanup(f func())                 { w.cleanups = append(w.cleanups, f) }

func (w *witness) end() string {
	for _, f := range w.cleanups {
		f()
	}
	return strings.Join(w.output, "\n")
}

func TestRandPrintsItsSeedOnFailureOnly(t *testing.T) {
	good := &witness{TB: t}
	Rand(good)
	if output := good.end(); output != "" {
		t.Errorf("a passing test prints %q", output)
	}
	bad := &witness{TB: t}
	Rand(bad)
	bad.failed = true
	if output := bad.end(); !strings.Contains(output, "SINEW_SEED=") {
		t.Errorf("a failing test prints %q, expected its seed", output)
	}
}

func TestRandRepeatsAGivenSeed(t *testing.T) {
	t.Setenv(SeedVariable, "42")
	if a, b := Rand(t).Uint64(), Rand(t).Uint64(); a != b {
		t.Errorf("the same seed gave %d and %d", a, b)
	}
}

func TestNearUsesAbsoluteAndRelativeTolerance(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got, want, tolerance float64
		near                 bool
	}{
		{1, 1, 0, true}, {1.05, 1, 0.1, true}, {1.2, 1, 0.1, false},
		{1001, 1000, 0.01, true}, {0.001, 0, 0.01, true}, {0.1, 0, 0.01, false},
		{nan, nan, 1, false}, {nan, 0, 1, false}, {0, nan, 1, false},
		{inf, inf, 0, true}, {-inf, inf, 1, false}, {0, inf, 1, false}, {inf, 0, 1, false},
	} {
		w := &witness{TB: t}
		Near(w, "x", c.got, c.want, c.tolerance)
		if w.failed == c.near {
			t.Errorf("Near(%v, %v, %v): near %t, expected %t", c.got, c.want, c.tolerance, !w.failed, c.near)
		}
		w = &witness{TB: t}
		AllNear(w, "x", []float64{7, c.got}, []float64{7, c.want}, c.tolerance)
		if w.failed == c.near {
			t.Errorf("AllNear with (%v, %v, %v): near %t, expected %t", c.got, c.want, c.tolerance, !w.failed, c.near)
		}
	}
}

func TestAllNearNamesTheWorst(t *testing.T) {
	w := &witness{TB: t}
	AllNear(w, "x", []float64{1, 2, 3}, []float64{1.1, 2.5, 3}, 0.01)
	if output := w.end(); !strings.Contains(output, "element 1 ") {
		t.Errorf("%q, expected element 1", output)
	}
	w = &witness{TB: t}
	AllNear(w, "x", []float64{1}, []float64{1, 2}, 1)
	if output := w.end(); !strings.Contains(output, "got 1 elements, expected 2") {
		t.Errorf("%q, expected the lengths", output)
	}
}

var sink *int

func TestNoAllocsSeesOneInMany(t *testing.T) {
	NoAllocs(t, 1000, func() {})
	w := &witness{TB: t}
	calls := 0
	NoAllocs(w, 1000, func() {
		if calls++; calls%1000 == 500 {
			sink = new(int)
		}
	})
	if output := w.end(); !strings.Contains(output, "1000 steps allocated 1 objects") {
		t.Errorf("one allocation in 1000 steps gave %q", output)
	}
}

func TestNoLeaksFindsARemainingGoroutine(t *testing.T) {
	NoLeaks(t)
	w := &witness{TB: t}
	NoLeaks(w)
	end := make(chan struct{})
	go func() { <-end }()
	t.Setenv(PatienceVariable, "0.001")
	output := w.end()
	close(end)
	t.Setenv(PatienceVariable, "1")
	if !w.failed || !strings.HasSuffix(output, Final) {
		t.Errorf("a goroutine left behind gave %q", output)
	}
}

func TestRootHoldsThisPackage(t *testing.T) {
	if _, err := os.Stat(filepath.Join(Root(t), "internal", "testkit", "files.go")); err != nil {
		t.Error(err)
	}
}

func TestSharedDataSkipsLoudly(t *testing.T) {
	w := &witness{TB: t}
	SharedData(w, "no such data")
	if output := w.end(); !strings.Contains(output, "SKIPPED: the reference data are not here") {
		t.Errorf("absent data gave %q", output)
	}
}
