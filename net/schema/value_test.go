package schema

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func TestFromValueReportsEveryMisfit(t *testing.T) {
	type target struct {
		Positions []float64
		Mode      uint8
		Small     int8
		Single    float32
		On        bool
		Place     Vec
		Big       uint64
	}
	ty, err := For[target]()
	if err != nil {
		t.Fatal(err)
	}
	l := ty.Layout(2)
	good := func() map[string]any {
		return map[string]any{
			"positions": []any{1, 2.5}, "mode": 255.0, "small": int64(-128), "single": 1, "on": true,
			"place": map[string]any{"x": 1, "y": math.NaN(), "z": json.Number("1e3")}, "big": json.Number("18446744073709551615"),
		}
	}
	cdr, err := l.FromValue(good())
	if err != nil {
		t.Fatal(err)
	}
	v, err := ty.Value(cdr)
	if err != nil {
		t.Fatal(err)
	}
	m := v.(Members)
	if m.Get("big") != uint64(math.MaxUint64) || m.Get("small") != int64(-128) || m.Get("place").(Members).Get("z") != 1000.0 || m.Get("no") != nil {
		t.Error(m)
	}
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"positions", []any{1, "a"}, `positions[1]: wants float64, got the string "a"`},
		{"positions", []float64{1}, "positions: wants 2 elements, got 1"},
		{"positions", 3.5, "positions: wants a list of 2 float64, got 3.5"},
		{"positions", nil, "positions: wants a list of 2 float64, got nothing"},
		{"mode", 256, "mode: wants uint8 (a whole number, 0 to 255), got 256"},
		{"mode", -1, "mode: wants uint8 (a whole number, 0 to 255), got -1"},
		{"mode", 1.5, "mode: wants uint8 (a whole number, 0 to 255), got 1.5"},
		{"mode", math.NaN(), "mode: wants uint8 (a whole number, 0 to 255), got NaN"},
		{"small", 128, "small: wants int8 (a whole number, -128 to 127), got 128"},
		{"single", 1e39, "single: wants float32 (at most 3.4e38), got 1e+39"},
		{"on", 1, "on: wants bool, got 1"},
		{"place", []any{1}, "place: wants Vec with its members by name, got a list of 1"},
		{"place", map[string]any{"x": true, "y": 2}, "place.x: wants float64, got true\nplace.z: wants float64, got nothing"},
		{"big", 1 << 63 * 2.0, "big: wants uint64 (a whole number, 0 to 18446744073709551615), got 1.8446744073709552e+19"},
		{"more", Members{}, "wants only the members positions, mode, small, single, on, place, big, got more"},
	} {
		v := good()
		v[c.name] = c.value
		if _, err := l.FromValue(v); err == nil || err.Error() != c.want {
			t.Errorf("%s = %v: got %v, want %s", c.name, c.value, err, c.want)
		}
	}
	bare, _ := For[float64]()
	if _, err := bare.Layout().FromValue("x"); err == nil || err.Error() != `wants float64, got the string "x"` {
		t.Error(err)
	}
}

func TestParseReportsLineAndReason(t *testing.T) {
	for text, want := range map[string]string{
		"string name\nfloat64[3 x\nfloat64": "line 1: a/string is not a primitive",
		"float64[] x\nfloat64 x":            "line 2: a second field x",
		"float64[0] x":                      "wants a length",
		"a/T x":                             "contains itself",
		"B x\n" + separator + "\nMSG: a/B\nint8[] x": "a slice below",
		"uint8[1000000000] x\nuint8[1000000000] y":   "more than",
	} {
		if _, err := Parse("a/msg/T", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	ty, err := Parse("a/msg/T", "int8 IDLE=0 # constant\n\n# remark\nbyte mode # [m] height\n")
	if err != nil || len(ty.Fields()) != 1 || ty.Fields()[0].Unit != "m" || ty.Fields()[0].Doc != "height" {
		t.Error(ty, err)
	}
}

// Arbitrary texts and data yield at worst an error.
func FuzzParseAndValue(f *testing.F) {
	ty, _ := For[Command]()
	v := sample()
	l, _ := LayoutOf(reflect.ValueOf(v))
	cdr := make([]byte, l.Size())
	l.Encode(cdr, unsafe.Pointer(&v))
	f.Add(ty.Name(), ty.Definition(), cdr)
	f.Add("a/msg/T", "float64[] data", []byte{0, 1, 0, 0, 255, 255, 255, 255})
	f.Add("a/msg/T", "B[1000000] x\n"+separator+"\nMSG: a/B\n", []byte{0, 1, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, name, text string, cdr []byte) {
		ty, err := Parse(name, text)
		if err != nil {
			return
		}
		again, err := Parse(ty.Name(), ty.Definition())
		if err == nil && again.Hash() != ty.Hash() {
			t.Fatalf("a definition parses differently the second time:\n%s\n%s", ty.Definition(), again.Definition())
		}
		lengths, err := ty.Lengths(cdr)
		if err != nil {
			return
		}
		value, err := ty.Value(cdr)
		if err != nil {
			return // a bool other than 0 and 1
		}
		l := ty.Layout(lengths...)
		if l.Size() != len(cdr) {
			t.Fatalf("layout has %d bytes, data %d", l.Size(), len(cdr))
		}
		for _, leaf := range l.Leaves() {
			leaf.Float(cdr)
		}
		if _, err := l.FromValue(value); err != nil {
			t.Fatal(err)
		}
	})
}
