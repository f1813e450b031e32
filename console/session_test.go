package console

import (
	"fmt"
	"testing"
	"time"
)

// TestSessionsEnd checks when a page that has gone loses its watches, and when it is forgotten.
func TestSessionsEnd(t *testing.T) {
	ss := &sessions{all: map[string]*session{}}
	s := ss.begin(&login{user: "ann"})
	ended := false
	begins := func() {
		ended = false
		if !s.keep(&watch{id: "w", stop: func() { ended = true }}) {
			t.Fatal("the session has ended already")
		}
	}
	begin := s.seen
	begins()
	ss.look(nil, begin.Add(sessionGrace-time.Second))
	if ended {
		t.Error("a page that reloads has lost its watches")
	}
	ss.look(map[string]connection{s.id: {count: 1, pending: pendingPause + 1}}, begin.Add(time.Hour))
	if ended || !s.slow() {
		t.Errorf("a page that is there: ended %v, slow %v", ended, s.slow())
	}
	ss.look(nil, begin.Add(time.Hour+sessionGrace+time.Second))
	if !ended || ss.find(s.id) == nil {
		t.Error("a page that has gone keeps its watches, or is forgotten at once")
	}
	begins()
	ss.look(nil, begin.Add(time.Hour+sessionLife+time.Second))
	if !ended || ss.find(s.id) != nil {
		t.Error("a page that has gone is remembered for ever")
	}
	if s.keep(&watch{}) {
		t.Error("a forgotten session takes watches")
	}
}

// TestSessionsAreBounded checks that pages which are there outlast those that have gone.
func TestSessionsAreBounded(t *testing.T) {
	ss := &sessions{all: map[string]*session{}}
	there := ss.begin(&login{})
	for i := range 2 * maxSessions {
		ss.begin(&login{user: fmt.Sprint(i)})
		ss.look(map[string]connection{there.id: {count: 1}}, time.Now())
	}
	if len(ss.all) != maxSessions || ss.find(there.id) == nil {
		t.Errorf("%d sessions, the connected one among them: %v", len(ss.all), ss.find(there.id) != nil)
	}
	ss.endOf(there.login)
	if ss.find(there.id) != nil {
		t.Error("a session outlasts its login")
	}
}

func TestLoginsAreBounded(t *testing.T) {
	g, err := newGate([]User{{Name: "ann", Token: "a long token for ann"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * maxLogins {
		if l, err := g.enter("a long token for ann"); l == nil || err != nil {
			t.Fatal(l, err)
		}
	}
	if len(g.logins) != maxLogins {
		t.Errorf("%d logins", len(g.logins))
	}
	for _, u := range []User{{Token: "a long token of nobody"}, {Name: "x", Token: "short"}, {Name: "x", Token: "a long token for x", Role: 7}} {
		if _, err := newGate([]User{u}); err == nil {
			t.Errorf("%+v may sign in", u)
		}
	}
}
