package schema

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestCodecAllocatesNothing(t *testing.T) {
	v := sample()
	l, err := LayoutOf(reflect.ValueOf(v))
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, l.Size())
	bad := make([]byte, l.Size())
	testkit.NoAllocs(t, 1000, func() {
		l.Encode(buf, unsafe.Pointer(&v))
		if l.Decode(unsafe.Pointer(&v), buf) != nil || l.Decode(unsafe.Pointer(&v), bad) == nil {
			t.Error("decode")
		}
	})
}

func TestContiguousMemoryIsOneCopy(t *testing.T) {
	type state struct {
		Position, Velocity Vec
		Gains              [4]float64
		Points             []Vec
	}
	l, err := LayoutOf(reflect.ValueOf(state{Points: make([]Vec, 100)}))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.runs) != 2 {
		t.Errorf("%d copies, want 2: the struct and its slice", len(l.runs))
	}
}

func TestLayoutMisusePanics(t *testing.T) {
	ty, _ := For[[]float64]()
	parsed, _ := Parse(ty.Name(), ty.Definition())
	var v []float64
	for name, f := range map[string]func(){
		"no length":    func() { ty.Layout() },
		"negative":     func() { ty.Layout(-1) },
		"huge":         func() { ty.Layout(math.MaxInt) },
		"too large":    func() { ty.Layout(MaxSize / 8) },
		"short buffer": func() { ty.Layout(0).Encode(nil, unsafe.Pointer(&v)) },
		"no memory":    func() { parsed.Layout(0).Encode(make([]byte, 8), unsafe.Pointer(&v)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name, "does not panic")
				}
			}()
			f()
		}()
	}
}

// FuzzDecode decodes arbitrary bytes, as they may arrive over a network.
func FuzzDecode(f *testing.F) {
	v := sample()
	l, err := LayoutOf(reflect.ValueOf(v))
	if err != nil {
		f.Fatal(err)
	}
	good := make([]byte, l.Size())
	l.Encode(good, unsafe.Pointer(&v))
	f.Add(good)
	f.Add([]byte{0, 1, 0, 0})
	f.Fuzz(func(t *testing.T, src []byte) {
		got := sample()
		err := l.Decode(unsafe.Pointer(&got), src)
		if (err == nil) != (l.Check(src) == nil) {
			t.Fatal("Check and Decode disagree")
		}
		if err != nil {
			return
		}
		again := make([]byte, l.Size())
		l.Encode(again, unsafe.Pointer(&got))
		if err := l.Check(again); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkEncodeFloat64(b *testing.B)  { benchmarkEncode(b, 1.5) }
func BenchmarkEncode40Floats(b *testing.B) { benchmarkEncode(b, make([]float64, 40)) }
func BenchmarkEncodeMixed(b *testing.B)    { benchmarkEncode(b, sample()) }
func BenchmarkEncodeImage640(b *testing.B) { benchmarkEncode(b, make([]uint8, 640*480)) }

func benchmarkEncode[T any](b *testing.B, v T) {
	l, err := LayoutOf(reflect.ValueOf(v))
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, l.Size())
	b.SetBytes(int64(l.Size()))
	for b.Loop() {
		l.Encode(buf, unsafe.Pointer(&v))
	}
}
