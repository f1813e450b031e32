package block

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/decimal"
	"github.com/sinew-robotics/sinew/net/schema"
)

// convert stores v, a value as a configuration file holds it (bool, int, int64, uint64, float64, string, []any,
// map[string]any), into dst. Errors name the path inside the value.
func convert(dst reflect.Value, v any, path string) error {
	if dst.Type() == reflect.TypeFor[time.Duration]() {
		return convertDuration(dst, v, path)
	}
	switch dst.Kind() {
	case reflect.Slice:
		return convertList(dst, v, path)
	case reflect.Array:
		return convertArray(dst, v, path)
	case reflect.Struct:
		return convertStruct(dst, v, path)
	case reflect.String:
		if s, ok := v.(string); ok {
			dst.SetString(s)
			return nil
		}
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			dst.SetBool(b)
			return nil
		}
	case reflect.Float32, reflect.Float64:
		if x, ok := number(v); ok {
			dst.SetFloat(x)
			return nil
		}
	default:
		if _, ok := number(v); ok {
			return convertInteger(dst, v, path)
		}
	}
	remedy := unquoted(v)
	if text, ok := v.(string); ok && dst.CanFloat() {
		remedy += decimal.Remedy(text)
	}
	return fmt.Errorf("%s wants %s, got %s%s", path, kindName(dst.Type()), valueName(v), remedy)
}

func number(v any) (float64, bool) {
	switch x := v.(type) {
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case uint64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// convertInteger stores a number that must be whole and fit.
func convertInteger(dst reflect.Value, v any, path string) error {
	var i int64
	var u uint64 // where i is negative or too small for it
	fits := true
	switch x := v.(type) {
	case int:
		i, u = int64(x), uint64(x)
	case int64:
		i, u = x, uint64(x)
	case uint64:
		i, u = int64(x), x
		fits = dst.CanUint() || x <= math.MaxInt64
	case float64:
		if x != math.Trunc(x) {
			return fmt.Errorf("%s wants %s, got %v", path, kindName(dst.Type()), x)
		}
		if dst.CanUint() {
			u, fits = uint64(x), x >= 0 && x < 1<<64
		} else {
			i, fits = int64(x), x >= -1<<63 && x < 1<<63
		}
	}
	if _, unsigned := v.(uint64); dst.CanUint() && !unsigned && i < 0 {
		fits = false
	}
	switch {
	case !fits, dst.CanUint() && dst.OverflowUint(u), !dst.CanUint() && dst.OverflowInt(i):
		return fmt.Errorf("%s: %v does not fit into %s", path, v, dst.Type())
	case dst.CanUint():
		dst.SetUint(u)
	default:
		dst.SetInt(i)
	}
	return nil
}

func convertDuration(dst reflect.Value, v any, path string) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("%s wants a duration such as 10ms, got %s", path, valueName(v))
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%s wants a duration such as 10ms, got %q%s", path, s, decimal.Remedy(s))
	}
	dst.SetInt(int64(d))
	return nil
}

// listOf returns a list; a number or true and false may stand for a list of one.
func listOf(v any) ([]any, bool) {
	switch x := v.(type) {
	case []any:
		return x, true
	case bool, int, int64, uint64, float64:
		return []any{x}, true
	}
	return nil, false
}

func convertList(dst reflect.Value, v any, path string) error {
	list, ok := listOf(v)
	if !ok {
		return fmt.Errorf("%s wants a list of %s, got %s%s", path, kindNames(dst.Type().Elem()), valueName(v), unquoted(v)+oneOrTwo(v, dst.Type().Elem()))
	}
	out := reflect.MakeSlice(dst.Type(), len(list), len(list))
	for i, e := range list {
		if err := convert(out.Index(i), e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	dst.Set(out)
	return nil
}

func convertArray(dst reflect.Value, v any, path string) error {
	list, ok := listOf(v)
	if !ok || len(list) != dst.Len() {
		return fmt.Errorf("%s wants a list of %d × %s, got %s", path, dst.Len(), kindName(dst.Type().Elem()), valueName(v))
	}
	for i, e := range list {
		if err := convert(dst.Index(i), e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func convertStruct(dst reflect.Value, v any, path string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s wants a mapping, got %s", path, valueName(v))
	}
	fields := map[string]reflect.Value{}
	for i := range dst.NumField() {
		fields[schema.SnakeCase(dst.Type().Field(i).Name)] = dst.Field(i)
	}
	for key, e := range m {
		f, ok := fields[key]
		if !ok {
			return fmt.Errorf("%s has no field %q", path, key)
		}
		if err := convert(f, e, path+"."+key); err != nil {
			return err
		}
	}
	return nil
}

// parseInto stores the value that a struct tag spells: a number, a bool, a string or a list, in brackets or not. A single
// value for a slice or an array fills all its elements.
func parseInto(target any, text string) error {
	return parse(reflect.ValueOf(target).Elem(), strings.TrimSpace(text))
}

func parse(dst reflect.Value, text string) error {
	switch dst.Kind() {
	case reflect.Slice, reflect.Array:
		return parseElements(dst, text)
	case reflect.String:
		dst.SetString(text)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		dst.SetBool(b)
		return err
	case reflect.Struct:
		for i := range dst.NumField() {
			if err := parse(dst.Field(i), text); err != nil {
				return err
			}
		}
		return nil
	}
	if dst.Type() == reflect.TypeFor[time.Duration]() {
		return convertDuration(dst, text, "value")
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	return convert(dst, x, "value")
}

func parseElements(dst reflect.Value, text string) error {
	inner, isList := strings.CutPrefix(text, "[")
	if !isList && !strings.Contains(text, ",") {
		for i := range dst.Len() {
			if err := parse(dst.Index(i), text); err != nil {
				return err
			}
		}
		return nil
	}
	words := strings.FieldsFunc(strings.TrimSuffix(inner, "]"), func(r rune) bool { return r == ',' || r == ' ' })
	if dst.Kind() == reflect.Slice {
		dst.Set(reflect.MakeSlice(dst.Type(), len(words), len(words)))
	}
	if len(words) != dst.Len() {
		return fmt.Errorf("%s has length %d, wants %d", text, len(words), dst.Len())
	}
	for i, w := range words {
		if err := parse(dst.Index(i), w); err != nil {
			return err
		}
	}
	return nil
}

// kindName names a type as the writer of a configuration file knows it.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct:
		return "a mapping"
	}
	return "a whole number"
}

// kindNames returns the kind of the elements of a list.
func kindNames(t reflect.Type) string {
	switch name := kindName(t); name {
	case "true or false":
		return name
	default:
		return strings.TrimPrefix(name, "a ") + "s"
	}
}

// unquoted returns the remedy for a number, or true or false, in quotes, as the end of a message.
func unquoted(v any) string {
	if text, ok := v.(string); ok && (isNumber(text) || text == "true" || text == "false") {
		return ": write " + text + " without quotes"
	}
	return ""
}

// oneOrTwo returns both readings of a text such as "0,5" where a list of numbers is wanted, as the end of a message.
func oneOrTwo(v any, element reflect.Type) string {
	text, _ := v.(string)
	if one, ok := decimal.Point(text); ok && isNumber(one) && kindName(element) == "a number" {
		return ": write " + one + ", with a point in place of the comma, or [" + text + "] for two numbers"
	}
	return ""
}

func valueName(v any) string {
	switch x := v.(type) {
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(x)
	case []any:
		return fmt.Sprintf("a list of %d", len(x))
	case map[string]any:
		return "a mapping"
	}
	return fmt.Sprint(v)
}
