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

// TestCyclesAllocateNothing runs all threads of Janus for 12 s of virtual time: in the last two seconds, 600
// activations must not allocate a single object.
func TestCyclesAllocateNothing(t *testing.T) {
	for _, overlays := range [][]string{nil, {"janus-feedforward.yaml"}, {"activities.yaml"}} {
		testkit.NoAllocsWithin(t, func(mark func()) {
			s, err := system.Load("janus.yaml", system.Options{
				Registry: block.NewRegistry(flow.Blocks(), servo.Blocks()), Overlays: overlays,
			})
			if err != nil {
				t.Fatal(err)
			}
			core := thread.New(s.Net, thread.Options{Until: clock.At(12*time.Second + 100*time.Millisecond)})
			front, next := core.Front(), clock.At(10*time.Second)
			front.Go(func(p *thread.Participant) {
				_ = p.Wait(0, func() bool { // called at each instant of virtual time
					if front.Now() >= next {
						mark()
						next = next.Add(2 * time.Second)
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
