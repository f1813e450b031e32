package script

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/starlark"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

func (s *session) context() context.Context { return context.Background() }

// addBlocks makes a global of each block, and of each group the object that holds its blocks.
func (s *session) addBlocks(structure *admin.Structure) {
	for i := range structure.Blocks {
		b := &structure.Blocks[i]
		path := strings.Split(b.Name, ".")
		if len(path) == 1 {
			s.globals[b.Name] = &object{s: s, block: b}
			continue
		}
		g, ok := s.globals[path[0]].(*group)
		if !ok {
			g = &group{name: path[0], members: starlark.StringDict{}}
			s.globals[path[0]] = g
		}
		for _, name := range path[1 : len(path)-1] {
			inner, ok := g.members[name].(*group)
			if !ok {
				inner = &group{name: g.name + "." + name, members: starlark.StringDict{}}
				g.members[name] = inner
			}
			g = inner
		}
		g.members[path[len(path)-1]] = &object{s: s, block: b}
	}
}

// object is a block in a script.
type object struct {
	s     *session
	block *admin.Block
}

var _ starlark.HasSetField = (*object)(nil)

func (o *object) String() string        { return o.block.Name + " (" + o.block.Type + ")" }
func (o *object) Type() string          { return "block" }
func (o *object) Freeze()               {}
func (o *object) Truth() starlark.Bool  { return true }
func (o *object) Hash() (uint32, error) { return starlark.String(o.block.Name).Hash() }

// Attr reads a port or parameter, or returns an operation to be called or an event to be waited for.
func (o *object) Attr(name string) (starlark.Value, error) {
	ref := o.block.Name + "." + name
	for _, op := range o.block.Operations {
		if op.Name == name {
			return starlark.NewBuiltin(name, o.s.caller(ref)), nil
		}
	}
	for _, p := range o.block.Params {
		if p.Name == name {
			if p.Fixed {
				return toStarlark(p.Value), nil
			}
			v, err := o.s.host.Param(o.s.context(), ref)
			return o.s.result(v, err)
		}
	}
	for _, p := range o.block.Ports {
		switch {
		case p.Name != name:
		case p.Kind == "event":
			return &event{ref}, nil
		default:
			r, err := o.s.host.Read(o.s.context(), ref)
			return o.s.result(r.Value, err)
		}
	}
	switch name {
	case "reset":
		return starlark.NewBuiltin(name, o.s.simple(func(starlark.Tuple) error {
			return o.s.host.Reset(o.s.context(), o.block.Name)
		})), nil
	case "release":
		return starlark.NewBuiltin(name, o.s.simple(func(args starlark.Tuple) error {
			if len(args) != 1 {
				return fmt.Errorf("release wants the name of one port, as in %s.release(\"enable\")", o.block.Name)
			}
			port, _ := starlark.AsString(args[0])
			return o.s.host.Release(o.s.context(), o.block.Name+"."+port)
		})), nil
	}
	return nil, fmt.Errorf("%s (%s) has no port, parameter or operation %q%s",
		o.block.Name, o.block.Type, name, nearest.Hint(name, o.AttrNames()))
}

// AttrNames returns all that Attr knows.
func (o *object) AttrNames() []string {
	names := []string{"release", "reset"}
	for _, op := range o.block.Operations {
		names = append(names, op.Name)
	}
	for _, p := range o.block.Params {
		names = append(names, p.Name)
	}
	for _, p := range o.block.Ports {
		names = append(names, p.Name)
	}
	sort.Strings(names)
	return names
}

// SetField sets a parameter or feeds a port.
func (o *object) SetField(name string, v starlark.Value) error {
	value, err := fromStarlark(v)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", o.block.Name, name, err)
	}
	for _, p := range o.block.Params {
		if p.Name == name {
			return o.s.waited(o.s.host.SetParams(o.s.context(), o.block.Name, map[string]any{name: value}))
		}
	}
	for _, p := range o.block.Ports {
		if p.Name == name && p.Kind != "event" {
			return o.s.waited(o.s.host.Feed(o.s.context(), o.block.Name+"."+name, value))
		}
	}
	return fmt.Errorf("%s (%s) has no parameter or input %q%s",
		o.block.Name, o.block.Type, name, nearest.Hint(name, o.AttrNames()))
}

// group holds the blocks of a group.
type group struct {
	name    string
	members starlark.StringDict
}

func (g *group) String() string        { return g.name + " (group)" }
func (g *group) Type() string          { return "group" }
func (g *group) Freeze()               {}
func (g *group) Truth() starlark.Bool  { return true }
func (g *group) Hash() (uint32, error) { return starlark.String(g.name).Hash() }
func (g *group) AttrNames() []string   { return g.members.Keys() }

// Attr returns a block or group inside.
func (g *group) Attr(name string) (starlark.Value, error) {
	if v, ok := g.members[name]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("group %s has no block %q%s", g.name, name, nearest.Hint(name, g.members.Keys()))
}

// event is an event of a block, to be waited for.
type event struct{ ref string }

func (e *event) String() string        { return e.ref + " (event)" }
func (e *event) Type() string          { return "event" }
func (e *event) Freeze()               {}
func (e *event) Truth() starlark.Bool  { return true }
func (e *event) Hash() (uint32, error) { return starlark.String(e.ref).Hash() }

// result turns what the system answered into a value of the script.
func (s *session) result(v any, err error) (starlark.Value, error) {
	if err = s.waited(err); err != nil {
		return nil, err
	}
	return toStarlark(v), nil
}

// toStarlark turns a JSON value into one of the script.
func toStarlark(v any) starlark.Value {
	switch x := v.(type) {
	case bool:
		return starlark.Bool(x)
	case int64:
		return starlark.MakeInt64(x)
	case uint64:
		return starlark.MakeUint64(x)
	case int:
		return starlark.MakeInt(x)
	case float64:
		return starlark.Float(x)
	case string:
		return starlark.String(x)
	case []any:
		list := make([]starlark.Value, len(x))
		for i, e := range x {
			list[i] = toStarlark(e)
		}
		return starlark.NewList(list)
	case []string:
		list := make([]starlark.Value, len(x))
		for i, e := range x {
			list[i] = starlark.String(e)
		}
		return starlark.NewList(list)
	case map[string]any:
		d := starlark.NewDict(len(x))
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			_ = d.SetKey(starlark.String(k), toStarlark(x[k])) // a new dict takes every string
		}
		return d
	}
	return starlark.None
}

// fromStarlark turns a value of the script into one of JSON.
func fromStarlark(v starlark.Value) (any, error) {
	switch x := v.(type) {
	case starlark.Bool:
		return bool(x), nil
	case starlark.Int:
		if n, ok := x.Int64(); ok {
			return n, nil
		}
		return nil, fmt.Errorf("%v is too large", x)
	case starlark.Float:
		return float64(x), nil
	case starlark.String:
		return string(x), nil
	case *starlark.Dict:
		m := map[string]any{}
		for _, item := range x.Items() {
			key, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("%v is no name of a field", item[0])
			}
			e, err := fromStarlark(item[1])
			if err != nil {
				return nil, err
			}
			m[key] = e
		}
		return m, nil
	case starlark.Indexable: // lists and tuples
		list := make([]any, x.Len())
		for i := range list {
			e, err := fromStarlark(x.Index(i))
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	}
	return nil, fmt.Errorf("a %s cannot be sent to a block: wants numbers, true or false, and lists of them", v.Type())
}
