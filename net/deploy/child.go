package deploy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
)

// child is a process that a supervisor keeps: one that it has started, or that a killed supervisor has left running.
type child struct {
	pid    int
	since  time.Time
	ready  <-chan struct{} // nil where it was ready before
	exited <-chan struct{} // closed when it has ended
	ask    func()          // asks it and its group to end
	kill   func()          // ends it and its group by force
	reap   func() error    // ends what it left behind, and returns how it ended; after exited
}

// start starts a process of the plan.
func (s *supervisor) start(p *PlannedProcess, log *os.File) (*child, error) {
	cmd := exec.Command(p.Command[0], p.Command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr, cmd.Env = s.plan.Dir, log, log, ownGroup(), mark(s.folder, p.Name)
	if !filepath.IsAbs(cmd.Path) && filepath.Base(p.Command[0]) != p.Command[0] {
		cmd.Path = filepath.Join(s.plan.Dir, p.Command[0])
		cmd.Err = nil
	}
	ready, done, err := readiness(cmd, p, log)
	if err != nil {
		return nil, err
	}
	notices, err := rt.Start(p.scheduling(), cmd.Start)
	if err != nil {
		done()
		return nil, err
	}
	for _, notice := range notices {
		fmt.Fprintf(log, "sinew: start %s: %s\n", p.Name, notice)
		s.note(p.Name, "started with %s", notice)
	}
	pid, exited, wait := cmd.Process.Pid, make(chan struct{}), sync.OnceValue(cmd.Wait)
	go func() {
		awaitExit(pid, wait)
		close(exited)
	}()
	return &child{pid: pid, since: time.Now(), ready: ready, exited: exited,
		ask: func() { askGroup(pid) }, kill: func() { killGroup(pid) },
		reap: func() error {
			defer done()
			killGroup(pid) // before its number is given up
			err := wait()
			if !p.ReportsReady { // a core goes on without its front
				_, endErr := proc.End(func() []*proc.Process { return members(s.folder, p.Name) }, 0)
				err = errors.Join(err, endErr)
			}
			return err
		}}, nil
}

// readiness returns a channel that gets a value when the process of a command is ready: when it reports so, where it can; a foreign
// program is when it shows what the plan asks for, or else when it has lived for a while, and a oneshot never. end is called when the
// process has ended. log is its output.
func readiness(cmd *exec.Cmd, p *PlannedProcess, log *os.File) (ready <-chan struct{}, end func(), err error) {
	switch {
	case p.ReportsReady:
		return proc.AwaitReady(cmd)
	case p.OneShot:
		return nil, func() {}, nil
	case p.ReadyPort > 0:
		ready, end = awaitShown(func() bool { return accepts(p.ReadyPort) })
		return ready, end, nil
	case p.ReadyLine != "":
		lines, err := newLineWatch(log, p.ReadyLine)
		if err != nil {
			return nil, nil, err
		}
		ready, stop := awaitShown(lines.seen)
		return ready, func() { stop(); lines.close() }, nil
	}
	settled := make(chan struct{}, 1)
	timer := time.AfterFunc(settleTime, func() { settled <- struct{}{} })
	return settled, func() { timer.Stop() }, nil
}

// errInherited reports the end of a process that this supervisor did not start: how it ended is unknown.
var errInherited = errors.New("an unknown exit code: a supervisor that was killed had started it")

// inherit returns the child that a killed supervisor has left running for a process; nil if there is none.
func (s *supervisor) inherit(p *PlannedProcess) *child {
	first := head(members(s.folder, p.Name))
	if first == nil {
		return nil
	}
	exited := make(chan struct{})
	go func() {
		for first.Alive() {
			time.Sleep(lookPeriod)
		}
		close(exited)
	}()
	signal := func(signal syscall.Signal) func() {
		return func() {
			for _, m := range members(s.folder, p.Name) {
				if m.Group == first.Group {
					_ = m.Signal(signal) // it may have ended
				}
			}
		}
	}
	kill := signal(syscall.SIGKILL)
	return &child{pid: first.PID, since: first.Since, exited: exited, ask: signal(syscall.SIGTERM), kill: kill,
		reap: func() error {
			kill()
			if p.ReportsReady {
				return errInherited
			}
			_, err := proc.End(func() []*proc.Process { return members(s.folder, p.Name) }, 0)
			return errors.Join(errInherited, err)
		}}
}

// end asks a child to end, and kills it after [StopGrace]; the error then states that.
func (c *child) end(name string) (err error) {
	c.ask()
	for range 2 {
		select {
		case <-c.exited:
			_ = c.reap() // it was asked to: how does not matter
			return err
		case <-time.After(StopGrace):
			err = fmt.Errorf("%s: process %d did not end within %v and was killed", name, c.pid, StopGrace)
			c.kill()
		}
	}
	return fmt.Errorf("%s: process %d is still there after SIGKILL", name, c.pid)
}
