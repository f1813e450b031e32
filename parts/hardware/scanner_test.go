package hardware

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/pb9"
	"github.com/sinew-robotics/sinew/device/scip"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// build builds a net of one block with parameters.
func build(b any, params map[string]any) (*diagram.Net, error) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: 10 * time.Millisecond})
	d.Add("device", b, diagram.Place{Thread: "t", Given: port.Given{Params: params}})
	return d.Build()
}

func TestMistakesInParametersAreExplained(t *testing.T) {
	for _, c := range []struct {
		block  any
		params map[string]any
		want   string
	}{
		{&Scanner{}, map[string]any{"driver": "skip"}, `driver "skip": expected sim, scip, pb9; did you mean "scip"?`},
		{&Scanner{}, map[string]any{"driver": "scip"}, `address "": expected one of serial:///dev/ttyUSB0?baud=115200, pty`},
		{&Scanner{}, map[string]any{"driver": "scip", "address": "tcp://10.0.0.1"}, "missing port"},
		{&Gripper{}, map[string]any{"driver": "robotic"}, `driver "robotic": expected sim, robotiq; did you mean "robotiq"?`},
		{&Gripper{}, map[string]any{"model": "2f"}, `gripper "2f": expected 2f-85, 2f-140 or hand-e`},
		{&Gripper{}, map[string]any{"driver": "robotiq", "address": "udp://10.0.0.1:1"}, "which carry bytes"},
		{&Joints{}, map[string]any{"driver": "dynamixel", "servos": []any{1, 1}}, "servos: servo 1: expected a number from 0 to 252, each once"},
		{&Joints{}, map[string]any{"driver": "feetech", "servos": []any{1, 1}}, "servos: servo 1: expected a number from 0 to 253, each once"},
		{&Joints{}, map[string]any{"initial": []any{}}, "expected a position for each joint"},
		{&ForceTorque{}, map[string]any{"load": []any{1.0}}, "load has length 1: expected force and torque"},
		{&ForceTorque{}, map[string]any{"driver": "rdt", "address": "tcp://10.0.0.1:1"}, "which carry datagrams"},
		{&IMU{}, map[string]any{"motion": []any{1.0}}, "motion has length 1: expected angular velocity and acceleration"},
		{&IMU{}, map[string]any{"driver": "vectornav", "rate": 3}, "rate: 3 messages in a second: expected one of [1 2 4"},
		{&GNSS{}, map[string]any{"place": []any{1.0}}, "place has length 1: expected latitude, longitude and height, or none"},
		{&GNSS{}, map[string]any{"driver": "gps"}, `driver "gps": expected sim, nmea`},
		{&GNSS{}, map[string]any{"driver": "nmea", "address": "udp://10.0.0.1"}, "missing port"},
		{&Scanner{}, map[string]any{"room": []any{1.0}}, "room has length 1: expected length and width"},
		{&Scanner{}, map[string]any{"pillar": []any{1.0, 0.5, 0.0}}, "expected its radius, a greater distance, and a time"},
	} {
		if _, err := build(c.block, c.params); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v\nexpected %s", c.params, err, c.want)
		}
	}
}

// behind puts a device on a channel in memory behind a block that has been built, and returns the emulator.
func behind(b *Scanner, p scip.Parameters) driver.Emulator {
	near, far := wire.Pipe("memory://scanner")
	_ = far.Open()
	d := scip.On(near)
	b.device, b.scanner = d, d
	return scip.NewEmulator(far, p, func(angle float64, _ time.Duration) float64 {
		switch {
		case angle > 1:
			return 10 // nothing within reach
		case angle < -1:
			return 0.001 // too near
		}
		return 2 + angle
	})
}

func TestScannerWritesRangesThatAreFinite(t *testing.T) {
	b := &Scanner{}
	net, err := build(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := behind(b, scip.URG04LX())
	core := thread.New(net, thread.Options{Until: clock.At(500 * time.Millisecond)})
	core.Front().Go(func(p *thread.Participant) {
		for k := 1; p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			if _ = e.Step(time.Millisecond); k != 450 {
				continue
			}
			ranges := b.Ranges.Value()
			for i, want := range map[int]float64{0: 0, 340: 2, 400: 2.368, 681: 5.6} {
				if ranges[i] != want {
					t.Errorf("beam %d is %v, expected %v", i, ranges[i], want)
				}
			}
			if b.Nearest.Value() != 1.006 || b.Scans.Value() < 3 {
				t.Errorf("nearest is %v, expected 1.006; %d scans", b.Nearest.Value(), b.Scans.Value())
			}
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if b.Nearest.Value() != 0 || b.Ranges.Value()[400] != 0 {
		t.Error("the outputs of a scanner that has stopped are not safe")
	}
}

func TestScannerWithOtherBeamsNamesThem(t *testing.T) {
	b := &Scanner{}
	net, err := build(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := scip.URG04LX()
	p.Last, p.Turn = 768, 1440
	e := behind(b, p)
	core := thread.New(net, thread.Options{Until: clock.At(500 * time.Millisecond)})
	core.Front().Go(func(p *thread.Participant) {
		for k := 1; p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			_ = e.Step(time.Millisecond)
		}
	})
	if err := core.RunVirtual(context.Background()); err == nil || !strings.Contains(err.Error(), "set beams: 725, first: -1.4835299, step: 0.0043633231") {
		t.Error(err)
	}
}

func TestPB9ScannerHasItsOwnBeams(t *testing.T) {
	b := &Scanner{}
	if _, err := build(b, map[string]any{"driver": "pb9", "address": "serial:///dev/there-is-none"}); err != nil {
		t.Fatal(err)
	}
	near, far := wire.Pipe("memory://scanner")
	_ = far.Open()
	d := pb9.On(near)
	b.device, b.scanner = d, d
	e := pb9.NewEmulator(far, func(angle float64, _ time.Duration) float64 { return 2.5 + 2*angle })
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	step := func() {
		if err := errors.Join(e.Step(10*time.Millisecond), b.Step(clock.Tick{Dt: 10 * time.Millisecond})); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		step()
	}
	ranges := b.Ranges.Value()
	if len(ranges) != 91 || ranges[0] != 0 || ranges[45] != 2.5 || ranges[90] != 4 || b.Nearest.Value() != ranges[6] {
		t.Errorf("nearest %v of %v", b.Nearest.Value(), ranges)
	}
	testkit.NoAllocs(t, 1000, step)
}

func TestScannerStepAllocatesNothing(t *testing.T) {
	for name, prepare := range map[string]func(b *Scanner) driver.Emulator{
		"sim":    func(*Scanner) driver.Emulator { return nil },
		"scip":   func(b *Scanner) driver.Emulator { return behind(b, scip.URG04LX()) },
		"frozen": func(b *Scanner) driver.Emulator { _ = behind(b, scip.URG04LX()); return nil },
		"unplugged": func(b *Scanner) driver.Emulator {
			d, err := scip.New("serial:///dev/there-is-none")
			if err != nil {
				t.Fatal(err)
			}
			b.device, b.scanner = d, d
			return nil
		},
	} {
		b := &Scanner{}
		if _, err := build(b, nil); err != nil {
			t.Fatal(err)
		}
		e := prepare(b)
		if err := b.Start(); err != nil {
			t.Fatal(err)
		}
		step := func() {
			if e != nil {
				_ = e.Step(10 * time.Millisecond)
			}
			if err := b.Step(clock.Tick{Dt: 10 * time.Millisecond}); err != nil {
				if _, ok := err.(*block.Trouble); !ok {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		for range 100 {
			step()
		}
		testkit.NoAllocs(t, 1000, step)
	}
}

// TestStepsOfSimulatedDevicesAllocateNothing steps the other blocks, whose real drivers the suite of package devicetest counts.
func TestStepsOfSimulatedDevicesAllocateNothing(t *testing.T) {
	type stepper interface {
		Start() error
		Step(t clock.Tick) error
	}
	for name, b := range map[string]stepper{"joints": &Joints{}, "gripper": &Gripper{}, "force-torque sensor": &ForceTorque{}, "satellite receiver": &GNSS{}, "IMU": &IMU{}} {
		if _, err := build(b, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.Start(); err != nil {
			t.Fatal(err)
		}
		testkit.NoAllocs(t, 1000, func() {
			if err := b.Step(clock.Tick{Dt: 10 * time.Millisecond}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		})
	}
}
