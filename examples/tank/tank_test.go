package main

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// The tank of tank.yaml.
const area, outlet, period = 1.55e-3, 1.78e-5, 100 * time.Millisecond // m², m²

// watch runs tank.yaml in virtual time and calls look every second, up to that of the given number.
func watch(t *testing.T, seconds int, look func(now float64, read func(port string) float64), o system.Options) {
	t.Helper()
	o.Registry = block.NewRegistry(flow.Blocks(), servo.Blocks(), Blocks())
	s, err := system.Load("tank.yaml", o)
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		for k := 1; k <= seconds; k++ {
			if err := p.Wait(clock.At(time.Duration(k)*time.Second+period/2), nil); err != nil {
				t.Error(err)
				return
			}
			look(float64(k), func(port string) float64 {
				r, err := local.As(p).Read(context.Background(), port)
				if err != nil {
					panic(err) // a goroutine of its own: not t.Fatal
				}
				if list, ok := r.Value.([]any); ok {
					return list[0].(float64)
				}
				return r.Value.(float64)
			})
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func TestLevelReachesItsSetPoint(t *testing.T) {
	for name, c := range map[string]struct {
		wanted float64
		params []string
	}{
		"from empty": {0.15, nil},
		"from full":  {0.2, []string{"tank.initial=0.3", "setpoint.value=[0.2,0,0]"}},
	} {
		t.Run(name, func(t *testing.T) {
			watch(t, 90, func(now float64, read func(string) float64) {
				level := read("tank.level")
				if name == "from empty" && level > 1.02*c.wanted {
					t.Errorf("after %v s the level is %.4f m: it overshoots %v m", now, level, c.wanted)
				}
				if now < 60 {
					return
				}
				testkit.Near(t, "level", level, c.wanted, 1e-4)
				// At rest as much flows in as Torricelli's law lets out at the wanted level.
				rest := outlet * math.Sqrt(2*9.81*c.wanted)
				testkit.Near(t, "outflow", read("tank.outflow"), rest, 1e-3*rest)
				testkit.Near(t, "inflow", read("pump.flow"), rest, 1e-2*rest)
			}, system.Options{Params: c.params})
		})
	}
}

// The level passes the mark once on its way to the set point: the group holds the level of that activation, while the level goes on.
func TestTriggeredGroupHoldsTheLevelAtTheMark(t *testing.T) {
	const mark = 0.1
	passed := 0.0 // the level that the group holds
	watch(t, 60, func(now float64, read func(string) float64) {
		level, held := read("tank.level"), read("passed.level.out")
		switch {
		case level < mark && held != 0:
			t.Errorf("after %v s, at %.4f m, the group has run", now, level)
		case level > mark && passed == 0:
			passed = held
		case level > mark && held != passed:
			t.Errorf("after %v s the group holds %v m, and %v m before", now, held, passed)
		}
	}, system.Options{Overlays: []string{"mark.yaml"}})
	const inflow = 2e-4 // m³/s: more than the pump can bring
	if passed <= mark || passed > mark+inflow/area*period.Seconds() {
		t.Errorf("the group holds %v m, which is not that of the first activation above %v m", passed, mark)
	}
}

// drained is a tank, with a step of 10 ms.
func drained(t *testing.T, initial float64) (tank *Tank, step func(inflow float64)) {
	t.Helper()
	tank = &Tank{
		Area: block.NewConst(area), Outlet: block.NewConst(outlet), Height: block.NewConst(0.3), Initial: block.NewConst(initial),
	}
	if err := tank.Setup(nil); err != nil {
		t.Fatal(err)
	}
	return tank, func(inflow float64) {
		tank.Inflow.Feed(inflow)
		if err := errors.Join(tank.Control(tick), tank.Sense(tick)); err != nil {
			t.Fatal(err)
		}
	}
}

var tick = clock.Tick{Dt: 10 * time.Millisecond}

// Without a pump √h falls at a constant rate: √h = √h0 - (a/A) √(g/2) t, until the tank is empty after (A/a) √(2 h0/g).
func TestTankDrainsByTorricellisClosedForm(t *testing.T) {
	const initial = 0.3
	empty := area / outlet * math.Sqrt(2*initial/9.81)
	if empty < 20 || empty > 25 {
		t.Fatalf("empty after %v s: the test shows too little", empty)
	}
	tank, step := drained(t, initial)
	for k := 1; k <= 3000; k++ {
		step(0)
		root := max(math.Sqrt(initial)-outlet/area*math.Sqrt(9.81/2)*float64(k)*tick.Seconds(), 0)
		testkit.Near(t, "level", tank.Level.Value(), root*root, 1e-7)
		testkit.Near(t, "outflow", tank.Outflow.Value(), outlet*math.Sqrt(2*9.81)*root, 1e-8)
	}
	if level := tank.Level.Value(); level != 0 {
		t.Errorf("after 30 s %v m are left", level)
	}
}

// All water that the pump brings is in the tank, has left it or was spilled.
func TestNoWaterIsLost(t *testing.T) {
	tank, step := drained(t, 0.29)
	const inflow = 1e-4
	in, out := 0.0, 0.0
	for range 1000 {
		before, spilled := tank.level, tank.spilled
		step(inflow)
		middle := (before + tank.level + (tank.spilled-spilled)/area) / 2 // until the end of the step nothing runs over
		in, out = in+tick.Seconds()*inflow, out+tick.Seconds()*outlet*math.Sqrt(2*9.81*middle)
	}
	if tank.Level.Value() != 0.3 || tank.Spilled.Value() == 0 {
		t.Fatalf("level %v m, %v m³ spilled: the test shows too little", tank.Level.Value(), tank.Spilled.Value())
	}
	testkit.Near(t, "water", area*(tank.level-0.29)+out+tank.spilled, in, 1e-9*in)
}

func TestFullerThanFullIsRefused(t *testing.T) {
	if err := (&Tank{Height: block.NewConst(0.3), Initial: block.NewConst(0.4)}).Setup(nil); err == nil {
		t.Error("a tank of 0.3 m was filled to 0.4 m")
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	_, step := drained(t, 0.1)
	testkit.NoAllocs(t, 100, func() { step(1e-5) })
}
