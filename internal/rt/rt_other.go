//go:build !linux

package rt

import (
	"sync"
	"time"
)

// This file implements the package without real time on systems other than Linux. The Linux versions document the
// declarations.

type sleepState struct{}

func (sleepState) sleep(t int64) { time.Sleep(time.Duration(t - Now())) }

func (s sleepState) sleepPinned(t int64) {
	for Now() < t {
		s.sleep(t)
	}
}

type scheduling struct{ done bool }

func (s *scheduling) apply(r ThreadOptions) (notices []string) {
	if r.Priority > 0 {
		notices = append(notices, "threads run without real-time priority: this system has none that sinew knows (use Linux)")
	}
	if len(r.CPUs) > 0 {
		notices = append(notices, "threads are not bound to their CPUs: sinew cannot do so on this system (use Linux)")
	}
	return notices
}

func (s *scheduling) bequeath(r ThreadOptions) (notices []string) {
	if r.Priority > 0 || len(r.CPUs) > 0 {
		notices = append(notices, "no real-time priority and no binding to processors: this system has none that sinew knows (use Linux)")
	}
	return notices
}

// Scheduled returns the zero value on this system.
func Scheduled(int) ThreadOptions { return ThreadOptions{} }

// LiftProcess returns a notice: this system has no real-time priority.
func LiftProcess(priority int) (notice string) {
	checkPriority("rt.LiftProcess", priority)
	if priority == 0 {
		return ""
	}
	return "the Go scheduler has no real-time priority: this system has none that sinew knows (use Linux)"
}

func (s *scheduling) released() bool { return s.done }

func (s *scheduling) restore() bool {
	s.done = true
	return true
}

// Wake is a bell at which one thread sleeps and which any thread rings; rings that are not taken count as one.
type Wake struct {
	once sync.Once
	rung chan struct{}
}

func (w *Wake) bell() chan struct{} {
	w.once.Do(func() { w.rung = make(chan struct{}, 1) })
	return w.rung
}

// WakeBytes is the memory that a Wake needs.
const WakeBytes = 4

// WakeAt returns a bell of this process: sinew shares memory between processes on Linux only.
func WakeAt([]byte) *Wake { return &Wake{} }

// Reset discards a ring.
func (w *Wake) Reset() { w.Wait(0) }

// Wake rings the bell.
func (w *Wake) Wake() {
	select {
	case w.bell() <- struct{}{}:
	default:
	}
}

// Wait takes a ring of the bell, waiting at most for the timeout, or without limit if it is negative, and reports
// whether the bell rang.
func (w *Wake) Wait(timeout time.Duration) bool {
	bell := w.bell()
	select {
	case <-bell:
		return true
	default:
	}
	if timeout == 0 {
		return false
	}
	var end <-chan time.Time
	if timeout > 0 {
		end = time.After(timeout)
	}
	select {
	case <-bell:
		return true
	case <-end:
		return false
	}
}

// WaitPinned waits like Wait on this system.
func (w *Wake) WaitPinned(timeout time.Duration) bool { return w.Wait(timeout) }

// LockMemory does nothing on this system and returns a notice.
func LockMemory() (notice string) {
	return "memory is not locked: sinew cannot do so on this system (use Linux)"
}

// Faults counts page faults of a thread.
type Faults struct {
	Minor int64
	Major int64
}

// ThreadFaults returns zeros on this system.
func ThreadFaults() Faults { return Faults{} }

// LatencyHold has no effect on this system.
type LatencyHold struct{}

// HoldLatency does nothing on this system and returns a notice.
func HoldLatency() (hold *LatencyHold, notice string) {
	return &LatencyHold{}, "processors may sleep deeply and wake late: sinew cannot prevent that on this system (use Linux)"
}

// Release does nothing.
func (h *LatencyHold) Release() {}
