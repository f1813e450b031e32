package remote

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestOffsetFollowsDriftAndRestart estimates the clock of a peer that drifts, through a network of random delays, and
// its restart with another clock.
func TestOffsetFollowsDriftAndRestart(t *testing.T) {
	const period, base = 100e6, 300e3 // ns
	r := testkit.Rand(t)
	for range 50 {
		drift := (2*r.Float64() - 1) * 50e-6
		ahead := float64(r.Int64N(1e18)) - 5e17
		delay := func() float64 {
			d := base + r.ExpFloat64()*100e3
			if r.IntN(10) == 0 {
				d += r.Float64() * 50e6
			}
			return d
		}
		var o offset
		now, echo, held := 1e15, 0.0, 0.0
		for i := range 2000 {
			if i == 1000 {
				ahead = float64(r.Int64N(1e18)) - 5e17 // another clock
				echo = 0
			}
			ahead += drift * period
			there, back := delay(), delay() // this side's heartbeat arrived there at now-back-held
			if now += period; echo != 0 {
				held = r.Float64() * period
				echo = now - back - held - there
			}
			o.take(int64(now-back+ahead), int64(echo), int64(held), int64(now))
			echo = 1 // from now on there is a heartbeat to echo
			wrong := math.Abs(float64(o.ahead.Load()) - ahead)
			if trip := o.trip.Load(); trip != 0 && i%1000 > 1 && wrong > float64(trip) {
				t.Fatalf("heartbeat %d: the offset is wrong by %.0f ns, with a round trip of %d ns", i, wrong, trip)
			}
			if i%1000 > 500 && wrong > 500e3 {
				t.Fatalf("heartbeat %d: the offset is wrong by %.0f ns", i, wrong)
			}
		}
	}
}

// TestNoCodeReadsTheWallClock searches the sources: a step of the wall clock must have no effect.
func TestNoCodeReadsTheWallClock(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && strings.Contains(string(text), "time.Now(") {
			t.Errorf("%s reads the wall clock", name)
		}
	}
}
