package xacro

import (
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// exprConstants are the names every expression knows.
var exprConstants = map[string]value{
	"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN(),
	"True": true, "False": false, "true": true, "false": false, "None": nil,
}

// exprFunctions of one and of two real numbers.
var (
	exprFunctions1 = map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
		"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log2": math.Log2, "log10": math.Log10, "fabs": math.Abs,
		"radians": func(x float64) float64 { return x * (math.Pi / 180) },
		"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
	}
	exprFunctions2 = map[string]func(x, y float64) float64{
		"atan2": math.Atan2, "hypot": math.Hypot, "pow": math.Pow, "fmod": math.Mod, "copysign": math.Copysign,
	}
	exprFunctionsN = map[string]func(args []value) (value, string){
		"abs": exprAbs, "min": exprMin, "max": exprMax, "sum": exprSum, "round": exprRound, "floor": exprFloor, "ceil": exprCeil,
		"int": exprInt, "float": exprFloat, "str": exprStr, "bool": exprBool, "len": exprLen, "list": exprList, "range": exprRange,
	}
)

// exprCall applies a function by its name; known is false when there is none of the name.
func exprCall(name string, args []value) (v value, problem string, known bool) {
	name = strings.TrimPrefix(name, "math.")
	if f := exprFunctions1[name]; f != nil {
		if len(args) != 1 {
			return nil, wants(name, "one argument", args), true
		}
		x, ok := asFloat(args[0])
		if !ok {
			return nil, name + " needs a number, not " + kindOf(args[0]), true
		}
		y := f(x)
		if math.IsNaN(y) && !math.IsNaN(x) || math.IsInf(y, 0) && !math.IsInf(x, 0) {
			return nil, name + " has no value at " + format(args[0]), true
		}
		return y, "", true
	}
	if f := exprFunctions2[name]; f != nil {
		if len(args) != 2 {
			return nil, wants(name, "two arguments", args), true
		}
		x, xok := asFloat(args[0])
		y, yok := asFloat(args[1])
		if !xok || !yok {
			return nil, name + " needs numbers, not " + kindOf(args[0]) + " and " + kindOf(args[1]), true
		}
		return f(x, y), "", true
	}
	if f := exprFunctionsN[name]; f != nil {
		v, problem = f(args)
		return v, problem, true
	}
	return nil, "", false
}

func wants(name, what string, args []value) string {
	return name + " needs " + what + ", not " + strconv.Itoa(len(args))
}

func exprAbs(args []value) (value, string) {
	if len(args) != 1 {
		return nil, wants("abs", "one argument", args)
	}
	if i, ok := asInt(args[0]); ok && i != math.MinInt64 {
		return max(i, -i), ""
	}
	x, ok := asFloat(args[0])
	if !ok {
		return nil, "abs needs a number, not " + kindOf(args[0])
	}
	return math.Abs(x), ""
}

func exprMin(args []value) (value, string) { return extreme("min", "<", args) }
func exprMax(args []value) (value, string) { return extreme("max", ">", args) }

// extreme returns the first of the arguments, or of the list that is the only one, that no other one beats.
func extreme(name, beats string, args []value) (value, string) {
	if len(args) == 1 {
		list, ok := args[0].([]value)
		if !ok {
			return nil, name + " needs a list or several arguments"
		}
		args = list
	}
	if len(args) == 0 {
		return nil, name + " of nothing"
	}
	best := args[0]
	for _, v := range args[1:] {
		better, problem := compare(beats, v, best)
		if problem != "" {
			return nil, name + ": " + problem
		}
		if better {
			best = v
		}
	}
	return best, ""
}

func exprSum(args []value) (value, string) {
	list, ok := only(args).([]value)
	if !ok {
		return nil, "sum needs a list"
	}
	var sum value = int64(0)
	for _, v := range list {
		var problem string
		if sum, problem = arithmetic("+", sum, v); problem != "" {
			return nil, "sum: " + problem
		}
	}
	return sum, ""
}

// exprRound rounds halves to even, as Python does; the second argument is the number of decimal places.
func exprRound(args []value) (value, string) {
	if len(args) == 2 {
		x, xok := asFloat(args[0])
		n, nok := args[1].(int64)
		if !xok || !nok || n < -300 || n > 300 {
			return nil, "round needs a number and how many decimal places"
		}
		if n >= 0 {
			rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', int(n), 64), 64)
			return rounded, ""
		}
		scale := math.Pow(10, float64(-n))
		return math.RoundToEven(x/scale) * scale, ""
	}
	return whole("round", math.RoundToEven, args)
}

func exprFloor(args []value) (value, string) { return whole("floor", math.Floor, args) }
func exprCeil(args []value) (value, string)  { return whole("ceil", math.Ceil, args) }

// whole returns the integer that f makes of a number.
func whole(name string, f func(float64) float64, args []value) (value, string) {
	if i, ok := only(args).(int64); ok {
		return i, ""
	}
	x, ok := asFloat(only(args))
	if !ok {
		return nil, name + " needs a number"
	}
	if x = f(x); !(math.Abs(x) < 1<<62) {
		return nil, name + " has no integer for " + format(x)
	}
	return int64(x), ""
}

func exprInt(args []value) (value, string) {
	if s, ok := only(args).(string); ok {
		i, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		if err != nil {
			return nil, "int: " + strconv.Quote(document.Clip(s)) + " is no integer"
		}
		return i, ""
	}
	return whole("int", math.Trunc, args)
}

func exprFloat(args []value) (value, string) {
	if s, ok := only(args).(string); ok {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil, "float: " + strconv.Quote(document.Clip(s)) + " is no number"
		}
		return x, ""
	}
	x, ok := asFloat(only(args))
	if !ok {
		return nil, "float needs a number or a text"
	}
	return x, ""
}

func exprStr(args []value) (value, string) {
	if len(args) != 1 {
		return nil, wants("str", "one argument", args)
	}
	return format(args[0]), ""
}

func exprBool(args []value) (value, string) {
	if len(args) != 1 {
		return nil, wants("bool", "one argument", args)
	}
	return truth(args[0]), ""
}

func exprLen(args []value) (value, string) {
	switch v := only(args).(type) {
	case string:
		return int64(len(v)), ""
	case []value:
		return int64(len(v)), ""
	case dict:
		return int64(len(v)), ""
	}
	return nil, "len needs a text, a list or a dict"
}

func exprList(args []value) (value, string) {
	if list, ok := only(args).([]value); ok {
		return list, ""
	}
	return nil, "list needs a list"
}

func exprRange(args []value) (value, string) {
	bounds := make([]int64, len(args))
	for i := range args {
		var ok bool
		if bounds[i], ok = args[i].(int64); !ok {
			return nil, "range needs integers, not " + kindOf(args[i])
		}
	}
	from, to, step := int64(0), int64(0), int64(1)
	switch len(bounds) {
	case 1:
		to = bounds[0]
	case 2:
		from, to = bounds[0], bounds[1]
	case 3:
		from, to, step = bounds[0], bounds[1], bounds[2]
	default:
		return nil, wants("range", "one to three arguments", args)
	}
	const farthest = 1 << 40 // keeps the counter from wrapping
	if step == 0 || max(from, -from, to, -to, step, -step) > farthest {
		return nil, "range needs a step that is not zero and bounds within ±2⁴⁰"
	}
	list := []value{}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if len(list) == maxList {
			return nil, "range is too long"
		}
		list = append(list, i)
	}
	return list, ""
}

// only returns the single argument, None when there are more or fewer.
func only(args []value) value {
	if len(args) != 1 {
		return nil
	}
	return args[0]
}
