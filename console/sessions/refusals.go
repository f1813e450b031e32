package sessions

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"
)

// The limits of what strangers add to the log.
const (
	refusalPause     = time.Minute // between two lines of one address
	refusalAddresses = 16          // with lines of their own; the rest has one together
)

// Refusals logs requests that were refused: the first of an address at once, then how many came in each minute.
type Refusals struct {
	log  *slog.Logger
	mu   sync.Mutex
	from map[netip.Prefix]*refused
}

// NewRefusals returns refusals that are written to a log.
func NewRefusals(log *slog.Logger) *Refusals {
	return &Refusals{log: log, from: map[netip.Prefix]*refused{}}
}

type refused struct {
	logged time.Time
	more   int // since then
	why    string
}

// Note counts a refusal, and logs the first one of an address.
func (r *Refusals) Note(from netip.Prefix, why string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.from[from] == nil && len(r.from) >= refusalAddresses {
		from = netip.Prefix{} // the others
	}
	e := r.from[from]
	if e == nil {
		r.from[from] = &refused{logged: now}
		r.log.Warn("console: rejected a request without login", "from", nameOf(from), "why", why)
		return
	}
	e.more++
	e.why = why
}

// Update logs how many more were refused since the last line of an address, at most once a minute, and forgets addresses without any.
func (r *Refusals) Update(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for from, e := range r.from {
		switch {
		case now.Sub(e.logged) < refusalPause:
		case e.more == 0:
			delete(r.from, from)
		default:
			r.log.Warn("console: rejected more requests without login", "times", e.more, "from", nameOf(from), "why", e.why)
			e.logged, e.more = now, 0
		}
	}
}

func nameOf(from netip.Prefix) string {
	switch {
	case !from.IsValid():
		return "other addresses"
	case from.IsSingleIP():
		return from.Addr().String()
	}
	return from.String()
}
