package rt

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// sleepState holds what the system call reads, so that a sleep allocates nothing.
type sleepState struct {
	until unix.Timespec
}

// sleep sleeps until t or until a signal arrives (the runtime preempts by signals): the caller checks the clock and
// sleeps again. Because t is absolute, interruptions do not add up.
func (s *sleepState) sleep(t int64) {
	s.until = unix.NsecToTimespec(t)
	// The only error besides the interruption is an invalid time, and times are in range here.
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &s.until, nil)
}

// sleepPinned sleeps until t without leaving the Go scheduler's slot: the scheduler does not know about the system
// call.
func (s *sleepState) sleepPinned(t int64) {
	procPin()
	for Now() < t {
		s.until = unix.NsecToTimespec(t)
		_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
			uintptr(unsafe.Pointer(&s.until)), 0, 0, 0)
	}
	keepSlot()
	procUnpin()
}

// keepSlot clears the Go scheduler's request to a pinned goroutine to let others run. A goroutine that never gives up
// its slot gets such a request every 10 ms, and following it costs two thread switches, one of them to a thread of
// normal priority. The request is stored where every call checks its stack; a check while pinned clears it.
//
//go:noinline
func keepSlot() { checkStack() }

//go:noinline
func checkStack() {}

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
