package nats

import (
	"encoding/json"
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// anyNumber draws a number, also those that JSON does not have.
func anyNumber() *rapid.Generator[any] {
	return rapid.OneOf(rapid.Float64().AsAny(), rapid.SampledFrom([]any{math.NaN(), math.Inf(1), math.Inf(-1), 0.0, 1e-7, 1e21, 123456789.0, math.MaxFloat64}))
}

// anyValue draws what ports carry.
func anyValue() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return rapid.SliceOfN(anyNumber(), 0, 5).Draw(t, "list")
		case 1:
			return map[string]any{"on": rapid.Bool().Draw(t, "on"), "none": nil, "name": rapid.String().Draw(t, "name"),
				"rows": []any{rapid.SliceOf(anyNumber()).Draw(t, "row"), map[string]any{"x": anyNumber().Draw(t, "x")}}}
		}
		return anyNumber().Draw(t, "number")
	})
}

// same compares values; NaN is NaN.
func same(a, b any) bool {
	return reflect.DeepEqual(admin.Finite(a), admin.Finite(b))
}

// TestTelemetryReadsBack writes any samples and reads them.
func TestTelemetryReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ids []int
		var samples []admin.Sample
		seq := rapid.Uint64Max(math.MaxInt64).Draw(t, "seq")
		message := beginTelemetry(nil, "a run", seq)
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			s := admin.Sample{Time: clock.Time(rapid.Int64().Draw(t, "time")), Count: rapid.Uint32().Draw(t, "count"), Value: anyValue().Draw(t, "value"),
				Age: time.Duration(rapid.Int64().Draw(t, "age"))}
			id := rapid.IntMin(0).Draw(t, "id")
			message = appendTapped(message, id, appendSample(nil, s))
			ids, samples = append(ids, id), append(samples, s)
		}
		message = endTelemetry(message)
		if !json.Valid(message) {
			t.Fatalf("no JSON: %s", message)
		}
		m, err := readTelemetry(message)
		if err != nil || m.run != "a run" || m.seq != seq {
			t.Fatalf("%+v, %v", m, err)
		}
		for i, want := range samples {
			id, s, ok := m.next()
			if !ok || id != ids[i] || s.Time != want.Time || s.Count != want.Count || s.Age != want.Age || !same(s.Value, want.Value) {
				t.Fatalf("sample %d of %s: %v %v, %v", i, message, id, s, ok)
			}
		}
		if _, _, ok := m.next(); ok || m.scan.problem() != nil || m.scan.at != len(message) {
			t.Fatalf("after the last sample of %s: %v", message, m.scan.problem())
		}
	})
}

// FuzzTelemetry reads anything: what is JSON becomes what package encoding/json makes of it, and nothing makes it panic.
func FuzzTelemetry(f *testing.F) {
	for _, seed := range []string{`{"run":"x","seq":7,"samples":[[1,120000,3,0.25],[2,-1,4,["NaN","+Inf",{"a":"b\n\u00e4","c":[]}],80]]}`,
		`{"run":"x","seq":0,"samples":[]}`, `{"run":"x","seq":0,"samples":[[1,2,3,4`, `{"run":"x","seq":0,"samples":[[1,2,3,1e999]]}`,
		`{"run":"x","seq":0,"samples":[[1,2,3,"\`, `{"run":"x","seq":0,"samples":[[1,2,3,{1:2}]]}`, `{"run":"x","seq":0,"samples":[[1,2,3,{"":{"":[[[[`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readTelemetry(data)
		if err != nil {
			return
		}
		var want struct {
			Seq     json.Number `json:"seq"`
			Samples [][]any     `json:"samples"`
		}
		valid := json.Unmarshal(data, &want) == nil
		n := 0
		for ; ; n++ {
			_, s, ok := m.next()
			if !ok {
				break
			}
			if valid && !same(s.Value, admin.Number(want.Samples[n][3])) {
				t.Errorf("sample %d of %q is %v", n, data, s)
			}
		}
		if valid && m.scan.problem() == nil && n != len(want.Samples) {
			t.Errorf("%d samples of %q", n, data)
		}
	})
}

// TestNumbersAllocateNothing writes a message of numbers, and reads it with one allocation for each: that of its box.
func TestNumbersAllocateNothing(t *testing.T) {
	const samples = 1000
	var message []byte
	write := func() {
		message = beginTelemetry(message[:0], "run", 7)
		var sample []byte
		for i := range samples {
			sample = appendSample(sample[:0], admin.Sample{Time: clock.Time(i) * 1e9, Count: uint32(i), Value: boxed})
			message = appendTapped(message, i, sample)
		}
		message = endTelemetry(message)
	}
	read := func() {
		m, _ := readTelemetry(message)
		for {
			if _, _, ok := m.next(); !ok {
				return
			}
		}
	}
	write()
	if n := allocations(write); n > 10 {
		t.Errorf("%d samples are written with %d allocations", samples, n)
	}
	if n := allocations(read); n > samples+10 {
		t.Errorf("%d samples are read with %d allocations", samples, n)
	}
}

var boxed any = 0.123456789

func allocations(do func()) uint64 {
	var before, after runtime.MemStats
	do()
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

func BenchmarkTelemetry(b *testing.B) {
	const samples = 600
	var message []byte
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			message = beginTelemetry(message[:0], "run", 7)
			var sample []byte
			for i := range samples {
				sample = appendSample(sample[:0], admin.Sample{Time: clock.Time(i) * 1e9, Count: uint32(i), Value: boxed})
				message = appendTapped(message, i, sample)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/samples, "ns/sample")
	})
	b.Run("read", func(b *testing.B) {
		message = endTelemetry(message)
		for b.Loop() {
			m, _ := readTelemetry(message)
			for _, _, ok := m.next(); ok; _, _, ok = m.next() {
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/samples, "ns/sample")
	})
}
