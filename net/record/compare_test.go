package record

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

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
	return read(t, d.contents())
}

// ramp is a signal whose value is its tick, in ms.
func ramp(signal string, ticks int) (values []logged) {
	for n := range ticks {
		values = append(values, logged{signal, int64(n) * 1e6, float64(n)})
	}
	return values
}

func TestEqualLogsDoNotPart(t *testing.T) {
	c, err := Compare(logOf(t, ramp("a.x", 10)), logOf(t, ramp("a.x", 12)))
	if err != nil || !c.Same() || c.Equal != 10 || c.Until != 9e6 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestSwappedTicksAreFound(t *testing.T) {
	values := ramp("a.x", 10)
	values[4].value, values[5].value = values[5].value, values[4].value
	c, err := Compare(logOf(t, ramp("a.x", 10)), logOf(t, values))
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
	c, err := Compare(logOf(t, left), logOf(t, right, miss, Miss{Thread: "b", First: 60e6, Last: 61e6}))
	if err != nil || len(c.Signals) != 2 || c.Signals[0].Name != "b.y" || c.Signals[0].Only != [2]uint64{1, 0} || c.Signals[1].First != 7e6 {
		t.Fatalf("got %+v, %v", c, err)
	}
	if len(c.Misses[0]) != 0 || len(c.Misses[1]) != 1 || c.Misses[1][0].String() != `thread "b" went on with old values at 0.003000 s: late over a.x -> b.u` {
		t.Errorf("misses %+v", c.Misses)
	}
}

// Each process of a system has a log of its own: what only one of two logs has is listed, not compared.
func TestSignalsOfOneLogAreListed(t *testing.T) {
	c, err := Compare(logOf(t, ramp("a.x", 3)), logOf(t, append(ramp("a.x", 3), ramp("b.y", 3)...)))
	if err != nil || !c.Same() || c.Equal != 3 || len(c.Absent[1]) != 0 || len(c.Absent[0]) != 1 || c.Absent[0][0] != "b.y" {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := Compare(logOf(t, ramp("a.x", 3)), logOf(t, ramp("b.y", 3))); err == nil || !strings.Contains(err.Error(), "no signal in common") {
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
	if _, err := Compare(logOf(t, ramp("a.x", 3)), read(t, d.contents())); err == nil || !strings.Contains(err.Error(), "lacks 3 samples of a.x") {
		t.Errorf("got %v", err)
	}
}
