package browse

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
)

// maxEvents is the number of events that the browser keeps.
const maxEvents = 500

// eventLog holds the last events of a system. The zero value is empty.
type eventLog struct {
	mu     sync.Mutex
	list   []admin.Event
	own    admin.Actor       // the browser's own client
	notify func(admin.Event) // shows events that this client did not cause; may be nil
}

func (l *eventLog) add(e admin.Event) {
	l.mu.Lock()
	if e.Kind == admin.EventSupervisor && slices.ContainsFunc(l.list, e.Same) { // another process keeps it now
		l.mu.Unlock()
		return
	}
	at := len(l.list) // processes are not in step: their events arrive in any order
	for at > 0 && e.At.Before(l.list[at-1].At) {
		at--
	}
	l.list = slices.Insert(l.list, at, e)
	l.list = l.list[max(0, len(l.list)-maxEvents):]
	notify := l.notify
	l.mu.Unlock()
	if notify != nil && !e.Actor.Is(l.own) {
		notify(e)
	}
}

// begin puts earlier events, from the history, before those received since. Events in both count once.
func (l *eventLog) begin(past []admin.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.list {
		if !slices.ContainsFunc(past, e.Same) {
			past = append(past, e)
		}
	}
	slices.SortStableFunc(past, func(a, b admin.Event) int { return a.At.Compare(b.At) })
	l.list = past[max(0, len(past)-maxEvents):]
}

// last returns the last n events.
func (l *eventLog) last(n int) []admin.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]admin.Event(nil), l.list[max(0, len(l.list)-n):]...)
}

func (l *eventLog) onEvent(notify func(admin.Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notify = notify
}

// clockFormat is how the list shows the time of a host's clock.
const clockFormat = "15:04:05.000"

// eventText formats an event as one line: the time of its host's clock, the system's time, what happened.
func eventText(e admin.Event) string {
	text := fmt.Sprintf("%s  %10.3f s  %v", e.At.Local().Format(clockFormat), e.Time.Seconds(), e)
	if actor := e.Actor.String(); actor != "" {
		text += "  (" + actor + ")"
	}
	return text
}

// showEvents lists the last events in the order of time: 20, or the given number. The actions of supervisors are among them.
func (b *browser) showEvents(out io.Writer, args []string) error {
	n := 20
	if len(args) == 1 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return fmt.Errorf("events %s: wants a number of events, at most %d", args[0], maxEvents)
		}
	}
	list := b.events.last(n)
	for _, e := range list {
		fmt.Fprintln(out, eventText(e))
	}
	if len(list) == 0 {
		fmt.Fprintln(out, "no events")
	}
	return nil
}
