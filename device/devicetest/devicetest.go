// Package devicetest is the conformance suite of package device, which every driver must pass. A driver runs it in
// its own tests, with an emulator if the hardware is absent:
//
//	func TestDriverConforms(t *testing.T) {
//		devicetest.Run(t, func(t testing.TB) devicetest.Subject {
//			d := newDriver(...)
//			return devicetest.Subject{Device: d, Encoders: []device.Encoder{d.Axis(0)}}
//		})
//	}
package devicetest

import (
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// Subject is a closed device with its facets. Those of the device itself, and of the axes of a device.AxisController, are found
// by type assertion; encoders, powers and brakes are listed, and the voltages and positions that belong to them.
type Subject struct {
	Device    device.Device
	Encoders  []device.Encoder
	Positions []device.JointPositionSensor
	Voltages  []device.VoltageDrive
	Powers    []device.MotorPower
	Brakes    []device.Brake

	Parts []any // other parts of the device, whose facets are found by type assertion

	Period time.Duration // between steps; 0 means 1 ms

	Threads int // goroutines of a started device: 0 but for package background
}

// Run runs the suite on devices returned by create, which must be closed and in the same state.
func Run(t *testing.T, create func(testing.TB) Subject) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Subject)
	}{
		{"life cycle in order", inOrder},
		{"life cycle out of order", outOfOrder},
		{"reopens", reopens},
		{"no thread remains", noThreads},
		{"readings change in steps only", steadyReadings},
		{"bad commands", badCommands},
		{"standing still when safe", safeState},
		{"steps allocate nothing", noAllocations},
		{"facets change in steps only", facetsAreSteady},
		{"facets refuse bad commands", facetsRefuseBadCommands},
		{"facets allocate nothing", facetsAllocateNothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := create(t)
			if s.Period == 0 {
				s.Period = time.Millisecond
			}
			t.Cleanup(func() { s.Device.Close() })
			c.test(t, s)
		})
	}
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func is(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

func (s *Subject) started(t *testing.T) {
	t.Helper()
	must(t, "Open", s.Device.Open())
	must(t, "Start", s.Device.Start())
	s.connected(t)
}

// connected steps a device that has been started until it has readings.
func (s *Subject) connected(t *testing.T) {
	t.Helper()
	for since := time.Duration(0); ; since += s.Period {
		err := s.Device.Step(s.Period)
		if err == nil {
			return
		}
		if !errors.Is(err, device.ErrConnecting) {
			t.Fatal("Step after Start: ", err)
		}
		if since > connectTime {
			t.Fatalf("the device has no readings %v after Start", since)
		}
	}
}

// connectTime is how long a device may take from Start to its first readings, and from the time when it is plugged in again.
const connectTime = time.Second

func (s *Subject) steps(t *testing.T, n int) {
	t.Helper()
	for range n {
		must(t, "Step", s.Device.Step(s.Period))
	}
}

func (s *Subject) drive(volts float64) {
	for _, p := range s.Powers {
		p.SetPower(true)
	}
	for _, b := range s.Brakes {
		b.SetBrake(false)
	}
	for _, v := range s.Voltages {
		_ = v.SetVoltage(volts)
	}
}

func inOrder(t *testing.T, s Subject) {
	s.started(t)
	s.drive(1)
	s.steps(t, 20)
	must(t, "Stop", s.Device.Stop())
	must(t, "Close", s.Device.Close())
}

func outOfOrder(t *testing.T, s Subject) {
	d := s.Device
	is(t, "Start of a closed device", d.Start(), device.ErrNotOpen)
	is(t, "Step of a closed device", d.Step(s.Period), device.ErrNotStarted)
	must(t, "Stop of a closed device", d.Stop())
	must(t, "Close of a closed device", d.Close())
	must(t, "Open", d.Open())
	must(t, "second Open", d.Open())
	is(t, "Step of an open device", d.Step(s.Period), device.ErrNotStarted)
	must(t, "Stop of an open device", d.Stop())
	must(t, "Start", d.Start())
	must(t, "second Start", d.Start())
	s.connected(t)
	s.steps(t, 1)
	must(t, "Stop", d.Stop())
	must(t, "second Stop", d.Stop())
	is(t, "Step of a stopped device", d.Step(s.Period), device.ErrNotStarted)
	must(t, "Start after Stop", d.Start())
	s.connected(t)
	s.steps(t, 1)
	must(t, "Close of a started device", d.Close())
	must(t, "second Close", d.Close())
	is(t, "Step of a device closed again", d.Step(s.Period), device.ErrNotStarted)
	is(t, "Start of a device closed again", d.Start(), device.ErrNotOpen)

	must(t, "Open", d.Open())
	must(t, "Start", d.Start())
	defer func() {
		if recover() == nil {
			t.Error("Step with a negative time did not panic")
		}
	}()
	_ = d.Step(-s.Period)
}

func reopens(t *testing.T, s Subject) {
	for range 3 {
		s.started(t)
		for i, e := range s.Encoders {
			if n := e.Counts(); n != 0 {
				t.Errorf("encoder %d starts at %d counts after Open, want 0", i, n)
			}
		}
		s.drive(0.5)
		s.steps(t, 50)
		must(t, "Close", s.Device.Close())
	}
}

func noThreads(t *testing.T, s Subject) {
	before := runtime.NumGoroutine()
	s.started(t)
	s.drive(0.5)
	s.steps(t, 10)
	if n := runtime.NumGoroutine(); n > before+s.Threads {
		t.Errorf("a started device runs %d goroutines of its own: the contract allows %d", n-before, s.Threads)
	}
	must(t, "Close", s.Device.Close())
}

func steadyReadings(t *testing.T, s Subject) {
	s.started(t)
	read := func() (r []float64) {
		for _, e := range s.Encoders {
			at, seen := e.Index()
			r = append(r, float64(e.Counts()), float64(at))
			if seen {
				r = append(r, 1)
			}
		}
		for _, p := range s.Positions {
			r = append(r, p.JointPosition())
		}
		return r
	}
	for k := range 30 {
		s.drive(float64(k%5 - 2))
		s.steps(t, 1)
		first := read()
		s.drive(float64(2 - k%5))
		second := read()
		if len(first) != len(second) {
			t.Fatal("an index appeared or vanished without a Step")
		}
		for i := range first {
			if first[i] != second[i] {
				t.Fatalf("reading %d changed from %v to %v without a Step", i, first[i], second[i])
			}
		}
	}
}

func badCommands(t *testing.T, s Subject) {
	s.started(t)
	for i, v := range s.Voltages {
		if m := v.MaxVoltage(); !(m > 0) || math.IsInf(m, 1) {
			t.Errorf("drive %d: MaxVoltage = %v, want positive and finite", i, m)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			is(t, "SetVoltage of what is not finite", v.SetVoltage(bad), device.ErrNotFinite)
		}
		must(t, "SetVoltage above the limit", v.SetVoltage(10*v.MaxVoltage()))
		must(t, "SetVoltage of 0", v.SetVoltage(0))
	}
	s.steps(t, 5)
}

// safeState checks the safe state as far as encoders can show it: nothing moves after Start until something is
// commanded, and commands given before a Stop have no effect after the next Start.
func safeState(t *testing.T, s Subject) {
	if len(s.Encoders) == 0 {
		t.Skip("SKIPPED: the device has no encoder that shows motion")
	}
	still := func(when string) {
		t.Helper()
		before := make([]int64, len(s.Encoders))
		for i, e := range s.Encoders {
			before[i] = e.Counts()
		}
		s.steps(t, 100)
		for i, e := range s.Encoders {
			if n := e.Counts(); n != before[i] {
				t.Errorf("%s encoder %d moved from %d to %d counts", when, i, before[i], n)
			}
		}
	}
	s.started(t)
	still("after Start, uncommanded,")
	s.drive(1)
	must(t, "Stop", s.Device.Stop())
	must(t, "Start", s.Device.Start())
	s.connected(t)
	s.steps(t, 300) // what was moving at the Stop comes to rest
	still("after Stop and Start, uncommanded,")
}

func noAllocations(t *testing.T, s Subject) {
	s.started(t)
	s.drive(0.5)
	s.steps(t, 10)
	var counts []uint64
	for range allocationRounds {
		n := s.allocations()
		if n == 0 {
			return
		}
		counts = append(counts, n)
	}
	t.Errorf("rounds of 200 steps allocated %v objects, want one without any", counts)
}

// allocationRounds is how often the steps are repeated before they count as allocating: on a busy machine the runtime allocates beside
// them now and then, but a step that allocates does so in each round.
const allocationRounds = 8

// allocations returns how many objects 200 steps allocate.
func (s *Subject) allocations() uint64 {
	var sum float64
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for k := range 200 {
		s.drive(float64(k % 3))
		if s.Device.Step(s.Period) != nil {
			break
		}
		for _, e := range s.Encoders {
			at, _ := e.Index()
			sum += float64(e.Counts() + at)
		}
		for _, p := range s.Positions {
			sum += p.JointPosition()
		}
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
