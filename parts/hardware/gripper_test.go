package hardware

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/modbus"
	"github.com/sinew-robotics/sinew/device/robotiq"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// grips runs a gripper that is to close on an object of 40 mm, and returns what it measures in the end.
func grips(t *testing.T, params map[string]any, emulator *robotiq.Emulator) (opening float64, holding bool) {
	t.Helper()
	g := &Gripper{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: 10 * time.Millisecond})
	d.Add("goal", &flow.Constant{Value: block.NewParam([]float64{0.01})}, diagram.Place{Thread: "t"})
	d.Add("one", &flow.Demux{}, diagram.Place{Thread: "t", Given: port.Given{Params: map[string]any{"n": 1}}})
	d.Add("gripper", g, diagram.Place{Thread: "t", Given: port.Given{Params: params}})
	d.Link("goal.out -> one.in")
	d.Link("one.out1 -> gripper.opening")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	core.Front().Go(func(p *thread.Participant) {
		defer core.Stop()
		for k := 1; k < 5000 && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			if emulator != nil {
				if err := emulator.Step(time.Millisecond); err != nil {
					t.Error(err)
				}
			}
			opening, holding = g.Measured.Value(), g.Holding.Value()
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	return opening, holding
}

func TestGripperHoldsTheSameSimulatedAndEmulated(t *testing.T) {
	if opening, holding := grips(t, map[string]any{"object": 0.04}, nil); opening != 0.04 || !holding {
		t.Errorf("simulated: %v, %v", opening, holding)
	}
	path := t.TempDir() + "/gripper"
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	m, err := robotiq.ModelOf("2f-85")
	if err != nil {
		t.Fatal(err)
	}
	e := robotiq.NewEmulator(far, modbus.RTU, m)
	e.Object = 0.04
	if opening, holding := grips(t, map[string]any{"driver": "robotiq", "address": "serial://" + path}, e); math.Abs(opening-0.04) > 0.0005 || !holding {
		t.Errorf("emulated: %v, %v", opening, holding)
	}
}
