package thread

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
)

const (
	pumpPeriod   = 2 * time.Millisecond  // the front looks into the rings of replies and samples this often
	recordPeriod = 10 * time.Millisecond // and into those of the log
	alivePeriod  = 20 * time.Millisecond // and whether the core is still there
)

// ErrCoreDied is returned by Front.Follow if the core's process ended without bringing its blocks to rest.
var ErrCoreDied = errors.New("the core has died: its blocks were not brought to rest")

// ErrStopped is returned by Participant.Wait when the system has stopped.
var ErrStopped = errors.New("the system has stopped")

// Follow serves the tools of this process while the core runs in real time, and returns when it has ended. alive reports
// whether the core's process is there; nil means it is this one. notify, which may be nil, is called once with the core's
// notices.
//
// The caller's goroutine moves answers and samples for tools, a second one those for the log; both end with the core. It
// returns the error of the run, and [ErrCoreDied] if the core's process ended without bringing its blocks to rest.
func (f *Front) Follow(alive func() bool, notify func(notices []string)) error {
	head := f.boundary.head
	if alive == nil {
		alive = func() bool { return true }
	}
	for head.state.Load() == coreStarting {
		if !alive() {
			f.end()
			return ErrCoreDied
		}
		f.pollWarnings()
		time.Sleep(pumpPeriod)
	}
	if head.base.Load() != 0 {
		if text := head.notices.String(); text != "" && notify != nil {
			notify(strings.Split(text, "\n"))
		}
		f.begin(&followedTime{f})
	}
	ended := make(chan struct{})
	var log sync.WaitGroup
	log.Go(func() {
		ticker := time.NewTicker(recordPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				f.pollLog()
			case <-ended:
				return
			}
		}
	})
	died := f.pump(alive)
	close(ended)
	log.Wait()
	f.end()
	switch {
	case died:
		return errors.Join(ErrCoreDied, f.faultError())
	case head.failure.String() != "":
		return errors.Join(errors.New(head.failure.String()), f.faultError())
	}
	return f.faultError()
}

// pump moves answers and samples until the core has ended, and reports whether it died.
func (f *Front) pump(alive func() bool) (died bool) {
	ticker := time.NewTicker(pumpPeriod)
	defer ticker.Stop()
	looked := time.Now()
	for f.boundary.head.state.Load() != coreEnded {
		<-ticker.C
		f.poll()
		if time.Since(looked) < alivePeriod {
			continue
		}
		looked = time.Now()
		if !alive() && f.boundary.head.state.Load() != coreEnded {
			return true
		}
	}
	return false
}

// followedTime is the time of a core that runs in real time.
type followedTime struct{ front *Front }

func (r *followedTime) clock() clock.Clock { return r }

// Now implements [clock.Clock].
func (r *followedTime) Now() clock.Time {
	return clock.Time(max(rt.Now()-r.front.boundary.head.base.Load(), 0))
}

// Wait implements waiter in real time.
func (r *followedTime) Wait(until clock.Time, ready func() bool) error {
	var timeout <-chan time.Time
	if until > 0 {
		timer := time.NewTimer(until.Sub(r.Now()))
		defer timer.Stop()
		timeout = timer.C
	}
	for {
		changed := r.front.changed.next()
		if ready != nil && ready() {
			return nil
		}
		select {
		case <-changed:
		case <-timeout:
			return nil
		case <-r.front.halted:
			if ready != nil && ready() {
				return nil
			}
			return ErrStopped
		}
	}
}

// join and leave have nothing to do in real time.
func (r *followedTime) join()  {}
func (r *followedTime) leave() {}
