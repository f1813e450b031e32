package rt

import "golang.org/x/sys/unix"

// sleepState holds what the system call reads, so that a sleep allocates nothing.
type sleepState struct {
	until unix.Timespec
}

// sleep sleeps until t or until a signal comes (the runtime preempts by signals): the caller looks at the clock
// and sleeps again. Because t is absolute, interruptions do not add up.
func (s *sleepState) sleep(t int64) {
	s.until = unix.NsecToTimespec(t)
	// The only error besides the interruption is an invalid time, and times are in range here.
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &s.until, nil)
}
