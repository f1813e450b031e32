package admin

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/sinew-robotics/sinew/net/thread"
)

// whoKey is the key of a context's value that [By] sets.
type whoKey struct{}

// By returns a context in which a [Local] or [Client] makes changes in the name of who: the events of the system say so. A
// client without it names its user, host and process.
func By(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, whoKey{}, who)
}

// doneBy returns what By has set, or another name.
func doneBy(ctx context.Context, otherwise string) string {
	if who, ok := ctx.Value(whoKey{}).(string); ok {
		return who
	}
	return otherwise
}

// listeners are those who follow the events of a Local.
type listeners struct {
	memory memory
	mu     sync.Mutex
	next   int
	sinks  map[int]func(Event)
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

func (l *listeners) tell(e Event) {
	e = l.memory.event(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, sink := range l.sinks {
		sink(e)
	}
}

// FollowEvents makes sink get the events of the system until end is called: blocks that fall in error, warnings that begin and
// end, what somebody has changed. What the system's own scripts do is none. Sink must be quick.
func (l *Local) FollowEvents(sink func(Event)) (end func(), err error) {
	return l.events.add(sink), nil
}

// watchFront makes events of what happens without anybody asking for it.
func (l *Local) watchFront() {
	l.front.OnFault(func(f thread.Fault) {
		l.events.tell(Event{Time: f.Time, Kind: "fault", Ref: f.Block, Text: f.Why})
	})
	l.front.OnWarning(func(w thread.Warning) {
		l.events.tell(Event{Time: l.Now(), Kind: "warning", Text: w.String()})
	})
}

// changed tells of something that somebody has done.
func (l *Local) changed(ctx context.Context, kind, ref, text string) {
	if l.member != nil {
		return
	}
	l.events.tell(Event{Time: l.Now(), Kind: kind, Ref: ref, Text: text, By: doneBy(ctx, "")})
}

// maxSummary is how many bytes of what was given an event shows.
const maxSummary = 200

// summary writes what was given as JSON, shortened.
func summary(v any) string {
	text, _ := json.Marshal(finite(v))
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
		l.changed(ctx, "enable", name, strconv.FormatBool(on))
	}
	return err
}
