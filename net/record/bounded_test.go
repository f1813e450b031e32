package record

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit/oracle"
	"github.com/sinew-robotics/sinew/net/schema"
)

func boundedFor[T any](t *testing.T, most int) *schema.Layout {
	t.Helper()
	typ, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return typ.Bounded(most).Layout()
}

// Values with lengths of their own are in the log as they were; Foxglove's reader finds the same.
func TestValuesOfOwnLengthsAreRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.mcap")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	l := boundedFor[[]float64](t, 5000)
	scan, err := w.AddChannel("lidar.ranges", l)
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for i := range 50 {
		v := []any{}
		for k := range i % 4 {
			v = append(v, float64(10*i+k))
		}
		want = append(want, map[string]any{"data": v})
		if err := w.Write(Sample{scan, int64(i) * 1e9, int64(i) * 1e9, uint32(i), cdrOf(t, l, v)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	times, values, err := r.Series("lidar.ranges[1]")
	if err != nil || !slices.Equal(times[:3], []float64{2, 3, 6}) || !slices.Equal(values[:3], []float64{21, 31, 61}) {
		t.Errorf("the second elements: %v at %v, %v", values, times, err)
	}
	if times, _, err := r.Series("lidar.ranges[4999]"); err != nil || len(times) != 0 {
		t.Errorf("the last element: %v, %v", times, err)
	}
	if _, _, err := r.Series("lidar.ranges[5000]"); err == nil {
		t.Error("an element beyond the bound was read")
	}
	names, err := r.Signals()
	if err != nil || len(names) != listedElements || names[1] != "lidar.ranges[1]" {
		t.Errorf("%d signals, %v", len(names), err)
	}
	var answers []struct {
		Messages []struct {
			Value any `json:"value"`
		} `json:"messages"`
	}
	oracle.Ask(t, "mcap-read.mjs", []string{path}, &answers)
	for i, m := range answers[0].Messages {
		if !reflect.DeepEqual(m.Value, want[i]) {
			t.Fatalf("sample %d: Foxglove reads %v, want %v", i, m.Value, want[i])
		}
	}
	if len(answers[0].Messages) != len(want) {
		t.Errorf("Foxglove reads %d samples, want %d", len(answers[0].Messages), len(want))
	}
}

func TestTableHasEmptyCellsForElementsThatAreNotThere(t *testing.T) {
	var text strings.Builder
	c := NewCSV(&text)
	l := boundedFor[[]float64](t, 3)
	id, err := c.AddChannel("a", l)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range [][]any{{1.0, 2.0}, {}, {3.0, 4.0, 5.0}} {
		if err := c.Write(Sample{Channel: id, LogTime: int64(i) * 1e9, CDR: cdrOf(t, l, v)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Write(Sample{Channel: id, LogTime: 4e9, CDR: make([]byte, 8)}); err == nil {
		t.Error("a sample that is no value of the list was written")
	}
	if _, err := NewCSV(&text).AddChannel("image", boundedFor[[]uint8](t, 1<<20)); err == nil || !strings.Contains(err.Error(), "record it into a log that ends in .mcap") {
		t.Errorf("a table takes a million columns: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "time,a[0],a[1],a[2],lost\n0.000000000,1,2,,0\n1.000000000,,,,0\n2.000000000,3,4,5,1\n"
	if text.String() != want {
		t.Errorf("%s\nwant %s", text.String(), want)
	}
}
