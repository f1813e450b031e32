package hardware

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/rdt"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

// TestForceIsTheSameSimulatedAndEmulated measures 20 N along z with either driver, the real one over UDP.
func TestForceIsTheSameSimulatedAndEmulated(t *testing.T) {
	at := fmt.Sprintf("127.0.0.1:%d", 41000+rand.IntN(20000))
	far, err := wire.New("udp+listen://"+at, wire.Datagrams)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := rdt.NewEmulator(far, rdt.Options{}, time.Millisecond)
	e.Load[2] = 20
	for _, params := range []map[string]any{{"load": []any{0.0, 0.0, 20.0, 0.0, 0.0, 0.0}}, {"driver": "rdt", "address": "udp://" + at}} {
		b := &ForceTorque{}
		net, err := build(b, params)
		if err != nil {
			t.Fatal(err)
		}
		core := thread.New(net, thread.Options{})
		good := false
		core.Front().Go(func(p *thread.Participant) {
			defer core.Stop()
			for k, begin := 1, time.Now(); time.Since(begin) < testkit.Patience() && !good && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
				if err := e.Step(time.Millisecond); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Microsecond) // for datagrams on their way
				good = b.Valid.Value() && b.Force.Value()[2] == 20
			}
		})
		if err := core.RunVirtual(context.Background()); err != nil || !good {
			t.Errorf("%v: %v; valid %v, force %v", params, err, b.Valid.Value(), b.Force.Value())
		}
	}
}
