package console

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// Systems is where a console finds systems.
type Systems interface {
	// List returns the names of the systems that run now, sorted.
	List() []string
	// Open returns a running system. One that is an io.Closer is closed when the console no longer needs it.
	Open(name string) (admin.System, error)
}

// OnHost are systems of this host, in processes of their own: those of the given names, or all.
type OnHost []string

// List implements [Systems].
func (h OnHost) List() []string {
	all := admin.List()
	if len(h) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(h, name) })
}

// Open implements [Systems].
func (h OnHost) Open(name string) (admin.System, error) {
	if len(h) > 0 && !slices.Contains(h, name) {
		return nil, noSystem(name, h.List())
	}
	return admin.Dial(name)
}

// InProcess are systems of this process. The zero value has none.
type InProcess struct {
	mu      sync.Mutex
	systems map[string]admin.System
}

// Add shows a system. One of the same name is replaced.
func (p *InProcess) Add(name string, s admin.System) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.systems == nil {
		p.systems = map[string]admin.System{}
	}
	p.systems[name] = s
}

// Remove shows a system no longer.
func (p *InProcess) Remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.systems, name)
}

// List implements [Systems].
func (p *InProcess) List() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := []string{}
	for name := range p.systems {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Open implements [Systems].
func (p *InProcess) Open(name string) (admin.System, error) {
	p.mu.Lock()
	s := p.systems[name]
	p.mu.Unlock()
	if s == nil {
		return nil, noSystem(name, p.List())
	}
	return shared{s}, nil
}

// shared is a system that its owner closes.
type shared struct{ admin.System }

func noSystem(name string, known []string) error {
	return fmt.Errorf("no system %q runs%s", name, nearest.Hint(name, known))
}

// catalog keeps the systems open that pages ask for.
type catalog struct {
	systems Systems
	mu      sync.Mutex
	open    map[string]*shown
	files   map[string]string // of the systems that were seen, by name: they may be started again
	closed  bool
}

// shown is a system that pages look at, with what they share of it.
type shown struct {
	admin.System
	name   string
	taps   taps
	robots robots
}

func newCatalog(s Systems) *catalog {
	if s == nil {
		s = &InProcess{}
	}
	return &catalog{systems: s, open: map[string]*shown{}, files: map[string]string{}}
}

// fileOf returns the file of a system that was seen, "" where none is known.
func (c *catalog) fileOf(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[name]
}

// note remembers the file of a system.
func (c *catalog) note(name, file string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if file != "" {
		c.files[name] = file
	}
}

// get returns a system by its name.
func (c *catalog) get(name string) (*shown, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	if s := c.open[name]; s != nil {
		if !s.ended() {
			return s, nil
		}
		delete(c.open, name)
		go s.close()
	}
	sys, err := c.systems.Open(name)
	if err != nil {
		return nil, err
	}
	s := &shown{System: sys, name: name}
	s.taps.system = sys
	c.open[name] = s
	return s, nil
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
	defer c.mu.Unlock()
	c.closed = true
	var errs []error
	for _, s := range c.open {
		errs = append(errs, s.close())
	}
	clear(c.open)
	return errors.Join(errs...)
}
