package console

import (
	"crypto/rand"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The limits of a session.
const (
	maxSessions   = 256              // of all people
	sessionGrace  = 15 * time.Second // without a connection a session's watches end
	sessionLife   = 24 * time.Hour   // without a connection a session is forgotten
	requestRate   = 500              // requests a second, in the long run
	requestBurst  = 2000
	requestsOpen  = 64 // that are worked on at once
	maxWatches    = 64
	maxSignals    = 4096      // of all watches together
	pendingPause  = 256 << 10 // bytes that wait for a page: above it gets no frames
	sessionLookup = 100 * time.Millisecond
)

// session is one page in a browser: a user of the NATS server who may only speak on subjects of its own.
type session struct {
	id       string // in subjects
	password string
	login    *login
	pace     *rate.Limiter
	slots    chan struct{}

	mu      sync.Mutex
	watches map[string]*watch
	signals int
	open    bool // it has a connection
	ended   bool
	seen    time.Time
	pending int64 // bytes that wait for the page to read them
}

// slow reports whether the page reads too slowly to get more frames now.
func (s *session) slow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending > pendingPause
}

func (s *session) subject(method string) string { return subjectRoot + "." + s.id + "." + method }

func (s *session) inbox() string { return "_INBOX." + s.id + "." }

// endWatches ends all watches.
func (s *session) endWatches() {
	s.mu.Lock()
	all := s.watches
	s.watches, s.signals = map[string]*watch{}, 0
	s.mu.Unlock()
	for _, w := range all {
		w.end()
	}
}

// finish ends the session for good.
func (s *session) finish() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.endWatches()
}

// sessions are the pages that are or were just open.
type sessions struct {
	mu  sync.Mutex
	all map[string]*session
}

// begin makes a session for a person. Where there are too many, the one that was seen least lately ends.
func (ss *sessions) begin(l *login) *session {
	s := &session{id: rand.Text(), password: rand.Text(), login: l, pace: rate.NewLimiter(requestRate, requestBurst),
		slots: make(chan struct{}, requestsOpen), watches: map[string]*watch{}, seen: time.Now()}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if len(ss.all) >= maxSessions {
		var oldest *session
		for _, x := range ss.all {
			if oldest == nil || !x.open && oldest.open || x.open == oldest.open && x.seen.Before(oldest.seen) {
				oldest = x
			}
		}
		delete(ss.all, oldest.id)
		defer oldest.finish()
	}
	ss.all[s.id] = s
	return s
}

func (ss *sessions) find(id string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.all[id]
}

func (ss *sessions) list() []*session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	list := make([]*session, 0, len(ss.all))
	for _, s := range ss.all {
		list = append(list, s)
	}
	return list
}

// endOf ends the pages of a login.
func (ss *sessions) endOf(l *login) {
	for _, s := range ss.list() {
		if s.login == l {
			ss.mu.Lock()
			delete(ss.all, s.id)
			ss.mu.Unlock()
			s.finish()
		}
	}
}

// connection is what the NATS server knows of a session.
type connection struct {
	count   int
	pending int64
}

// look takes down which sessions are connected, and ends what those have left that are gone.
func (ss *sessions) look(connected map[string]connection, now time.Time) {
	for _, s := range ss.list() {
		c := connected[s.id]
		s.mu.Lock()
		s.open, s.pending = c.count > 0, c.pending
		if s.open {
			s.seen = now
		}
		away := now.Sub(s.seen)
		s.mu.Unlock()
		if away > sessionGrace {
			s.endWatches()
		}
		if away > sessionLife {
			ss.mu.Lock()
			delete(ss.all, s.id)
			ss.mu.Unlock()
			s.finish()
		}
	}
}

func (ss *sessions) end() {
	for _, s := range ss.list() {
		s.finish()
	}
}
