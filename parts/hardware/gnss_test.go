package hardware

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/nmea"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

// TestPositionIsTheSameSimulatedAndEmulated receives a place with either driver, the real one over a pseudo-terminal, which is unplugged in the end.
func TestPositionIsTheSameSimulatedAndEmulated(t *testing.T) {
	path := t.TempDir() + "/receiver"
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := nmea.NewEmulator(far, 100*time.Millisecond)
	e.Fix.Latitude, e.Fix.Longitude, e.Fix.Height = 0.5, -1.25, 300
	for _, params := range []map[string]any{{"place": []any{0.5, -1.25, 300.0}}, {"driver": "nmea", "address": "serial://" + path}} {
		b := &GNSS{}
		net, err := build(b, params)
		if err != nil {
			t.Fatal(err)
		}
		e.Fix.Quality = device.Autonomous
		core := thread.New(net, thread.Options{Until: clock.At(4 * time.Second)})
		var warnings []string
		core.Front().OnWarning(func(w thread.Warning) { warnings = append(warnings, w.String()) })
		core.Front().Go(func(p *thread.Participant) {
			for k := 1; p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
				if k < 3000 {
					_ = e.Step(time.Millisecond)
				}
				at := b.Position.Value()
				switch {
				case k == 500:
					if len(at) != 3 || math.Abs(at[0]-0.5) > 1e-9 || math.Abs(at[1]+1.25) > 1e-9 || at[2] != 300 || b.Quality.Value() == 0 {
						t.Errorf("%v: position %v", params, at)
					}
					e.Fix.Quality = device.NoFix
				case k == 1000 && b.sim == nil:
					if len(at) != 0 || b.Quality.Value() != 0 || b.Solutions.Value() < 8 || warnings != nil {
						t.Errorf("without a fix: position %v, quality %v; %q", at, b.Quality.Value(), warnings)
					}
					e.Fix.Quality = device.Autonomous
				case k == 2900 && len(at) != 3:
					t.Errorf("%v: position %v", params, at)
				case k == 3000 && b.sim == nil:
					_ = far.Close()
				case k == 3100 && b.sim == nil:
					if len(at) != 0 || b.Quality.Value() != 0 || len(warnings) != 1 || !strings.Contains(warnings[0], "NMEA receiver at serial://"+path+": lost") {
						t.Errorf("unplugged: position %v, %q", at, warnings)
					}
				}
			}
		})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Errorf("%v: %v", params, err)
		}
	}
}

func TestHeightThatIsNotMeasuredIsNotWritten(t *testing.T) {
	b := &GNSS{}
	if _, err := build(b, map[string]any{"driver": "nmea", "address": "serial:///dev/there-is-none"}); err != nil {
		t.Fatal(err)
	}
	near, far := wire.Pipe("memory://receiver")
	_ = far.Open()
	d := nmea.On(near)
	b.device, b.receiver = d, d
	e := nmea.NewEmulator(far, 10*time.Millisecond)
	e.Fix.Latitude, e.Fix.Longitude, e.Fix.North, e.Fix.East, e.Fix.Quality = 0, 0, 0, 3, device.Autonomous
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	step := func() {
		_ = e.Step(10 * time.Millisecond)
		if err := b.Step(clock.Tick{Dt: 10 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		step()
	}
	if at, v := b.Position.Value(), b.Velocity.Value(); !slices.Equal(at, []float64{0, 0}) || len(v) != 2 || math.Abs(v[1]-3) > 1e-4 || len(b.Deviation.Value()) != 0 {
		t.Errorf("position %v, velocity %v, deviation %v", at, v, b.Deviation.Value())
	}
	testkit.NoAllocs(t, 1000, step)
}
