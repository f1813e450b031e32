package rt

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// LiftProcess gives a real-time priority, 1 to MaxPriority, to all threads of the process that have none, now and later: those
// of the Go runtime. 0 changes nothing; other values panic. It is for processes that do only real-time work. Every 10 ms the Go scheduler interrupts a
// computing thread, and another thread must return its slot: at normal priority that takes milliseconds on a busy
// machine. Programs that the process executes inherit the priority. The notice is empty if the system granted it.
func LiftProcess(priority int) (notice string) {
	checkPriority("rt.LiftProcess", priority)
	if priority == 0 {
		return ""
	}
	for range 3 { // until all are lifted: threads may start meanwhile
		lifted, err := liftThreads(uint32(priority))
		if err != nil {
			return fmt.Sprintf("the Go scheduler has no real-time priority: %v (run as root, or grant rtprio in /etc/security/limits.conf)", err)
		}
		if lifted == 0 {
			break
		}
	}
	return ""
}

// liftThreads returns how many threads had no priority.
func liftThreads(priority uint32) (lifted int, err error) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0, err
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		attr, err := unix.SchedGetAttr(tid, 0)
		if err == nil && attr.Policy == unix.SCHED_NORMAL {
			err = unix.SchedSetAttr(tid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: priority}, 0)
			lifted++
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // ESRCH: it has ended meanwhile
			return lifted, err
		}
	}
	return lifted, nil
}
