package admin

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// AppendNumber writes a number as JSON: as short as it reads back the same, and NaN and infinities, which JSON does not
// have, as "NaN", "+Inf" and "-Inf".
func AppendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"+Inf"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Inf"`...)
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.AppendInt(b, int64(x), 10)
	case math.Abs(x) >= 1e21 || math.Abs(x) < 1e-6:
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// Numbers are written as JSON as [AppendNumber] does.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendNumber(b, x)
	}
	return append(b, ']'), nil
}

// Scalar turns the value of a port into a number, where it is one; booleans are 0 and 1.
func Scalar(v any) (x float64, ok bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	case uint64:
		return float64(x), true
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// AppendValue writes the value of a port as JSON, its numbers as [AppendNumber] does.
func AppendValue(b []byte, v any) []byte {
	switch x := v.(type) {
	case float64:
		return AppendNumber(b, x)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case uint64:
		return strconv.AppendUint(b, x, 10)
	case bool:
		return strconv.AppendBool(b, x)
	case []any:
		b = append(b, '[')
		for i, e := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendValue(b, e)
		}
		return append(b, ']')
	}
	data, err := json.Marshal(Finite(v))
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, data...)
}

// Finite replaces NaN and infinities, which JSON does not have, by "NaN", "+Inf" and "-Inf": in a number, in lists and maps of
// them, and in a [Reading] or *[Structure]. It changes no list or map, but returns another one. [Number] undoes it.
func Finite(v any) any {
	switch x := v.(type) {
	case float64:
		switch {
		case math.IsNaN(x):
			return "NaN"
		case math.IsInf(x, 1):
			return "+Inf"
		case math.IsInf(x, -1):
			return "-Inf"
		}
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = Finite(e)
		}
		return list
	case []float64:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = Finite(e)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = Finite(e)
		}
		return m
	case *Structure:
		y := *x
		y.Blocks = slices.Clone(x.Blocks)
		for i := range y.Blocks {
			y.Blocks[i].Params = slices.Clone(x.Blocks[i].Params)
			for j := range y.Blocks[i].Params {
				y.Blocks[i].Params[j].Value = Finite(y.Blocks[i].Params[j].Value)
			}
		}
		return &y
	case Reading:
		x.Value = Finite(x.Value)
		return x
	}
	return v
}

// Number turns "NaN", "+Inf" and "-Inf", which stand for what JSON has no numbers for, back into numbers, also in lists and maps in place,
// and the map that a [RawValue] is in JSON back into it.
func Number(v any) any {
	switch x := v.(type) {
	case string:
		switch x {
		case "NaN":
			return math.NaN()
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		}
	case []any:
		for i := range x {
			x[i] = Number(x[i])
		}
	case map[string]any:
		if b, err := bulkOf(x); b != nil && err == nil {
			return b
		}
		for k := range x {
			x[k] = Number(x[k])
		}
	}
	return v
}
