package admin

import (
	"encoding/json"
	"math"
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
	data, err := json.Marshal(finite(v))
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, data...)
}
