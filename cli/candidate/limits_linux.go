package candidate

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// boundToThis puts a child into its own process group, and has it killed when the thread that starts it ends.
func boundToThis() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a child that has not been waited for, with the processes that it started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// Limits of a child other than its memory.
const (
	checkNice      = 10   // less urgent than running systems
	checkSacrifice = 1000 // Linux ends it first when memory is short
)

// limitChild limits the memory of this process and lowers its priority.
func limitChild() error {
	limit := func(resource int, most uint64) error {
		return unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most})
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, checkNice) // best effort
	_ = os.WriteFile("/proc/self/oom_score_adj", fmt.Append(nil, checkSacrifice), 0)
	return errors.Join(limit(unix.RLIMIT_DATA, checkMemory), limit(unix.RLIMIT_CORE, 0))
}
