package rt

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// LiftProcess gives the least real-time priority to all threads of the process that have none, now and later: those of the
// Go runtime. It is for processes that do nothing but real-time work. Every 10 ms the Go scheduler interrupts a thread that
// computes, and another one must hand its slot back to it: at normal priority that takes milliseconds on a busy machine.
// What the process executes inherits the priority. The notice is empty if the system granted it.
func LiftProcess() (notice string) {
	for range 3 { // until all are lifted: threads may begin meanwhile
		lifted, err := liftThreads()
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
func liftThreads() (lifted int, err error) {
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
			err = unix.SchedSetAttr(tid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
			lifted++
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // ESRCH: it has ended meanwhile
			return lifted, err
		}
	}
	return lifted, nil
}
