package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// bequeath is apply for a thread that starts processes: they inherit the priority.
func (s *scheduling) bequeath(r ThreadOptions) (notices []string) {
	s.tid = unix.Gettid()
	if r.Slack > 0 {
		s.setSlack(r.Slack)
	}
	if r.Priority > 0 {
		if err := s.setPriority(r.Priority, 0); err != nil {
			notices = append(notices, fmt.Sprintf("no real-time priority %d: %v (run as root, or grant rtprio in /etc/security/limits.conf)", r.Priority, err))
		}
	}
	if len(r.CPUs) > 0 {
		if err := s.setCPUs(r.CPUs); err != nil {
			notices = append(notices, fmt.Sprintf("no binding to processors %v: %v", oneBased(r.CPUs), err))
		}
	}
	return notices
}

// Scheduled returns how the system schedules the first thread of a process, this user's or another's: its real-time priority, and the
// processors to which it is bound. It returns the zero value for a process that has ended.
func Scheduled(pid int) (r ThreadOptions) {
	if attr, err := unix.SchedGetAttr(pid, 0); err == nil && attr.Policy == unix.SCHED_FIFO {
		r.Priority = int(attr.Priority)
	}
	var set unix.CPUSet
	if unix.SchedGetaffinity(pid, &set) != nil {
		return r
	}
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			r.CPUs = append(r.CPUs, cpu)
		}
	}
	return r
}
