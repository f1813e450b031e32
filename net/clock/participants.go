package clock

import (
	"sync"
	"sync/atomic"
)

// Participants are goroutines that take part in virtual time, such as scripts: it stands still while one of them computes, and goes on while
// all wait. One goroutine, which owns the time, calls Resume, Next and Release; the participants call the other methods.
type Participants struct {
	stopped error
	present atomic.Int32 // if there are none, no lock is needed to learn that nothing waits

	mu       sync.Mutex
	active   int           // participants that are not waiting
	sleepers []*sleeper    // the others, in the order in which they began
	idle     chan struct{} // signals that active became 0
	ended    bool
}

// sleeper is a participant that waits.
type sleeper struct {
	until  Time // 0: for ready only
	ready  func() bool
	resume chan error
}

// NewParticipants returns participants, none so far, whose waits return the error stopped when the time has ended.
func NewParticipants(stopped error) *Participants {
	return &Participants{stopped: stopped, idle: make(chan struct{}, 1)}
}

// Join adds a participant, which is computing.
func (p *Participants) Join() {
	p.mu.Lock()
	p.present.Add(1)
	p.active++
	p.mu.Unlock()
}

// Leave removes the calling participant.
func (p *Participants) Leave() {
	p.mu.Lock()
	p.rest()
	p.present.Add(-1)
	p.mu.Unlock()
}

// Wait makes the calling participant wait. It returns nil at time until, if until > 0, or when ready, if not nil, returns true; the error of
// NewParticipants after Release.
func (p *Participants) Wait(until Time, ready func() bool) error {
	s := &sleeper{until: until, ready: ready, resume: make(chan error, 1)}
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		if ready != nil && ready() {
			return nil
		}
		return p.stopped
	}
	p.sleepers = append(p.sleepers, s)
	p.rest()
	p.mu.Unlock()
	return <-s.resume
}

// rest counts one active participant less. The caller holds p.mu.
func (p *Participants) rest() {
	if p.active--; p.active == 0 {
		select {
		case p.idle <- struct{}{}:
		default:
		}
	}
}

// Resume waits until all participants wait, lets the first of them whose wait is over at the time now go on, and returns when it waits
// again. It returns false if no wait is over.
func (p *Participants) Resume(now Time) bool {
	if p.present.Load() == 0 {
		return false
	}
	p.await()
	s := p.takeReady(now)
	if s == nil {
		return false
	}
	s.resume <- nil
	p.await()
	return true
}

// Next returns the first time at which a wait is over; 0: none ends at a time.
func (p *Participants) Next() (next Time) {
	if p.present.Load() == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sleepers {
		if s.until > 0 && (next == 0 || s.until < next) {
			next = s.until
		}
	}
	return next
}

// Release ends the waiting of all participants: the time has ended.
func (p *Participants) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for _, s := range p.sleepers {
		p.active++
		s.resume <- p.stopped
	}
	p.sleepers = nil
}

// await returns when all participants wait.
func (p *Participants) await() {
	for {
		p.mu.Lock()
		active := p.active
		p.mu.Unlock()
		if active == 0 {
			return
		}
		<-p.idle
	}
}

// takeReady takes the first sleeper that no longer has to wait.
func (p *Participants) takeReady(now Time) *sleeper {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.sleepers {
		if s.until > 0 && s.until <= now || s.ready != nil && s.ready() {
			p.sleepers = append(p.sleepers[:i], p.sleepers[i+1:]...)
			p.active++
			return s
		}
	}
	return nil
}
