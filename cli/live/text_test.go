package live_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/record"
)

func TestValueWritesOneLine(t *testing.T) {
	value := map[string]any{"n": 1.5, "list": []any{1.0, "a", nil}}
	if got, want := live.Value(value), "{list: [1, a, –], n: 1.5}"; got != want {
		t.Errorf("Value = %q, want %q", got, want)
	}
}

func TestPaceNamesTheLeader(t *testing.T) {
	for want, s := range map[string]*record.ThreadStatistics{"its own": {}, "that of fast": {Follow: "fast"}} {
		if got := live.Pace(s); got != want {
			t.Errorf("Pace = %q, want %q", got, want)
		}
	}
}

func TestDurationsHaveASuitableUnit(t *testing.T) {
	if got := live.Seconds(0.0012345678) + " " + live.Nanoseconds(1500); got != "1.23457ms 1.5µs" {
		t.Errorf("durations are %q", got)
	}
}
