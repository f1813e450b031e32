package rt

import (
	"fmt"
	"runtime"
)

// MaxPriority is the highest real-time priority of a Request.
const MaxPriority = 99

// Request is what a thread asks of the operating system. The zero value asks for nothing but a thread of its own.
type Request struct {
	// Priority is the SCHED_FIFO priority, 1 (least urgent) to MaxPriority. 0 keeps the normal time-sharing
	// scheduler. Processes and threads that the thread starts do not inherit it.
	Priority int
	// CPUs are the processors that may run the thread, counted from 0. None means all.
	CPUs []int
}

// Thread is an OS thread that one goroutine has for itself, from Lock to Release.
type Thread struct {
	changed scheduling
}

// Lock locks the calling goroutine to its OS thread and applies the request to that thread. It returns one notice
// for each wish that the system did not grant, for people to read, with the remedy; the thread is locked all the same.
// Lock panics if the priority or a processor number is out of range.
func Lock(r Request) (*Thread, []string) {
	if r.Priority < 0 || r.Priority > MaxPriority {
		panic(fmt.Sprintf("rt.Lock: priority %d, expected 0 to %d", r.Priority, MaxPriority))
	}
	for _, cpu := range r.CPUs {
		if cpu < 0 {
			panic(fmt.Sprintf("rt.Lock: CPU %d, expected a number from 0", cpu))
		}
	}
	runtime.LockOSThread()
	t := &Thread{}
	notices := t.changed.apply(r)
	return t, notices
}

// Release gives the thread its former scheduling back and the goroutine its freedom. The goroutine that called Lock
// must call it; a call from elsewhere panics. Further calls do nothing.
func (t *Thread) Release() {
	if t.changed.released() {
		return
	}
	if t.changed.restore() {
		runtime.UnlockOSThread()
	}
	// Otherwise the goroutine stays locked, so that the runtime ends the odd thread together with it.
}
