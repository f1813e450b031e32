package testkit

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Mallocs returns how many objects were allocated while f ran, by whatever goroutine: exact, with the collector off
// meanwhile. (testing.AllocsPerRun rounds a mean down and so hides one allocation in two steps.)
func Mallocs(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// NoAllocs fails the test if n calls of step allocate a single object. One call before them is free, to settle what is
// set up once. The test must not run in parallel with others.
func NoAllocs(t testing.TB, n int, step func()) {
	t.Helper()
	step()
	if count := Mallocs(func() {
		for range n {
			step()
		}
	}); count != 0 {
		t.Errorf("%d steps allocated %d objects, expected none", n, count)
	}
}
