// Package inuse explains that an address cannot be listened on because another process does: which one, and what to do.
package inuse

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/sinew-robotics/sinew/internal/sockets"
)

// windowsInUse is what Windows returns for an address in use (WSAEADDRINUSE).
const windowsInUse = syscall.Errno(10048)

// inUse is the error of an address that another process has.
type inUse struct {
	text  string
	cause error
}

func (e *inUse) Error() string { return e.text }

func (e *inUse) Unwrap() error { return e.cause }

// Explain returns err, which came from listening at an address of a network (tcp or udp), with the process that listens there, where
// it can be found, and the remedy: half a sentence such as "choose another port with --listen". Errors of other kinds are returned
// unchanged.
func Explain(err error, network, address, remedy string) error {
	if !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, windowsInUse) {
		return err
	}
	by := "another process"
	if _, text, splitErr := net.SplitHostPort(address); splitErr == nil {
		if port, convErr := strconv.Atoi(text); convErr == nil {
			if pid, name := listener(network, port); pid != 0 {
				by = fmt.Sprintf("process %d (%s)", pid, name)
			}
		}
	}
	return &inUse{fmt.Sprintf("listen on %s: address in use by %s; %s", address, by, remedy), err}
}

// listener returns a process of this user that listens at a port, on Linux; 0 where none is found.
func listener(network string, port int) (pid int, name string) {
	listens := map[string]bool{}
	for _, number := range sockets.Listeners(network, port) {
		listens["socket:["+number+"]"] = true
	}
	if len(listens) == 0 {
		return 0, ""
	}
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range open {
		if to, err := os.Readlink(fd); err == nil && listens[to] {
			parts := strings.Split(fd, "/")
			comm, _ := os.ReadFile("/proc/" + parts[2] + "/comm")
			pid, _ = strconv.Atoi(parts[2])
			return pid, strings.TrimSpace(string(comm))
		}
	}
	return 0, ""
}
