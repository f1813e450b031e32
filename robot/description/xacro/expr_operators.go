package xacro

import (
	"math"
	"slices"
	"strings"
)

// arithmetic applies + - * / // % ** as Python does: integers stay integers except under /, and become floating
// where 64 bits do not hold them.
func arithmetic(op string, a, b value) (value, string) {
	if v, problem, done := joined(op, a, b); done {
		return v, problem
	}
	if i, ok := asInt(a); ok {
		if k, ok := asInt(b); ok {
			if v, exact := integer(op, i, k); exact {
				return v, ""
			}
		}
	}
	x, xok := asFloat(a)
	y, yok := asFloat(b)
	if !xok || !yok {
		return nil, op + " does not go with " + kindOf(a) + " and " + kindOf(b)
	}
	if y == 0 && (op == "/" || op == "//" || op == "%") || x == 0 && y < 0 && op == "**" {
		return nil, "division by zero"
	}
	switch op {
	case "+":
		return x + y, ""
	case "-":
		return x - y, ""
	case "*":
		return x * y, ""
	case "/":
		return x / y, ""
	case "//":
		return math.Floor(x / y), ""
	case "%":
		return x - y*math.Floor(x/y), ""
	}
	power := math.Pow(x, y)
	if math.IsNaN(power) && !math.IsNaN(x) && !math.IsNaN(y) {
		return nil, "a negative number has no real power of a broken exponent"
	}
	return power, ""
}

// joined applies + and * to texts and lists.
func joined(op string, a, b value) (v value, problem string, done bool) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok && op == "+" {
			if len(x)+len(y) > maxString {
				return nil, "the text grows beyond 16 KiB", true
			}
			return x + y, "", true
		}
		if n, ok := b.(int64); ok && op == "*" {
			if n > 0 && int64(len(x)) > maxString/n {
				return nil, "the text grows beyond 16 KiB", true
			}
			return strings.Repeat(x, int(max(n, 0))), "", true
		}
	case []value:
		if y, ok := b.([]value); ok && op == "+" {
			if len(x)+len(y) > maxList {
				return nil, "the list grows too long", true
			}
			return slices.Concat(x, y), "", true
		}
	}
	return nil, "", false
}

// integer applies an operator to integers; false when the result is none or does not fit.
func integer(op string, a, b int64) (int64, bool) {
	switch op {
	case "+":
		c := a + b
		return c, (c > a) == (b > 0)
	case "-":
		c := a - b
		return c, (c < a) == (b > 0)
	case "*":
		if a == 0 || b == 0 {
			return 0, true
		}
		c := a * b
		return c, c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	case "//", "%":
		if b == 0 || b == -1 && a == math.MinInt64 {
			return 0, false
		}
		q, r := a/b, a%b
		if r != 0 && (r < 0) != (b < 0) {
			q, r = q-1, r+b
		}
		if op == "//" {
			return q, true
		}
		return r, true
	case "**":
		if b < 0 || b > 63 {
			return 0, false
		}
		c, exact := int64(1), true
		for ; b > 0 && exact; b-- {
			c, exact = integer("*", c, a)
		}
		return c, exact
	}
	return 0, false
}

// compare applies a comparison; in Python any two values can be compared for equality, only like ones can be ordered.
func compare(op string, a, b value) (bool, string) {
	switch op {
	case "==", "is":
		return equal(a, b), ""
	case "!=", "is not":
		return !equal(a, b), ""
	case "in", "not in":
		found, problem := member(a, b)
		return found == (op == "in"), problem
	}
	order := 0
	x, xok := asFloat(a)
	y, yok := asFloat(b)
	s, sok := a.(string)
	t, tok := b.(string)
	switch {
	case xok && yok && x < y:
		order = -1
	case xok && yok && x > y:
		order = 1
	case xok && yok && x != y:
		return false, "" // NaN
	case xok && yok:
	case sok && tok:
		order = strings.Compare(s, t)
	default:
		return false, op + " does not go with " + kindOf(a) + " and " + kindOf(b)
	}
	switch op {
	case "<":
		return order < 0, ""
	case "<=":
		return order <= 0, ""
	case ">":
		return order > 0, ""
	}
	return order >= 0, ""
}

func equal(a, b value) bool {
	x, xok := asFloat(a)
	y, yok := asFloat(b)
	if xok && yok {
		return x == y
	}
	s, sok := a.(string)
	t, tok := b.(string)
	if sok && tok {
		return s == t
	}
	l, lok := a.([]value)
	m, mok := b.([]value)
	if lok && mok {
		return slices.EqualFunc(l, m, equal)
	}
	return a == nil && b == nil
}

func member(a, b value) (bool, string) {
	switch c := b.(type) {
	case string:
		if s, ok := a.(string); ok {
			return strings.Contains(c, s), ""
		}
	case dict:
		_, there := c[format(a)]
		return there, ""
	case []value:
		return slices.ContainsFunc(c, func(v value) bool { return equal(a, v) }), ""
	}
	return false, "in does not go with " + kindOf(a) + " and " + kindOf(b)
}

// at returns the element of a list or text at an index, of which negative ones count from the end, or of a dict at a
// key.
func at(v, i value) (value, string) {
	if d, ok := v.(dict); ok {
		return d.get(format(i))
	}
	n, ok := i.(int64)
	if !ok {
		return nil, "an index is an integer, not " + kindOf(i)
	}
	length := int64(-1)
	switch v := v.(type) {
	case []value:
		length = int64(len(v))
	case string:
		length = int64(len(v))
	}
	if length < 0 {
		return nil, kindOf(v) + " has no elements"
	}
	if n < 0 {
		n += length
	}
	if n < 0 || n >= length {
		return nil, "index " + format(i) + " is outside the " + format(length) + " elements"
	}
	if s, ok := v.(string); ok {
		return s[n : n+1], ""
	}
	return v.([]value)[n], ""
}
