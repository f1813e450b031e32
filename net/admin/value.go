package admin

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// plain turns a value of package schema into one of JSON: ordered members become a map.
func plain(v any) any {
	switch x := v.(type) {
	case schema.Members:
		m := map[string]any{}
		for _, e := range x {
			m[e.Name] = plain(e.Value)
		}
		return m
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = plain(e)
		}
		return list
	}
	return v
}

// wrap lets a single number stand for a list of one.
func wrap(t *schema.Type, v any) any {
	if t.Kind() == schema.Slice || t.Kind() == schema.Array {
		switch v.(type) {
		case float64, int64, uint64, int, bool:
			return []any{v}
		}
	}
	return v
}

// spread repeats the only element of a list for a parameter of which one element stands for all.
func spread(p *port.Parameter, v any) any {
	list, ok := v.([]any)
	if !ok || len(list) != 1 || !p.Spread || p.Type.Kind() != schema.Slice || !p.Type.Elem().Kind().Primitive() {
		return v
	}
	return slices.Repeat(list, len(p.Layout.Leaves()))
}

// isNone reports whether a type is the empty struct.
func isNone(t *schema.Type) bool { return t.Kind() == schema.Struct && len(t.Fields()) == 0 }

// typeName is how a type is written for people: float64, float64[3], float64[], float64[<=100], Move.
func typeName(t *schema.Type) string {
	switch t.Kind() {
	case schema.Slice:
		if t.Most() > 0 {
			return fmt.Sprintf("%s[<=%d]", typeName(t.Elem()), t.Most())
		}
		return typeName(t.Elem()) + "[]"
	case schema.Array:
		return fmt.Sprintf("%s[%d]", typeName(t.Elem()), t.Count())
	case schema.Struct:
		return t.Name()
	}
	return t.Kind().String()
}

// arguments joins arguments in order and by name to the value that an operation takes.
func arguments(op *port.Operation, args []any, named map[string]any) (any, error) {
	t := op.Args.Type()
	if t.Kind() != schema.Struct {
		if v, ok := named["value"]; ok && len(args) == 0 && len(named) == 1 {
			return wrap(t, v), nil
		}
		if len(args) != 1 || len(named) != 0 {
			return nil, fmt.Errorf("%s takes 1 argument, got %d", op.Name, len(args)+len(named))
		}
		return wrap(t, args[0]), nil
	}
	fields := t.Fields()
	if len(args) > len(fields) {
		return nil, fmt.Errorf("%s takes %d arguments, got %d", op.Name, len(fields), len(args))
	}
	value := map[string]any{}
	var names []string
	for i, f := range fields {
		names = append(names, f.Name)
		if i < len(args) {
			value[f.Name] = wrap(f.Type, args[i])
		}
	}
	for name, v := range named {
		if _, twice := value[name]; twice {
			return nil, fmt.Errorf("%s got the argument %s twice", op.Name, name)
		}
		found := false
		for _, f := range fields {
			if f.Name == name {
				value[name], found = wrap(f.Type, v), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no argument %q%s", op.Name, name, nearest.Hint(name, names))
		}
	}
	for _, name := range names {
		if _, ok := value[name]; !ok {
			return nil, fmt.Errorf("%s wants the argument %s", op.Name, name)
		}
	}
	return value, nil
}
