package torso

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

// TestCyclesAllocateNothing runs all threads for 1 s and for 2 s of virtual time: the second one, 3000 and over the bridges
// 11000 activations, must not allocate a single object.
func TestCyclesAllocateNothing(t *testing.T) {
	allocations := func(length time.Duration, overlays ...string) uint64 {
		core := thread.New(load(t, overlays...).Net, thread.Options{Until: clock.At(length)})
		return testkit.Mallocs(func() {
			if err := core.RunVirtual(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, overlays := range [][]string{nil, {"four-bridges.yaml"}} {
		// The runtime's own goroutines allocate now and then, which can only add: the least of some counts is the run's.
		const counts = 3
		short, long := allocations(time.Second, overlays...), allocations(2*time.Second, overlays...)
		for range counts - 1 {
			short = min(short, allocations(time.Second, overlays...))
			long = min(long, allocations(2*time.Second, overlays...))
		}
		if long > short {
			t.Errorf("%v: a run of 1 s allocates %d objects, one of 2 s %d: the cycles allocate", overlays, short, long)
		}
	}
}
