package devicetest

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Rig is a driver that speaks over a channel of bytes, datagrams or frames, and its emulator.
type Rig struct {
	Kind     wire.Kind // "": bytes
	Driver   func(w wire.Wire) Driver
	Emulator func(w wire.Wire) driver.Emulator
	Parts    func(d Driver) []any // on which facets are found beside the device; may be nil
	Period   time.Duration        // between steps; 0 means 1 ms
	Greeting []byte               // what another device might send on the same channel; nil: "login: "
}

// Driver is a device with the state of its life, as driver.Session has it.
type Driver interface {
	device.Device
	State() device.State
}

// RunDriver runs [Run] on a driver with its emulator, and then takes it through what may happen to a channel: bytes lost and changed,
// a device that freezes, that is another one, that is unplugged and plugged in again, and a recording in its place. Time passes by steps only.
func RunDriver(t *testing.T, r Rig) {
	if r.Period == 0 {
		r.Period = time.Millisecond
	}
	if r.Kind == "" {
		r.Kind = wire.Bytes
	}
	if r.Greeting == nil {
		r.Greeting = []byte("login: ")
	}
	Run(t, func(t testing.TB) Subject {
		b := r.bench(t, wire.Faults{})
		return Subject{Device: b, Parts: append([]any{b.Driver}, b.parts...), Period: r.Period}
	})
	for _, c := range []struct {
		name string
		test func(*Rig, *testing.T)
	}{
		{"survives lost bytes", func(r *Rig, t *testing.T) { r.disturbed(t, wire.Faults{Lose: 0.002, Seed: 1}) }},
		{"survives changed bytes", func(r *Rig, t *testing.T) { r.disturbed(t, wire.Faults{Change: 0.002, Seed: 2}) }},
		{"survives noise", func(r *Rig, t *testing.T) { r.disturbed(t, wire.Faults{Change: 0.5, Seed: 3}) }},
		{"reports a frozen device", (*Rig).frozen},
		{"reports another device", (*Rig).stranger},
		{"reports and survives an unplugged device", (*Rig).unplugged},
		{"starts without the device", (*Rig).absent},
		{"plays a recording", (*Rig).played},
		{"faulty steps allocate nothing", (*Rig).faultyAllocations},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(&r, t) })
	}
}

// bench is a driver and its emulator, which step together.
type bench struct {
	Driver
	parts    []any
	emulator driver.Emulator
	injector *wire.Injector
	recorder *wire.Recorder
	period   time.Duration
	silent   bool // the emulator does not step
}

func (r *Rig) bench(t testing.TB, f wire.Faults) *bench {
	t.Helper()
	near, far := wire.PipeOf("memory://bench", r.Kind)
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	b := &bench{injector: wire.NewInjector(near, r.Kind, f), emulator: r.Emulator(far), period: r.Period}
	b.recorder = wire.NewRecorder(b.injector, 1<<22)
	b.Driver = r.Driver(b.recorder)
	if r.Parts != nil {
		b.parts = r.Parts(b.Driver)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// Step steps the emulator, then the driver.
func (b *bench) Step(dt time.Duration) error {
	if !b.silent && dt >= 0 {
		if err := b.emulator.Step(dt); err != nil {
			return err
		}
	}
	return b.Driver.Step(dt)
}

// until steps until the driver is in a state, and returns how long that took and the last error.
func (b *bench) until(t *testing.T, s device.State, limit time.Duration) (took time.Duration, err error) {
	t.Helper()
	for took = b.period; ; took += b.period {
		if err = b.Step(b.period); b.State() == s {
			return took, err
		}
		if took > limit {
			t.Fatalf("the device is %v after %v, expected %v: %v", b.State(), took, s, err)
		}
	}
}

func (r *Rig) running(t *testing.T, f wire.Faults) *bench {
	t.Helper()
	b := r.bench(t, f)
	must(t, "Open", b.Open())
	must(t, "Start", b.Start())
	b.until(t, device.Running, connectTime)
	return b
}

// explains checks that an error names device and port, and returns its text.
func explains(t *testing.T, err error) string {
	t.Helper()
	var f *device.Fault
	if !errors.As(err, &f) || f.Device == "" || f.Port != "memory://bench" || f.Why == nil {
		t.Fatalf("the error does not name device and port: %v", err)
	}
	if text := err.Error(); !strings.HasPrefix(text, f.Device+" at memory://bench: ") || strings.Count(text, "memory://bench") != 1 {
		t.Errorf("%s: does not begin with device and port", text)
	}
	return err.Error()
}

// disturbed steps for a time with a disturbed channel, whose errors must be explained, and checks that all is well when the disturbance ends.
func (r *Rig) disturbed(t *testing.T, f wire.Faults) {
	b := r.running(t, wire.Faults{})
	near, far := b.injector, b
	noisy := wire.NewInjector(near, r.Kind, f)
	d := &bench{Driver: r.Driver(noisy), emulator: far.emulator, period: r.Period}
	if r.Parts != nil {
		d.parts = r.Parts(d.Driver)
	}
	must(t, "Stop", b.Stop())
	must(t, "Open", d.Open())
	must(t, "Start", d.Start())
	for range int(10 * time.Second / r.Period) {
		if err := d.Step(r.Period); err != nil {
			explains(t, err)
		}
	}
	must(t, "Close", d.Close())
	must(t, "Start", b.Start())
	b.until(t, device.Running, 3*connectTime)
}

// frozenLimit is the longest time after which a device that sends nothing must be faulty.
const frozenLimit = 5 * time.Second

func (r *Rig) frozen(t *testing.T) {
	b := r.running(t, wire.Faults{})
	b.silent = true
	took, err := b.until(t, device.Faulty, frozenLimit)
	t.Logf("after %v: %s", took, explains(t, err))
	safe(t, b)
	b.silent = false
	took, _ = b.until(t, device.Running, 2*connectTime)
	t.Logf("running again after %v", took)
}

// safe checks that no sensor reads as if the device were there.
func safe(t *testing.T, b *bench) {
	t.Helper()
	s := Subject{Device: b.Driver, Parts: b.parts}
	for _, part := range s.parts() {
		if scanner, ok := part.(device.Scanner); ok && scanner.Scan().Sequence != 0 {
			t.Error("a faulty scanner returns a scan")
		}
		if x, ok := part.(device.JointPositionSensor); ok && !math.IsNaN(x.JointPosition()) {
			t.Errorf("a faulty device returns the joint position %v, expected NaN", x.JointPosition())
		}
		if x, ok := part.(device.ForceTorqueSensor); ok && !math.IsNaN(x.ForceTorque().Linear.Z) {
			t.Errorf("a faulty device returns the force %v, expected NaN", x.ForceTorque())
		}
		if x, ok := part.(device.Gripper); ok {
			if opening, _ := x.Grip(); !math.IsNaN(opening) {
				t.Errorf("a faulty gripper returns the opening %v, expected NaN", opening)
			}
		}
	}
}

// stranger is a device of another kind on the same channel: it answers everything with its greeting.
func (r *Rig) stranger(t *testing.T) {
	near, far := wire.PipeOf("memory://bench", r.Kind)
	must(t, "Open", far.Open())
	d := r.Driver(near)
	must(t, "Open", d.Open())
	must(t, "Start", d.Start())
	var buffer [256]byte
	text := ""
	for range int(frozenLimit / r.Period) {
		if n, _ := far.Read(buffer[:]); n > 0 {
			_, _ = far.Write(r.Greeting)
		}
		err := d.Step(r.Period)
		if err == nil {
			t.Fatal("the driver takes another device for its own")
		}
		if d.State() == device.Faulty {
			text = explains(t, err)
		}
	}
	t.Log(text)
	if text == "" || d.State() != device.Faulty {
		t.Errorf("the driver is %v, expected faulty: %q", d.State(), text)
	}
}

func (r *Rig) unplugged(t *testing.T) {
	b := r.running(t, wire.Faults{})
	for k := range 20 { // at different phases of the pauses
		b.injector.Unplug()
		if err := b.Step(r.Period); b.State() != device.Faulty || !errors.Is(err, wire.ErrLost) {
			t.Fatalf("a period after the device was unplugged it is %v: %v", b.State(), err)
		} else if explains(t, err); k == 0 {
			t.Log(err)
			safe(t, b)
		}
		for range int(time.Duration(37*k) * time.Millisecond / r.Period) {
			if err := b.Step(r.Period); err == nil {
				t.Fatal("Step of an unplugged device returns no error")
			}
		}
		b.injector.Plug()
		if took, _ := b.until(t, device.Running, connectTime); k < 3 {
			t.Logf("running %v after it was plugged in again", took)
		}
	}
	must(t, "Close", b.Close())
}

func (r *Rig) absent(t *testing.T) {
	b := r.bench(t, wire.Faults{})
	b.injector.Unplug()
	must(t, "Open", b.Open())
	must(t, "Start", b.Start())
	if err := b.Step(r.Period); b.State() != device.Faulty {
		t.Fatalf("without the device the driver is %v: %v", b.State(), err)
	} else {
		explains(t, err)
	}
	b.injector.Plug()
	b.until(t, device.Running, connectTime)
	must(t, "Close", b.Close())
}

// played records a conversation and plays it to a second driver, which must read what the first one has read.
func (r *Rig) played(t *testing.T) {
	log := func(b *bench) (rows [][]float64) {
		must(t, "Open", b.Open())
		must(t, "Start", b.Start())
		for range int(2 * time.Second / r.Period) {
			err := b.Step(r.Period)
			if b.State() == device.Faulty {
				break
			}
			if err != nil {
				continue
			}
			var row []float64
			s := Subject{Device: b.Driver, Parts: b.parts}
			for _, part := range s.parts() {
				row = readings(part, row)
			}
			same := func(x, y float64) bool { return x == y || x != x && y != y }
			if len(rows) == 0 || !slices.EqualFunc(row, rows[len(rows)-1], same) {
				rows = append(rows, row)
			}
		}
		return rows
	}
	b := r.bench(t, wire.Faults{})
	want := log(b)
	recording, missed := b.recorder.Recording()
	if missed > 0 || len(want) == 0 {
		t.Fatalf("recorded %d exchanges and %d readings, missed %d", len(recording), len(want), missed)
	}
	player := wire.NewPlayer("memory://bench", recording, r.Kind)
	second := &bench{Driver: r.Driver(player), silent: true, period: r.Period}
	if r.Parts != nil {
		second.parts = r.Parts(second.Driver)
	}
	got := log(second)
	if len(got) == 0 {
		t.Fatalf("the recording gave no readings; %s", player.Difference())
	}
	for i, row := range got { // a player gives what it has without the pauses between, so some are passed over
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if !slices.ContainsFunc(want, func(w []float64) bool { return slices.EqualFunc(row, w, same) }) {
			t.Fatalf("reading %d of %d from the recording never occurred; %s", i, len(got), player.Difference())
		}
	}
	t.Logf("%d of %d readings; %s", len(got), len(want), player.Difference())
}

// faultyAllocations counts what steps allocate while the device is unplugged, frozen, and plugged in again.
func (r *Rig) faultyAllocations(t *testing.T) {
	b := r.running(t, wire.Faults{})
	var before, after runtime.MemStats
	steps := func() (allocated uint64) {
		for range 300 {
			if !b.silent {
				_ = b.emulator.Step(b.period) // it may allocate
			}
			runtime.ReadMemStats(&before)
			_ = b.Driver.Step(b.period)
			runtime.ReadMemStats(&after)
			allocated += after.Mallocs - before.Mallocs
		}
		return allocated
	}
	var allocated uint64
	for range allocationRounds {
		b.injector.Unplug()
		allocated = steps()
		b.injector.Plug()
		allocated += steps()
		b.silent = true
		allocated += steps()
		if b.silent = false; allocated == 0 {
			return
		}
	}
	t.Errorf("900 steps of an unplugged, reconnected and frozen device allocated %d objects, want none", allocated)
}
