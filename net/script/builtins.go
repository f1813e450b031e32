package script

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// pollPeriod is the interval, in the system's time, at which conditions of wait_for and of state machines are
// checked beside the threads.
const pollPeriod = 10 * time.Millisecond

type builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// builtins returns the functions that scripts have besides Starlark's own.
func (s *session) builtins() map[string]builtin {
	return map[string]builtin{
		"wait":       s.wait,
		"wait_until": s.waitUntil,
		"wait_for":   s.waitFor,
		"wait_event": s.waitEvent,
		"now":        s.now,
		"log":        s.logValues,
		"stop":       s.stop,
		"machine":    s.machine,
		"state":      s.state,
		"when":       s.when,
		"on":         s.on,
		"after":      s.after,
	}
}

// waited resets the script's step limit if time has advanced. It ends the script if the system has stopped it.
func (s *session) waited(err error) error {
	if now := s.system.Now(); now != s.last {
		s.last = now
		s.allow()
	}
	if errors.Is(err, admin.ErrGone) {
		s.halted = err
	}
	return err
}

// caller calls an operation.
func (s *session) caller(ref string) builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		list, err := fromStarlark(args)
		if err != nil {
			return nil, err
		}
		named := map[string]any{}
		for _, kw := range kwargs {
			name, _ := starlark.AsString(kw[0])
			if named[name], err = fromStarlark(kw[1]); err != nil {
				return nil, err
			}
		}
		v, err := s.system.Call(s.context(), ref, list.([]any), named)
		return s.result(v, err)
	}
}

// simple makes a builtin from a function without a result.
func (s *session) simple(f func(starlark.Tuple) error) builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, s.waited(f(args))
	}
}

// number is an argument that may be a whole number or a float.
type number float64

// Unpack implements starlark.Unpacker.
func (n *number) Unpack(v starlark.Value) error {
	x, ok := starlark.AsFloat(v)
	if !ok || math.IsNaN(x) {
		return fmt.Errorf("wants a number, got %s", v)
	}
	*n = number(x)
	return nil
}

// timeOf returns a time in seconds as clock time; longer times than the clock can represent become forever.
func timeOf(seconds number) clock.Time {
	const forever = math.MaxInt64 / 4 // sums of two such times do not overflow
	ns := float64(seconds) * float64(time.Second)
	switch {
	case ns >= forever:
		return forever
	case ns > -forever:
		return clock.Time(ns)
	}
	return -forever // also NaN: it never arrives
}

func (s *session) wait(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var seconds number
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "seconds", &seconds); err != nil {
		return nil, err
	}
	return starlark.None, s.sleep(s.system.Now() + timeOf(seconds))
}

func (s *session) waitUntil(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var seconds number
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "time", &seconds); err != nil {
		return nil, err
	}
	return starlark.None, s.sleep(timeOf(seconds))
}

// sleep waits until t; it returns immediately if t has passed.
func (s *session) sleep(t clock.Time) error {
	if t <= s.system.Now() {
		return nil
	}
	return s.waited(s.system.Wait(t, nil))
}

// waitFor waits until a condition is true, and returns true. After the time-out it fails, or returns what otherwise names.
func (s *session) waitFor(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var condition starlark.Callable
	timeout, otherwise := number(-1), starlark.Value(nil)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "condition", &condition, "timeout?", &timeout, "otherwise?", &otherwise); err != nil {
		return nil, err
	}
	end := s.system.Now() + timeOf(timeout)
	for {
		v, err := starlark.Call(t, condition, nil, nil)
		if err != nil || v.Truth() {
			return starlark.Bool(err == nil), err
		}
		if timeout >= 0 && s.system.Now() >= end {
			return late(otherwise, "the condition was still false after %v s", timeout)
		}
		if err := s.sleep(s.system.Now().Add(s.poll)); err != nil {
			return nil, err
		}
	}
}

// listener receives an event.
type listener struct {
	mu   sync.Mutex
	data any
	n    int
	end  func()
}

func (s *session) listen(e *event) (*listener, error) {
	l := &listener{}
	past, err := s.system.Read(s.context(), e.ref)
	if err != nil {
		return nil, s.waited(err)
	}
	end, err := s.system.Tap(s.context(), e.ref, 1, func(sample admin.Sample) {
		if sample.Count == uint32(past.Count) {
			return // a tap starts with the previous value
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.data = sample.Value
		l.n++
	})
	if err = s.waited(err); err != nil {
		return nil, err
	}
	l.end = end
	return l, nil
}

// heard reports whether the event has happened since the last call of take.
func (l *listener) heard() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n > 0
}

func (l *listener) take() any {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n = 0
	return l.data
}

// late ends a wait at its time-out: with the value that the script names for it, else with an error.
func late(otherwise starlark.Value, format string, args ...any) (starlark.Value, error) {
	if otherwise != nil {
		return otherwise, nil
	}
	return nil, fmt.Errorf(format+"; to go on then, name a value to return, as otherwise = False", args...)
}

// waitEvent waits for an event and returns its data. After the time-out it fails, or returns what otherwise names.
func (s *session) waitEvent(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var what starlark.Value
	timeout, otherwise := number(-1), starlark.Value(nil)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "event", &what, "timeout?", &timeout, "otherwise?", &otherwise); err != nil {
		return nil, err
	}
	e, ok := eventOf(what)
	if !ok {
		return nil, fmt.Errorf("wait_event wants an event of a block, got %s", what.Type())
	}
	l, err := s.listen(e)
	if err != nil {
		return nil, err
	}
	defer l.end()
	var until clock.Time
	if timeout >= 0 {
		until = s.system.Now() + timeOf(timeout)
	}
	if err := s.waited(s.system.Wait(until, l.heard)); err != nil {
		return nil, err
	}
	if !l.heard() {
		return late(otherwise, "%s did not happen within %v s", e.ref, timeout)
	}
	return toStarlark(l.take()), nil
}

func (s *session) now(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return starlark.Float(s.system.Now().Seconds()), starlark.UnpackArgs(b.Name(), args, kwargs)
}

func (s *session) logValues(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	words := make([]string, len(args))
	for i, v := range args {
		if text, ok := starlark.AsString(v); ok {
			words[i] = text
		} else {
			words[i] = v.String()
		}
	}
	s.log(strings.Join(words, " "))
	return starlark.None, nil
}

func (s *session) log(text string) {
	fmt.Fprintf(s.out, "%9.3f s  %s\n", s.system.Now().Seconds(), text)
}

func (s *session) stop(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
		return nil, err
	}
	return starlark.None, s.system.Stop(s.context())
}
