package thread

import (
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// timekeeper is the time of a running system, and how goroutines of the front wait in it.
type timekeeper interface {
	clock() clock.Clock
	// Wait returns nil at time until, if until > 0, or when ready, if not nil, returns true.
	Wait(until clock.Time, ready func() bool) error
	join()
	leave()
}

// maxCascade bounds how often triggered threads may run at one instant of virtual time: two that trigger each other
// would otherwise stop it.
const maxCascade = 10000

// virtualTime executes all threads in one goroutine, in an order that does not depend on the machine. Time stands
// still while a participant of the front, such as a script, is not waiting.
type virtualTime struct {
	core         *Core
	time         clock.Virtual
	running      atomic.Int32 // the thread that is activated
	due          []clock.Time // of each periodic thread
	participants *clock.Participants
}

func newVirtualTime(c *Core) *virtualTime {
	v := &virtualTime{core: c, participants: clock.NewParticipants(ErrStopped)}
	for _, t := range c.threads {
		v.due = append(v.due, clock.At(t.plan.Offset))
	}
	return v
}

func (v *virtualTime) clock() clock.Clock { return &v.time }

// run drives the threads in a goroutine of its own, so that one that hangs cannot keep the run from ending. It returns the
// thread that does not end.
func (v *virtualTime) run() (hung []*thread) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		v.drive()
	}()
	ticker := time.NewTicker(stopLatency)
	defer ticker.Stop()
	var stopped time.Time
	for {
		select {
		case <-ended:
			return nil
		case now := <-ticker.C:
			switch {
			case !v.core.stopping():
			case stopped.IsZero():
				stopped = now
			case now.Sub(stopped) > stopGraceMost:
				v.participants.Release()
				i := v.running.Load()
				return v.core.threads[i : i+1]
			}
		}
	}
}

func (v *virtualTime) drive() {
	defer v.participants.Release()
	v.core.front.begin(v)
	until := v.core.options.Until
	for cascade := 0; ; {
		v.settle()
		if v.core.stopping() {
			return
		}
		if t := v.mostUrgent(); t != nil && cascade < maxCascade {
			cascade++
			v.activate(t)
			continue
		}
		next, any := v.next()
		if !any || until > 0 && next > until {
			v.time.Set(max(until, v.time.Now()))
			return
		}
		v.time.Set(next)
		cascade = 0
	}
}

// mostUrgent returns the thread to run now, or nil where none is due.
func (v *virtualTime) mostUrgent() *thread {
	var best *thread
	for i, t := range v.core.threads {
		due := t.plan.Triggered && (t.due.Load() || t.expired(v.time.Now())) || !t.plan.Triggered && v.due[i] <= v.time.Now()
		if due && (best == nil || t.plan.Priority > best.plan.Priority) {
			best = t
		}
	}
	return best
}

func (v *virtualTime) activate(t *thread) {
	if t.plan.Triggered {
		t.due.Store(false)
	} else {
		v.due[t.plan.Index] += clock.Time(t.plan.Period)
	}
	v.running.Store(int32(t.plan.Index))
	t.activate(v.time.Now())
}

// next returns the time at which something is due after now.
func (v *virtualTime) next() (next clock.Time, any bool) {
	for i, t := range v.core.threads {
		if !t.plan.Triggered && (!any || v.due[i] < next) {
			next, any = v.due[i], true
		}
		if t.plan.Triggered && t.expiry > 0 && (!any || t.expiry < next) {
			next, any = t.expiry, true
		}
		if t.plan.Triggered && t.letGoAt != never && (!any || t.letGoAt < next) {
			next, any = t.letGoAt, true
		}
	}
	if until := v.participants.Next(); until > 0 && (!any || until < next) {
		next, any = until, true
	}
	return next, any
}

// settle lets the front take what the threads have for it, and runs every participant that no longer has to wait until it
// waits again, one after the other.
func (v *virtualTime) settle() {
	for {
		v.core.front.poll()
		if v.core.front.logIsFilling() {
			v.core.front.pollLog()
		}
		v.serveTriggered()
		if !v.participants.Resume(v.time.Now()) {
			return
		}
	}
}

// serveTriggered answers the mail of threads that may not run for a long time.
func (v *virtualTime) serveTriggered() {
	for _, t := range v.core.threads {
		if t.plan.Triggered {
			t.serveMail(MaxMessages, v.time.Now())
			t.letGo(v.time.Now())
			t.serveCalls()
		}
	}
}

// Wait implements timekeeper in virtual time.
func (v *virtualTime) Wait(until clock.Time, ready func() bool) error {
	return v.participants.Wait(until, ready)
}

func (v *virtualTime) join()  { v.participants.Join() }
func (v *virtualTime) leave() { v.participants.Leave() }
