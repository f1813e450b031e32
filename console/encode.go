package console

import (
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
)

// encode makes JSON of an answer. NaN and infinities, for which JSON has no numbers, become "NaN", "+Inf" and "-Inf".
func encode(r reply) ([]byte, error) {
	b, err := json.Marshal(r)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		r.Result = finite(r.Result)
		return json.Marshal(r)
	}
	return b, err
}

// finite replaces the numbers that JSON does not have.
func finite(v any) any {
	switch x := v.(type) {
	case float64:
		if name := unwritable(x); name != "" {
			return name
		}
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = finite(e)
		}
		return list
	case []float64:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = finite(e)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = finite(e)
		}
		return m
	case admin.Reading:
		x.Value = finite(x.Value)
		return x
	case *admin.Structure:
		y := *x
		y.Blocks = slices.Clone(x.Blocks)
		for i := range y.Blocks {
			y.Blocks[i].Params = slices.Clone(x.Blocks[i].Params)
			for j := range y.Blocks[i].Params {
				y.Blocks[i].Params[j].Value = finite(y.Blocks[i].Params[j].Value)
			}
		}
		return &y
	}
	return v
}

// unwritable returns how a number is written that JSON does not have, or "".
func unwritable(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "+Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	}
	return ""
}
