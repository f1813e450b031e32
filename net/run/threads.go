package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/thread"
)

// threads are those of a system: in this process or in another.
type threads interface {
	// follow serves the tools while the threads run, and returns when they have ended. notify gets their notices.
	follow(notify func([]string)) error
	// kill ends the threads by force, and returns what it has done.
	kill() string
	// close gives back what they have taken.
	close()
}

// execution returns the options for the threads. pinned is set in the process of a core without a garbage collector.
func (r *Running) execution(pinned bool) thread.Options {
	return thread.Options{Profile: r.options.Profile, Until: clock.At(r.options.Until), Pinned: pinned}
}

// openLinks opens the links of the threads to other processes, before they run. pinned is as for [thread.Options].
func (r *Running) openLinks(core *thread.Core, pinned bool) (*links, error) {
	if len(r.sys.Net.Inlets)+len(r.sys.Net.Outlets) == 0 {
		return connect(r.sys.Net, nil, nil)
	}
	transport, err := shm.New(r.system)
	if err != nil {
		return nil, err
	}
	transport.Pinned = pinned
	return connect(r.sys.Net, transport, core.Trigger)
}

// ownThreads are the threads of a net in the process of its front.
type ownThreads struct {
	*Running
	core *thread.Core
}

// useOwnThreads keeps the threads in this process.
func (r *Running) useOwnThreads() {
	core := thread.New(r.sys.Net, r.execution(false))
	r.threads, r.Front = &ownThreads{r, core}, core.Front()
}

// follow implements threads.
func (o *ownThreads) follow(notify func([]string)) error {
	if o.options.Virtual {
		return o.core.RunVirtual(context.Background())
	}
	links, err := o.openLinks(o.core, false)
	if err != nil {
		return err
	}
	err = o.core.Run(context.Background(), notify)
	links.closeAfter(err)
	return err
}

// kill implements threads: the caller ends the process.
func (o *ownThreads) kill() string { return fmt.Sprintf("its process (%d) ends by force", os.Getpid()) }

// close implements threads.
func (o *ownThreads) close() {}

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

// useNewCore makes the memory for a core, which begins with follow, and the front before it. A core that died left its memory behind:
// it is taken away.
func (r *Running) useNewCore() error {
	c := &sharedCore{name: r.Name, path: cores.Path(r.Name)}
	fail := func(err error) error {
		return fmt.Errorf("make the memory that the processes of %q share: %w", c.name, err)
	}
	if err := cores.Check(c.name); err != nil {
		return fail(err)
	}
	if err := private.Make(rt.SharedFolder()); err != nil {
		return fail(err)
	}
	size := thread.BoundarySize(r.sys.Net)
	var err error
	c.shared, err = rt.CreateShared(c.path, size)
	if errors.Is(err, fs.ErrExist) {
		if err := occupied(c.name); err != nil {
			return err
		}
		c.shared, err = rt.CreateShared(c.path, size)
	}
	if err != nil {
		return fail(err)
	}
	if err = c.enter(r.sys.Net); err != nil {
		err = fail(err)
	} else {
		err = writeNote(r.system, r.sys)
	}
	if err != nil {
		err = errors.Join(err, c.shared.Close())
		cores.Remove(c.name)
		return err
	}
	r.threads, r.Front = c, c.front
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
	if _, err := rt.Start(rt.ThreadOptions{Slack: rt.RuntimeSlack}, c.child.Start); err != nil {
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

// coreMemory is how many bytes a core may have before its collector runs after all.
const coreMemory = 1 << 30

// coreVariable is in the environment of a core: the file whose memory it shares with its front.
const coreVariable = "SINEW_CORE"

// inherited is the value of coreVariable; "" in a process that is no core. It is taken out of the environment before main begins:
// what this process starts is no core.
var inherited = takeOut(coreVariable)

func takeOut(variable string) string {
	value := os.Getenv(variable)
	_ = os.Unsetenv(variable)
	return value
}

// IsCore reports whether a front has started this process as its core: [System] runs the threads here. The front runs the same
// code before that call, so actions that must happen once, such as opening a port, belong to the front.
func IsCore() bool { return inherited != "" }

// serveCore runs the threads in this process until they are stopped, and ends the process. It returns an error where they cannot begin.
// The garbage collector is off, unless a block has a script: that allocates. A collector that runs would wait for threads that sleep
// pinned.
func (r *Running) serveCore(ctx context.Context) error {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP, os.Interrupt) // those are meant for the front
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer cancel()
	fail := func(err error) error { return fmt.Errorf("run the core of %q: %w", r.Name, err) }
	if err := r.loadBlockScripts(true); err != nil {
		return fail(err)
	}
	collects := len(r.scripts.list) > 0
	core, err := r.takeCore(!collects)
	if err != nil {
		return fail(err)
	}
	r.runBlockScripts(core)
	links, err := r.openLinks(core, !collects)
	if err != nil {
		return fail(err)
	}
	debug.SetMemoryLimit(coreMemory)
	if !collects {
		debug.SetGCPercent(-1)
	}
	err = core.Serve(ctx)
	links.closeAfter(err)
	if err != nil {
		os.Exit(1) // the front reports it
	}
	os.Exit(0)
	return nil
}

// takeCore takes the core's seat in the memory that the front has made. The memory stays until the process ends: a thread that hangs
// may use it to the last.
func (r *Running) takeCore(pinned bool) (*thread.Core, error) {
	if inherited != cores.Path(r.Name) {
		return nil, fmt.Errorf("this process is the core for %s: a program that runs several systems sets Options.OneProcess", inherited)
	}
	shared, err := rt.OpenShared(inherited)
	if err != nil {
		return nil, fmt.Errorf("its front has ended, or %s was set by hand; unset it: %w", coreVariable, err)
	}
	if !shared.Take(cores.CoreSeat) || !shared.Current(inherited) {
		return nil, errors.New("another core uses its memory, or its front was killed before it began")
	}
	boundary, err := thread.LayBoundary(r.sys.Net, shared.Bytes())
	if err != nil {
		return nil, err
	}
	return thread.NewCore(r.sys.Net, boundary, r.execution(pinned)), nil
}
