package sessions

import (
	"net/netip"
	"testing"
	"time"
)

// TestSessionsEndAfterAGrace checks when a page that has gone loses its watches, and when it is forgotten.
func TestSessionsEndAfterAGrace(t *testing.T) {
	ended := false
	ss := NewRegistry(func(*Session) { ended = true })
	s := ss.Begin(&Login{User: "ann"})
	begin := s.seen
	ss.update(nil, begin.Add(sessionGrace-time.Second))
	if ended {
		t.Error("a page that reloads has lost its watches")
	}
	ss.update(map[string]connection{s.ID: {count: 1, pending: pendingPause + 1}}, begin.Add(time.Hour))
	if ended || !s.Slow() {
		t.Errorf("a page that is there: ended %v, slow %v", ended, s.Slow())
	}
	ss.update(nil, begin.Add(time.Hour+sessionGrace+time.Second))
	if !ended || ss.Find(s.ID) == nil {
		t.Error("a page that has gone keeps its watches, or is forgotten at once")
	}
	ended = false
	ss.update(nil, begin.Add(time.Hour+sessionLife+time.Second))
	if !ended || ss.Find(s.ID) != nil {
		t.Error("a page that has gone is remembered for ever")
	}
	if !s.Ended() {
		t.Error("a forgotten session has not ended")
	}
}

// TestSessionsAreBounded checks that pages which are there outlast those that have gone.
func TestSessionsAreBounded(t *testing.T) {
	ss := NewRegistry(func(*Session) {})
	there := ss.Begin(&Login{})
	for i := range 4 * maxSessions {
		ss.Begin(&Login{User: []string{"", "ann"}[i%2]})
		ss.update(map[string]connection{there.ID: {count: 1}}, time.Now())
	}
	if len(ss.all) != 2*maxSessions || ss.Find(there.ID) == nil {
		t.Errorf("%d sessions, the connected one among them: %v", len(ss.all), ss.Find(there.ID) != nil)
	}
	ss.EndOf(there.Login)
	if ss.Find(there.ID) != nil {
		t.Error("a session outlasts its login")
	}
}

func TestLoginsAreBounded(t *testing.T) {
	g, err := NewLogins([]User{{Name: "ann", Token: "a long token for ann"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * maxLogins {
		if l, err := g.SignIn("a long token for ann", netip.Prefix{}, time.Now()); l == nil || err != nil {
			t.Fatal(l, err)
		}
	}
	if len(g.logins) != maxLogins {
		t.Errorf("%d logins", len(g.logins))
	}
	for _, u := range []User{{Token: "a long token without user"}, {Name: "x", Token: "short"}, {Name: "x", Token: "a long token for x", Role: 7}} {
		if _, err := NewLogins([]User{u}); err == nil {
			t.Errorf("%+v may sign in", u)
		}
	}
}
