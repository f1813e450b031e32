package history

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
)

const ms = clock.Time(time.Millisecond)

// fill pushes f at 1 kHz for some time.
func fill(t *track, duration time.Duration, l limits, f func(at clock.Time) float64) {
	for at := clock.Time(0); at < clock.Time(duration); at += ms {
		t.push(at, f(at), l)
	}
}

func TestTenMinutesOf200SignalsAt1kHzTakeLessThan200MB(t *testing.T) {
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	tracks := make([]track, 200)
	for i := range tracks {
		fill(&tracks[i], 12*time.Minute, limitsOf(len(tracks)), func(at clock.Time) float64 { return math.Sin(float64(at)) })
	}
	used := heap() - before
	t.Logf("%.1f MB", float64(used)/1e6)
	if used > 200e6 {
		t.Errorf("200 signals take %d bytes", used)
	}
	if at, ok := tracks[7].first(); !ok || at > 2*60_000*ms+10_000*ms {
		t.Errorf("the oldest value of twelve minutes is at %v", time.Duration(at))
	}
	runtime.KeepAlive(tracks)
}

func TestManyNumbersShareTheMemoryOfAHistory(t *testing.T) {
	for _, n := range []int{1, 200, 201, 1000, maxNumbers} {
		l := limitsOf(n)
		if size := n * (l.recent*sampleSize + l.spans*spanSize); size > 200e6 {
			t.Errorf("%d numbers may take %d bytes", n, size)
		}
		if covered := time.Duration(l.spans) * time.Duration(l.span); covered < length-time.Second {
			t.Errorf("%d numbers are kept for %v", n, covered)
		}
	}
}

func TestAValueIsTheLastOneBefore(t *testing.T) {
	var x track
	l := limits{2 * chunk, 4 * chunk, 25 * ms}
	fill(&x, 5*time.Second, l, func(at clock.Time) float64 { return float64(at / ms) })
	if _, ok := x.value(-1); ok {
		t.Error("a value before the first")
	}
	for _, at := range []clock.Time{25, 26, 40, 1000, 2499, 4700, 4701, 4999, 9000} {
		v, ok := x.value(at*ms + 3)
		want := min(float64(at), 4999)
		if late := want - v; !ok || late < 0 || late > 25 || at > 4750 && late != 0 {
			t.Errorf("at %d ms: %v %v", at, v, ok)
		}
	}
	x.push(3*clock.Time(time.Second), -1, l)
	if v, _ := x.value(9 * clock.Time(time.Second)); v != 4999 {
		t.Errorf("after a sample of the past: %v", v)
	}
}

func TestCurvesLoseNoPeak(t *testing.T) {
	rng := testkit.Rand(t)
	for range 20 {
		var x track
		peak := clock.Time(rng.IntN(60_000)) * ms
		fill(&x, time.Minute, limits{4 * chunk, 16 * chunk, 25 * ms}, func(at clock.Time) float64 {
			switch at {
			case peak:
				return 100
			case peak + 3*ms:
				return -100
			}
			return 0
		})
		points := 100 + rng.IntN(1000)
		times, values := x.curve(0, 60_000*ms, points)
		least, greatest := 0.0, 0.0
		for i, v := range values {
			least, greatest = min(least, v), max(greatest, v)
			if i > 0 && times[i] < times[i-1] {
				t.Fatalf("times go back: %d after %d", times[i], times[i-1])
			}
		}
		if greatest != 100 || least != -100 && peak < 59_997*ms || len(times) > points {
			t.Fatalf("a peak at %v: %v to %v in %d of %d points", time.Duration(peak), least, greatest, len(times), points)
		}
	}
}

func TestTracksDoNotAllocateWhenTheyAreFull(t *testing.T) {
	var x track
	l := limits{2 * chunk, 2 * chunk, 2 * ms}
	fill(&x, 10*time.Second, l, func(clock.Time) float64 { return 1 })
	at := 10 * clock.Time(time.Second)
	testkit.NoAllocs(t, 1000, func() { at += ms; x.push(at, 2, l) })
}
