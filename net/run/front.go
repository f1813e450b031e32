package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// coreGrace is how long a core may take to bring its blocks to rest before its front goes on.
const coreGrace = thread.LongestStop + time.Second

// sharedCore is a core in another process, seen from its front.
type sharedCore struct {
	name   string
	path   string // of the shared memory
	shared *rt.Shared
	front  *thread.Front
	taken  bool          // another front has started it
	child  *exec.Cmd     // its process, where this front has
	ended  chan struct{} // closed when child has ended
}

// useNewCore gives the threads a process of their own, which begins with follow.
func (r *Running) useNewCore() error {
	c := &sharedCore{name: r.Name, path: cores.Path(r.Name)}
	err := c.make(r.sys.Net)
	if err == nil {
		err = writeNote(r.system, r.sys)
	}
	if err != nil {
		if c.shared != nil {
			err = errors.Join(err, c.shared.Close())
			cores.Remove(c.name)
		}
		return err
	}
	r.threads, r.Front = c, c.front
	return nil
}

// make makes the memory for a core and the front before it. A core that died left its memory behind: it is taken away.
func (c *sharedCore) make(net *diagram.Net) (err error) {
	fail := func(err error) error {
		return fmt.Errorf("make the memory that the processes of %q share: %w", c.name, err)
	}
	if err := cores.Check(c.name); err != nil {
		return fail(err)
	}
	if err := private.Make(rt.SharedFolder()); err != nil {
		return fail(err)
	}
	c.shared, err = rt.CreateShared(c.path, thread.BoundarySize(net))
	if errors.Is(err, fs.ErrExist) {
		if err := occupied(c.name); err != nil {
			return err
		}
		c.shared, err = rt.CreateShared(c.path, thread.BoundarySize(net))
	}
	if err != nil {
		return fail(err)
	}
	if err := c.enter(net); err != nil {
		return fail(err)
	}
	return nil
}

// occupied returns an error where a process uses the memory of the core of this name; unused memory is removed.
func occupied(name string) error {
	if cores.Remove(name) {
		return nil
	}
	if cores.Find(name).Orphaned() {
		return fmt.Errorf("the core of a system %q has lost its front and goes on: take it up with sinew attach %s, end it with sinew down %s, or run this one with --name", name, name, name)
	}
	return fmt.Errorf("a system %q runs already: stop it, or run this one with --name", name)
}

// enter takes the front's seat.
func (c *sharedCore) enter(net *diagram.Net) error {
	boundary, err := thread.LayBoundary(net, c.shared.Bytes())
	if err != nil {
		return err
	}
	if !c.shared.Take(cores.FrontSeat) {
		return errors.New("another front is attached to this core: end it first")
	}
	if !c.shared.Current(c.path) { // it was removed between opening and taking the seat
		return errors.New("the core ended just now: try again")
	}
	c.front = thread.NewFront(net, boundary)
	return nil
}

// follow implements threads.
func (c *sharedCore) follow(notify func([]string)) error {
	if !c.taken {
		if err := c.launch(); err != nil {
			return fmt.Errorf("start the core: %w", err)
		}
	}
	return c.front.Follow(c.alive, notify)
}

// launch starts this program again as the core. It has a session of its own, so that neither the terminal nor the front's end takes
// it along, and its goroutines are not interrupted.
func (c *sharedCore) launch() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c.child = &exec.Cmd{Path: self, Args: append([]string{cores.Program + filepath.Base(os.Args[0])}, os.Args[1:]...),
		Stdout: os.Stdout, Stderr: os.Stderr, SysProcAttr: proc.OwnSession(),
		Env: append(os.Environ(), "GODEBUG=asyncpreemptoff=1", coreVariable+"="+c.path)}
	if err := c.child.Start(); err != nil {
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
		return c.shared.Taken(cores.CoreSeat)
	}
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// kill implements threads.
func (c *sharedCore) kill() string {
	if c.child != nil {
		_ = c.child.Process.Kill()
		return fmt.Sprintf("its core (process %d) is ended by force", c.child.Process.Pid)
	}
	core, _ := cores.Find(c.name).Processes()
	if core == nil || core.Signal(syscall.SIGKILL) != nil {
		return "its core has ended, or cannot be seen"
	}
	return fmt.Sprintf("its core (process %d) is ended by force", core.PID)
}

// close implements threads: it leaves the front's seat. If the core has ended, it waits for the core's process and removes the
// shared memory.
func (c *sharedCore) close() {
	select {
	case <-c.front.Halted():
		for deadline := time.Now().Add(coreGrace); c.alive() && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
	default: // it never ran, or goes on without this front
	}
	_ = rt.CloseAfter(c.shared, c.front) // a page may still hold the front of a system that has ended
	cores.Remove(c.name)                 // unless the core goes on
}
