package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/thread"
)

// The seats of the memory that core and front share.
const (
	coreSeat = iota
	frontSeat
)

const (
	coreMemory = 1 << 30         // bytes that a core may have before its collector runs after all
	coreGrace  = 5 * time.Second // for a core to bring its blocks to rest
)

// coreStart is how a core was started: a front that attaches later must build the same net.
type coreStart struct {
	Dir      string        `json:"dir"`
	File     string        `json:"file"`
	Overlays []string      `json:"overlays,omitempty"`
	Params   []string      `json:"params,omitempty"`
	Profile  int           `json:"profile,omitempty"`
	Until    time.Duration `json:"until,omitempty"`
	Process  string        `json:"process,omitempty"`
	System   string        `json:"system"` // the name space of its links to other processes
	PID      int           `json:"pid"`    // of the core
}

func (s *coreStart) flags() loadFlags {
	return loadFlags{overlays: s.Overlays, params: s.Params, process: s.Process}
}

// sharedCore is a core in another process, seen from its front.
type sharedCore struct {
	path   string // of the shared memory
	shared *rt.Shared
	child  *exec.Cmd // nil where another process has started it
	ended  chan struct{}
	front  *thread.Front
}

// corePath returns where the core of a system shares its memory.
func corePath(name string) string {
	return filepath.Join(rt.SharedFolder, "sinew-"+strconv.Itoa(os.Getuid()), name+".core")
}

// newSharedCore makes the memory for a core of the system and the front before it. A core that died left its memory
// behind: it is taken away.
func newSharedCore(name string, net *diagram.Net, start coreStart) (*sharedCore, error) {
	c := &sharedCore{path: corePath(name)}
	fail := func(err error) (*sharedCore, error) {
		c.remove()
		return nil, fmt.Errorf("make the memory that the processes of %q share: %w", name, err)
	}
	var err error
	c.shared, err = rt.CreateShared(c.path, thread.BoundarySize(net))
	if errors.Is(err, fs.ErrExist) {
		if err := occupied(name, c.path); err != nil {
			return nil, err
		}
		c.remove()
		c.shared, err = rt.CreateShared(c.path, thread.BoundarySize(net))
	}
	if err != nil {
		return fail(err)
	}
	if err := c.note(start); err != nil {
		return fail(err)
	}
	return c, c.enter(net)
}

// note writes down how the core was started.
func (c *sharedCore) note(start coreStart) error {
	text, err := json.Marshal(start)
	if err != nil {
		return err
	}
	return os.WriteFile(c.path+".json", text, 0o600)
}

// endCores ends the cores of a system that go on without a front.
func endCores(system string) error {
	paths, err := filepath.Glob(corePath(system + ".*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".core")
		c, start, err := attachCore(name)
		if err != nil {
			continue // it has died, and what it left behind is gone now
		}
		terminate(start.PID)
		for end := time.Now().Add(coreGrace); c.alive() && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		if c.alive() {
			errs = append(errs, fmt.Errorf("the core of %q (process %d) does not end", name, start.PID))
			_ = c.shared.Close()
			continue
		}
		_ = c.shared.Close()
		c.remove()
	}
	return errors.Join(errs...)
}

// occupied returns an error where a process executes the core of this memory.
func occupied(name, path string) error {
	shared, err := rt.OpenShared(path)
	if err != nil {
		return nil
	}
	defer shared.Close()
	switch {
	case shared.Taken(frontSeat):
		return fmt.Errorf("a system %q runs already: stop it, or run this one with --name", name)
	case shared.Taken(coreSeat):
		return fmt.Errorf("the core of a system %q has lost its front and goes on: take it up with sinew attach %s, or run this one with --name", name, name)
	}
	return nil
}

// enter takes the front's seat.
func (c *sharedCore) enter(net *diagram.Net) error {
	boundary, err := thread.LayBoundary(net, c.shared.Bytes())
	if err != nil {
		return err
	}
	if !c.shared.Take(frontSeat) {
		return errors.New("another front is attached to this core: end it first")
	}
	c.front = thread.NewFront(net, boundary)
	return nil
}

// launch starts the core's process. It has a session of its own, so that neither the terminal nor the front's end
// takes it along.
func (c *sharedCore) launch(start coreStart) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{os.Args[0], "core", start.File, "--boundary", c.path, "--process", start.Process, "--system", start.System,
		"--profile", strconv.Itoa(start.Profile), "--for", start.Until.String()}
	for _, o := range start.Overlays {
		args = append(args, "--overlay", o)
	}
	for _, p := range start.Params {
		args = append(args, "--param", p)
	}
	c.child = &exec.Cmd{Path: self, Args: args, Dir: start.Dir, Stdout: os.Stdout, Stderr: os.Stderr,
		Env: append(os.Environ(), "GODEBUG=asyncpreemptoff=1"), SysProcAttr: ownSession()}
	if err := c.child.Start(); err != nil {
		return fmt.Errorf("start the core: %w", err)
	}
	start.PID = c.child.Process.Pid
	if err := c.note(start); err != nil {
		return err
	}
	c.ended = make(chan struct{})
	go func() {
		_ = c.child.Wait() // how it ended stands in the boundary
		close(c.ended)
	}()
	return nil
}

// alive reports whether the core's process is there.
func (c *sharedCore) alive() bool {
	if c.child == nil {
		return c.shared.Taken(coreSeat)
	}
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// follow serves the tools while the core runs.
func (c *sharedCore) follow(notify func([]string)) error { return c.front.Follow(c.alive, notify) }

// close leaves the front's seat. Where the core has ended it waits for its process and takes the memory away.
func (c *sharedCore) close() {
	select {
	case <-c.front.Halted():
		for deadline := time.Now().Add(coreGrace); c.alive() && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
	default: // it never ran, or goes on without this front
	}
	alive := c.alive()
	_ = c.shared.Close()
	if !alive {
		c.remove()
	}
}

func (c *sharedCore) remove() {
	_ = os.Remove(c.path)
	_ = os.Remove(c.path + ".json")
}

// attachCore finds the core of a running system and how it was started.
func attachCore(name string) (c *sharedCore, start coreStart, err error) {
	c = &sharedCore{path: corePath(name)}
	text, err := os.ReadFile(c.path + ".json")
	if err == nil {
		err = json.Unmarshal(text, &start)
	}
	if err == nil {
		c.shared, err = rt.OpenShared(c.path)
	}
	if err != nil {
		return nil, start, fmt.Errorf("no core of a system %q runs here: %w", name, err)
	}
	if !c.shared.Taken(coreSeat) {
		_ = c.shared.Close()
		c.remove()
		return nil, start, fmt.Errorf("the core of %q has died: its blocks were not brought to rest; start it again with sinew run", name)
	}
	return c, start, nil
}

// wire opens the links of a net to the other processes of its system on this host.
func wire(net *diagram.Net, system string, core *thread.Core, pinned bool) (*deploy.Wiring, error) {
	if len(net.Inlets)+len(net.Outlets) == 0 {
		return deploy.Wire(net, nil, nil)
	}
	transport, err := shm.New(system)
	if err != nil {
		return nil, err
	}
	transport.Pinned = pinned
	return deploy.Wire(net, transport, core.Trigger)
}
