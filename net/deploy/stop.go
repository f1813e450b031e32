package deploy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/cores"
)

// stopAll stops all processes of all hosts, those first that others do not need, and last those that sinew has added.
func (s *supervisor) stopAll() {
	_ = s.stopInOrder(s.plan.names(), "end_process", causeOf(s.ctx)) // a host that is not reached is asked by the console
	s.all.Wait()
}

// stopSteps is how many times StopGrace a process may take to stop: its front, its core, and what both have started.
const stopSteps = 3

// stopCause is why processes are stopped.
type stopCause struct {
	by  admin.Actor // the user that asked for it; zero: not known
	why string      // without a request
}

// Error implements error, as the cause of a context's end. It continues a note that begins with "stopped".
func (c *stopCause) Error() string {
	if c.why != "" {
		return ": " + c.why
	}
	return byActor(c.by)
}

// causeOf returns why a context of the supervisor has ended. The context that the supervisor was given ends with the supervisor's process.
func causeOf(ctx context.Context) *stopCause {
	var c *stopCause
	if errors.As(context.Cause(ctx), &c) {
		return c
	}
	return &stopCause{why: "the supervisor was asked to end by a signal"}
}

// byActor names an actor at the end of a note; "" for the zero value, of a request by an older console.
func byActor(a admin.Actor) string {
	if text := a.String(); text != "" {
		return " by " + text
	}
	return ""
}

// stop stops processes of this host and waits until they have ended.
func (s *supervisor) stop(names []string, cause *stopCause) {
	var all []*kept
	s.mu.Lock()
	for _, name := range names {
		if k := s.kept[name]; k != nil { // not: an operator had stopped it before this supervisor began
			k.stop(cause)
			all = append(all, k)
		}
	}
	s.mu.Unlock()
	tooLate := time.After(stopSteps * StopGrace)
	for _, k := range all {
		select {
		case <-k.ended:
		case <-tooLate:
			tooLate = time.After(0)
		}
	}
	for _, name := range names {
		if p := s.plan.process(name); p.ReportsReady && len(members(s.folder, name)) > 0 { // a core goes on where its front was killed
			s.sweep(p, os.Stdout)
		}
		s.set(name, func(x *Status) {
			if x.PID == 0 { // else it has not ended
				x.State = Stopped
			}
		})
	}
}

// sweep ends what is left of a process that was stopped: a core that has lost its front, and programs that have left the
// group of the one that started them. Cores are brought to rest.
func (s *supervisor) sweep(p *PlannedProcess, log io.Writer) {
	killed, err := proc.End(func() []*proc.Process { return members(s.folder, p.Name) }, StopGrace)
	s.report(errors.Join(err, cores.Killed(p.Name, killed, StopGrace)), log)
}

// report writes what did not end in order to the log of a process, and to the console that stops everything; nil is nothing.
func (s *supervisor) report(err error, log io.Writer) {
	if err == nil {
		return
	}
	fmt.Fprintln(log, "sinew:", err)
	s.note("", "%v", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killed = append(s.killed, err)
}
