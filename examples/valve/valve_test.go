package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func load(params ...string) (*system.System, error) {
	return system.Load("valve.yaml", system.Options{Registry: block.NewRegistry(servo.Blocks(), Blocks()), Params: params})
}

func TestSlideReachesItsTarget(t *testing.T) {
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	const target = 0.1 // m
	core := thread.New(s.Net, thread.Options{})
	local, position := admin.NewLocal(core.Front(), s), 0.0
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		as := local.As(p)
		if _, err := as.Call(context.Background(), "generator.moveTo", []any{[]any{target}, 2.0}, nil); err != nil {
			t.Error(err)
			return
		}
		if err := p.Wait(clock.At(10*time.Second), nil); err != nil {
			t.Error(err)
			return
		}
		r, err := as.Read(context.Background(), "cylinder.position")
		if err != nil {
			t.Error(err)
			return
		}
		position = r.Value.(float64)
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
	testkit.Near(t, "position", position, target, 1e-4)
}

// One block in rad is refused at both of its ends.
func TestBlockInAnotherUnitIsRefused(t *testing.T) {
	_, err := load("pid.coordinate=rad")
	for _, want := range []string{"controller.ref1 is in m, but pid.ref is in rad", "controller.sen1 is in m, but pid.sen is in rad"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Under constant pressure the slide approaches the speed area · pressure / friction.
func TestPressureBalancesFriction(t *testing.T) {
	c := &Cylinder{Area: block.NewConst(1e-4), Mass: block.NewConst(2.0), Friction: block.NewConst(400.0), Pitch: block.NewConst(0.005), Lines: block.NewConst(2000)}
	c.Pressure.Feed(1e6)
	c.Power.Feed(true)
	tick := clock.Tick{Dt: 10 * time.Millisecond}
	step := func() {
		if c.Sense(tick) != nil || c.Control(tick) != nil {
			t.Fatal("the step fails")
		}
	}
	for range 100 {
		step()
	}
	testkit.Near(t, "speed", c.speed, 1e-4*1e6/400, 1e-9)
	testkit.NoAllocs(t, 100, step)
	c.Power.Feed(false)
	before := c.position
	step()
	testkit.Near(t, "position without power", c.position, before, 0)
}
