package hardware

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/vectornav"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestMotionIsTheSameSimulatedAndEmulated measures a motion with either driver, the real one over a pseudo-terminal, which is unplugged in the end.
func TestMotionIsTheSameSimulatedAndEmulated(t *testing.T) {
	path := t.TempDir() + "/imu"
	far, err := wire.New("pty://"+path, wire.Bytes)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := far.Open(); err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	e := vectornav.NewEmulator(far)
	e.Velocity, e.Acceleration = spatial.Vec3{X: 0.5, Z: -1}, spatial.Vec3{Y: 2, Z: -9.5}
	for _, params := range []map[string]any{{"motion": []any{0.5, 0.0, -1.0, 0.0, 2.0, -9.5}}, {"driver": "vectornav", "address": "serial://" + path}} {
		b := &IMU{}
		net, err := build(b, params)
		if err != nil {
			t.Fatal(err)
		}
		core := thread.New(net, thread.Options{Until: clock.At(time.Second)})
		var warnings []string
		core.Front().OnWarning(func(w thread.Warning) { warnings = append(warnings, w.String()) })
		core.Front().Go(func(p *thread.Participant) {
			for k := 1; p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
				if k < 600 {
					_ = e.Step(time.Millisecond)
				}
				switch {
				case k == 500:
					if v, a := b.Velocity.Value(), b.Acceleration.Value(); !b.Valid.Value() || !slices.Equal(v, []float64{0.5, 0, -1}) || !slices.Equal(a, []float64{0, 2, -9.5}) {
						t.Errorf("%v: %v, %v, %v", params, b.Valid.Value(), v, a)
					}
				case k == 600 && b.sim == nil:
					_ = far.Close()
				case k == 650 && b.sim == nil:
					if b.Valid.Value() || b.Acceleration.Value()[2] != 0 || len(warnings) != 1 || !strings.Contains(warnings[0], "VectorNav IMU at serial://"+path+": lost") {
						t.Errorf("unplugged: %v, %v, %q", b.Valid.Value(), b.Acceleration.Value(), warnings)
					}
				}
			}
		})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Errorf("%v: %v", params, err)
		}
	}
}
