package thread

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
)

const (
	stopLatency   = 50 * time.Millisecond // a sleeping thread looks at the stop flag this often
	mailLatency   = 10 * time.Millisecond // a triggered thread looks for calls of other threads this often
	pumpPeriod    = 2 * time.Millisecond  // the front looks into the rings of replies and samples this often
	recordPeriod  = 10 * time.Millisecond // and into those of the log
	startDelay    = 5 * time.Millisecond  // from the last preparation to the first tick
	spareProcs    = 2                     // for the front, beside one processor slot for each thread
	settledAfter  = 2                     // page faults count after this many activations
	lockThreshold = 1                     // a thread of at least this priority makes the process lock its memory
)

// realTime executes each thread on an OS thread of its own.
type realTime struct {
	core   *Core
	notify func([]string)
	time   clock.Real
	base   int64 // of system time, on the machine's clock
	mu     sync.Mutex
	heard  []string
}

func (r *realTime) clock() clock.Clock { return &r.time }

func (r *realTime) prepare() {
	if n := len(r.core.threads) + spareProcs; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	for _, t := range r.core.threads {
		if t.plan.Priority >= lockThreshold {
			r.hear(rt.LockMemory())
			break
		}
	}
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

func (r *realTime) drive() {
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
				t.loopTriggered()
			} else {
				t.loopPeriodic(r)
			}
		})
	}
	locked.Wait()
	if r.notify != nil {
		r.notify(r.heard)
	}
	r.time.Start()
	r.base = rt.Now() + int64(startDelay)
	close(begin)
	r.core.front.begin(r)
	ended := make(chan struct{})
	var front sync.WaitGroup
	front.Go(func() { r.pump(ended, pumpPeriod, r.core.front.poll) })
	front.Go(func() { r.pump(ended, recordPeriod, r.core.front.pollLog) })
	threads.Wait()
	close(ended)
	front.Wait()
}

// pump moves what the threads have for the front until they have ended.
func (r *realTime) pump(ended <-chan struct{}, period time.Duration, poll func()) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			poll()
		case <-ended:
			poll()
			return
		}
	}
}

// loopPeriodic activates the thread on the grid of its period. Where it is late by whole periods it leaves them out
// and counts them: it never catches up in a burst.
func (t *thread) loopPeriodic(r *realTime) {
	sleeper := rt.Sleeper{Spin: t.plan.Spin}
	period := int64(t.plan.Period)
	until := int64(t.core.options.Until)
	for due := int64(0); !t.core.stop.Load(); due += period {
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
		nap := rt.Sleeper{}
		nap.SleepUntil(rt.Now() + int64(stopLatency) - int64(time.Millisecond))
		if t.core.stop.Load() {
			return false
		}
	}
	s.SleepUntil(ns)
	return true
}

// loopTriggered activates the thread whenever something has come for it.
func (t *thread) loopTriggered() {
	for !t.core.stop.Load() {
		woken := t.wake.Wait(mailLatency)
		if t.due.Swap(false) {
			t.activate(clock.Time(t.dueTime.Load()))
			continue
		}
		if woken {
			t.serveMail()
		}
		for _, q := range t.plan.Requests {
			q.Serve()
		}
	}
}

// trigger makes a triggered thread run soon, for what another thread wrote at the nominal time now. Several threads may
// do so, the slower one later for an earlier time: the time of the triggered thread never goes back.
func (t *thread) trigger(now clock.Time) {
	for last := t.dueTime.Load(); int64(now) > last && !t.dueTime.CompareAndSwap(last, int64(now)); last = t.dueTime.Load() {
	}
	t.due.Store(true)
	t.wake.Wake()
}

// Wait implements waiter in real time.
func (r *realTime) Wait(until clock.Time, ready func() bool) error {
	var timeout <-chan time.Time
	if until > 0 {
		timer := time.NewTimer(until.Sub(r.time.Now()))
		defer timer.Stop()
		timeout = timer.C
	}
	for {
		changed := r.core.front.changed.next()
		if ready != nil && ready() {
			return nil
		}
		select {
		case <-changed:
		case <-timeout:
			return nil
		case <-r.core.halted:
			if ready != nil && ready() {
				return nil
			}
			return ErrStopped
		}
	}
}

// join and leave have nothing to do in real time.
func (r *realTime) join()  {}
func (r *realTime) leave() {}
