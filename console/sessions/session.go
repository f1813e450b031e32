package sessions

import (
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/sinew-robotics/sinew/net/admin/request"
)

// The limits of a session.
const (
	maxSessions  = 32               // of one user; the one that was seen longest ago ends, pages that are open last
	sessionGrace = 15 * time.Second // without a connection, until what belongs to a session ends
	sessionLife  = 24 * time.Hour   // without a connection, until a session is forgotten
	requestRate  = 500              // requests a second, in the long run
	requestBurst = 2000
	pendingPause = 256 << 10 // bytes that wait for a page: above it the page is slow
)

// Session is one page in a browser: a user of the NATS server that may only use subjects of its own.
type Session struct {
	ID       string // random; the second word of the page's subjects
	Password string
	Login    *Login
	pace     *rate.Limiter
	Slots    *request.Slots // of the requests that are worked on

	mu      sync.Mutex
	open    bool // it has a connection
	ended   bool
	seen    time.Time
	pending int64 // bytes that wait for the page to read them
}

// Slow reports whether the page reads too slowly to get more frames now.
func (s *Session) Slow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending > pendingPause
}

// Ended reports whether the session has ended for good.
func (s *Session) Ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// AllowRequest reports whether the page may make a request now: at most 500 a second in the long run, 2,000 at once.
func (s *Session) AllowRequest() bool { return s.pace.Allow() }

// Subject returns the page's subject for a method or a kind of message: c.ID.METHOD.
func (s *Session) Subject(method string) string { return subjectRoot + "." + s.ID + "." + method }

// InboxPrefix is the beginning of the subjects to which the page's answers go.
func (s *Session) InboxPrefix() string { return "_INBOX." + s.ID + "." }

// SplitSubject returns the session and the method of a page's subject, which is sinew's root, the session and the method with dots between them; an empty
// method where it has none.
func SplitSubject(subject string) (session, method string) {
	session, method, _ = strings.Cut(strings.TrimPrefix(subject, subjectRoot+"."), ".")
	return session, method
}

// Registry holds the sessions of pages that are or were just open.
type Registry struct {
	away func(*Session)
	mu   sync.Mutex
	all  map[string]*Session
}

// NewRegistry returns a registry without sessions. It calls away when a page has had no connection for 15 s, perhaps repeatedly, and when
// its session has ended: then what belongs to the session, such as its watches, ends.
func NewRegistry(away func(*Session)) *Registry {
	return &Registry{away: away, all: map[string]*Session{}}
}

// Begin returns a new session for a login. A user has at most 32 sessions; beyond that the one whose last request is oldest ends, one without an
// open page first.
func (ss *Registry) Begin(l *Login) *Session {
	s := &Session{ID: rand.Text(), Password: rand.Text(), Login: l, pace: rate.NewLimiter(requestRate, requestBurst),
		Slots: request.NewSlots(), seen: time.Now()}
	if old := ss.add(s); old != nil {
		ss.end(old)
	}
	return s
}

// add adds a session, and takes out and returns the one that makes room for it where its user has too many.
func (ss *Registry) add(s *Session) (old *Session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	count := 0
	for _, x := range ss.all {
		if x.Login.User == s.Login.User {
			if count++; old == nil || x.goesBefore(old) {
				old = x
			}
		}
	}
	ss.all[s.ID] = s
	if count < maxSessions {
		return nil
	}
	delete(ss.all, old.ID)
	return old
}

// goesBefore reports whether a session ends before another one: those without a connection do so first, then those that were seen
// longest ago.
func (s *Session) goesBefore(other *Session) bool {
	open, seen := s.presence()
	otherOpen, otherSeen := other.presence()
	return !open && otherOpen || open == otherOpen && seen.Before(otherSeen)
}

func (s *Session) presence() (open bool, seen time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open, s.seen
}

// end ends a session for good.
func (ss *Registry) end(s *Session) {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	ss.away(s)
}

// Find returns the session with an ID, or nil.
func (ss *Registry) Find(id string) *Session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.all[id]
}

// All returns the sessions in no particular order.
func (ss *Registry) All() []*Session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	list := make([]*Session, 0, len(ss.all))
	for _, s := range ss.all {
		list = append(list, s)
	}
	return list
}

// EndOf ends the sessions of a login.
func (ss *Registry) EndOf(l *Login) {
	for _, s := range ss.All() {
		if s.Login == l {
			ss.mu.Lock()
			delete(ss.all, s.ID)
			ss.mu.Unlock()
			ss.end(s)
		}
	}
}

// connection is what the NATS server reports of a session.
type connection struct {
	count   int
	pending int64 // bytes
}

// Update asks the broker which pages are connected and how well they read. Pages that have been away for 15 s end with all that
// belongs to them, and so do sessions that have been away for a day.
func (ss *Registry) Update(b *Broker, now time.Time) { ss.update(b.connections(), now) }

func (ss *Registry) update(connected map[string]connection, now time.Time) {
	for _, s := range ss.All() {
		c := connected[s.ID]
		s.mu.Lock()
		s.open, s.pending = c.count > 0, c.pending
		if s.open {
			s.seen = now
		}
		away := now.Sub(s.seen)
		s.mu.Unlock()
		if away > sessionGrace {
			ss.away(s)
		}
		if away > sessionLife {
			ss.mu.Lock()
			delete(ss.all, s.ID)
			ss.mu.Unlock()
			ss.end(s)
		}
	}
}

// Close ends all sessions.
func (ss *Registry) Close() {
	for _, s := range ss.All() {
		ss.end(s)
	}
}
