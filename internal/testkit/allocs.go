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

// rounds is how often NoAllocs counts before it concludes that the step itself allocates. On a busy machine other goroutines, such as those that
// send heartbeats, have allocated in each of eight rounds.
const rounds = 100

// NoAllocs fails the test if n calls of step allocate a single object. One earlier call is free, to initialize what
// is set up once. Occasional allocations of other goroutines are excluded by counting again: a step that
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
	t.Errorf("%d steps allocated %d objects, expected none %s", n, count, Final)
}

// NoAllocsPerCycle fails the test if a long run allocates more objects than a short one. count runs a number of
// cycles and returns their allocations, by [Mallocs]. Runs are repeated until the minimum of both agrees: occasional
// allocations of the runtime do not occur in each run, those of a cycle do.
func NoAllocsPerCycle(t testing.TB, short, long int, count func(cycles int) uint64) {
	t.Helper()
	few, many := count(short), count(long)
	for range 4 * windows {
		if many <= few {
			return
		}
		few, many = min(few, count(short)), min(many, count(long))
	}
	t.Errorf("%d cycles allocate %d objects, %d allocate %d %s", short, few, long, many, Final)
}

// windows is how often NoAllocsWithin repeats the run before it concludes that the counted code allocates.
const windows = 8

// NoAllocsWithin fails the test if objects are allocated in a window of run, which calls mark at the window's start
// and end. It is exact: it requires one run without any allocation of any goroutine, which is impossible if a step in
// the window allocates. Other allocations depend on the machine's load: the NATS server, if it is linked in, reads
// the process's statistics once a second (8 objects), and the runtime creates descriptors of goroutines and threads.
func NoAllocsWithin(t testing.TB, run func(mark func())) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var counts []uint64
	for range windows {
		var at [2]runtime.MemStats
		marks := 0
		run(func() {
			if marks < len(at) {
				runtime.ReadMemStats(&at[marks])
			}
			marks++
		})
		if marks != len(at) {
			t.Fatalf("the run marked %d instants, want the window's beginning and end", marks)
		}
		n := at[1].Mallocs - at[0].Mallocs
		if n == 0 {
			return
		}
		counts = append(counts, n)
	}
	t.Errorf("the window allocates %d objects in its runs, expected none in one of them %s", counts, Final)
}
