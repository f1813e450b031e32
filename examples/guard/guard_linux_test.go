package guard

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/pb9"
	"github.com/sinew-robotics/sinew/device/scip"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
)

// run runs the example for 20 s of virtual time, calls every(k) before each millisecond, and returns the speed after each, and the warnings.
func run(t *testing.T, every func(k int), params ...string) (speeds []float64, warnings []string) {
	t.Helper()
	s, err := system.Load("guard.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), hardware.Blocks()), Params: params})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.Net.Blocks, func(b *port.Instance) bool { return b.Name == "speed" })
	lookup := s.Net.Blocks[i].Block.(*flow.Lookup)
	core := thread.New(s.Net, thread.Options{})
	front := core.Front()
	front.OnWarning(func(w thread.Warning) { warnings = append(warnings, w.String()) })
	front.Go(func(p *thread.Participant) {
		defer core.Stop()
		for k := 1; k <= 20000 && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			every(k)
			speeds = append(speeds, lookup.Out.Value()[0])
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Error(err)
	}
	return speeds, warnings
}

// emulators make the emulated scanner of each driver.
var emulators = map[string]func(w wire.Wire) driver.Emulator{
	"scip": func(w wire.Wire) driver.Emulator { return scip.NewEmulator(w, scip.URG04LX(), room.Distance) },
	"pb9":  func(w wire.Wire) driver.Emulator { return pb9.NewEmulator(w, room.Distance) },
}

var room = sim.Room{Length: 6, Width: 4, Pillar: 0.2, Orbit: 1, Period: 8}

// emulated runs the example with the emulated scanner of a driver on a pseudo-terminal, which is unplugged in the given milliseconds.
func emulated(t *testing.T, driver string, unplug, plug int) (speeds []float64, warnings []string, address string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "laser")
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := emulators[driver](far)
	address = "serial://" + path
	speeds, warnings = run(t, func(k int) {
		switch {
		case k == unplug:
			_ = far.Close()
		case k == plug:
			if err := far.Open(); err != nil {
				t.Error(err)
			}
		}
		if k < unplug || k >= plug {
			if err := e.Step(time.Millisecond); err != nil {
				t.Error(err)
			}
		}
	}, "driver="+driver, "address="+address)
	return speeds, warnings, address
}

// A PB9-11 sees 162° instead of 240°: the vehicle is slowed down for a shorter time, and drives further.
func TestVehicleDrivesTheSameWithTheEmulatedScanner(t *testing.T) {
	simulated, warnings := run(t, func(int) {})
	way := func(speeds []float64) (metres float64) {
		for _, v := range speeds[1000:] {
			metres += v / 1000
		}
		return metres
	}
	slow := func(v float64) bool { return v < 0.15 }
	a := way(simulated)
	for driver, limits := range map[string][2]float64{"scip": {0.95 * a, 1.05 * a}, "pb9": {a, 1.5 * a}} {
		real, others, _ := emulated(t, driver, math.MaxInt, math.MaxInt)
		if len(warnings)+len(others) > 0 {
			t.Errorf("%s: warnings %q %q", driver, warnings, others)
		}
		if b := way(real); !(a > 3 && a < 9 && b > limits[0] && b < limits[1]) {
			t.Errorf("the vehicle drives %.3f m with the simulated scanner and %.3f m with %s", a, b, driver)
		}
		if !slices.ContainsFunc(simulated, slow) || !slices.ContainsFunc(real[1000:], slow) {
			t.Errorf("%s: the vehicle does not slow down at the pillar", driver)
		}
	}
}

func TestVehicleStandsWhileTheScannerIsUnplugged(t *testing.T) {
	const unplug, plug = 7000, 9000
	for driver, device := range map[string]string{"scip": "SCIP scanner", "pb9": "PB9-11 scanner"} {
		speeds, warnings, address := emulated(t, driver, unplug, plug)
		for k := unplug + 11; k < plug; k++ {
			if speeds[k-1] != 0 {
				t.Fatalf("%s: %d ms after the scanner was unplugged the vehicle drives at %v m/s", driver, k-unplug, speeds[k-1])
			}
		}
		again := slices.IndexFunc(speeds[plug:], func(v float64) bool { return v > 0 })
		if again < 0 || again > 1000 {
			t.Errorf("%s: the vehicle drives again %d ms after the scanner was plugged in", driver, again)
		}
		if len(warnings) != 2 || !strings.HasPrefix(warnings[0], `block "laser": `+device+` at `+address+": lost") || warnings[1] != `block "laser" works again` {
			t.Errorf("warnings %q", warnings)
		}
	}
}
