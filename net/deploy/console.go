package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The files in the folder of a system that is up.
const (
	socketName = "supervisor.sock"
	stateName  = "state.json"
)

// Folder returns where a supervisor of this user keeps what it knows of a system.
func Folder(system string) string {
	base := filepath.Join(os.TempDir(), "sinew-"+strconv.Itoa(os.Getuid()))
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		base = filepath.Join(dir, "sinew")
	}
	return filepath.Join(base, "up", system)
}

// Up returns the names of the systems that are up on this host, sorted.
func Up() []string {
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

// ask sends a request and returns the answer.
func (c Console) ask(r request) ([]Status, error) {
	conn, err := net.DialTimeout("unix", filepath.Join(c.Folder, socketName), time.Second)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSupervisor, err)
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

// Status returns the states of the processes.
func (c Console) Status() ([]Status, error) { return c.ask(request{Ask: "status"}) }

// StopProcess stops one process, StartProcess starts it again.
func (c Console) StopProcess(name string) error {
	_, err := c.ask(request{Ask: "stop_process", Process: name})
	return err
}

// StartProcess starts a process that was stopped or has ended.
func (c Console) StartProcess(name string) error {
	_, err := c.ask(request{Ask: "start_process", Process: name})
	return err
}

// Stop stops all processes in order, and the supervisor, and removes the folder. Where the supervisor was killed it ends what
// that has left behind.
func (c Console) Stop() error {
	if _, err := os.Stat(c.Folder); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the system is not up", ErrNoSupervisor)
	}
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
	return os.RemoveAll(c.Folder)
}

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
