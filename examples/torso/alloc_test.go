package torso

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

// TestCyclesAllocateNothing runs all threads for 2 s of virtual time: in the second one, 3000 activations (with the
// bridges 11000) must not allocate a single object.
func TestCyclesAllocateNothing(t *testing.T) {
	for _, overlays := range [][]string{nil, {"four-bridges.yaml"}} {
		testkit.NoAllocsWithin(t, func(mark func()) {
			core := thread.New(load(t, overlays...).Net, thread.Options{Until: clock.At(2*time.Second + 100*time.Millisecond)})
			front, next := core.Front(), clock.At(time.Second)
			front.Go(func(p *thread.Participant) {
				_ = p.Wait(0, func() bool { // called at each instant of virtual time
					if front.Now() >= next {
						mark()
						next = next.Add(time.Second)
					}
					return false
				})
			})
			if err := core.RunVirtual(context.Background()); err != nil {
				t.Error(overlays, err)
			}
		})
	}
}
