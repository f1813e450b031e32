package background

import (
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestSensorConforms(t *testing.T) {
	devicetest.Run(t, func(t testing.TB) devicetest.Subject {
		r, err := sim.Load(os.DirFS("../../models/janus"), "janus.urdf", "drives.yaml")
		if err != nil {
			t.Fatal(err)
		}
		read := func(v *float64) { *v = r.Axis(0).JointPosition() }
		return devicetest.Subject{Device: New(r, read, Options{Name: "janus", Period: time.Millisecond, Patience: 10 * time.Second}), Threads: 1}
	})
}

// probe is a device whose step waits for the test, and that fails until it is opened again.
type probe struct {
	gate            chan error // what the next step returns
	opened, stopped atomic.Int32
	failing         atomic.Bool
	refuses         atomic.Bool
	steps           int
	open, started   bool
}

var (
	errBroken  = errors.New("out of order")
	errRefused = errors.New("no such device")
)

func (p *probe) Open() error {
	if p.refuses.Load() {
		return errRefused
	}
	p.opened.Add(1)
	p.open = true
	p.failing.Store(false)
	return nil
}

func (p *probe) Start() error {
	p.started = p.open
	return nil
}

func (p *probe) Step(time.Duration) error {
	if !p.started {
		return device.ErrNotStarted
	}
	if p.gate != nil {
		if err := <-p.gate; err != nil {
			return err
		}
	}
	if p.failing.Load() {
		return errBroken
	}
	p.steps++
	return nil
}

func (p *probe) Stop() error {
	p.stopped.Add(1)
	p.started = false
	return nil
}

func (p *probe) Close() error {
	p.open, p.started = false, false
	return nil
}

type two struct{ Steps, Again int }

func start(t *testing.T, p *probe, patience time.Duration) *Sensor[two] {
	t.Helper()
	testkit.NoLeaks(t)
	s := New(p, func(v *two) { v.Steps, v.Again = p.steps, p.steps }, Options{Name: "sonar", Patience: patience})
	if err := errors.Join(s.Open(), s.Start()); err != nil {
		t.Fatal(err)
	}
	return s
}

// until steps the sensor, without a time that counts, until ok.
func until(t *testing.T, s *Sensor[two], what string, ok func(err error) bool) {
	t.Helper()
	testkit.AwaitEvery(t, 100*time.Microsecond, what, func() bool { return ok(s.Step(0)) })
}

func TestStepReturnsWhileTheDeviceIsSlow(t *testing.T) {
	p := &probe{gate: make(chan error)}
	s := start(t, p, 10*time.Second)
	for range 100 {
		if err := s.Step(100 * time.Millisecond); err != nil { // the device has not returned from its first step
			t.Fatal(err)
		}
	}
	if _, _, ok := s.Value(); ok {
		t.Error("a value before the first reading")
	}
	if err := s.Step(time.Millisecond); !errors.Is(err, ErrSilent) || err.Error() != "sonar: "+ErrSilent.Error() {
		t.Errorf("after the patience: %v", err)
	}
	p.gate <- nil
	until(t, s, "first reading", func(err error) bool { return err == nil })
	if v, age, ok := s.Value(); v != (two{1, 1}) || age != 0 || !ok {
		t.Errorf("first reading: %v, %v, %v", v, age, ok)
	}
	_ = s.Step(7 * time.Millisecond)
	if v, age, ok := s.Value(); v != (two{1, 1}) || age != 7*time.Millisecond || !ok {
		t.Errorf("the same reading 7 ms later: %v, %v, %v", v, age, ok)
	}
	close(p.gate)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFailedSensorIsInitializedAgain(t *testing.T) {
	p := &probe{}
	s := start(t, p, 50*time.Millisecond) // after which it is initialized, and again after twice as long
	var last two
	until(t, s, "reading", func(error) bool { v, _, ok := s.Value(); last = v; return ok })
	p.refuses.Store(true)
	p.failing.Store(true)
	until(t, s, "failure", func(err error) bool { return errors.Is(err, errBroken) || errors.Is(err, errRefused) })
	if v, _, ok := s.Value(); !ok || v.Steps < last.Steps || v.Steps != v.Again {
		t.Errorf("while it has failed: %v, %v; before it was %v", v, ok, last)
	}
	until(t, s, "reason why it cannot be opened", func(err error) bool { return errors.Is(err, errRefused) })
	p.refuses.Store(false)
	until(t, s, "recovery", func(err error) bool { return err == nil })
	if p.opened.Load() != 2 {
		t.Errorf("opened %d times", p.opened.Load())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Step(0); !errors.Is(err, device.ErrNotStarted) {
		t.Errorf("Step of a closed sensor: %v", err)
	}
}

func TestStopDoesNotWaitForADeviceThatHangs(t *testing.T) {
	p := &probe{gate: make(chan error)}
	s := start(t, p, 5*time.Millisecond)
	if err := s.Close(); !errors.Is(err, ErrHangs) {
		t.Errorf("Close: %v", err)
	}
	if err := s.Open(); !errors.Is(err, ErrHangs) {
		t.Errorf("Open while it hangs: %v", err)
	}
	p.gate <- nil
	testkit.Await(t, "it is opened after its call has returned", func() bool { return s.Open() == nil })
	if p.stopped.Load() != 1 {
		t.Errorf("the device was stopped %d times", p.stopped.Load())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Both members of a reading come from one step, whatever the threads do; with -race the exchange itself is checked.
func TestReadingsAreWhole(t *testing.T) {
	p := &probe{}
	s := start(t, p, 10*time.Second)
	steps := 0
	until(t, s, "1000 readings", func(err error) bool {
		v, _, _ := s.Value()
		if err != nil || v.Steps != v.Again || v.Steps < steps {
			t.Fatalf("%v after %d: %v", v, steps, err)
		}
		steps = v.Steps
		return steps >= 1000
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestNewPanicsOnMisuse(t *testing.T) {
	d := &probe{}
	for name, build := range map[string]func(){
		"no device":   func() { New(nil, func(*int) {}, Options{Patience: 1}) },
		"no patience": func() { New(d, func(*int) {}, Options{}) },
		"a slice":     func() { New(d, func(*struct{ A [2][]int }) {}, Options{Patience: 1}) },
		"a string":    func() { New(d, func(*string) {}, Options{Patience: 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}
