package record

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/schema"
)

// logged is a value of a signal at a time.
type logged struct {
	signal string
	at     int64
	value  float64
}

// logOf returns a log with the values, and what its run has missed.
func logOf(t *testing.T, values []logged, misses ...Miss) *Reader {
	t.Helper()
	return read(t, bytesOf(t, values, misses...))
}

// bytesOf returns the bytes of such a log.
func bytesOf(t *testing.T, values []logged, misses ...Miss) []byte {
	t.Helper()
	d := &disk{}
	w, err := newWriter("test.mcap", "", d)
	if err != nil {
		t.Fatal(err)
	}
	number, err := schema.For[float64]()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]ID{}
	for i, v := range values {
		id, ok := ids[v.signal]
		if !ok {
			if id, err = w.AddChannel(v.signal, number.Layout()); err != nil {
				t.Fatal(err)
			}
			ids[v.signal] = id
		}
		cdr := binary.LittleEndian.AppendUint64([]byte{0, 1, 0, 0}, math.Float64bits(v.value))
		if err := w.Write(Sample{Channel: id, LogTime: v.at, PublishTime: v.at, Sequence: uint32(i), CDR: cdr}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(RunStatistics{Misses: misses})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Attach(StatisticsName, "application/json", text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return d.contents()
}

// ramp is a signal whose value is its tick, in ms.
func ramp(signal string, ticks int) (values []logged) {
	for n := range ticks {
		values = append(values, logged{signal, int64(n) * 1e6, float64(n)})
	}
	return values
}

func TestEqualLogsDoNotPart(t *testing.T) {
	c, err := Compare(LogSet{logOf(t, ramp("a.x", 10))}, LogSet{logOf(t, ramp("a.x", 12))}, CompareOptions{})
	if err != nil || !c.Same() || c.Equal != 10 || c.Until != 9e6 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestSwappedTicksAreFound(t *testing.T) {
	values := ramp("a.x", 10)
	values[4].value, values[5].value = values[5].value, values[4].value
	c, err := Compare(LogSet{logOf(t, ramp("a.x", 10))}, LogSet{logOf(t, values)}, CompareOptions{})
	if err != nil || len(c.Signals) != 1 {
		t.Fatalf("got %+v, %v", c, err)
	}
	if s := c.Signals[0]; s.Name != "a.x" || s.First != 4e6 || s.Equal != 8 || s.Differ != 2 || s.Only != [2]uint64{} {
		t.Errorf("got %+v", s)
	}
}

func TestComparisonNamesTheFirstSignalThatParts(t *testing.T) {
	left := append(ramp("a.x", 10), ramp("b.y", 10)...)
	right := append(ramp("a.x", 10), ramp("b.y", 10)...)
	right[7].value = -1                       // a.x at 7 ms
	right = append(right[:13], right[14:]...) // b.y at 3 ms is missing
	miss := Miss{Thread: "b", First: 3e6, Last: 3e6, Links: []string{"a.x -> b.u"}}
	c, err := Compare(LogSet{logOf(t, left)}, LogSet{logOf(t, right, miss, Miss{Thread: "b", First: 60e6, Last: 61e6})}, CompareOptions{})
	if err != nil || len(c.Signals) != 2 || c.Signals[0].Name != "b.y" || c.Signals[0].Only != [2]uint64{1, 0} || c.Signals[0].First != 3e6 || c.Signals[0].Differ != 0 || c.Signals[1].First != 7e6 {
		t.Fatalf("got %+v, %v", c, err)
	}
	if len(c.Misses[0]) != 0 || len(c.Misses[1]) != 1 || c.Misses[1][0].String() != `thread "b" went on with old values at 0.003000 s: late over a.x -> b.u` {
		t.Errorf("misses %+v", c.Misses)
	}
}

// Where there were too many misses to be listed one by one, a comparison shows how coarse they are named.
func TestComparisonShowsHowCoarseMissesAreNamed(t *testing.T) {
	right := ramp("a.x", 60)
	right[20].value = -1
	misses := []Miss{
		{Thread: "a", First: 10e6, Last: 40e6, Count: 7, Gap: 16e6},
		{Thread: "a", First: 12e6, Last: 14e6, Count: 2, Gap: 2e6, Links: []string{"b.y -> a.u"}},
	}
	c, err := Compare(LogSet{logOf(t, ramp("a.x", 60))}, LogSet{logOf(t, right, misses...)}, CompareOptions{Settle: time.Millisecond})
	if err != nil || !c.Explained() || c.Gap(0) != 0 || c.Gap(1) != 16*time.Millisecond {
		t.Fatalf("got %+v, %v", c, err)
	}
	for i, want := range []string{
		`thread "a" did not run 7 times from 0.010000 s to 0.040000 s`,
		`thread "a" went on with old values 2 times from 0.012000 s to 0.014000 s: late over b.y -> a.u`,
	} {
		if got := c.Misses[1][i].String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A net that forgets differs for some ticks after a late value: such differences are counted apart.
func TestDifferencesAfterAMissAreExplained(t *testing.T) {
	values := ramp("a.x", 60)
	for _, n := range []int{10, 12, 13, 40} {
		values[n].value = -1
	}
	late := []Miss{{Thread: "a", First: 12e6, Last: 12e6, Links: []string{"b.y -> a.u"}}, {Thread: "a", First: 10e6, Last: 10e6}}
	for _, c := range []struct {
		settle, from time.Duration
		named, all   uint64
	}{
		{0, 0, 0, 4}, {time.Millisecond, 0, 3, 4}, {27 * time.Millisecond, 0, 3, 4}, {28 * time.Millisecond, 0, 4, 4},
		{time.Millisecond, 13 * time.Millisecond, 1, 2}, {time.Millisecond, 41 * time.Millisecond, 0, 0},
	} {
		got, err := Compare(LogSet{logOf(t, ramp("a.x", 60))}, LogSet{logOf(t, values, late...)}, CompareOptions{From: c.from, Settle: c.settle})
		if err != nil {
			t.Fatal(err)
		}
		var named, all uint64
		for _, s := range got.Signals {
			named, all = named+s.Named, all+s.Differ
		}
		if named != c.named || all != c.all || got.Explained() != (named == all) {
			t.Errorf("settling for %v, from %v: %d of %d differences are explained, want %d of %d", c.settle, c.from, named, all, c.named, c.all)
		}
	}
}

// The processes of a run have a log each; a miss of one explains what another has read.
func TestRunOfSeveralProcessesIsCompared(t *testing.T) {
	whole := logOf(t, append(ramp("a.x", 10), ramp("b.y", 10)...))
	other := ramp("b.y", 12)
	other[7].value = -1
	c, err := Compare(LogSet{whole}, LogSet{logOf(t, ramp("a.x", 11), Miss{Thread: "a", First: 6e6, Last: 6e6}), logOf(t, other)}, CompareOptions{Settle: time.Millisecond})
	if err != nil || c.Equal != 19 || len(c.Signals) != 1 || !c.Explained() || c.Until != 9e6 {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := Compare(LogSet{whole}, LogSet{whole, whole}, CompareOptions{}); err == nil || !strings.Contains(err.Error(), "are of one run and both have a.x") {
		t.Errorf("got %v", err)
	}
}

// Each process of a system has a log of its own: what only one of two logs has is listed, not compared.
func TestSignalsOfOneLogAreListed(t *testing.T) {
	c, err := Compare(LogSet{logOf(t, ramp("a.x", 3))}, LogSet{logOf(t, append(ramp("a.x", 3), ramp("b.y", 3)...))}, CompareOptions{})
	if err != nil || !c.Same() || c.Equal != 3 || len(c.Absent[1]) != 0 || len(c.Absent[0]) != 1 || c.Absent[0][0] != "b.y" {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := Compare(LogSet{logOf(t, ramp("a.x", 3))}, LogSet{logOf(t, ramp("b.y", 3))}, CompareOptions{}); err == nil || !strings.Contains(err.Error(), "no signal in common") {
		t.Errorf("got %v", err)
	}
}

func TestLogWithLossesIsNotCompared(t *testing.T) {
	d := &disk{}
	w, err := newWriter("test.mcap", "", d)
	if err != nil {
		t.Fatal(err)
	}
	number, err := schema.For[float64]()
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddChannel("a.x", number.Layout())
	if err != nil {
		t.Fatal(err)
	}
	w.Lost(id, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(LogSet{logOf(t, ramp("a.x", 3))}, LogSet{read(t, d.contents())}, CompareOptions{}); err == nil || !strings.Contains(err.Error(), "lacks 3 samples of a.x") {
		t.Errorf("got %v", err)
	}
}
