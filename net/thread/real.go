package thread

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
)

const (
	stopLatency  = 50 * time.Millisecond // a sleeping thread looks at the stop flag this often
	mailLatency  = 10 * time.Millisecond // a triggered thread looks for calls of other threads this often
	startDelay   = 5 * time.Millisecond  // from the last preparation to the first tick
	spareProcs   = 2                     // for the front, beside one processor slot for each thread
	settledAfter = 2                     // page faults count after this many activations

	realTimePriority = 1 // from here on a thread is to be punctual
)

// realTime executes each thread on an OS thread of its own.
type realTime struct {
	core  *Core
	base  int64 // of system time, on the machine's clock
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

// drive runs the threads until the core is stopped.
func (r *realTime) drive() {
	if n := len(r.core.threads) + spareProcs; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	defer r.claim().Release()
	r.core.serveWaiting()
	var threads, locked sync.WaitGroup
	begin := make(chan struct{})
	locked.Add(len(r.core.threads))
	for _, t := range r.core.threads {
		threads.Go(func() {
			request := rt.Request{Priority: t.plan.Priority}
			if t.plan.CPU > runtime.NumCPU() {
				r.hear(fmt.Sprintf("thread %q runs on any processor: it asks for number %d, and there are %d",
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
		})
	}
	locked.Wait()
	head := r.core.boundary.head
	head.notices.set(strings.Join(r.heard, "\n"))
	r.base = rt.Now() + int64(startDelay)
	head.base.Store(r.base)
	head.state.Store(coreRunning)
	close(begin)
	threads.Wait()
}

// claim asks the machine for what threads with a priority need beside it: memory that stays, processors that wake at once.
func (r *realTime) claim() *rt.LatencyHold {
	for _, t := range r.core.threads {
		if t.plan.Priority >= realTimePriority {
			r.hear(rt.LockMemory())
			if r.core.options.Pinned { // the process is the core's own
				r.hear(rt.LiftProcess())
			}
			hold, notice := rt.HoldLatency()
			r.hear(notice)
			return hold
		}
	}
	return &rt.LatencyHold{}
}

// loopPeriodic activates the thread on the grid of its period. Where it is late by whole periods it leaves them out
// and counts them: it never catches up in a burst.
func (t *thread) loopPeriodic(r *realTime) {
	sleeper := rt.Sleeper{Spin: t.plan.Spin, Pinned: t.core.options.Pinned && t.plan.Priority >= realTimePriority}
	period := int64(t.plan.Period)
	until := int64(t.core.options.Until)
	for due := int64(0); !t.core.stopping(); due += period {
		if until > 0 && due > until {
			t.core.Stop()
			return
		}
		if !t.sleepUntil(&sleeper, r.base+due) {
			return
		}
		late := rt.Now() - r.base - due
		if missed := late / period; missed > 0 {
			t.counters.slips.Add(uint64(missed))
			due += missed * period
		}
		t.counters.jitter.Add(late)
		t.activate(clock.Time(due))
		if t.counters.activations.Load() == settledAfter {
			faults := rt.ThreadFaults().Minor
			defer func() { t.counters.pageFaults.Store(rt.ThreadFaults().Minor - faults) }()
		}
	}
}

// sleepUntil sleeps until ns on the machine's clock; false where the core stopped meanwhile.
func (t *thread) sleepUntil(s *rt.Sleeper, ns int64) bool {
	for rest := ns - rt.Now(); rest > int64(stopLatency); rest = ns - rt.Now() {
		nap := rt.Sleeper{Pinned: s.Pinned}
		nap.SleepUntil(rt.Now() + int64(stopLatency) - int64(time.Millisecond))
		if t.core.stopping() {
			return false
		}
	}
	s.SleepUntil(ns)
	return true
}

// loopTriggered activates the thread whenever something has come for it.
func (t *thread) loopTriggered(r *realTime) {
	until := int64(t.core.options.Until)
	wait := t.edge.wake.Wait
	if t.core.options.Pinned && t.plan.Priority >= realTimePriority {
		wait = t.edge.wake.WaitPinned
	}
	for !t.core.stopping() {
		if until > 0 && rt.Now()-r.base > until {
			t.core.Stop()
			return
		}
		woken := wait(t.patience(r))
		if now := clock.Time(rt.Now() - r.base); t.expired(now) {
			t.trigger(now)
		}
		if t.due.Swap(false) {
			t.activate(clock.Time(t.dueTime.Load()))
			continue
		}
		if woken {
			t.serveMail(MaxMessages)
		}
		for _, q := range t.plan.Requests {
			q.Serve()
		}
	}
}

// patience returns how long a triggered thread waits at once: until it looks for calls, or a time-out is over.
func (t *thread) patience(r *realTime) time.Duration {
	if t.expiry == 0 {
		return mailLatency
	}
	return max(0, min(mailLatency, time.Duration(int64(t.expiry)-(rt.Now()-r.base))))
}

// trigger makes a triggered thread run soon, for what another thread wrote at the nominal time now. Several threads may
// do so, the slower one later for an earlier time: the time of the triggered thread never goes back.
func (t *thread) trigger(now clock.Time) {
	for last := t.dueTime.Load(); int64(now) > last && !t.dueTime.CompareAndSwap(last, int64(now)); last = t.dueTime.Load() {
	}
	t.due.Store(true)
	t.edge.wake.Wake()
}
