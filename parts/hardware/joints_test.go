package hardware

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/canopen"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/dynamixel"
	"github.com/sinew-robotics/sinew/device/feetech"
	"github.com/sinew-robotics/sinew/device/ur"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// moves runs an arm that is to go to a position, calls every before each millisecond, and returns where it is in the end.
func moves(t *testing.T, params map[string]any, goal []float64, every func(k int)) (position []float64, warnings []string, err error) {
	t.Helper()
	a := &Joints{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: 2 * time.Millisecond})
	d.Add("goal", &flow.Constant{Value: block.NewParam(goal)}, diagram.Place{Thread: "t"})
	d.Add("arm", a, diagram.Place{Thread: "t", Given: port.Given{Params: params}})
	d.Link("goal.out -> arm.desired")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	core.Front().OnWarning(func(w thread.Warning) { warnings = append(warnings, w.String()) })
	core.Front().Go(func(p *thread.Participant) {
		defer core.Stop()
		for k := 1; k < 3000 && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			every(k)
			position = append(position[:0], a.Position.Value()...)
		}
	})
	err = core.RunVirtual(context.Background())
	return position, warnings, err
}

func near(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-6 {
			return false
		}
	}
	return true
}

func TestJointsFollowTheSameSimulatedAndEmulated(t *testing.T) {
	goal := []float64{0.05, -1.5, 1.5, -1.5, -1.5, -0.05}
	position, warnings, err := moves(t, nil, goal, func(int) {})
	if err != nil || warnings != nil || !near(position, goal) {
		t.Errorf("simulated: %v, %v, %v", position, warnings, err)
	}
	at := fmt.Sprintf("127.0.0.1:%d", 41000+rand.IntN(20000))
	far, err := wire.New("tcp+listen://"+at, wire.Bytes)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := ur.NewEmulator(far, [ur.Joints]float64{0, -1.57, 1.57, -1.57, -1.57, 0})
	position, warnings, err = moves(t, map[string]any{"driver": "ur", "address": "tcp://" + at}, goal, func(k int) {
		if k < 50 {
			time.Sleep(100 * time.Microsecond) // until the connection stands
		}
		switch k {
		case 1500:
			_ = far.Close()
		case 2000:
			if err := far.Open(); err != nil {
				t.Error(err)
			}
		}
		if k < 1500 || k >= 2000 {
			time.Sleep(20 * time.Microsecond)
			if err := e.Step(time.Millisecond); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || !near(position, goal) {
		t.Errorf("emulated: %v, %v", position, err)
	}
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0], `block "arm": UR arm at tcp://`+at+": lost") || warnings[1] != `block "arm" works again` {
		t.Errorf("warnings %q", warnings)
	}
}

func TestJointsRefuseADesiredPositionThatIsFar(t *testing.T) {
	_, _, err := moves(t, nil, []float64{0.5, -1.57, 1.57, -1.57, -1.57, 0}, func(int) {})
	if err == nil || !strings.Contains(err.Error(), "begin where the joints are") {
		t.Error(err)
	}
}

func TestServosFollowAsOneDevice(t *testing.T) {
	path := t.TempDir() + "/servos"
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	goal := []float64{0.09, -0.09}
	for name, e := range map[string]driver.Emulator{"dynamixel": dynamixel.NewEmulator(far, 3, 5), "feetech": feetech.NewEmulator(far, 3, 5)} {
		position, warnings, err := moves(t, map[string]any{"driver": name, "address": "serial://" + path, "servos": []any{3, 5}, "fast": true}, goal, func(int) {
			if err := e.Step(time.Millisecond); err != nil {
				t.Error(err)
			}
		})
		for i, q := range position {
			if math.Abs(q-goal[i]) > 0.001 {
				t.Errorf("%s: servo %d is at %v, expected %v", name, i, q, goal[i])
			}
		}
		if err != nil || warnings != nil || len(position) != 2 {
			t.Errorf("%s: %v, %v, %v", name, position, warnings, err)
		}
	}
}

func TestDrivesFollowAsOneDevice(t *testing.T) {
	address := fmt.Sprintf("can+udp://239.74.163.3:%d?interface=lo", 41000+rand.IntN(20000))
	far, err := wire.New(address, wire.Frames)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Skip("SKIPPED: ", err)
	}
	defer far.Close()
	e := canopen.NewEmulator(far, 3, 5)
	goal := []float64{0.09, -0.09}
	position, warnings, err := moves(t, map[string]any{"driver": "canopen", "address": address, "servos": []any{3, 5}}, goal, func(k int) {
		e.Silence(1, k >= 1500 && k < 2000)
		if err := e.Step(time.Millisecond); err != nil {
			t.Error(err)
		}
	})
	for i, q := range position {
		if math.Abs(q-goal[i]) > 1e-4 {
			t.Errorf("drive %d is at %v, expected %v", i, q, goal[i])
		}
	}
	if err != nil || len(position) != 2 {
		t.Errorf("%v, %v", position, err)
	}
	if len(warnings) != 2 || warnings[0] != `block "arm": CANopen drives at `+address+": node 5 is silent: no heartbeat for 100ms; it is tried again" || warnings[1] != `block "arm" works again` {
		t.Errorf("warnings %q", warnings)
	}
}
