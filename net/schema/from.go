package schema

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// ValueError describes a part of a value that does not fit its type.
type ValueError struct {
	Path  string // "positions[1]", "[1]" in a bare list, empty for a bare number
	Wants string // the type that fits: "float64", "a list of 2"
	Got   string // the value that came, in words
}

// Error returns a message such as "positions[1]: wants float64, got a string".
func (e *ValueError) Error() string {
	s := "wants " + e.Wants + ", got " + e.Got
	if e.Path == "" {
		return s
	}
	return e.Path + ": " + s
}

// FromValue converts a value from JSON, YAML or a script to CDR. It accepts what Type.Value returns, and also any Go
// integer or float, a json.Number, a slice or array of these, and a map with string keys for a struct. A whole number
// fits an integer type if it is in range, any number fits a float type (NaN included). Slices must have the lengths
// of the layout, bounded ones at most its elements; a struct must have all of its members and no others. The error joins a *ValueError for every part
// that does not fit.
func (l *Layout) FromValue(v any) ([]byte, error) {
	w := writer{lengths: l.lengths}
	if l.bound == nil {
		w.buf = make([]byte, headerSize, l.size)
	} else {
		w.bounded, w.buf = true, make([]byte, headerSize)
	}
	w.buf[1] = 1
	w.value(l.typ, "", v)
	if len(w.errs) > 0 {
		return nil, errors.Join(w.errs...)
	}
	return w.buf, nil
}

// writer appends CDR. After an error it continues, to find further errors.
type writer struct {
	buf     []byte
	lengths []int // of the remaining slices
	bounded bool  // the value has a length of its own, up to that in lengths
	errs    []error
}

func (w *writer) fail(path, wants string, got any) {
	w.errs = append(w.errs, &ValueError{path, wants, describe(got)})
}

func (w *writer) align(size int) {
	for (len(w.buf)-headerSize)%size != 0 {
		w.buf = append(w.buf, 0)
	}
}

func (w *writer) value(t *Type, path string, v any) {
	switch t.kind {
	case Struct:
		w.members(t, path, v)
	case Array:
		elem, n := t.flat()
		w.list(elem, n, path, v)
	case Slice:
		elem, per := t.elem.flat()
		n := w.lengths[0] * per
		w.lengths = w.lengths[1:]
		if w.bounded {
			var ok bool
			if n, ok = w.ownLength(elem, n, per, path, v); !ok {
				return
			}
		}
		w.align(4)
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(n))
		w.list(elem, n, path, v)
	case Bool:
		b, ok := v.(bool)
		if !ok {
			w.fail(path, "bool", v)
		} else if b {
			w.buf = append(w.buf, 1)
		} else {
			w.buf = append(w.buf, 0)
		}
	case Float32, Float64:
		w.float(t.kind, path, v)
	default:
		w.integer(t.kind, path, v)
	}
}

func (w *writer) list(elem *Type, n int, path string, v any) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		w.fail(path, fmt.Sprintf("a list of %d %s", n, elem.Short()), v)
		return
	}
	if _, isStruct := v.(Members); isStruct {
		w.fail(path, fmt.Sprintf("a list of %d %s", n, elem.Short()), v)
		return
	}
	if rv.Len() != n {
		w.errs = append(w.errs, &ValueError{path, fmt.Sprintf("%d elements", n), fmt.Sprint(rv.Len())})
		return
	}
	for i := range n {
		w.value(elem, fmt.Sprintf("%s[%d]", path, i), rv.Index(i).Interface())
	}
}

func (w *writer) members(t *Type, path string, v any) {
	got := map[string]any{}
	switch v := v.(type) {
	case Members:
		for _, m := range v {
			got[m.Name] = m.Value
		}
	case map[string]any:
		maps.Copy(got, v)
	default:
		w.fail(path, t.Short()+" with its members by name", v)
		return
	}
	if len(t.fields) == 0 {
		w.buf = append(w.buf, 0)
	}
	for i := range t.fields {
		f := &t.fields[i]
		value, ok := got[f.Name]
		if !ok {
			w.errs = append(w.errs, &ValueError{join(path, f.Name), f.Type.Short(), "nothing"})
			if f.Type.kind == Slice {
				w.lengths = w.lengths[1:]
			}
			continue
		}
		delete(got, f.Name)
		w.value(f.Type, join(path, f.Name), value)
	}
	if len(got) > 0 {
		unknown := slices.Sorted(maps.Keys(got))
		w.errs = append(w.errs, &ValueError{path, "only the members " + t.memberNames(), strings.Join(unknown, ", ")})
	}
}

func (t *Type) memberNames() string {
	names := make([]string, len(t.fields))
	for i := range t.fields {
		names[i] = t.fields[i].Name
	}
	return strings.Join(names, ", ")
}

func (w *writer) float(k Kind, path string, v any) {
	var f float64
	rv := reflect.ValueOf(v)
	switch n, isNumber := v.(json.Number); {
	case isNumber:
		var err error
		if f, err = n.Float64(); err != nil {
			w.fail(path, k.String(), v)
			return
		}
	case rv.IsValid() && rv.CanFloat():
		f = rv.Float()
	case rv.IsValid() && rv.CanInt():
		f = float64(rv.Int())
	case rv.IsValid() && rv.CanUint():
		f = float64(rv.Uint())
	default:
		w.fail(path, k.String(), v)
		return
	}
	w.align(k.Size())
	if k == Float64 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
		return
	}
	if math.Abs(f) > math.MaxFloat32 && !math.IsInf(f, 0) {
		w.fail(path, "float32 (at most 3.4e38)", v)
	}
	w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(float32(f)))
}

func (w *writer) integer(k Kind, path string, v any) {
	bits, ok := wholeNumber(v, k >= Uint8)
	size := k.Size()
	if ok && size < 8 {
		if k >= Uint8 {
			ok = bits < 1<<(8*size)
		} else {
			ok = int64(bits) >= -1<<(8*size-1) && int64(bits) < 1<<(8*size-1)
		}
	}
	if !ok {
		w.fail(path, integerRange(k), v)
		return
	}
	w.align(size)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	w.buf = append(w.buf, b[:size]...)
}

// wholeNumber returns v as the 64 bits of a uint64 or an int64; ok is false if v is not a whole number in that range.
func wholeNumber(v any, unsigned bool) (bits uint64, ok bool) {
	if n, isNumber := v.(json.Number); isNumber {
		if i, err := n.Int64(); err == nil {
			v = i
		} else if _, err := fmt.Sscan(n.String(), &bits); err == nil && fmt.Sprint(bits) == n.String() {
			v = bits
		} else if f, err := n.Float64(); err == nil {
			v = f
		}
	}
	rv := reflect.ValueOf(v)
	switch {
	case !rv.IsValid():
		return 0, false
	case rv.CanInt():
		return uint64(rv.Int()), !unsigned || rv.Int() >= 0
	case rv.CanUint():
		return rv.Uint(), unsigned || rv.Uint() <= math.MaxInt64
	case rv.CanFloat():
		f := rv.Float()
		if f != math.Trunc(f) { // NaN and fractions
			return 0, false
		}
		if unsigned {
			return uint64(f), f >= 0 && f < 1<<64
		}
		return uint64(int64(f)), f >= -1<<63 && f < 1<<63
	}
	return 0, false
}

func integerRange(k Kind) string {
	bits := 8 * k.Size()
	if k >= Uint8 {
		return fmt.Sprintf("%s (a whole number, 0 to %d)", k, uint64(math.MaxUint64)>>(64-bits))
	}
	return fmt.Sprintf("%s (a whole number, %d to %d)", k, int64(-1)<<(bits-1), uint64(math.MaxInt64)>>(64-bits))
}

// Short returns the name of a type for people: float64, float64[3], float64[], Move.
func (t *Type) Short() string {
	switch t.kind {
	case Struct:
		return t.name
	case Array, Slice:
		var elem *Type
		return t.reference(&elem)
	}
	return t.kind.String()
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func describe(v any) string {
	switch rv := reflect.ValueOf(v); {
	case !rv.IsValid():
		return "nothing"
	case rv.Type() == reflect.TypeFor[Members](), rv.Kind() == reflect.Map:
		return "a struct"
	case rv.Kind() == reflect.String:
		return fmt.Sprintf("the string %q", rv.String())
	case rv.Kind() == reflect.Slice, rv.Kind() == reflect.Array:
		return fmt.Sprintf("a list of %d", rv.Len())
	case rv.Kind() == reflect.Bool, rv.CanInt(), rv.CanUint(), rv.CanFloat():
		return fmt.Sprint(v)
	default:
		return "a " + rv.Type().String()
	}
}
