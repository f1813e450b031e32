//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sessions

import "syscall"

// descriptors returns how many files the process may open.
func descriptors() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return fewDescriptors
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
