package record

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// meter is a log that counts how often its parts are read, and measures the memory in use meanwhile.
type meter struct {
	log  *bytes.Reader
	read map[int64]int // how often, by offset
	most uint64        // bytes in use, the greatest
}

func (m *meter) ReadAt(b []byte, at int64) (int, error) {
	n, err := m.log.ReadAt(b, at)
	if m.read[at]++; n > 1<<10 { // a chunk
		m.most = max(m.most, inUse())
	}
	return n, err
}

// inUse returns the bytes that are reachable.
func inUse() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// metered returns a log of two signals, with another value in the last sample.
func metered(t *testing.T, ticks int, last float64) (*meter, *Reader) {
	t.Helper()
	var values []logged
	for n := range ticks {
		values = append(values, logged{"a.x", int64(n) * 1e6, 1}, logged{"b.y", int64(n) * 1e6, 2})
	}
	values[len(values)-1].value = last
	b := bytesOf(t, values)
	m := &meter{log: bytes.NewReader(b), read: map[int64]int{}}
	r, err := newReader("test.mcap", m, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return m, r
}

// Logs that are larger than the memory a comparison may use are compared to their ends, and read once.
func TestLogsLargerThanTheBoundAreReadOnce(t *testing.T) {
	const ticks, record, bound = 400_000, 43, 16 << 20 // a message takes 43 bytes in its chunk
	if 2*ticks*record < 2*bound {
		t.Fatal("the logs are not larger than the bound")
	}
	left, a := metered(t, ticks, 2)
	right, b := metered(t, ticks, 3)
	before := inUse()
	clear(left.read)
	clear(right.read)
	c, err := Compare(LogSet{a}, LogSet{b}, CompareOptions{})
	if err != nil || c.Equal != 2*ticks-1 || len(c.Signals) != 1 || c.Signals[0].Name != "b.y" || c.Signals[0].First != (ticks-1)*1e6 {
		t.Fatalf("got %+v, %v", c, err)
	}
	for _, m := range []*meter{left, right} {
		for at, times := range m.read {
			if times > 1 {
				t.Fatalf("the bytes at %d were read %d times", at, times)
			}
		}
		if len(m.read) < 2*ticks*record>>20 {
			t.Errorf("%d reads for chunks of 1 MiB", len(m.read))
		}
		if m.most > before+bound {
			t.Errorf("%d MiB were in use, want %d at most", (m.most-before)>>20, bound>>20)
		}
	}
}

// At one instant the runs may have their samples in any order, within the bound; in the same order one sample of 12 bytes is held.
func TestSamplesOfOneInstantAreHeldWithinTheBound(t *testing.T) {
	var values, turned []logged
	for n := range 100 {
		name := "a.x" + string(rune('a'+n%20))
		values = append(values, logged{name, 5e6, float64(n)})
	}
	for n := range 20 {
		for k := n; k < 100; k += 20 {
			turned = append([]logged{values[k]}, turned...)
		}
	}
	for n := range turned[:50] { // the oldest sample of a signal first
		turned[n], turned[99-n] = turned[99-n], turned[n]
	}
	for _, limit := range []struct {
		right []logged
		bytes int
		want  string
	}{{turned, 1200, ""}, {values, 12, ""}, {turned, 100, "more than 100 bytes of samples at 0.005000 s have no counterpart"}} {
		a, b := logOf(t, values), logOf(t, limit.right)
		signals, names := map[string][2]*Reader{}, []string{}
		for _, channel := range a.Channels() {
			signals[channel.Name], names = [2]*Reader{a, b}, append(names, channel.Name)
		}
		logs, pairs := comparedLogs(LogSet{a}, LogSet{b}, signals, names)
		err := (&comparer{within: span{until: 5e6}, most: limit.bytes}).compare(logs)
		if limit.want != "" {
			if err == nil || !strings.Contains(err.Error(), limit.want) {
				t.Errorf("got %v, want %s", err, limit.want)
			}
			continue
		}
		for _, p := range pairs {
			if err != nil || p.Equal != 5 || p.differences() > 0 {
				t.Errorf("%+v, %v", p, err)
			}
		}
	}
}
