package report

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// armLog writes the log of an arm of two joints whose ports have none of Janus's names: it follows a sine with an error of 0.1 cos, and
// its first measured sample is 0 because its block had no data yet.
func armLog(t *testing.T, watch ...string) *Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arm.mcap")
	w, err := record.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	value := make([]float64, 2)
	layout, err := schema.LayoutOf(reflect.ValueOf(value))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]record.ID{}
	names := []string{"planner.position", "robot.position", "robot.torque"}
	for _, name := range names {
		if ids[name], err = w.AddChannel(name, layout); err != nil {
			t.Fatal(err)
		}
	}
	cdr := make([]byte, layout.Size())
	for k := range 1000 {
		x := float64(k) * 2 * math.Pi / 1000
		for _, name := range names {
			for i := range value {
				want := 2 + math.Sin(x) + float64(i)
				switch name {
				case "planner.position":
					value[i] = want
				case "robot.position":
					if value[i] = want - 0.1*math.Cos(x); k == 0 {
						value[i] = 0
					}
				default:
					value[i] = 7
				}
			}
			layout.Encode(cdr, unsafe.Pointer(&value))
			if err := w.Write(record.Sample{Channel: ids[name], LogTime: int64(k) * 1e7, CDR: cdr}); err != nil {
				t.Fatal(err)
			}
		}
	}
	statistics, err := json.Marshal(record.RunStatistics{System: "arm", Duration: 10, Watch: watch,
		Units: map[string]string{"planner.position": "rad", "robot.position": "rad", "robot.torque": "N m"},
		Shows: map[string]string{"planner.position": "joint_desired", "robot.position": "joint_position"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Attach(record.StatisticsName, "application/json", statistics); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestReportComparesVectorsOfAnyRobot(t *testing.T) {
	l := armLog(t, "robot.torque[0:1]")
	var page strings.Builder
	if err := Page(&page, []*Log{l}, nil); err != nil {
		t.Fatal(err)
	}
	// The RMS of 0.1 cos over a period is 0.0707, its greatest value 0.1. With the first sample they would be 0.12 and 3.
	for _, want := range []string{"planner.position[1] − robot.position[1]", "<td>0.0707</td><td>0.1</td>", "desired (dashed) and measured", "robot.torque[0]", "[N m]"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if strings.Contains(page.String(), "robot.torque[1]") {
		t.Error("the page shows an element that is not watched")
	}
}

func TestFirstSamplesWithoutDataAreNoErrors(t *testing.T) {
	l := armLog(t)
	list, err := l.errors()
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, s := range list {
		if s.MaxAbs() > 0.1001 || len(s.Values) != 999 {
			t.Errorf("%s: %d samples, at most %g", s.Name, len(s.Values), s.MaxAbs())
		}
	}
}

func TestPlotSelectsVectorsAndRanges(t *testing.T) {
	l := armLog(t)
	for pattern, want := range map[string]int{"robot.torque": 2, "robot.position[*]": 2, "*.position[0:1]": 2, "robot.position[1]": 1} {
		if list, err := l.Select([]string{pattern}); err != nil || len(list) != want {
			t.Errorf("%s: %d signals, want %d; %v", pattern, len(list), want, err)
		}
	}
	for pattern, want := range map[string]string{
		"robot.position[2:4]": "robot.position has the elements 0 to 1",
		"robot.positon":       `did you mean "robot.position"`,
		"robot.position[":     "the bracket does not close",
	} {
		if _, err := l.Select([]string{pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
}

func TestReportDrawsTheGreatestErrors(t *testing.T) {
	var names []string
	found := map[string][]Signal{}
	for i := range mostErrors + 3 {
		name := string(rune('a' + i))
		names = append(names, name)
		found[name] = []Signal{{Name: name, Values: []float64{float64(i)}}}
	}
	drawn := greatestErrors(names, found)
	if len(drawn) != mostErrors || drawn["a"] || drawn["c"] || !drawn["d"] {
		t.Errorf("drawn are %v", drawn)
	}
}
