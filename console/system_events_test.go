package console_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// recorded is a system with a history, which it returns when released.
type recorded struct {
	*admin.Local
	mu      sync.Mutex
	before  admin.History
	release chan struct{}
	follow  func(admin.LogLine)
	event   func(admin.Event)
}

func (s *recorded) FollowEvents(sink func(admin.Event)) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event = sink
	return func() {}, nil
}

func (s *recorded) FollowLogs(sink func(admin.LogLine)) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow = sink
	return func() {}, nil
}

func (s *recorded) History(context.Context) (admin.History, error) {
	<-s.release
	return s.before, nil
}

func line(n int) admin.LogLine {
	return admin.LogLine{At: time.Unix(1000, 0).Add(time.Duration(n) * time.Second), Process: "main", Seq: uint64(n), Text: fmt.Sprint("line ", n)}
}

// texts returns the lines of the console's log that contain words.
func (p *page) texts(words string) (list []string) {
	for _, e := range p.want("log", m{"system": "test"}).([]any) {
		if text := e.(m)["text"].(string); strings.Contains(text, words) {
			list = append(list, text)
		}
	}
	return list
}

// TestLogBeginsBeforeTheConsole shows the history from before the page was opened, once and in order.
func TestLogBeginsBeforeTheConsole(t *testing.T) {
	s := &recorded{Local: run(t, time.Millisecond, "a"), release: make(chan struct{})}
	s.before = admin.History{Lines: []admin.LogLine{line(1), line(2), line(4)},
		Events: []admin.Event{{At: line(3).At, Process: "main", Kind: "warning", Text: "line 3 is a warning"}}}
	p := open(t, s).page("")
	followed := func() func(admin.LogLine) { s.mu.Lock(); defer s.mu.Unlock(); return s.follow }
	testkit.Await(t, "the follower", func() bool { return followed() != nil })
	followed()(line(4)) // repeated in the history
	followed()(line(5))
	close(s.release)
	want := []string{"line 1", "line 2", "line 3 is a warning", "line 4", "line 5"}
	testkit.Await(t, "the log", func() bool { return len(p.texts("line")) >= len(want) })
	followed()(line(6))
	if got := p.texts("line"); !slices.Equal(got, append(want, "line 6")) {
		t.Errorf("the log shows %q", got)
	}
	first := p.want("log", m{"system": "test"}).([]any)[0].(m)
	if when, err := time.Parse(time.RFC3339Nano, first["time"].(string)); err != nil || !when.Equal(line(1).At) {
		t.Errorf("the first line is of %v, %v", when, err)
	}
}

// TestEventIsShownThatItsLineHasOvertaken sends the line of a fault before its event, as a process does that sends them on two ways.
func TestEventIsShownThatItsLineHasOvertaken(t *testing.T) {
	s := &recorded{Local: run(t, time.Millisecond, "a"), release: make(chan struct{})}
	close(s.release)
	p := open(t, s).page("")
	followed := func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.follow != nil && s.event != nil }
	testkit.Await(t, "the followers", followed)
	s.follow(line(2))
	testkit.Await(t, "the line", func() bool { return len(p.texts("line 2")) == 1 })
	s.event(admin.Event{At: line(1).At, Process: "main", Kind: admin.EventFault, Ref: "a", Text: "overtaken"})
	testkit.Await(t, "the event", func() bool { return len(p.texts("overtaken")) == 1 })
}

// TestLogBeginsWithEventsBeforeTheConsole begins with the events before the console.
func TestLogBeginsWithEventsBeforeTheConsole(t *testing.T) {
	s := run(t, time.Millisecond, "a")
	if err := s.SetParams(admin.WithActor(context.Background(), admin.Actor{User: "ann"}), "a", map[string]any{"gain": 2.0}); err != nil {
		t.Fatal(err)
	}
	p := open(t, s).page("")
	testkit.Await(t, "the change", func() bool { return len(p.texts("a.gain")) == 1 })
}

// TestLogShowsChangesOfAnotherHostWithThisPID has a tool on another host whose process has the number of the console's.
func TestLogShowsChangesOfAnotherHostWithThisPID(t *testing.T) {
	s := run(t, time.Millisecond, "a")
	p := open(t, s).page("")
	other := admin.Actor{User: "bob", Host: "elsewhere", PID: os.Getpid(), Instance: "other"}
	if err := s.SetParams(admin.WithActor(context.Background(), other), "a", map[string]any{"gain": 2.0}); err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "the change", func() bool { return len(p.texts("a.gain")) == 1 })
	p.want("set", m{"system": "test", "ref": "a", "named": m{"gain": 3.0}})
	if got := p.texts("a.gain"); !slices.Equal(got, []string{"a.gain 1 → 2", "a.gain 2 → 3"}) {
		t.Errorf("the log shows %q", got)
	}
	var actors, values []any
	for _, e := range p.want("log", m{"system": "test"}).([]any) {
		if e := e.(m); e["kind"] == "change" {
			set := e["values"].(m)
			values = append(values, set["was"].(m)["gain"], set["named"].(m)["gain"])
			actors = append(actors, e["action"], e["ref"], e["actor"].(m)["host"] == "elsewhere")
		}
	}
	if !slices.Equal(actors, []any{"set", "a", true, "set", "a", false}) {
		t.Errorf("actions, blocks and hosts %v", actors)
	}
	if !slices.Equal(values, []any{1.0, 2.0, 2.0, 3.0}) {
		t.Errorf("values before and after: %v", values)
	}
}

// TestLogGoesOnAfterTheClockWasSetBack shows the events of a restarted process, even when its host's clock is an hour slow now.
func TestLogGoesOnAfterTheClockWasSetBack(t *testing.T) {
	s := &recorded{Local: run(t, time.Millisecond, "a"), release: make(chan struct{})}
	close(s.release)
	p := open(t, s).page("")
	followed := func() func(admin.LogLine) { s.mu.Lock(); defer s.mu.Unlock(); return s.follow }
	testkit.Await(t, "the follower", func() bool { return followed() != nil })
	of := func(run string, n int, back time.Duration) admin.LogLine {
		l := line(n)
		l.Run, l.At = run, l.At.Add(-back)
		return l
	}
	followed()(of("first", 1, 0))
	testkit.Await(t, "the first line", func() bool { return len(p.texts("line")) == 1 })
	followed()(of("second", 2, time.Hour))
	followed()(of("second", 3, time.Hour))
	followed()(of("second", 3, time.Hour)) // repeated
	if got := p.texts("line"); !slices.Equal(got, []string{"line 1", "line 2", "line 3"}) {
		t.Errorf("the log shows %q", got)
	}
}

// A restart by another operator takes less time than passes between two looks: pages still learn of it, and ask for parameters again.
func TestRestartBetweenTwoLooksIsReported(t *testing.T) {
	first := run(t, time.Millisecond, "a")
	r := open(t, first)
	p := r.page("")
	count := func(kind string) (n int) {
		for _, e := range p.want("log", m{"system": "test"}).([]any) {
			if e.(m)["kind"] == kind {
				n++
			}
		}
		return n
	}
	testkit.Await(t, "the console follows the system", func() bool { return console.Follows(r.Server, "test") })
	gone, back := count("gone"), count("back")
	p.want("stop", m{"system": "test"})
	<-first.Done()
	r.systems.Add("test", run(t, time.Millisecond, "b"))
	testkit.Await(t, "the restart is reported", func() bool { return count("gone") == gone+1 && count("back") == back+1 })
}
