package rt

import "golang.org/x/sys/unix"

// Commands of the membarrier system call (linux/membarrier.h).
const (
	barrierExpedited = 1 << 3
	barrierRegister  = 1 << 4
)

// Barrier makes every running thread of this process execute a full memory barrier before it returns: the caller sees
// what they had stored, and they see what the caller had stored. So one side of an exchange needs no barriers of its
// own. If the kernel lacks the call, Barrier waits until the store buffers of the processors are certainly empty.
func Barrier() {
	e := barrier(barrierExpedited)
	if e == unix.EPERM { // the process has not registered yet
		_ = barrier(barrierRegister)
		e = barrier(barrierExpedited)
	}
	if e != 0 {
		waitForStoreBuffers()
	}
}

func barrier(command uintptr) unix.Errno {
	_, _, e := unix.Syscall(unix.SYS_MEMBARRIER, command, 0, 0)
	return e
}
