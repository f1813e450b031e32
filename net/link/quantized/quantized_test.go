package quantized

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/schema"
)

// mixed has numbers of several types, so that codes stand between other bytes.
type mixed struct {
	Valid    bool
	Position [3]float64
	Count    int16
	Force    [5]float32
}

func layoutOf(t testing.TB, v any) *schema.Layout {
	t.Helper()
	l, err := schema.LayoutOf(reflect.ValueOf(v))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func options(min, max float64, bits int) map[string]string {
	return map[string]string{"min": fmt.Sprint(min), "max": fmt.Sprint(max), "bits": strconv.Itoa(bits)}
}

// put writes a number into a packet.
func put(packet []byte, leaf schema.Leaf, x float64) {
	if leaf.Kind == schema.Float32 {
		binary.LittleEndian.PutUint32(packet[leaf.Offset:], math.Float32bits(float32(x)))
	} else {
		binary.LittleEndian.PutUint64(packet[leaf.Offset:], math.Float64bits(x))
	}
}

// floatsOf returns the floating-point numbers of a layout.
func floatsOf(l *schema.Layout) (floats []schema.Leaf) {
	for _, leaf := range l.Leaves() {
		if leaf.Kind == schema.Float32 || leaf.Kind == schema.Float64 {
			floats = append(floats, leaf)
		}
	}
	return floats
}

// halfStep returns a check that numbers are off by at most half a step, beside the rounding of float32, and that nothing else is off.
func halfStep(l *schema.Layout, min, max float64, bits int) func(sent, got []byte) error {
	half := (max - min) / (math.Pow(2, float64(bits)) - 2) / 2
	return func(sent, got []byte) error {
		rest := append([]byte(nil), got...)
		for _, leaf := range floatsOf(l) {
			if leaf.Offset >= len(sent) {
				break
			}
			a, b := leaf.Float(sent), leaf.Float(got)
			most := half * (1 + 1e-9)
			if leaf.Kind == schema.Float32 {
				most += math.Abs(a) * 0x1p-24
			}
			if !(math.Abs(a-b) <= most) {
				return fmt.Errorf("%s: %v became %v, off by %.3g, more than half a step of %.3g", leaf.Path, a, b, math.Abs(a-b), half)
			}
			copy(rest[leaf.Offset:leaf.Offset+leaf.Kind.Size()], sent[leaf.Offset:])
		}
		if string(rest) != string(sent) {
			return fmt.Errorf("bytes that are no floating-point numbers changed: % x, % x", sent, got)
		}
		return nil
	}
}

func TestEncodingConforms(t *testing.T) {
	r := testkit.Rand(t)
	list, err := schema.Of(reflect.TypeFor[[]float32]())
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]*schema.Layout{
		"a number": layoutOf(t, 0.0), "a structure": layoutOf(t, mixed{}), "a list": layoutOf(t, make([]float64, 9)),
		"a scan": list.Bounded(91).Layout(),
	} {
		for _, bits := range []int{2, 3, 8, 12, 17, 20} {
			min, max := -3.2, 7.5
			e := linktest.Encoded{Coded: link.Coded{Encoding: Encoding(), Options: options(min, max, bits)}, Layout: l, Near: halfStep(l, min, max, bits)}
			for range 20 {
				n := l.Size()
				if l.Bounded() {
					n = l.SizeOf(r.IntN(92))
				}
				packet := make([]byte, n)
				packet[1] = 1
				if l.Bounded() {
					binary.LittleEndian.PutUint32(packet[4:], uint32(n-8)/4)
				}
				for _, leaf := range floatsOf(l) {
					if leaf.Offset < n {
						put(packet, leaf, min+(max-min)*r.Float64())
					}
				}
				e.Packets = append(e.Packets, packet)
			}
			t.Run(fmt.Sprintf("%s in %d bits", name, bits), func(t *testing.T) { linktest.RunEncoding(t, e) })
		}
	}
}

// glTF 2.0 (Khronos Group, 2021), section 3.6.2.2 and the table of section 3.11, normalizes signed integers by f = max(c/127, -1), c = round(127 f) with
// 8 bits and by 32767 with 16: those are the steps of a range from -1 to 1.
func TestStepsAreThoseOfNormalizedIntegersOfGLTF(t *testing.T) {
	r := testkit.Rand(t)
	for bits, most := range map[int]float64{8: 127, 16: 32767} {
		c, err := newCodec(layoutOf(t, 0.0), options(-1, 1, bits))
		if err != nil {
			t.Fatal(err)
		}
		q := c.(*codec)
		for range 5000 {
			f := 2*r.Float64() - 1
			stored := math.Round(f * most)
			code, _ := q.code(f)
			if got := float64(code) - most; got != stored && math.Abs(math.Abs(f*most-math.Trunc(f*most))-0.5) > 1e-9 {
				t.Fatalf("%d bits: %v has the code %v, want %v", bits, f, got, stored)
			}
			testkit.Near(t, "the value", q.value(uint64(stored+most)), math.Max(stored/most, -1), 1e-15)
		}
	}
}

func TestZeroStaysZero(t *testing.T) {
	for bits := MinBits; bits <= MaxBits; bits++ {
		c, err := newCodec(layoutOf(t, 0.0), options(-math.Pi, math.Pi, bits))
		if err != nil {
			t.Fatal(err)
		}
		q := c.(*codec)
		if code, _ := q.code(0); q.value(code) != 0 {
			t.Errorf("%d bits: 0 became %v", bits, q.value(code))
		}
	}
}

func TestNumbersThatDoNotFitAreReported(t *testing.T) {
	c, err := newCodec(layoutOf(t, [2]float64{}), options(-1, 1, 8))
	if err != nil {
		t.Fatal(err)
	}
	floats := floatsOf(layoutOf(t, [2]float64{}))
	for _, x := range []struct{ sent, want float64 }{
		{1.1, 1}, {-5, -1}, {math.Inf(1), 1}, {math.Inf(-1), -1}, {math.MaxFloat64, 1}, {math.NaN(), math.NaN()},
	} {
		packet := make([]byte, 20)
		packet[1] = 1
		put(packet, floats[0], 0.5)
		put(packet, floats[1], x.sent)
		encoded, got := make([]byte, c.Size()), make([]byte, 20)
		if _, err := c.Encode(encoded, packet); err == nil || !strings.Contains(err.Error(), "-1 to 1") {
			t.Errorf("%v is sent without a fault: %v", x.sent, err)
		}
		if _, ok := c.Decode(got, encoded); !ok || floats[1].Float(got) != x.want && !(x.want != x.want && floats[1].Float(got) != floats[1].Float(got)) {
			t.Errorf("%v became %v, want %v", x.sent, floats[1].Float(got), x.want)
		}
		if math.Abs(floats[0].Float(got)-0.5) > 1./254 {
			t.Errorf("beside it, 0.5 became %v", floats[0].Float(got))
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]map[string]string{
		`bits wants a finite number, got ""`:      {"min": "0", "max": "1"},
		`min wants a finite number, got "low"`:    {"min": "low", "max": "1", "bits": "8"},
		`max wants a finite number, got "NaN"`:    {"min": "0", "max": "NaN", "bits": "8"},
		`no option "step"`:                        {"min": "0", "max": "1", "bits": "8", "step": "1"},
		"bits 33 is no whole number from 2 to 32": options(0, 1, 33),
		"bits 8.5 is no whole number":             {"min": "0", "max": "1", "bits": "8.5"},
		"min 1 is not below max 1":                options(1, 1, 8),
		"finer than float32 is":                   options(-1, 1, 30),
		"is wider than":                           options(-1e300, 1, 8),
	} {
		if _, err := newCodec(layoutOf(t, mixed{}), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", o, err, want)
		}
	}
	if _, err := newCodec(layoutOf(t, int32(0)), options(0, 1, 8)); err == nil || !strings.Contains(err.Error(), "has no floating-point numbers") {
		t.Errorf("an integer: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	c, err := newCodec(layoutOf(f, mixed{}), options(-1, 1, 11))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, c.Size()))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		if n, ok := c.Decode(make([]byte, layoutOf(t, mixed{}).Size()), encoded); ok != (len(encoded) == c.Size()) || n < 0 {
			t.Errorf("%d bytes: %v, %d", len(encoded), ok, n)
		}
	})
}
