package watch

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// drain returns what a series would send.
func drain(t *testing.T, s *series) (times []int64, values []float64, lost uint64) {
	t.Helper()
	var f frame
	b := s.appendTo(nil, 7, &f)
	if len(b) == 0 {
		return nil, nil, f.lost
	}
	var parts [3]json.RawMessage
	var index int
	for i, into := range []any{&index, &times, &values} {
		if err := json.Unmarshal(b, &parts); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if err := json.Unmarshal(parts[i], into); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
	}
	if index != 7 || len(times) != len(values) {
		t.Fatalf("%s", b)
	}
	return times, values, f.lost
}

// TestThinningLosesNoPeak checks with random signals that however long the page does not read, the least and the greatest value
// stay, times go up, and what is missing is counted.
func TestThinningLosesNoPeak(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := &series{most: rapid.IntRange(seriesLeast, 64).Draw(r, "most")}
		all := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 1000).Draw(r, "values")
		least, greatest := math.Inf(1), math.Inf(-1)
		for i, v := range all {
			s.take(admin.Sample{Time: clock.Time(i), Value: v})
			least, greatest = min(least, v), max(greatest, v)
		}
		times, values, lost := drain(t, s)
		if len(values) > s.most || len(values)+int(lost) != len(all) {
			r.Fatalf("%d samples, %d lost, of %d; at most %d", len(values), lost, len(all), s.most)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for i, v := range values {
			if all[times[i]] != v || i > 0 && times[i] <= times[i-1] {
				r.Fatalf("sample %d: %v at %d", i, v, times[i])
			}
			low, high = min(low, v), max(high, v)
		}
		if low != least || high != greatest {
			r.Fatalf("from %v to %v, wants %v to %v", low, high, least, greatest)
		}
		if times, _, lost := drain(t, s); times != nil || lost != 0 {
			r.Fatal("samples are sent twice")
		}
	})
}

// TestFramesCarryTheAgeOfTheNewestValue checks it with a sample of the present, which has none, behind one that was old.
func TestFramesCarryTheAgeOfTheNewestValue(t *testing.T) {
	s := &series{most: seriesMost}
	for at, x := range []struct {
		ages []time.Duration
		want string
	}{{[]time.Duration{0, 80}, "[7,[0,1],[0,1],80]"}, {[]time.Duration{80, 0}, "[7,[0,1],[0,1]]"}} {
		for i, age := range x.ages {
			s.take(admin.Sample{Time: clock.Time(i), Value: float64(i), Age: age})
		}
		var f frame
		if got := string(s.appendTo(nil, 7, &f)); got != x.want {
			t.Errorf("frame %d is %s, want %s", at, got, x.want)
		}
	}
}

// TestNumbersSurvive checks that what a frame holds is what the port held, to the last bit.
func TestNumbersSurvive(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := rapid.Float64().Draw(r, "x")
		var back any
		if err := json.Unmarshal(admin.AppendNumber(nil, x), &back); err != nil {
			r.Fatalf("%v: %s", err, admin.AppendNumber(nil, x))
		}
		if f, ok := admin.Number(back).(float64); !ok || f != x && !(math.IsNaN(f) && math.IsNaN(x)) {
			r.Fatalf("%v came as %v", x, back)
		}
	})
}

func TestElementsChoosePartsOfValues(t *testing.T) {
	v := map[string]any{"pose": []any{1.0, map[string]any{"x": true}}}
	for name, want := range map[string]any{"pose.0": 1.0, "pose.1.x": true, "pose.2": nil, "pose.x": nil, "0": nil, "pose.1.x.y": nil} {
		e, err := newElement(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.of(v); got != want {
			t.Errorf("%s is %v", name, got)
		}
	}
	for _, bad := range []any{-1.0, 0.5, math.Inf(1), true, "a.b.c.d.e.f.g.h.i"} {
		if _, err := newElement(bad); err == nil {
			t.Errorf("element %v", bad)
		}
	}
}
