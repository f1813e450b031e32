package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// LockMemory keeps every page of the process in physical memory from its first use, so that no later page fault delays a
// thread: a thread has touched all that it needs after its first cycles. To take all mappings at once would make the process
// five times as large and its start almost a second longer, for stacks and heap that are never used. It holds until the process
// ends. The notice is empty if the system granted it.
func LockMemory() (notice string) {
	const remedy = "run as root, or grant unlimited memlock in /etc/security/limits.conf"
	if raceDetector {
		return "memory is not locked: the race detector's shadow memory would not fit (build without -race)"
	}
	// Under a finite limit mlockall may succeed now, and a later allocation would then kill the process.
	if !mayLockAll() {
		return fmt.Sprintf("memory is not locked: the limit on locked memory is finite (%s)", remedy)
	}
	if err := unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE | unix.MCL_ONFAULT); err != nil {
		return fmt.Sprintf("memory is not locked: %v (%s)", err, remedy)
	}
	return ""
}

// mayLockAll reports whether no limit on locked memory binds this process.
func mayLockAll() bool {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit); err == nil && limit.Cur == unix.RLIM_INFINITY {
		return true
	}
	return capable(unix.CAP_IPC_LOCK)
}

// capable reports whether the calling thread has a capability (a number below 32) in effect.
func capable(capability uint) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<capability) != 0
}

// Faults counts page faults of a thread.
type Faults struct {
	Minor int64 // served from memory
	Major int64 // waited for a disk
}

// ThreadFaults returns the page faults of the calling thread since the thread began. The goroutine should be locked to it.
func ThreadFaults() Faults {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		return Faults{}
	}
	return Faults{Minor: int64(usage.Minflt), Major: int64(usage.Majflt)}
}
