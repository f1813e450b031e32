package deploy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/cores"
)

// The files in the folder of a system that is up.
const (
	socketName = "supervisor.sock"
	lockName   = "supervisor.lock"
)

const dialTimeout = 10 * time.Second // for a connection to a supervisor on a busy machine, and for one that is killed to end

// ErrNoSupervisor reports that a system has no supervisor on this host: it is not up, or its supervisor was killed.
var ErrNoSupervisor = errors.New("no supervisor runs")

// Client sends requests to the supervisor of a system.
type Client struct {
	Folder string      // of the system, in which the supervisor has its socket
	By     admin.Actor // the user that stops and starts processes, for the supervisor's notes; zero: the account of this process
}

// Dial connects to the supervisor. It fails with [ErrNoSupervisor] if none runs, and with another error if it is too busy to be reached.
func (c Client) Dial() (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	conn, err := private.Dial(ctx, filepath.Join(c.Folder, socketName))
	if errors.Is(err, private.ErrRefused) {
		return nil, err
	}
	var failure net.Error
	if errors.As(err, &failure) && failure.Timeout() {
		return nil, fmt.Errorf("the supervisor does not answer: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSupervisor, err)
	}
	return conn, nil
}

// ask sends a request and returns the answer.
func (c Client) ask(r request) ([]Status, error) {
	if r.By = c.By; r.By == (admin.Actor{}) {
		r.By = admin.NewActor(os.Getenv("USER"))
	}
	conn, err := c.Dial()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	limit := 4 * StopGrace
	if r.Processes != nil { // they may be stopped one after the other
		plan, _ := c.plan()
		limit = max(limit, plan.endTime())
	}
	_ = conn.SetDeadline(time.Now().Add(limit))
	err = json.NewEncoder(conn).Encode(r)
	var answer response
	if err == nil {
		err = json.NewDecoder(conn).Decode(&answer)
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && c.dies() {
		return nil, fmt.Errorf("%w: it was killed before it answered", ErrNoSupervisor)
	}
	if err != nil {
		return nil, fmt.Errorf("the supervisor does not answer: %w", err)
	}
	if answer.Error != "" {
		return answer.Processes, errors.New(answer.Error)
	}
	return answer.Processes, nil
}

// Status returns the states of the processes of this host; on the local host, of all hosts. It fails with [ErrNoSupervisor] if
// no supervisor runs on this host.
func (c Client) Status() ([]Status, error) { return c.ask(request{Ask: "status"}) }

// StopProcesses stops the named processes, or those of the named included systems, on any host, with what they have started, also if the supervisor was killed. They stay
// stopped until [Client.StartProcesses]. If others that run depend on them, those are stopped first, in reverse order, where dependants is
// true; otherwise StopProcesses fails with their names. It fails for a name that no process and no included system has. A call that fails so stops nothing.
func (c Client) StopProcesses(dependants bool, names ...string) error {
	r := request{Ask: "stop_process", Processes: names, Dependants: dependants}
	if _, err := c.ask(r); !errors.Is(err, ErrNoSupervisor) {
		return err
	}
	plan, living, planErr := c.found()
	if len(plan.Processes) == 0 {
		return fmt.Errorf("stop %s: %q is not up: sinew ps shows what runs", strings.Join(names, ", "), plan.System)
	}
	names, err := plan.toStop(names, dependants, func(name string) bool {
		return slices.ContainsFunc(living, func(p *proc.Process) bool { return memberProcess(p) == name })
	})
	if err != nil {
		return err
	}
	if planErr == nil {
		former, err := readStopped(c.Folder, plan)
		if err == nil {
			err = writeStopped(c.Folder, append(former, names...))
		}
		if err != nil {
			return fmt.Errorf("stop %s: %w", strings.Join(names, ", "), err)
		}
		if _, err := c.ask(r); !errors.Is(err, ErrNoSupervisor) { // it has begun meanwhile, perhaps before the file was written
			return err
		}
	}
	var errs []error
	for _, name := range slices.Concat(plan.stopOrder(names)...) {
		if plan.process(name) == nil {
			errs = append(errs, fmt.Errorf("stop %s: it belongs to another host, and %w on this one: `sinew up FILE` starts one", name, ErrNoSupervisor))
			continue
		}
		killed, endErr := proc.End(func() []*proc.Process { return members(c.Folder, name) }, StopGrace)
		errs = append(errs, endErr, cores.Killed(name, killed, StopGrace))
	}
	return errors.Join(errs...)
}

// StartProcesses starts processes, or those of included systems, on any host, that were stopped or have ended, and those of them that they need. It fails with
// [ErrNoSupervisor] if no supervisor runs, and for a name that no process has.
func (c Client) StartProcesses(names ...string) error {
	_, err := c.ask(request{Ask: "start_process", Processes: names})
	return err
}

// Stop stops all processes of all hosts in order, then the supervisors. If the supervisor of this host was killed, Stop ends
// all processes that carry the mark of the system. The error names processes that had to be killed. If a host does not answer
// the folder stays, so that Stop can be called again. clean removes the remains of processes on this host.
func (c Client) Stop(ctx context.Context, clean func() error) error {
	if !c.exists() {
		return fmt.Errorf("%w: the system is not up", ErrNoSupervisor)
	}
	plan, planErr := c.plan()
	_, err := c.ask(request{Ask: "stop"})
	grace := StopGrace
	switch {
	case errors.Is(err, ErrNoSupervisor): // it was killed, or another console has stopped it
		err = c.awaitEnd(StopGrace)
	case err == nil:
		err = c.awaitEnd(plan.endTime())
	}
	if errors.Is(err, errNoEnd) { // everything was asked to end long ago
		err, grace = nil, 0
	}
	left := func() []*proc.Process { return members(c.Folder, "") }
	killed, endErr := proc.End(left, grace)
	err = errors.Join(err, endErr, cores.Killed(filepath.Base(c.Folder), killed, StopGrace), clean())
	if endErr != nil {
		return err
	}
	switch {
	case planErr == nil:
		if remoteErr := plan.downRemotes(ctx); remoteErr != nil {
			return errors.Join(err, remoteErr)
		}
	case !errors.Is(planErr, fs.ErrNotExist):
		return errors.Join(err, fmt.Errorf("%w; whether the system has other hosts is not known: stop what runs there, then sinew down --force", planErr))
	}
	return errors.Join(err, os.RemoveAll(c.Folder))
}

// exists reports whether the system has a folder or living processes here.
func (c Client) exists() bool {
	_, err := os.Stat(c.Folder)
	return err == nil || len(members(c.Folder, "")) > 0
}

// endTime returns how long a supervisor may take to stop everything: each process may need the one before, and have a front
// and a core that do not end when they are asked to.
func (p *Plan) endTime() time.Duration {
	if p == nil {
		return stopSteps * StopGrace
	}
	n := 1
	for _, plan := range p.all() {
		n += len(plan.Processes)
	}
	return time.Duration(n) * stopSteps * StopGrace
}

// downRemotes stops what is left of a system on other hosts.
func (p *Plan) downRemotes(ctx context.Context) error {
	var remotes []Remote
	for i := range p.Remotes {
		remotes = append(remotes, Remote{Name: p.Remotes[i].Plan.Host, SSH: p.Remotes[i].SSH})
	}
	return each(remotes, func(i int, r *Remote) error {
		defer r.hangUp()
		if err := r.install(ctx, p.Remotes[i].Binary); err != nil {
			return fmt.Errorf("%w; what runs there goes on: stop it with sinew down again", err)
		}
		return r.down(ctx, p.System)
	})
}

// Forget removes what this host keeps of a system whose other hosts cannot be reached: their processes continue, and this host no
// longer knows them. It is for a system whose processes here have ended, see [Client.Stop]. It fails if the folder cannot be removed.
func (c Client) Forget() error { return os.RemoveAll(c.Folder) }

// errNoEnd reports that a supervisor did not stop everything in time.
var errNoEnd = errors.New("the supervisor does not end")

// awaitEnd waits until the supervisor has ended; at once if there is none. The error is what it could not end in order.
func (c Client) awaitEnd(patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		gone := !c.supervised() // asked first: a supervisor writes the file before it is gone
		if text, err := private.Read(filepath.Join(c.Folder, endedName)); err == nil {
			if len(text) > 0 {
				return errors.New(string(text))
			}
			return nil
		}
		if gone {
			return nil
		}
	}
	return errNoEnd
}

// supervised reports whether a supervisor runs, including one that is stopping everything.
func (c Client) supervised() bool {
	if _, err := os.Stat(c.Folder); err != nil {
		return false
	}
	lock, err := lockFolder(c.Folder)
	if err == nil {
		lock.Close()
	}
	return err != nil
}

// dies reports whether the supervisor, which has closed a connection without an answer, is about to be gone: a process that
// is killed closes its files one after the other.
func (c Client) dies() bool {
	for end := time.Now().Add(dialTimeout); c.supervised(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// endedName is the file that a supervisor leaves as its last deed, with the text of the error that it ended with.
const endedName = "ended"

// tellEnd informs consoles that the supervisor of a folder has stopped everything, and what it could not end in order.
func tellEnd(folder string, err error) error {
	var text string
	if err != nil {
		text = err.Error()
	}
	return private.Write(filepath.Join(folder, endedName), []byte(text))
}

// Log returns the path of a process's output.
func (c Client) Log(process string) string { return logPath(c.Folder, process) }
