package xacro

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// dict is what a YAML mapping becomes; keys that are no text are taken by their text.
type dict map[string]value

// member returns the value of a name in a dict, written d.name.
func attributeOf(v value, name string) (value, string) {
	d, ok := v.(dict)
	if !ok {
		return nil, kindOf(v) + " has no member " + name
	}
	return d.get(name)
}

func (d dict) get(key string) (value, string) {
	v, ok := d[key]
	if !ok {
		hint := ""
		if n := document.Similar(key, slices.Values(keys(d))); n != "" {
			hint = "; did you mean " + strconv.Quote(n) + "?"
		}
		return nil, "there is no " + strconv.Quote(document.Clip(key)) + " in it" + hint
	}
	return v, ""
}

// exprMethods of texts and dicts, as Python has them.
var exprMethods = map[string]func(v value, args []value) (value, string){
	"split": func(v value, args []value) (value, string) {
		s, sep, problem := textAnd("split", v, args, " ")
		if problem != "" {
			return nil, problem
		}
		parts := strings.Fields(s)
		if len(args) > 0 {
			parts = strings.Split(s, sep)
		}
		if len(parts) > maxList {
			return nil, "the list grows too long"
		}
		list := make([]value, len(parts))
		for i := range parts {
			list[i] = parts[i]
		}
		return list, ""
	},
	"strip": func(v value, args []value) (value, string) {
		s, cut, problem := textAnd("strip", v, args, " \t\r\n")
		return strings.Trim(s, cut), problem
	},
	"startswith": func(v value, args []value) (value, string) {
		s, start, problem := textAnd("startswith", v, args, "")
		return strings.HasPrefix(s, start), problem
	},
	"endswith": func(v value, args []value) (value, string) {
		s, end, problem := textAnd("endswith", v, args, "")
		return strings.HasSuffix(s, end), problem
	},
	"lower": func(v value, args []value) (value, string) {
		s, _, problem := textAnd("lower", v, args, "")
		return strings.ToLower(s), problem
	},
	"upper": func(v value, args []value) (value, string) {
		s, _, problem := textAnd("upper", v, args, "")
		return strings.ToUpper(s), problem
	},
	"keys": func(v value, _ []value) (value, string) {
		d, ok := v.(dict)
		if !ok {
			return nil, kindOf(v) + " has no keys"
		}
		var list []value
		for _, k := range keys(d) {
			list = append(list, k)
		}
		return list, ""
	},
	"get": func(v value, args []value) (value, string) {
		d, ok := v.(dict)
		if !ok || len(args) == 0 || len(args) > 2 {
			return nil, "get needs a dict, a key and perhaps a default"
		}
		if found, there := d[format(args[0])]; there {
			return found, ""
		}
		return append(args, nil)[1], ""
	},
}

// textAnd returns the text of a method and its argument, which is also a text.
func textAnd(name string, v value, args []value, fallback string) (s, arg, problem string) {
	s, ok := v.(string)
	if !ok {
		return "", "", kindOf(v) + " has no " + name
	}
	if len(args) == 0 {
		return s, fallback, ""
	}
	if arg, ok = args[0].(string); !ok || arg == "" || len(args) > 1 {
		return "", "", name + " needs one text that is not empty"
	}
	return s, arg, ""
}

// exprMethod applies a method; known is false when there is none of the name.
func exprMethod(v value, name string, args []value) (result value, problem string, known bool) {
	method := exprMethods[name]
	if method == nil {
		return nil, "", false
	}
	result, problem = method(v, args)
	return result, problem, true
}
