package proc

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	endPeriod    = 10 * time.Millisecond // between two checks of processes that are ending
	killPatience = 5 * time.Second       // for the kernel to end a process that was killed
)

// End ends every process that find returns: it sends SIGTERM, waits for the grace period, and sends SIGKILL to the
// rest. It calls find until that returns none, so that processes started meanwhile end as well, and all that it returned have ended. It returns the
// processes that had to be killed. The error names processes that survive SIGKILL.
func End(find func() []*Process, grace time.Duration) (killed []*Process, err error) {
	asked := map[identity]bool{}
	deadline := time.Now().Add(grace)
	var left []*Process
	for {
		found := find()
		// A process that dies is no longer found by its environment or its command while it still holds files and locks.
		left = slices.DeleteFunc(left, func(p *Process) bool { return !p.Alive() })
		for _, p := range found {
			if !contains(left, p) {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			return killed, nil
		}
		late := time.Now().After(deadline)
		for _, p := range left {
			switch {
			case late:
				if p.Signal(syscall.SIGKILL) == nil && !contains(killed, p) {
					killed = append(killed, p)
				}
			case !asked[p.identity()]:
				asked[p.identity()] = true
				_ = p.Signal(syscall.SIGTERM) // it may have ended
			}
		}
		if time.Now().After(deadline.Add(killPatience)) {
			return killed, fmt.Errorf("end %s: still there after SIGKILL", Names(left))
		}
		awaitEnd(left, deadline)
	}
}

// awaitEnd returns when all processes have ended, or at the deadline; it checks at least once.
func awaitEnd(list []*Process, deadline time.Time) {
	for {
		time.Sleep(endPeriod)
		alive := false
		for _, p := range list {
			alive = alive || p.Alive()
		}
		if !alive || time.Now().After(deadline) {
			return
		}
	}
}

func contains(list []*Process, p *Process) bool {
	for _, q := range list {
		if q.identity() == p.identity() {
			return true
		}
	}
	return false
}

// maxCommand is the number of bytes of a command line shown in messages.
const maxCommand = 80

// Names lists the numbers and commands of processes for a message.
func Names(list []*Process) string {
	var names []string
	for _, p := range list {
		command := p.Command
		if len(command) > maxCommand {
			command = command[:maxCommand] + "…"
		}
		names = append(names, fmt.Sprintf("process %d (%s)", p.PID, command))
	}
	return strings.Join(names, ", ")
}
