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

	"github.com/sinew-robotics/sinew/internal/rt"
)

// The files in the folder of a system that is up.
const (
	socketName = "supervisor.sock"
	stateName  = "state.json"
)

// Folder returns where a supervisor of this user keeps what it knows of a system.
func Folder(system string) string {
	return filepath.Join(rt.UserFolder(), "up", system)
}

// Systems returns the names of the systems that are up on this host, sorted.
func Systems() []string {
	entries, _ := os.ReadDir(filepath.Dir(Folder("x")))
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// ErrNoSupervisor says that a system has no supervisor on this host: it is not up, or its supervisor was killed.
var ErrNoSupervisor = errors.New("no supervisor runs")

// Console is the other end of a supervisor.
type Console struct{ Folder string }

// Dial connects to the supervisor.
func (c Console) Dial() (net.Conn, error) {
	conn, err := net.DialTimeout("unix", filepath.Join(c.Folder, socketName), time.Second)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSupervisor, err)
	}
	return conn, nil
}

// ask sends a request and returns the answer.
func (c Console) ask(r request) ([]Status, error) {
	conn, err := c.Dial()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(4 * StopGrace))
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		return nil, err
	}
	var answer response
	if err := json.NewDecoder(conn).Decode(&answer); err != nil {
		return nil, fmt.Errorf("the supervisor does not answer: %w", err)
	}
	if answer.Error != "" {
		return answer.Processes, errors.New(answer.Error)
	}
	return answer.Processes, nil
}

// Status returns the states of the processes, of all hosts where this is the local one.
func (c Console) Status() ([]Status, error) { return c.ask(request{Ask: "status"}) }

// StopProcesses stops some processes; StartProcesses starts them again.
func (c Console) StopProcesses(names ...string) error {
	_, err := c.ask(request{Ask: "stop_process", Processes: names})
	return err
}

// StartProcesses starts processes that were stopped or have ended.
func (c Console) StartProcesses(names ...string) error {
	_, err := c.ask(request{Ask: "start_process", Processes: names})
	return err
}

// Stop stops all processes of all hosts in order, and the supervisors. Where the one of this host was killed it ends what that
// has left behind. The folder stays where another host was not reached, so that Stop can be tried again; clean takes away
// what processes leave behind on this host.
func (c Console) Stop(ctx context.Context, clean func() error) error {
	if _, err := os.Stat(c.Folder); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the system is not up", ErrNoSupervisor)
	}
	plan, planErr := ReadPlan(filepath.Base(c.Folder))
	_, err := c.ask(request{Ask: "stop"})
	switch {
	case errors.Is(err, ErrNoSupervisor):
		c.endOrphans()
	case err != nil:
		return err
	default:
		if err := c.awaitEnd(); err != nil {
			return err
		}
	}
	err = clean()
	if planErr == nil {
		err = errors.Join(err, plan.downRemotes(ctx))
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(c.Folder)
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

// Forget ends a system of which other hosts cannot be reached: what runs there goes on.
func (c Console) Forget() error { return os.RemoveAll(c.Folder) }

func (c Console) awaitEnd() error {
	for end := time.Now().Add(6 * StopGrace); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("unix", filepath.Join(c.Folder, socketName))
		if err != nil {
			if _, err := os.Stat(filepath.Join(c.Folder, endedName)); err == nil {
				return nil
			}
			continue
		}
		conn.Close()
	}
	return errors.New("the supervisor does not end")
}

// endedName is the file that a supervisor leaves as its last deed.
const endedName = "ended"

// End tells consoles that the supervisor of a folder has stopped everything.
func End(folder string) error { return os.WriteFile(filepath.Join(folder, endedName), nil, 0o600) }

// endOrphans ends the processes that a supervisor left behind which was killed.
func (c Console) endOrphans() {
	text, err := os.ReadFile(filepath.Join(c.Folder, stateName))
	if err != nil {
		return
	}
	var states []Status
	if json.Unmarshal(text, &states) != nil {
		return
	}
	for _, s := range states {
		if s.PID > 1 {
			askGroup(s.PID)
		}
	}
	for end := time.Now().Add(StopGrace); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !slices.ContainsFunc(states, func(s Status) bool { return s.PID > 1 && groupLives(s.PID) }) {
			return
		}
	}
	for _, s := range states {
		if s.PID > 1 {
			killGroup(s.PID)
		}
	}
}

// groupLives reports whether a process is there, and no zombie.
func groupLives(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(after, "Z")
}

// Log returns the path of a process's output.
func (c Console) Log(process string) string { return filepath.Join(c.Folder, process+".log") }
