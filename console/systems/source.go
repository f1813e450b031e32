package systems

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// Source finds running systems.
type Source interface {
	// List returns the names of the systems that run now, sorted.
	List() []string
	// Open returns a running system. One that is an io.Closer is closed when it is no longer needed.
	Open(name string) (admin.System, error)
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

// Remove no longer shows a system.
func (p *InProcess) Remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.systems, name)
}

// List implements [Source].
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

// Open implements [Source].
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
