package admin

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// listeners are the followers of the events of a Local.
type listeners struct {
	log   EventLog
	mu    sync.Mutex
	next  int
	sinks map[int]func(Event)
}

func (l *listeners) add(sink func(Event)) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sinks == nil {
		l.sinks = map[int]func(Event){}
	}
	id := l.next
	l.next++
	l.sinks[id] = sink
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.sinks, id)
	}
}

// emit passes an event on. Events arrive in the order of their times, also where several goroutines emit them at once: a follower
// may take an older one for a repetition.
func (l *listeners) emit(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e = l.log.AddEvent(e)
	for _, sink := range l.sinks {
		sink(e)
	}
}

// FollowEvents makes sink get the events of the system until end is called: blocks that go into error, warnings that begin and
// end, what an [Actor] has changed. Changes by the system's own scripts are left out. sink must not wait. err is
// always nil.
func (l *Local) FollowEvents(sink func(Event)) (end func(), err error) {
	return l.events.add(sink), nil
}

// watchFront emits the events that no request causes.
func (l *Local) watchFront() {
	l.front.OnFault(func(f thread.Fault) {
		l.events.emit(Event{Time: f.Time, Kind: EventFault, Ref: f.Block, Text: f.Why})
	})
	l.front.OnRelease(func(p *port.Port) {
		l.events.emit(Event{Time: l.Now(), Kind: EventRelease, Ref: p.Ref(), Text: "its time is over"})
	})
	l.front.OnWarning(func(w thread.Warning) {
		l.events.emit(Event{Time: l.Now(), Kind: EventWarning, Text: w.String()})
	})
}

// Failed emits an event with the error that ends the system.
func (l *Local) Failed(err error) {
	e := Event{Time: l.Now(), Kind: EventFailed, Text: err.Error()}
	if errors.Is(err, thread.ErrCoreDied) || errors.Is(err, thread.ErrHung) {
		e.Code = CodeNotAtRest
	}
	l.events.emit(e)
}

// changed emits the event of a change. Changes by the system's own scripts are left out.
func (l *Local) changed(ctx context.Context, kind EventKind, ref, text string) {
	if l.member != nil {
		return
	}
	actor, ok := ActorOf(ctx)
	if !ok {
		actor = l.own
	}
	l.events.emit(Event{Time: l.Now(), Kind: kind, Ref: ref, Text: text, Actor: actor})
}

// maxSummary is how many bytes of what was given an event shows.
const maxSummary = 200

// summary writes what was given as JSON, shortened.
func summary(v any) string {
	text, _ := json.Marshal(Finite(v))
	return string(text[:min(len(text), maxSummary)])
}

// given writes the arguments of a call, or the new values of parameters.
func given(args []any, named map[string]any) string {
	m := map[string]any{}
	if len(args) > 0 {
		m["args"] = args
	}
	if len(named) > 0 {
		m["named"] = named
	}
	return summary(m)
}

// Enable implements [System].
func (l *Local) Enable(ctx context.Context, name string, on bool) error {
	if l.blocks[name] == nil && FindGroup(l.shown, name) != nil {
		s, err := l.Structure(ctx)
		if err != nil {
			return err
		}
		return EnableGroup(ctx, l, s.Blocks, name, on)
	}
	b, err := l.block(name)
	if err != nil {
		return err
	}
	if on {
		_, err = l.answer(ctx, l.front.Release(b.Enable))
	} else {
		var cdr []byte
		if cdr, err = b.Enable.Layout().FromValue(false); err == nil {
			_, err = l.answer(ctx, l.front.Feed(b.Enable, cdr))
		}
	}
	if err == nil {
		l.changed(ctx, EventEnable, name, strconv.FormatBool(on))
	}
	return err
}
