package console_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// teller is a system with a past, which it tells when it is let.
type teller struct {
	*admin.Local
	mu     sync.Mutex
	past   admin.Past
	tell   chan struct{}
	follow func(admin.LogLine)
}

func (s *teller) FollowLogs(sink func(admin.LogLine)) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow = sink
	return func() {}, nil
}

func (s *teller) Past(context.Context) (admin.Past, error) {
	<-s.tell
	return s.past, nil
}

func line(n int) admin.LogLine {
	return admin.LogLine{At: time.Unix(1000, 0).Add(time.Duration(n) * time.Second), Process: "main", Seq: uint64(n), Text: fmt.Sprint("line ", n)}
}

// texts are what the log of the console says, without what it says itself.
func (p *page) texts(words string) (list []string) {
	for _, e := range p.want("log", m{"system": "test"}).([]any) {
		if text := e.(m)["text"].(string); strings.Contains(text, words) {
			list = append(list, text)
		}
	}
	return list
}

// TestLogBeginsBeforeTheConsole shows what was before somebody looked, once and in order.
func TestLogBeginsBeforeTheConsole(t *testing.T) {
	s := &teller{Local: run(t, time.Millisecond, "a"), tell: make(chan struct{})}
	s.past = admin.Past{Lines: []admin.LogLine{line(1), line(2), line(4)},
		Events: []admin.Event{{At: line(3).At, Process: "main", Kind: "warning", Text: "line 3 is a warning"}}}
	p := open(t, s).page("")
	followed := func() func(admin.LogLine) { s.mu.Lock(); defer s.mu.Unlock(); return s.follow }
	await(t, "the follower", func() bool { return followed() != nil })
	followed()(line(4)) // told again with the past
	followed()(line(5))
	close(s.tell)
	want := []string{"line 1", "line 2", "line 3 is a warning", "line 4", "line 5"}
	await(t, "the log", func() bool { return len(p.texts("line")) >= len(want) })
	followed()(line(6))
	if got := p.texts("line"); !slices.Equal(got, append(want, "line 6")) {
		t.Errorf("the log says %q", got)
	}
	first := p.want("log", m{"system": "test"}).([]any)[0].(m)
	if when, err := time.Parse(time.RFC3339Nano, first["time"].(string)); err != nil || !when.Equal(line(1).At) {
		t.Errorf("the first line is of %v, %v", when, err)
	}
}

// TestLogOfASystemInProcess begins with the events before the console.
func TestLogOfASystemInProcess(t *testing.T) {
	s := run(t, time.Millisecond, "a")
	if err := s.SetParams(admin.By(context.Background(), "somebody"), "a", map[string]any{"gain": 2.0}); err != nil {
		t.Fatal(err)
	}
	p := open(t, s).page("")
	await(t, "the change", func() bool { return len(p.texts("set a")) == 1 })
}
