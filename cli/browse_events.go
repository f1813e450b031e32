package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
)

// maxEvents is how many events the browser remembers.
const maxEvents = 500

// eventLog is the last events of a system. The zero value is empty.
type eventLog struct {
	mu   sync.Mutex
	list []admin.Event
	tell func(admin.Event) // shows those that this process has not caused; may be nil
}

func (l *eventLog) add(e admin.Event) {
	l.mu.Lock()
	if len(l.list) == maxEvents {
		l.list = append(l.list[:0], l.list[1:]...)
	}
	l.list = append(l.list, e)
	tell := l.tell
	l.mu.Unlock()
	if tell != nil && !strings.HasSuffix(e.By, fmt.Sprintf("process %d", os.Getpid())) {
		tell(e)
	}
}

// begin puts what happened before somebody listened before what has come since. Events that are in both count once.
func (l *eventLog) begin(past []admin.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.list {
		if !slices.ContainsFunc(past, func(p admin.Event) bool { return p.Process == e.Process && p.At.Equal(e.At) }) {
			past = append(past, e)
		}
	}
	l.list = past[max(0, len(past)-maxEvents):]
}

// last returns the last n events.
func (l *eventLog) last(n int) []admin.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]admin.Event(nil), l.list[max(0, len(l.list)-n):]...)
}

func (l *eventLog) onEvent(tell func(admin.Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell = tell
}

// eventText writes an event in one line.
func eventText(e admin.Event) string {
	text := fmt.Sprintf("%10.3f s  %s", e.Time.Seconds(), e.Kind)
	for _, word := range []string{e.Ref, e.Text} {
		if word != "" {
			text += " " + word
		}
	}
	switch e.Kind {
	case "started", "stopped":
		text += " " + e.Process
	}
	if e.By != "" {
		text += "  (" + e.By + ")"
	}
	return text
}

// showEvents lists the last events, 20 or as many as asked for.
func (b *browser) showEvents(out io.Writer, args []string) error {
	n := 20
	if len(args) == 1 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return fmt.Errorf("events %s: wants how many, at most %d", args[0], maxEvents)
		}
	}
	list := b.events.last(n)
	for _, e := range list {
		fmt.Fprintln(out, eventText(e))
	}
	if len(list) == 0 {
		fmt.Fprintln(out, "nothing has happened")
	}
	return nil
}
