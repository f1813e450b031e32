package proc

import (
	"os"
	"os/exec"
	"strconv"
)

// readyVariable names the file descriptor on which a process reports to its parent that it is ready.
const readyVariable = "SINEW_READY"

// Readiness returns the function that reports to the process that started this one with [AwaitReady] that it is ready; in any
// other process that function does nothing. Call Readiness once, before the process starts others: they do not inherit it. Call
// what it returns once.
func Readiness() (report func()) {
	fd, err := strconv.Atoi(os.Getenv(readyVariable))
	if err != nil {
		return func() {}
	}
	_ = os.Unsetenv(readyVariable)
	keepFromChildren(fd)
	pipe := os.NewFile(uintptr(fd), readyVariable)
	return func() {
		_, _ = pipe.Write([]byte{'\n'})
		_ = pipe.Close()
	}
}

// AwaitReady prepares a command, which has an environment and no extra files, to report its [Readiness]: then ready gets a value. Call
// end after the process has ended, or if it did not start, to free the resources.
//
// Goroutine: one, until end.
func AwaitReady(cmd *exec.Cmd) (ready <-chan struct{}, end func(), err error) {
	reported := make(chan struct{}, 1)
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.Env = append(cmd.Env, readyVariable+"=3")
	go func() {
		if n, _ := ours.Read(make([]byte, 1)); n == 1 {
			reported <- struct{}{}
		}
	}()
	return reported, func() {
		_ = theirs.Close()
		_ = ours.Close()
	}, nil
}
