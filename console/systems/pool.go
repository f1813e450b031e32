package systems

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// ErrClosed is the error of a pool, and of taps, that have been closed.
var ErrClosed = errors.New("the console has ended")

// structurePatience is how long a system may take to describe itself.
const structurePatience = 10 * time.Second

// Options configure [New].
type Options struct {
	Source  Source        // nil: no systems
	Checker admin.Checker // describes types of blocks and checks files of systems that do not run; nil: none can be checked
	Version string        // of sinew, for systems of this process
	// Opened is called for each system that was opened, and must not wait; nil: nothing is called.
	Opened func(*System)
}

// Pool keeps systems open that pages ask for.
type Pool struct {
	options Options
	mu      sync.Mutex
	open    map[string]*System
	coming  map[string]*opening
	seen    map[string]KnownSystem // by name
	closed  bool
	closing sync.WaitGroup
}

// KnownSystem is what is known of a system that ran while the console did.
type KnownSystem struct {
	File     string   // its system file on this host; "": none
	Overlays []string // files
	Params   []string // as given to --param
	Program  Program  // with which it can be started again
	Inside   bool     // it ran in this process
	// Structure is as the system described itself last; it must not be changed.
	Structure *admin.Structure
}

// Program is what runs a system.
type Program struct {
	System     string
	Command    []string // with all its arguments; nil where the system is in the console's own process
	Dir        string   // working directory of the command
	PID        int      // of the process that ran the system before
	Supervised bool     // the system has a supervisor, which has to end before it is run again
}

// System is an open system. Pages share its taps.
type System struct {
	admin.System
	name    string
	taps    taps
	stop    context.CancelFunc // ends keepFresh
	running sync.WaitGroup
}

// New returns a pool without open systems.
func New(o Options) *Pool {
	if o.Source == nil {
		o.Source = &InProcess{}
	}
	if o.Opened == nil {
		o.Opened = func(*System) {}
	}
	return &Pool{options: o, open: map[string]*System{}, coming: map[string]*opening{}, seen: map[string]KnownSystem{}}
}

// Running returns the names of the systems that run now, sorted.
func (c *Pool) Running() []string { return c.options.Source.List() }

// System returns a running system; it is opened where it is not open yet. It stays the same value until the system has ended.
func (c *Pool) System(name string) (admin.System, error) { return c.Get(name) }

// Structure describes a running system, and remembers its files and its program. It fails if the system does not run or does
// not answer.
func (c *Pool) Structure(ctx context.Context, name string) (*admin.Structure, error) {
	sys, err := c.Get(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, structurePatience)
	defer cancel()
	st, err := sys.Structure(ctx)
	if err != nil {
		return nil, err
	}
	if p := &st.Processes[0]; p.Name == "" { // it is a part of this process
		p.Name, p.Host, p.Version = system.MainProcess, ThisHost(), c.options.Version
		for i := range st.Threads {
			st.Threads[i].Process, st.Threads[i].Host = system.MainProcess, ThisHost()
		}
		for i := range st.Blocks {
			st.Blocks[i].Process = system.MainProcess
		}
	}
	c.note(name, st)
	return st, nil
}

// ThisHost returns the name of this host, "" where it has none.
func ThisHost() string {
	name, _ := os.Hostname()
	return name
}

// File returns the path of a system's file on this host, or "".
func (c *Pool) File(name string) string { return c.Seen(name).File }

// Files returns the files of a system that runs or was seen.
func (c *Pool) Files(name string) admin.Files {
	was := c.Seen(name)
	return admin.Files{Path: was.File, Options: system.Options{Overlays: was.Overlays, Params: was.Params}, Checker: c.options.Checker}
}

// Seen returns what is known of a system; the zero value where it was not seen.
func (c *Pool) Seen(name string) KnownSystem {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[name]
}

// Names returns the names of the systems that run or were seen, sorted.
func (c *Pool) Names() []string {
	names := c.Running()
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range c.seen {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// note remembers a system.
func (c *Pool) note(name string, st *admin.Structure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := *st
	last.Processes = slices.Clone(st.Processes) // callers of Structure add to theirs
	now := KnownSystem{File: st.File, Structure: &last}
	for _, p := range st.Processes {
		if p.File != "" && (p.Host == ThisHost() || p.Host == system.LocalHost) { // those of other hosts have copies
			now.File, now.Overlays, now.Params = p.File, p.Overlays, p.Params
			now.Program = Program{System: name, Command: p.Command, Dir: p.Dir, PID: p.PID, Supervised: p.Supervised}
			now.Inside = p.PID == os.Getpid() && p.Command == nil
			break
		}
	}
	c.seen[name] = now
}

// opening is a system that is being opened.
type opening struct {
	done   chan struct{}
	system *System
	err    error
}

// Get returns a running system by its name. Callers that ask for one that is being opened wait for it together. It fails if no
// such system runs, and names the nearest that does.
func (c *Pool) Get(name string) (*System, error) {
	c.mu.Lock()
	switch s := c.open[name]; {
	case c.closed:
		c.mu.Unlock()
		return nil, ErrClosed
	case s != nil && !s.ended():
		c.mu.Unlock()
		return s, nil
	}
	if o := c.coming[name]; o != nil {
		c.mu.Unlock()
		<-o.done
		return o.system, o.err
	}
	o := &opening{done: make(chan struct{})}
	c.coming[name] = o
	c.mu.Unlock()

	sys, err := c.options.Source.Open(name)
	if err == nil {
		o.system = &System{System: sys, name: name}
		o.system.taps.system = sys
		o.system.begin()
	}
	o.err = err
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(o.done)
	delete(c.coming, name)
	switch {
	case err != nil:
		return nil, err
	case c.closed:
		o.err = ErrClosed
	case o.system.ended(): // its source shows it until it has reported why
		o.err = fmt.Errorf("system %q: %w", name, admin.ErrGone)
	}
	if o.err != nil {
		unwanted := o.system
		o.system = nil
		c.closing.Go(func() { _ = unwanted.close() })
		return nil, o.err
	}
	if before := c.open[name]; before != nil {
		c.closing.Go(func() { _ = before.close() }) // it has ended
	}
	c.open[name] = o.system
	c.options.Opened(o.system)
	return o.system, nil
}

// Forget closes a system that has ended.
func (c *Pool) Forget(name string) {
	c.mu.Lock()
	s := c.open[name]
	delete(c.open, name)
	c.mu.Unlock()
	if s != nil {
		_ = s.close() // it has gone anyway
	}
}

// ended reports whether the system is known to have stopped.
func (s *System) ended() bool {
	d, ok := s.Unwrapped().(admin.Lifetime)
	if !ok {
		return false
	}
	select {
	case <-d.Done():
		return true
	default:
		return false
	}
}

// Unwrapped returns the system itself, to ask what it can do beside [admin.System].
func (s *System) Unwrapped() admin.System {
	if x, ok := s.System.(shared); ok {
		return x.System
	}
	return s.System
}

// begin starts what keeps the values of taps fresh, where samples may be lost.
func (s *System) begin() {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if losses, ok := s.Unwrapped().(admin.LossCounter); ok {
		s.running.Go(func() { s.keepFresh(ctx, losses) })
	}
}

func (s *System) close() error {
	s.stop()
	defer s.running.Wait()
	if c, ok := s.System.(io.Closer); ok {
		return c.Close() // which ends the taps, too
	}
	s.taps.endAll()
	return nil
}

// Close closes all systems that the pool has opened, and waits for that.
func (c *Pool) Close() error {
	c.mu.Lock()
	c.closed = true
	all := c.open
	c.open = map[string]*System{}
	c.mu.Unlock()
	var errs []error
	for _, s := range all {
		errs = append(errs, s.close())
	}
	c.closing.Wait()
	return errors.Join(errs...)
}
