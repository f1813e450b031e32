package script

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"go.starlark.net/starlark"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

func (s *session) context() context.Context { return context.Background() }

// addBlocks defines a global for each block, and for each group an object with its blocks and ports.
func (s *session) addBlocks(structure *admin.Structure) {
	ports := map[string][]admin.Port{}
	for _, g := range structure.Groups {
		ports[g.Name] = g.Ports
	}
	newGroup := func(name string) *group {
		return &group{s: s, name: name, members: starlark.StringDict{}, ports: ports[name]}
	}
	for i := range structure.Blocks {
		b := &structure.Blocks[i]
		path := strings.Split(b.Name, ".")
		if len(path) == 1 {
			s.globals[b.Name] = &object{s: s, block: b}
			continue
		}
		g, ok := s.globals[path[0]].(*group)
		if !ok {
			g = newGroup(path[0])
			s.globals[path[0]] = g
		}
		for _, name := range path[1 : len(path)-1] {
			inner, ok := g.members[name].(*group)
			if !ok {
				inner = newGroup(g.name + "." + name)
				g.members[name] = inner
			}
			g = inner
		}
		g.members[path[len(path)-1]] = &object{s: s, block: b}
	}
}

// object returns the block of a name.
func (s *session) object(name string) (starlark.Value, bool) {
	var v starlark.Value = &group{members: s.globals}
	for part := range strings.SplitSeq(name, ".") {
		g, ok := v.(*group)
		if !ok {
			return nil, false
		}
		v = g.members[part]
	}
	o, ok := v.(*object)
	return o, ok
}

// object is a block as seen by a script.
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

// Attr reads a port or parameter, or returns an operation to call or an event to wait for.
func (o *object) Attr(name string) (starlark.Value, error) {
	ref := o.block.Name + "." + name
	for _, op := range o.block.Operations {
		if op.Name == name {
			call := starlark.NewBuiltin(name, o.s.caller(ref))
			if slices.ContainsFunc(o.block.Ports, func(p admin.Port) bool { return p.Name == name && p.Kind == "event" }) {
				return &callableEvent{call, &event{ref}}, nil
			}
			return call, nil
		}
	}
	for _, p := range o.block.Params {
		if p.Name == name {
			if p.Fixed {
				return toStarlark(p.Value), nil
			}
			v, err := o.s.system.Param(o.s.context(), ref)
			return o.s.result(v, err)
		}
	}
	for _, p := range o.block.Ports {
		switch {
		case p.Name != name:
		case p.Kind == "event":
			return &event{ref}, nil
		default:
			r, err := o.s.system.Read(o.s.context(), ref)
			return o.s.result(r.Value, err)
		}
	}
	switch name {
	case "reset":
		return starlark.NewBuiltin(name, o.s.simple(func(starlark.Tuple) error {
			return o.s.system.Reset(o.s.context(), o.block.Name)
		})), nil
	case "age":
		return starlark.NewBuiltin(name, o.age), nil
	case "release":
		return starlark.NewBuiltin(name, o.s.simple(func(args starlark.Tuple) error {
			if len(args) != 1 {
				return fmt.Errorf("release wants the name of one port, as in %s.release(\"enable\")", o.block.Name)
			}
			port, _ := starlark.AsString(args[0])
			return o.s.system.Release(o.s.context(), o.block.Name+"."+port)
		})), nil
	}
	return nil, fmt.Errorf("%s (%s) has no port, parameter or operation %q%s",
		o.block.Name, o.block.Type, name, nearest.Hint(name, o.AttrNames()))
}

// age returns how old the value of a port is, in s.
func (o *object) age(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(named) > 0 {
		return nil, fmt.Errorf("age wants the name of one port, as in %s.age(\"in\")", o.block.Name)
	}
	port, _ := starlark.AsString(args[0])
	r, err := o.s.system.Read(o.s.context(), o.block.Name+"."+port)
	return o.s.result(r.Age.Seconds(), err)
}

// AttrNames returns all names that Attr accepts.
func (o *object) AttrNames() []string {
	names := []string{"age", "release", "reset"}
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
			return o.s.waited(o.s.system.SetParams(o.s.context(), o.block.Name, map[string]any{name: value}))
		}
	}
	for _, p := range o.block.Ports {
		if p.Name == name && p.Kind != "event" {
			return o.s.waited(o.s.system.Feed(o.s.context(), o.block.Name+"."+name, value))
		}
	}
	return fmt.Errorf("%s (%s) has no parameter or input %q%s",
		o.block.Name, o.block.Type, name, nearest.Hint(name, o.AttrNames()))
}

// group holds the blocks and ports of a group.
type group struct {
	s       *session
	name    string
	members starlark.StringDict
	ports   []admin.Port
}

var _ starlark.HasSetField = (*group)(nil)

func (g *group) String() string        { return g.name + " (group)" }
func (g *group) Type() string          { return "group" }
func (g *group) Freeze()               {}
func (g *group) Truth() starlark.Bool  { return true }
func (g *group) Hash() (uint32, error) { return starlark.String(g.name).Hash() }

// AttrNames returns all names that Attr accepts.
func (g *group) AttrNames() []string {
	names := g.members.Keys()
	for _, p := range g.ports {
		names = append(names, p.Name)
	}
	return names
}

// Attr returns a block or group inside, or reads a port of the group. A member precedes a port of its name.
func (g *group) Attr(name string) (starlark.Value, error) {
	if v, ok := g.members[name]; ok {
		return v, nil
	}
	for _, p := range g.ports {
		switch {
		case p.Name != name:
		case p.Kind == "event":
			return &event{p.Behind[0]}, nil
		default:
			r, err := g.s.system.Read(g.s.context(), g.name+"."+name)
			return g.s.result(r.Value, err)
		}
	}
	return nil, fmt.Errorf("group %s has no block or port %q%s", g.name, name, nearest.Hint(name, g.AttrNames()))
}

// SetField feeds a port of the group.
func (g *group) SetField(name string, v starlark.Value) error {
	value, err := fromStarlark(v)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", g.name, name, err)
	}
	for _, p := range g.ports {
		if p.Name == name && p.Kind != "event" {
			return g.s.waited(g.s.system.Feed(g.s.context(), g.name+"."+name, value))
		}
	}
	return fmt.Errorf("group %s has no input %q%s", g.name, name, nearest.Hint(name, g.AttrNames()))
}

// event is an event of a block, for scripts to wait for.
type event struct{ ref string }

func (e *event) String() string        { return e.ref + " (event)" }
func (e *event) Type() string          { return "event" }
func (e *event) Freeze()               {}
func (e *event) Truth() starlark.Bool  { return true }
func (e *event) Hash() (uint32, error) { return starlark.String(e.ref).Hash() }

// callableEvent is what a block has both as an event and as an operation, such as sample of a servo.Sampler.
type callableEvent struct {
	*starlark.Builtin
	event *event
}

// eventOf returns the event that a value stands for.
func eventOf(v starlark.Value) (e *event, ok bool) {
	if both, is := v.(*callableEvent); is {
		return both.event, true
	}
	e, ok = v.(*event)
	return e, ok
}

// result converts the system's answer to a Starlark value.
func (s *session) result(v any, err error) (starlark.Value, error) {
	if err = s.waited(err); err != nil {
		return nil, err
	}
	return toStarlark(v), nil
}

// toStarlark converts a JSON value to a Starlark value.
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
	case *admin.RawValue:
		if v, err := x.Value(); err == nil {
			return toStarlark(v)
		}
		return starlark.None
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
			_ = d.SetKey(starlark.String(k), toStarlark(x[k])) // a new dict accepts every string
		}
		return d
	}
	return starlark.None
}

// fromStarlark converts a Starlark value to a JSON value.
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
				return nil, fmt.Errorf("%v is not a field name", item[0])
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
