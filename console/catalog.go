package console

import (
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// catalog keeps the systems open that pages ask for.
type catalog struct {
	systems Systems
	opened  func(*shown) // is called for each system that was opened
	mu      sync.Mutex
	open    map[string]*shown
	coming  map[string]*opening
	files   map[string]seen // of the systems that were seen, by name: they may be started again
	closed  bool
	closing sync.WaitGroup
}

// seen is what is known of a system that was there.
type seen struct {
	file     string
	overlays []string
	params   []string
	program  Program
	inside   bool // it was in this process
}

// shown is a system that pages look at, with what they share of it.
type shown struct {
	admin.System
	name   string
	taps   taps
	robots robots
}

func newCatalog(s Systems, opened func(*shown)) *catalog {
	if s == nil {
		s = &InProcess{}
	}
	return &catalog{systems: s, opened: opened, open: map[string]*shown{},
		coming: map[string]*opening{}, files: map[string]seen{}}
}

// known returns what is known of a system; the zero value where it was never there.
func (c *catalog) known(name string) seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[name]
}

// names returns the systems that are or were there.
func (c *catalog) names() []string {
	names := c.systems.List()
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range c.files {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// note remembers a system.
func (c *catalog) note(name string, st *admin.Structure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := seen{file: st.File}
	for _, p := range st.Processes {
		if p.File != "" && (p.Host == thisHost() || p.Host == system.LocalHost) { // those of other hosts have copies
			now.file, now.overlays, now.params = p.File, p.Overlays, p.Params
			now.program = Program{System: name, Command: p.Command, Dir: p.Dir, PID: p.PID, Supervised: p.Supervised}
			now.inside = p.PID == os.Getpid() && p.Command == nil
			break
		}
	}
	c.files[name] = now
}

// opening is a system that is being opened.
type opening struct {
	done   chan struct{}
	system *shown
	err    error
}

// get returns a system by its name. Those who ask for one that is being opened wait for it together.
func (c *catalog) get(name string) (*shown, error) {
	c.mu.Lock()
	switch s := c.open[name]; {
	case c.closed:
		c.mu.Unlock()
		return nil, errClosed
	case s != nil && !s.ended():
		c.mu.Unlock()
		return s, nil
	case s != nil:
		delete(c.open, name)
		c.closing.Go(func() { _ = s.close() }) // it has ended anyway
	}
	if o := c.coming[name]; o != nil {
		c.mu.Unlock()
		<-o.done
		return o.system, o.err
	}
	o := &opening{done: make(chan struct{})}
	c.coming[name] = o
	c.mu.Unlock()

	sys, err := c.systems.Open(name)
	if err == nil {
		o.system = &shown{System: sys, name: name}
		o.system.taps.system = sys
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
		c.closing.Go(func() { _ = o.system.close() })
		o.system, o.err = nil, errClosed
		return nil, errClosed
	}
	c.open[name] = o.system
	c.opened(o.system)
	return o.system, nil
}

// forget closes a system that has gone.
func (c *catalog) forget(name string) {
	c.mu.Lock()
	s := c.open[name]
	delete(c.open, name)
	c.mu.Unlock()
	if s != nil {
		_ = s.close() // it has gone anyway
	}
}

// ended reports whether the system is known to have stopped.
func (s *shown) ended() bool {
	d, ok := s.unwrapped().(interface{ Done() <-chan struct{} })
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

// unwrapped returns the system itself, to ask what it can do beside [admin.System].
func (s *shown) unwrapped() admin.System {
	if x, ok := s.System.(shared); ok {
		return x.System
	}
	return s.System
}

func (s *shown) close() error {
	if c, ok := s.System.(io.Closer); ok {
		return c.Close() // which ends the taps, too
	}
	s.taps.endAll()
	return nil
}

func (c *catalog) close() error {
	c.mu.Lock()
	c.closed = true
	all := c.open
	c.open = map[string]*shown{}
	c.mu.Unlock()
	var errs []error
	for _, s := range all {
		errs = append(errs, s.close())
	}
	c.closing.Wait()
	return errors.Join(errs...)
}
