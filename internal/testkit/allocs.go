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

// rounds is how often NoAllocs counts again before it believes that the step itself allocates.
const rounds = 3

// NoAllocs fails the test if n calls of step allocate a single object. One call before them is free, to settle what is
// set up once. What the runtime's own goroutines allocate now and then is told apart by counting again: a step that
// allocates does so every time. The test must not run in parallel with others.
func NoAllocs(t testing.TB, n int, step func()) {
	t.Helper()
	step()
	var count uint64
	for range rounds {
		count = Mallocs(func() {
			for range n {
				step()
			}
		})
		if count == 0 {
			return
		}
	}
	t.Errorf("%d steps allocated %d objects, expected none", n, count)
}
