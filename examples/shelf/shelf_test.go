package shelf

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// TestArmAvoidsTheBallBetweenItsStations runs the system in virtual time: two tours without the ball, then the ball in the way for a while.
func TestArmAvoidsTheBallBetweenItsStations(t *testing.T) {
	s, err := system.Load("shelf.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), motion.Blocks(), torque.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		watch(t, p, local.As(p))
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func watch(t *testing.T, p *thread.Participant, local *admin.Local) {
	ctx := context.Background()
	read := func(port string) any {
		r, err := local.Read(ctx, port)
		if err != nil {
			panic(err) // a goroutine of its own: not t.Fatal
		}
		return r.Value
	}
	stations, loaded, least, last, off := 0, 0, 1e9, int64(0), 0.0
	stopped := false
	run := func(from, to float64) {
		for at := from; at < to; at += 0.02 {
			if err := p.Wait(clock.At(time.Duration(at*float64(time.Second))), nil); err != nil {
				panic(err)
			}
			state := read("executor.state").(int64)
			if state == 0 && last != 0 {
				stations++
			}
			last = state
			stopped = stopped || state == 3
			if read("executor.loaded").(bool) {
				loaded++
			}
			is, wanted := read("robot.position").([]any), read("executor.position").([]any)
			for i := range wanted {
				off = max(off, math.Abs(is[i].(float64)-wanted[i].(float64)))
			}
			if d, ok := read("monitor.distance").(float64); ok && at > 0.1 {
				least = min(least, d)
			}
		}
	}
	put := func(value []any) {
		if err := local.SetParams(ctx, "ball", map[string]any{"value": value}); err != nil {
			t.Error(err)
		}
	}
	run(0.05, 10)
	if stations < 2 || loaded == 0 || stopped {
		t.Errorf("%d stations in 10 s, %d readings with the load, stopped: %t", stations, loaded, stopped)
	}
	before := stations
	now := 10.0
	for ; read("executor.state").(int64) != 0; now += 0.02 {
		run(now, now+0.02)
	}
	for ; read("executor.state").(int64) != 2; now += 0.02 { // it leaves a station, which the ball is not near
		run(now, now+0.02)
	}
	put([]any{0.48, 0.0, 0.74})
	run(now, 30)
	around := stations - before
	put([]any{0.0, 0.0, 3.0})
	run(30, 40)
	if off > 0.01 {
		t.Errorf("the arm is up to %g rad from where the executor wants it", off)
	}
	t.Logf("%d stations, %d with the ball in the way, stopped before it: %t, least distance %.1f mm, at most %.2g rad from the motion", stations, around, stopped, 1000*least, off)
	if around < 3 || stations < before+around+2 || !stopped || least < 0.005 {
		t.Errorf("%d stations after %d, %d with the ball in the way, stopped: %t, least distance %g m", stations, before, around, stopped, least)
	}
}
