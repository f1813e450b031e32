package record

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// A writer in steady state reuses its buffers and allocates almost nothing.
func TestWriteReusesBuffers(t *testing.T) {
	w, err := newWriter("test.mcap", "", &disk{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	l := layoutFor[float64](t)
	id, _ := w.AddChannel("x", l)
	cdr := cdrOf(t, l, 1)
	write := func() {
		for i := range 1000 {
			w.Write(Sample{id, int64(i), 0, 0, cdr})
		}
	}
	write()
	if n := testkit.Mallocs(write); n > 50 { // the growth of buffers
		t.Errorf("%d allocations for 1000 samples", n)
	}
}

// Two threads at 30 kHz: the cost of a sample, and the share of a core at 60,000
// samples a second. Run with -cpu 1, so that the goroutine's work counts too.
func BenchmarkWrite(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "log.mcap"))
	if err != nil {
		b.Fatal(err)
	}
	l := layoutFor[float64](b)
	var ids [2]ID
	for i, name := range []string{"joint1.position", "joint2.position"} {
		ids[i], _ = w.AddChannel(name, l)
	}
	cdr := make([]byte, l.Size())
	cdr[1] = 1
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		t := float64(i/2) / 30e3
		binary.LittleEndian.PutUint64(cdr[4:], math.Float64bits(math.Sin(t)+1e-4*math.Sin(1e5*t*t)))
		if err := w.Write(Sample{ids[i&1], int64(t * 1e9), int64(t * 1e9), uint32(i / 2), cdr}); err != nil {
			b.Fatal(err)
		}
		i++
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	perSample := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(perSample*60e3*100, "%core@60kHz")
}

func BenchmarkSeries(b *testing.B) {
	d := &disk{}
	w, _ := newWriter("test.mcap", "", d)
	l := layoutFor[[7]float64](b)
	id, _ := w.AddChannel("q", l)
	cdr := make([]byte, l.Size())
	cdr[1] = 1
	for i := range 100_000 {
		w.Write(Sample{id, int64(i) * int64(time.Millisecond), 0, 0, cdr})
	}
	w.Close()
	r := read(b, d.contents())
	for b.Loop() {
		if _, v, err := r.Series("q[3]"); err != nil || len(v) != 100_000 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/100_000*1e9, "ns/sample")
}
