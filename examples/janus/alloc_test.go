package janus

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// TestCyclesAllocateNothing runs all threads of Janus for 10 s and for 20 s of virtual time: the second ten seconds,
// 3000 activations, must not allocate a single object.
func TestCyclesAllocateNothing(t *testing.T) {
	allocations := func(length time.Duration, overlays ...string) uint64 {
		s, err := system.Load("janus.yaml", system.Options{
			Registry: block.NewRegistry(flow.Blocks(), servo.Blocks()), Overlays: overlays,
		})
		if err != nil {
			t.Fatal(err)
		}
		core := thread.New(s.Net, thread.Options{Until: clock.At(length)})
		return testkit.Mallocs(func() {
			if err := core.RunVirtual(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, overlays := range [][]string{nil, {"janus-feedforward.yaml"}, {"activities.yaml"}} {
		// The runtime's own goroutines allocate now and then, which can only add: the least of some counts is the run's.
		const counts = 7
		short, long := allocations(10*time.Second, overlays...), allocations(20*time.Second, overlays...)
		for range counts - 1 {
			short = min(short, allocations(10*time.Second, overlays...))
			long = min(long, allocations(20*time.Second, overlays...))
		}
		if long > short {
			t.Errorf("%v: a run of 10 s allocates %d objects, one of 20 s %d: the cycles allocate", overlays, short, long)
		}
	}
}
