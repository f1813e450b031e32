package record

import (
	"bytes"
	"testing"
)

// FuzzOpen reads arbitrary bytes as a log in every way that plots, reports and the console do.
func FuzzOpen(f *testing.F) {
	log := smallLog(f)
	if len(log) > 3000 {
		f.Fatalf("the seed has %d bytes: too many to minimize quickly", len(log))
	}
	f.Add(log)
	f.Add(log[:len(log)/2])
	f.Add(log[:len(log)-9])
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := newReader("fuzz.mcap", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		defer r.Close()
		first, last := r.Span()
		for _, c := range r.Channels() {
			if c.Type == nil && c.Problem == nil {
				t.Errorf("channel %q has neither a type nor a problem", c.Name)
			}
		}
		names, err := r.Signals()
		if err == nil && len(r.Damage()) == 0 {
			for _, name := range names {
				if times, values, err := r.Series(name); err == nil && len(times) != len(values) {
					t.Errorf("signal %s has %d times and %d values", name, len(times), len(values))
				}
			}
		}
		for s, err := range r.Samples(Filter{From: first, To: last/2 + 1}) {
			if err == nil && s.LogTime > last/2 {
				t.Errorf("a sample at %d, want only those before %d", s.LogTime, last/2+1)
			}
		}
		_, _ = r.Attachment(StatisticsName)
		_ = Copy(NewCSV(new(bytes.Buffer)), r, Filter{})
	})
}

// smallLog returns a complete log of a number and a record with a slice, with losses and an attachment.
func smallLog(f *testing.F) []byte {
	d := &disk{}
	w, err := newWriter("seed.mcap", "", d)
	if err != nil {
		f.Fatal(err)
	}
	number, poses := layoutFor[float64](f), layoutFor[pose](f, 1)
	a, _ := w.AddChannel("a", number)
	b, _ := w.AddChannel("b", poses)
	for i := range 3 {
		at := int64(i) * 1e6
		w.Write(Sample{a, at, at, uint32(i), cdrOf(f, number, i)})
		w.Write(Sample{b, at, at, uint32(i), cdrOf(f, poses, map[string]any{"position": []float64{1, 2, 3}, "valid": true, "ranges": []float64{1}})})
	}
	w.Lost(a, 2)
	w.Attach(StatisticsName, "application/json", []byte("{}"))
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return d.contents()
}
