package deploy

import "golang.org/x/sys/unix"

// awaitExit returns when a child has ended. Its number stays its own until wait is called, and with it that of its group.
func awaitExit(pid int, _ func() error) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}
