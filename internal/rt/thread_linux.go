package rt

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// scheduling stores how the thread was scheduled before it was changed.
type scheduling struct {
	tid   int             // thread that was changed, 0 once restored
	attr  *unix.SchedAttr // former policy, nil if it was not changed
	cpus  *unix.CPUSet    // former affinity, nil if it was not changed
	slack uintptr         // former slack of its sleeps in ns, 0 if it was not changed
}

func (s *scheduling) apply(r ThreadOptions) (notices []string) {
	s.tid = unix.Gettid()
	s.setSlack(max(r.Slack, 1))
	if r.Priority > 0 {
		if err := s.setPriority(r.Priority, unix.SCHED_FLAG_RESET_ON_FORK); err != nil {
			notices = append(notices, fmt.Sprintf("threads run without real-time priority: %v (run as root, or grant rtprio in /etc/security/limits.conf)", err))
		}
	}
	if len(r.CPUs) > 0 {
		if err := s.setCPUs(r.CPUs); err != nil {
			notices = append(notices, fmt.Sprintf("threads are not bound to processors %v: %v (this machine has 1 to %d, and the process may be confined to some of them)", oneBased(r.CPUs), err, runtime.NumCPU()))
		}
	}
	return notices
}

// oneBased numbers processors from 1, as people and system files do.
func oneBased(cpus []int) (numbers []int) {
	for _, cpu := range cpus {
		numbers = append(numbers, cpu+1)
	}
	return numbers
}

func (s *scheduling) setPriority(priority int, flags uint64) error {
	former, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return err
	}
	fifo := &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   unix.SCHED_FIFO,
		Flags:    flags,
		Priority: uint32(priority),
	}
	if err := unix.SchedSetAttr(0, fifo, 0); err != nil {
		return err
	}
	s.attr = former
	return nil
}

// setSlack is granted to every thread.
func (s *scheduling) setSlack(d time.Duration) {
	former, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err == nil && unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(d), 0, 0, 0) == nil {
		s.slack = uintptr(former)
	}
}

func (s *scheduling) setCPUs(cpus []int) error {
	var former, wanted unix.CPUSet
	if err := unix.SchedGetaffinity(0, &former); err != nil {
		return err
	}
	for _, cpu := range cpus {
		wanted.Set(cpu)
		if !former.IsSet(cpu) {
			return fmt.Errorf("processor %d is not available", cpu+1)
		}
	}
	if err := unix.SchedSetaffinity(0, &wanted); err != nil {
		return err
	}
	s.cpus = &former
	return nil
}

func (s *scheduling) released() bool { return s.tid == 0 }

// restore restores the former scheduling and reports whether that succeeded.
func (s *scheduling) restore() bool {
	if tid := unix.Gettid(); tid != s.tid {
		panic(fmt.Sprintf("rt.Thread.Release: called on thread %d, expected the goroutine that called Lock (thread %d)", tid, s.tid))
	}
	ok := true
	if s.attr != nil {
		err := unix.SchedSetAttr(0, s.attr, 0)
		if errors.Is(err, unix.EPERM) {
			// Without privilege a thread may give up its priority, but not the flag that children do not inherit it.
			s.attr.Flags |= unix.SCHED_FLAG_RESET_ON_FORK
			err = unix.SchedSetAttr(0, s.attr, 0)
		}
		ok = err == nil
	}
	if s.cpus != nil {
		ok = unix.SchedSetaffinity(0, s.cpus) == nil && ok
	}
	if s.slack != 0 {
		ok = unix.Prctl(unix.PR_SET_TIMERSLACK, s.slack, 0, 0, 0) == nil && ok
	}
	*s = scheduling{}
	return ok
}
