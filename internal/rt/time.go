package rt

import (
	"time"
	_ "unsafe" // for go:linkname
)

// Now returns the monotonic time in nanoseconds. Its zero is the system's (on Linux that of CLOCK_MONOTONIC), so all
// processes of a host share it, and Sleeper and Wake use the same clock. A reading costs some 20 ns, like a reading
// of the system's clock.
func Now() int64 { return nanotime() }

// nanotime reads the runtime's own clock. The public way, time.Since of a fixed instant, reads the same clock but
// hides where its zero lies, and an absolute sleep must know that.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Sleeper puts the calling thread to sleep until an absolute time. The zero value is ready for use.
// A Sleeper belongs to one thread.
type Sleeper struct {
	// Spin is the margin by which the thread wakes early to spend the rest in a busy loop: it trades processor time
	// for punctuality. 0 means no spinning. 20 µs hide the wake-up latency of an idle machine.
	Spin time.Duration
	// Pinned keeps the Go scheduler from giving the thread's processor slot away while it sleeps: the thread
	// continues immediately when the kernel wakes it. A stop of the world (a garbage collection, a profile) waits for
	// the end of the sleep, so it is for processes whose collector is off.
	Pinned bool

	state sleepState
}

// SleepUntil returns once Now is at least t (ns), immediately if t has passed.
// It never returns early.
func (s *Sleeper) SleepUntil(t int64) {
	wake := t - int64(s.Spin)
	if s.Pinned {
		s.state.sleepPinned(wake)
	} else {
		for Now() < wake {
			s.state.sleep(wake)
		}
	}
	for Now() < t {
	}
}
