package deploy

import (
	"os"
	"os/exec"
	"strconv"
	"time"
)

// readyVariable names the file descriptor on which a process tells its supervisor that it is ready.
const readyVariable = "SINEW_READY"

// TellReady tells the supervisor that has started this process that it is ready; without one it does nothing. It is
// called once, before the process starts others.
func TellReady() {
	fd, err := strconv.Atoi(os.Getenv(readyVariable))
	if err != nil {
		return
	}
	_ = os.Unsetenv(readyVariable)
	pipe := os.NewFile(uintptr(fd), readyVariable)
	_, _ = pipe.Write([]byte{'\n'})
	_ = pipe.Close()
}

// readiness prepares a command to tell when it is ready, where it can; a foreign program is when it has lived for a while.
// end is called when the process has ended.
func readiness(cmd *exec.Cmd, p *PlannedProcess) (ready <-chan struct{}, end func(), err error) {
	told := make(chan struct{}, 1)
	if !p.Tells {
		timer := time.AfterFunc(settleTime, func() { told <- struct{}{} })
		return told, func() { timer.Stop() }, nil
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.Env = append(os.Environ(), readyVariable+"=3")
	go func() { // ends when ours is closed
		if n, _ := ours.Read(make([]byte, 1)); n == 1 {
			told <- struct{}{}
		}
	}()
	return told, func() {
		_ = theirs.Close()
		_ = ours.Close()
	}, nil
}
