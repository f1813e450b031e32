package thread

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
)

const (
	stopLatency  = 50 * time.Millisecond // a sleeping thread looks at the stop flag this often
	mailLatency  = 10 * time.Millisecond // a triggered thread looks for calls of other threads this often
	startDelay   = 5 * time.Millisecond  // from the last preparation to the first tick
	spareProcs   = 2                     // for the front, beside one processor slot for each thread
	settledAfter = 2                     // page faults count after this many activations

	realTimePriority = 1 // from here on a thread must be punctual
)

// Run executes the net in real time until it is stopped, the context ends or Options.Until is reached. notify, which may be
// nil, is called once when the threads begin, with a line for each real-time privilege that the system did not grant.
func (c *Core) Run(ctx context.Context, notify func(notices []string)) error {
	served := make(chan error, 1)
	go func() { served <- c.Serve(ctx) }()
	err := c.front.Follow(nil, notify)
	if failed := <-served; failed != nil { // the front knows only its text
		err = errors.Join(failed, c.front.faultError())
	}
	return err
}

// Serve executes the net in real time as Run does, without a front: that runs in the process that shares the boundary.
func (c *Core) Serve(ctx context.Context) (err error) {
	head := c.boundary.head
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the core: %v (%s)", p, panics.Site())
		}
		if err != nil {
			head.failure.set(err.Error())
		}
		head.state.Store(coreEnded)
	}()
	defer context.AfterFunc(ctx, c.Stop)()
	if err := c.startBlocks(); err != nil {
		return err
	}
	var reporter sync.WaitGroup
	ended := make(chan struct{})
	reporter.Go(func() { c.reportLinks(ended) })
	r := &realTime{core: c}
	hung := r.drive()
	for _, t := range c.threads {
		if !slices.Contains(hung, t) {
			t.endMisses()
		}
	}
	close(ended)
	reporter.Wait()
	return c.comeToRest(hung)
}

// realTime executes each thread on an OS thread of its own.
type realTime struct {
	core  *Core
	first clock.Time // time at which the threads begin: 0, or the leader's then
	mu    sync.Mutex
	heard []string
}

// hear keeps notices, each of them once.
func (r *realTime) hear(notices ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range notices {
		if n != "" && !slices.Contains(r.heard, n) {
			r.heard = append(r.heard, n)
		}
	}
}

// drive runs the threads until the core is stopped. It returns those that do not end.
func (r *realTime) drive() (hung []*thread) {
	if n := len(r.core.threads) + spareProcs; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	defer r.claim().Release()
	r.core.serveWaiting(0)
	var locked sync.WaitGroup
	begin, ended := make(chan struct{}), make(chan int, len(r.core.threads))
	locked.Add(len(r.core.threads))
	for i, t := range r.core.threads {
		go func() {
			defer func() { ended <- i }()
			request := rt.ThreadOptions{Priority: t.plan.Priority}
			if t.plan.CPU > runtime.NumCPU() {
				r.hear(fmt.Sprintf("thread %q runs on any processor: cpu is %d, but the host has 1 to %d: choose one of them",
					t.plan.Name, t.plan.CPU, runtime.NumCPU()))
			} else if t.plan.CPU > 0 {
				request.CPUs = []int{t.plan.CPU - 1}
			}
			osThread, notices := rt.Lock(request)
			defer osThread.Release()
			r.hear(notices...)
			locked.Done()
			<-begin
			if t.plan.Triggered {
				t.loopTriggered(r)
			} else {
				t.loopPeriodic(r)
			}
		}()
	}
	locked.Wait()
	head := r.core.boundary.head
	head.notices.set(strings.Join(r.heard, "\n"))
	r.begin()
	head.state.Store(coreRunning)
	close(begin)
	return newWatchdog(r.core, r.now).guard(ended)
}

// begin sets the time: to 0, or to that of the leader.
func (r *realTime) begin() {
	base := rt.Now() + int64(startDelay)
	if leader := r.core.net.Leader; leader != nil {
		p := r.core.threads[leader.Thread].pace
		if p.Await(startDelay, r.core.stopping) {
			r.first = clock.Time(rt.Now() - p.Base()).Add(startDelay)
		}
		base = p.Base()
	}
	for _, t := range r.core.threads {
		t.expectFrom(r.first)
	}
	r.core.last = r.until()
	r.core.setBase(base)
}

// now returns the time of the system.
func (r *realTime) now() clock.Time { return clock.Time(rt.Now() - r.core.base.Load()) }

// until returns when the threads stop automatically; 0: never.
func (r *realTime) until() clock.Time {
	if r.core.options.Until == 0 {
		return 0
	}
	return r.first + r.core.options.Until
}

// claim asks the machine for what threads with a priority need beside it: memory that stays, processors that wake at once.
func (r *realTime) claim() *rt.LatencyHold {
	for _, t := range r.core.threads {
		if t.plan.Priority >= realTimePriority {
			r.hear(rt.LockMemory())
			if r.core.options.Pinned { // the process is the core's own
				r.hear(rt.LiftProcess(1))
			}
			hold, notice := rt.HoldLatency()
			r.hear(notice)
			return hold
		}
	}
	return &rt.LatencyHold{}
}

// loopPeriodic activates the thread on the grid of its period. If it is late by whole periods it skips them and counts them: it
// never catches up in a burst.
func (t *thread) loopPeriodic(r *realTime) {
	sleeper := rt.Sleeper{Spin: t.plan.Spin, Pinned: t.core.options.Pinned && t.plan.Priority >= realTimePriority}
	period, offset, until := int64(t.plan.Period), int64(t.plan.Offset), int64(r.until())
	number := max(0, (int64(r.first)-offset+period-1)/period)
	t.beginAt(number)
	t.watch(r.first)
	t.pause = &rt.Sleeper{Pinned: sleeper.Pinned}
	for due := offset + number*period; !t.core.stopping(); due += period {
		if until > 0 && due > until {
			t.core.Stop()
			return
		}
		if !t.sleepUntil(&sleeper, due) {
			return
		}
		late := int64(r.now()) - due
		if missed := late / period; missed > 0 {
			t.counters.slips.Add(uint64(missed))
			t.slipped(clock.Time(due), missed)
			due += missed * period
			t.skip(missed)
		}
		t.counters.jitter.Add(late)
		t.activate(clock.Time(due))
		if t.counters.activations.Load() == settledAfter {
			faults := rt.ThreadFaults().Minor
			defer func() { t.counters.pageFaults.Store(rt.ThreadFaults().Minor - faults) }()
		}
	}
}

// sleepUntil sleeps until a time of the system, in ns; false where the core stopped meanwhile.
func (t *thread) sleepUntil(s *rt.Sleeper, due int64) bool {
	base := &t.core.base
	for rest := base.Load() + due - rt.Now(); rest > int64(stopLatency); rest = base.Load() + due - rt.Now() {
		nap := rt.Sleeper{Pinned: s.Pinned}
		nap.SleepUntil(rt.Now() + int64(stopLatency) - int64(time.Millisecond))
		if t.core.stopping() {
			return false
		}
	}
	s.SleepUntil(base.Load() + due)
	return true
}

// loopTriggered activates the thread whenever something has come for it.
func (t *thread) loopTriggered(r *realTime) {
	t.watch(r.first)
	until := r.until()
	wait := t.edge.wake.Wait
	if t.core.options.Pinned && t.plan.Priority >= realTimePriority {
		wait = t.edge.wake.WaitPinned
	}
	for !t.core.stopping() {
		if until > 0 && r.now() > until {
			t.core.Stop()
			return
		}
		woken := wait(t.patience(r))
		now := r.now()
		if t.expired(now) {
			t.trigger(now)
		}
		if t.due.Swap(false) {
			t.activate(clock.Time(t.dueTime.Load()))
			continue
		}
		if woken {
			t.serveMail(MaxMessages, now)
		}
		t.letGo(now)
		t.serveCalls()
		t.counters.idle.Add(1)
	}
}

// patience returns how long a triggered thread waits at once: until it looks for calls, or a time-out is over.
func (t *thread) patience(r *realTime) time.Duration {
	if t.expiry == 0 {
		return mailLatency
	}
	return max(0, min(mailLatency, t.expiry.Sub(r.now())))
}

// trigger makes a triggered thread run soon, for what another thread wrote at the nominal time now. Several threads may
// do so, the slower one later for an earlier time: the time of the triggered thread never goes back.
func (t *thread) trigger(now clock.Time) {
	for last := t.dueTime.Load(); int64(now) > last && !t.dueTime.CompareAndSwap(last, int64(now)); last = t.dueTime.Load() {
	}
	t.due.Store(true)
	t.edge.wake.Wake()
}
