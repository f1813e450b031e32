package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/clock"
)

// stateValue is a state of a machine.
type stateValue struct {
	entry, exit starlark.Callable
	to          []*transition
}

func (*stateValue) String() string          { return "state" }
func (*stateValue) Type() string            { return "state" }
func (*stateValue) Freeze()                 {}
func (*stateValue) Truth() starlark.Bool    { return true }
func (s *stateValue) Hash() (uint32, error) { return 0, fmt.Errorf("a state has no hash") }

// transition leads to another state when a condition is true, an event occurs or a time has passed.
type transition struct {
	target    string
	condition starlark.Callable
	event     *event
	seconds   number
}

func (t *transition) String() string        { return "transition to " + t.target }
func (t *transition) Type() string          { return "transition" }
func (t *transition) Freeze()               {}
func (t *transition) Truth() starlark.Bool  { return true }
func (t *transition) Hash() (uint32, error) { return 0, fmt.Errorf("a transition has no hash") }

func (s *session) state(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v := &stateValue{}
	var to *starlark.List
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "entry?", &v.entry, "exit?", &v.exit, "to?", &to); err != nil {
		return nil, err
	}
	for i := 0; to != nil && i < to.Len(); i++ {
		t, ok := to.Index(i).(*transition)
		if !ok {
			return nil, fmt.Errorf("state: to[%d] is a %s: wants when(…), on(…) or after(…)", i, to.Index(i).Type())
		}
		v.to = append(v.to, t)
	}
	return v, nil
}

func (s *session) when(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	t := &transition{}
	return t, starlark.UnpackArgs(b.Name(), args, kwargs, "condition", &t.condition, "target", &t.target)
}

func (s *session) on(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	t := &transition{}
	var what starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "event", &what, "target", &t.target); err != nil {
		return nil, err
	}
	var ok bool
	if t.event, ok = eventOf(what); !ok {
		return nil, fmt.Errorf("on wants an event of a block, got %s", what.Type())
	}
	return t, nil
}

func (s *session) after(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	t := &transition{seconds: -1}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "seconds", &t.seconds, "target", &t.target); err != nil {
		return nil, err
	}
	if !(t.seconds >= 0) {
		return nil, fmt.Errorf("after wants a time in seconds, got %v", t.seconds)
	}
	return t, nil
}

// machine runs a state machine until it reaches a state without transitions, whose name it returns.
func (s *session) machine(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var initial string
	var dict *starlark.Dict
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "initial", &initial, "states", &dict); err != nil {
		return nil, err
	}
	states, err := checkStates(initial, dict)
	if err != nil {
		return nil, err
	}
	for name := initial; ; {
		entered := s.system.Now()
		next, err := s.inState(t, states[name])
		if err != nil {
			return nil, err
		}
		if next == "" {
			return starlark.String(name), nil
		}
		if s.system.Now() == entered { // states that lead to each other immediately must not stop time
			if err := s.sleep(entered.Add(s.poll)); err != nil {
				return nil, err
			}
		}
		name = next
	}
}

// checkStates checks that every named state exists.
func checkStates(initial string, dict *starlark.Dict) (map[string]*stateValue, error) {
	states := map[string]*stateValue{}
	var names []string
	for _, item := range dict.Items() {
		name, isText := starlark.AsString(item[0])
		v, isState := item[1].(*stateValue)
		if !isText || !isState {
			return nil, fmt.Errorf("machine: %v: %s: wants name: state(…)", item[0], item[1].Type())
		}
		states[name] = v
		names = append(names, name)
	}
	known := func(name, where string) error {
		if states[name] == nil {
			return fmt.Errorf("machine: %s is not a state%s", where, nearest.Hint(name, names))
		}
		return nil
	}
	if err := known(initial, fmt.Sprintf("initial %q", initial)); err != nil {
		return nil, err
	}
	for _, name := range names {
		v := states[name]
		for _, t := range v.to {
			if err := known(t.target, fmt.Sprintf("%q, to which %q leads,", t.target, name)); err != nil {
				return nil, err
			}
		}
	}
	return states, nil
}

// inState runs one state and returns the next, or "" if there is none.
func (s *session) inState(t *starlark.Thread, v *stateValue) (next string, err error) {
	listeners := map[*transition]*listener{}
	for _, tr := range v.to {
		if tr.event != nil {
			l, err := s.listen(tr.event)
			if err != nil {
				return "", err
			}
			defer l.end()
			listeners[tr] = l
		}
	}
	entered := s.system.Now()
	if v.entry != nil {
		if _, err := starlark.Call(t, v.entry, nil, nil); err != nil {
			return "", err
		}
	}
	for next == "" && len(v.to) > 0 {
		if next, err = s.firstTransition(t, v, listeners, entered); err != nil {
			return "", err
		}
		if next == "" {
			if err := s.sleep(s.system.Now().Add(s.poll)); err != nil {
				return "", err
			}
		}
	}
	if v.exit != nil {
		_, err = starlark.Call(t, v.exit, nil, nil)
	}
	return next, err
}

// firstTransition returns the target of the first applicable transition, or "" if none applies.
func (s *session) firstTransition(t *starlark.Thread, v *stateValue, heard map[*transition]*listener, entered clock.Time) (string, error) {
	for _, tr := range v.to {
		switch {
		case tr.event != nil:
			if heard[tr].heard() {
				return tr.target, nil
			}
		case tr.condition != nil:
			yes, err := starlark.Call(t, tr.condition, nil, nil)
			if err != nil {
				return "", err
			}
			if yes.Truth() {
				return tr.target, nil
			}
		case s.system.Now() >= entered+timeOf(tr.seconds):
			return tr.target, nil
		}
	}
	return "", nil
}
