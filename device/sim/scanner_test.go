package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/sim"
)

func TestScannerConforms(t *testing.T) {
	devicetest.Run(t, func(testing.TB) devicetest.Subject {
		return devicetest.Subject{Device: sim.NewScanner(sim.ScannerOptions{
			First: -1, Step: 0.1, Beams: 21, Period: 100 * time.Millisecond, Reach: 4, Room: sim.Room{Length: 6, Width: 4},
		})}
	})
}

func TestRoomHasWallsAndAPillar(t *testing.T) {
	r := sim.Room{Length: 6, Width: 4, Pillar: 0.2, Orbit: 1, Period: 8}
	for _, c := range []struct {
		angle, seconds, want float64
	}{
		{0, 4, 3}, {math.Pi / 2, 0, 2}, {math.Pi, 0, 3}, {-math.Pi / 2, 0, 2}, {math.Pi / 4, 4, 2 * math.Sqrt2},
		{0, 0, 0.8}, {math.Pi / 2, 2, 0.8}, {math.Asin(0.2) - 1e-9, 0, math.Sqrt(1 - 0.04)}, {math.Asin(0.2) + 1e-9, 0, 3 / math.Sqrt(1-0.04)},
	} {
		if got := r.Distance(c.angle, time.Duration(c.seconds*1e9)); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("at %v after %v s: %v, expected %v", c.angle, c.seconds, got, c.want)
		}
	}
}
