package schema

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/oracle"
)

// For random types and values, Foxglove's reader decodes what we encode to the same values, and its writer encodes to
// the same bytes.
func TestOracleAgreesOnRandomTypes(t *testing.T) {
	const cases = 300
	type question struct {
		Definition string `json:"definition"`
		CDR        string `json:"cdr"`
	}
	type answer struct {
		Value any    `json:"value"`
		CDR   string `json:"cdr"`
	}
	r := testkit.Rand(t)
	var asked []question
	var values []any
	for range cases {
		v := randomValue(r, randomStruct(r, 0))
		l, err := LayoutOf(v)
		if err != nil {
			t.Fatal(err)
		}
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		cdr := make([]byte, l.Size())
		l.Encode(cdr, p.UnsafePointer())
		value, err := l.Type().Value(cdr)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(v.Type())
		back.Elem().Set(sameLengths(v))
		if err := l.Decode(back.UnsafePointer(), cdr); err != nil || !sameBits(back.Elem(), v) {
			t.Fatalf("%v: %v\ngot  %v\nwant %v", v.Type(), err, back.Elem(), v)
		}
		asked = append(asked, question{l.Type().Definition(), hex.EncodeToString(cdr)})
		values = append(values, widen(l.Type(), value))
	}
	var answers []answer
	oracle.Ask(t, "cdr.mjs", asked, &answers)
	for i, a := range answers {
		if a.CDR != asked[i].CDR {
			t.Fatalf("%s\nours   %s\noracle %s", asked[i].Definition, asked[i].CDR, a.CDR)
		}
		if want := asJSON(values[i]); !reflect.DeepEqual(a.Value, want) {
			t.Fatalf("%s\nours   %v\noracle %v", asked[i].Definition, want, a.Value)
		}
	}
}

var primitives = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
}

func randomStruct(r *rand.Rand, depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range r.IntN(7) {
		t := randomElement(r, depth)
		if depth == 0 && r.IntN(3) == 0 {
			t = reflect.SliceOf(t)
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Field%d", i), Type: t})
	}
	return reflect.StructOf(fields)
}

func randomElement(r *rand.Rand, depth int) reflect.Type {
	switch k := r.IntN(10); {
	case k < 2 && depth < 3:
		return randomStruct(r, depth+1)
	case k < 4:
		return reflect.ArrayOf(1+r.IntN(4), randomElement(r, depth+1))
	}
	return primitives[r.IntN(len(primitives))]
}

func randomValue(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(randomValue(r, t.Field(i).Type))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, r.IntN(4), 4))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(randomValue(r, t.Elem()))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(r.Uint32() &^ (1 << 23)))) // no NaN: JavaScript does not keep its bits
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(r.Uint64() &^ (1 << 52)))
	default:
		if v.CanInt() {
			v.SetInt(int64(r.Uint64()) >> (64 - t.Bits()))
		} else {
			v.SetUint(r.Uint64() >> (64 - t.Bits()))
		}
	}
	return v
}

// sameLengths returns a zero value with slices as long as those of v.
func sameLengths(v reflect.Value) reflect.Value {
	z := reflect.New(v.Type()).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			z.Field(i).Set(reflect.MakeSlice(f.Type(), f.Len(), f.Len()))
		}
	}
	return z
}

func sameBits(a, b reflect.Value) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// asJSON returns a value as plain.mjs writes it.
func asJSON(v any) any {
	switch v := v.(type) {
	case Members:
		m := map[string]any{}
		for _, e := range v {
			m[e.Name] = asJSON(e.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asJSON(v[i])
		}
		return list
	case wide:
		return string(v)
	case float64:
		if v == 0 && math.Signbit(v) {
			return "-0"
		}
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return v
}

// wide is a 64-bit integer, which is a bigint in JavaScript.
type wide string

func widen(t *Type, v any) any {
	switch t.kind {
	case Int64:
		return wide(strconv.FormatInt(v.(int64), 10))
	case Uint64:
		return wide(strconv.FormatUint(v.(uint64), 10))
	case Array, Slice:
		elem, _ := t.elem.flat()
		list := v.([]any)
		for i := range list {
			list[i] = widen(elem, list[i])
		}
	case Struct:
		for i, m := range v.(Members) {
			v.(Members)[i].Value = widen(t.fields[i].Type, m.Value)
		}
	}
	return v
}
