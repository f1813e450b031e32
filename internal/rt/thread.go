package rt

import (
	"fmt"
	"runtime"
	"time"
)

// MaxPriority is the highest real-time priority.
const MaxPriority = 99

// ThreadOptions is what a thread requests from the operating system. The zero value requests only an OS thread.
type ThreadOptions struct {
	// Priority is the SCHED_FIFO priority, 1 (least urgent) to MaxPriority. 0 keeps the normal time-sharing
	// scheduler. Processes and threads that the thread starts do not inherit it.
	Priority int
	// CPUs are the processors that may run the thread, counted from 0. None means all.
	CPUs []int
	// Slack is how much later than asked the sleeps of a thread without real-time priority may end, so that its processor wakes for
	// several at once. 0 means for [Lock] as little as the system knows, and for [Start] what this process has, which the new one inherits.
	Slack time.Duration
}

const (
	// RuntimeSlack is the slack for processes that are programs in Go. Go's runtime watches threads that wait in system calls: while one
	// does, a thread of the runtime sleeps for 20 µs at a time. With the usual slack that was a quarter of the work of a machine with
	// forty processes.
	RuntimeSlack = time.Millisecond
	// UsualSlack is what Linux gives to processes, for those that are not ours: whether they sleep exactly is their own affair.
	UsualSlack = 50 * time.Microsecond
)

// Thread is an OS thread that one goroutine has exclusively, from Lock to Release.
type Thread struct {
	changed scheduling
}

// Lock locks the calling goroutine to its OS thread and applies the request to that thread. It returns one readable
// notice with a remedy for each request that the system did not grant; the thread is locked nevertheless. Lock panics
// if the priority or a processor number is out of range.
func Lock(r ThreadOptions) (*Thread, []string) {
	r.check("rt.Lock")
	runtime.LockOSThread()
	t := &Thread{}
	notices := t.changed.apply(r)
	return t, notices
}

func (r *ThreadOptions) check(caller string) {
	checkPriority(caller, r.Priority)
	for _, cpu := range r.CPUs {
		if cpu < 0 {
			panic(fmt.Sprintf("%s: CPU %d, expected a number from 0", caller, cpu))
		}
	}
}

func checkPriority(caller string, priority int) {
	if priority < 0 || priority > MaxPriority {
		panic(fmt.Sprintf("%s: priority %d, expected 0 to %d", caller, priority, MaxPriority))
	}
}

// Release restores the thread's former scheduling and unlocks the goroutine. The goroutine that called Lock must call
// it; a call from elsewhere panics. Further calls do nothing.
func (t *Thread) Release() {
	if t.changed.released() {
		return
	}
	if t.changed.restore() {
		runtime.UnlockOSThread()
	}
	// Otherwise the goroutine stays locked, so that the runtime ends the modified thread together with it.
}
