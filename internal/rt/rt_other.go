//go:build !linux

package rt

import (
	"sync"
	"time"
)

// This file makes the package work, without real time, on systems other than Linux. The documentation of what it
// declares stands at the Linux versions.

type sleepState struct{}

func (sleepState) sleep(t int64) { time.Sleep(time.Duration(t - Now())) }

func (s sleepState) sleepPinned(t int64) {
	for Now() < t {
		s.sleep(t)
	}
}

type scheduling struct{ done bool }

func (s *scheduling) apply(r Request) (notices []string) {
	if r.Priority > 0 {
		notices = append(notices, "threads run without real-time priority: this system has none that sinew knows (use Linux)")
	}
	if len(r.CPUs) > 0 {
		notices = append(notices, "threads are not bound to their CPUs: sinew cannot do so on this system (use Linux)")
	}
	return notices
}

// LiftProcess says that there is no real-time priority.
func LiftProcess() (notice string) {
	return "the Go scheduler has no real-time priority: this system has none that sinew knows (use Linux)"
}

func (s *scheduling) released() bool { return s.done }

func (s *scheduling) restore() bool {
	s.done = true
	return true
}

// Wake is the bell at which one thread sleeps and which any thread rings; rings that are not taken count as one.
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

// Reset takes what has rung.
func (w *Wake) Reset() { w.Wait(0) }

// Wake rings the bell.
func (w *Wake) Wake() {
	select {
	case w.bell() <- struct{}{}:
	default:
	}
}

// Wait takes a ring of the bell, waiting at most for the timeout, without end if it is negative, and reports whether it rang.
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

// WaitPinned is Wait here.
func (w *Wake) WaitPinned(timeout time.Duration) bool { return w.Wait(timeout) }

// LockMemory does nothing here and says so.
func LockMemory() (notice string) {
	return "memory is not locked: sinew cannot do so on this system (use Linux)"
}

// Faults counts page faults of a thread.
type Faults struct {
	Minor int64
	Major int64
}

// ThreadFaults knows of none here.
func ThreadFaults() Faults { return Faults{} }

// LatencyHold holds nothing here.
type LatencyHold struct{}

// HoldLatency does nothing here and says so.
func HoldLatency() (hold *LatencyHold, notice string) {
	return &LatencyHold{}, "processors may sleep deeply and wake late: sinew cannot prevent that on this system (use Linux)"
}

// Release does nothing.
func (h *LatencyHold) Release() {}
