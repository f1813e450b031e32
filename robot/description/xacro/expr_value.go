package xacro

import (
	"math"
	"strconv"
	"strings"
)

// value is what an expression yields: int64, float64, bool, string, []value, dict, or nil for None.
type value any

const (
	maxString = 1 << 14 // longest text that an expression may yield, bytes
	maxList   = 1 << 12 // longest list
)

// format returns the text that a value leaves in a file, as Python would print it.
func format(v value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return formatFloat(v)
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return v
	case []value:
		var b strings.Builder
		for i := range v {
			if b.Len() > maxString {
				break // too long for any use; this is reported later
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(format(v[i]))
		}
		return "[" + b.String() + "]"
	case dict:
		var b strings.Builder
		for i, k := range keys(v) {
			if b.Len() > maxString {
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(k + ": " + format(v[k]))
		}
		return "{" + b.String() + "}"
	}
	return "None"
}

// formatFloat returns the shortest text that reads back as x and does not look like an integer.
func formatFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// literal returns the value that a text stands for: a number, a boolean, a quoted string, else the text itself.
func literal(s string) value {
	trimmed := strings.TrimSpace(s)
	if n := len(trimmed); n >= 2 && (trimmed[0] == '\'' || trimmed[0] == '"') && trimmed[n-1] == trimmed[0] {
		return trimmed[1 : n-1]
	}
	if strings.Contains(s, "_") {
		return s
	}
	if i, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
		return i
	}
	if f, err := strconv.ParseFloat(trimmed, 64); err == nil && !strings.ContainsAny(trimmed, "xX") {
		return f
	}
	switch trimmed {
	case "true", "True":
		return true
	case "false", "False":
		return false
	}
	return s
}

// truth returns whether a value counts as true.
func truth(v value) bool {
	switch v := v.(type) {
	case int64:
		return v != 0
	case float64:
		return v != 0
	case bool:
		return v
	case string:
		return v != ""
	case []value:
		return len(v) > 0
	case dict:
		return len(v) > 0
	}
	return false
}

// asFloat returns the number that a value is.
func asFloat(v value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// asInt returns the integer that a value is.
func asInt(v value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// kindOf names the kind of a value for a message.
func kindOf(v value) string {
	switch v.(type) {
	case int64, float64:
		return "a number"
	case bool:
		return "a boolean"
	case string:
		return "a text"
	case []value:
		return "a list"
	case dict:
		return "a dict"
	}
	return "None"
}
