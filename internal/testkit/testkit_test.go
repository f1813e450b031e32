package testkit

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// witness stands in for a test and notes what a helper says to it.
type witness struct {
	testing.TB // Helper, Name and Context of the real test
	failed     bool
	said       []string
	cleanups   []func()
}

func (w *witness) Errorf(format string, args ...any) { w.failed = true; w.Logf(format, args...) }
func (w *witness) Error(args ...any)                 { w.failed = true; w.said = append(w.said, fmt.Sprint(args...)) }
func (w *witness) Logf(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}
func (w *witness) Skipf(format string, args ...any) { w.Logf(format, args...) }
func (w *witness) Failed() bool                     { return w.failed }
func (w *witness) Cleanup(f func())                 { w.cleanups = append(w.cleanups, f) }

func (w *witness) end() string {
	for _, f := range w.cleanups {
		f()
	}
	return strings.Join(w.said, "\n")
}

func TestRandPrintsItsSeedOnFailureOnly(t *testing.T) {
	good := &witness{TB: t}
	Rand(good)
	if said := good.end(); said != "" {
		t.Errorf("a passing test prints %q", said)
	}
	bad := &witness{TB: t}
	Rand(bad)
	bad.failed = true
	if said := bad.end(); !strings.Contains(said, "SINEW_SEED=") {
		t.Errorf("a failing test prints %q, expected its seed", said)
	}
}

func TestRandRepeatsAGivenSeed(t *testing.T) {
	t.Setenv(seedVariable, "42")
	if a, b := Rand(t).Uint64(), Rand(t).Uint64(); a != b {
		t.Errorf("the same seed gave %d and %d", a, b)
	}
}

func TestNear(t *testing.T) {
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
	if said := w.end(); !strings.Contains(said, "element 1 ") {
		t.Errorf("%q, expected element 1", said)
	}
	w = &witness{TB: t}
	AllNear(w, "x", []float64{1}, []float64{1, 2}, 1)
	if said := w.end(); !strings.Contains(said, "got 1 elements, expected 2") {
		t.Errorf("%q, expected the lengths", said)
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
	if said := w.end(); !strings.Contains(said, "1000 steps allocated 1 objects") {
		t.Errorf("one allocation in 1000 steps gave %q", said)
	}
}

func TestNoLeaks(t *testing.T) {
	NoLeaks(t)
	w := &witness{TB: t}
	NoLeaks(w)
	end := make(chan struct{})
	go func() { <-end }()
	said := w.end()
	close(end)
	if !w.failed {
		t.Errorf("a goroutine left behind gave %q", said)
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
	if said := w.end(); !strings.Contains(said, "SKIPPED: the reference data are not here") {
		t.Errorf("absent data gave %q", said)
	}
}
