package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// GroupPort is a port of a group as a request names it. Reading, tapping, overriding and releasing it do so with the ports of the
// blocks behind it.
type GroupPort struct {
	ref      string
	behind   []string // ports of blocks: several inputs get the same value
	elements []int    // chosen of them; nil: all
}

// FindGroup returns the group of a name, or nil.
func FindGroup(groups []Group, name string) *Group {
	if i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name }); i >= 0 {
		return &groups[i]
	}
	return nil
}

// FindGroupPort returns the port of a group that a reference names; nil where the reference names no group, and an error where the
// group has no such port.
func FindGroupPort(groups []Group, ref string) (*GroupPort, error) {
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 {
		return nil, nil
	}
	g := FindGroup(groups, ref[:dot])
	if g == nil {
		return nil, nil
	}
	var names []string
	for _, p := range g.Ports {
		names = append(names, p.Name)
		if p.Name != ref[dot+1:] {
			continue
		}
		port := &GroupPort{ref: ref}
		for _, behind := range p.Behind {
			l, err := diagram.ParseLink(behind + " -> x.x")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", ref, err)
			}
			port.behind, port.elements = append(port.behind, l.From.Block+"."+l.From.Port), l.From.Elements
		}
		return port, nil
	}
	return nil, fmt.Errorf("group %q has no port %q%s", g.Name, ref[dot+1:], nearest.Hint(ref[dot+1:], names))
}

// Read implements [Inspector.Read] with what is behind the port.
func (g *GroupPort) Read(ctx context.Context, s Inspector) (Reading, error) {
	r, err := s.Read(ctx, g.behind[0])
	r.Value = g.chosen(r.Value)
	return r, err
}

// Tap implements [Observer.Tap] with what is behind the port.
func (g *GroupPort) Tap(ctx context.Context, s Observer, every int, sink func(Sample)) (end func(), err error) {
	return s.Tap(ctx, g.behind[0], every, func(x Sample) {
		x.Value = g.chosen(x.Value)
		sink(x)
	})
}

// Feed implements [Driver.Feed] with all that is behind the port.
func (g *GroupPort) Feed(ctx context.Context, s Driver, value any) error {
	return g.all("feed", func(ref string) error { return s.Feed(ctx, ref, value) })
}

// FeedFor implements [Driver.FeedFor] with all that is behind the port.
func (g *GroupPort) FeedFor(ctx context.Context, s Driver, value any, lasts time.Duration) (began bool, err error) {
	err = g.all("feed", func(ref string) error {
		one, err := s.FeedFor(ctx, ref, value, lasts)
		began = began || one
		return err
	})
	return began, err
}

// Excite implements [Driver.Excite] with all that is behind the port.
func (g *GroupPort) Excite(ctx context.Context, s Driver, e *Excitation, lasts time.Duration) (runs bool, err error) {
	err = g.all("excite", func(ref string) error {
		one, err := s.Excite(ctx, ref, e, lasts)
		runs = runs || one
		return err
	})
	return runs, err
}

// Release implements [Driver.Release] with all that is behind the port.
func (g *GroupPort) Release(ctx context.Context, s Driver) error {
	return g.all("release", func(ref string) error { return s.Release(ctx, ref) })
}

// all does something with each of the ports behind. A part of a list cannot be overridden alone.
func (g *GroupPort) all(what string, do func(ref string) error) error {
	if g.elements != nil {
		return fmt.Errorf("%s %s: it is a part of %s, which can be overridden only as a whole: %s that port", what, g.ref, g.behind[0], what)
	}
	var errs []error
	for _, ref := range g.behind {
		errs = append(errs, do(ref))
	}
	return errors.Join(errs...)
}

// chosen returns the chosen elements of a value: one as itself, several as a list.
func (g *GroupPort) chosen(v any) any {
	list, ok := v.([]any)
	if g.elements == nil || !ok {
		return v
	}
	var some []any
	for _, i := range g.elements {
		if i < len(list) {
			some = append(some, list[i])
		}
	}
	if len(g.elements) == 1 && len(some) == 1 {
		return some[0]
	}
	return some
}

// EnableGroup enables or disables all blocks of a group, also those of the groups in it.
func EnableGroup(ctx context.Context, s Driver, blocks []Block, group string, on bool) error {
	var errs []error
	for _, b := range blocks {
		if strings.HasPrefix(b.Name, group+".") {
			errs = append(errs, s.Enable(ctx, b.Name, on))
		}
	}
	return errors.Join(errs...)
}

// Merge joins what another process knows of the same group: each describes the ports of the blocks that it has.
func (g *Group) Merge(other Group) {
	g.Enabled = g.Enabled || other.Enabled
	for i := range g.Ports {
		if i < len(other.Ports) && g.Ports[i].Kind == "" {
			g.Ports[i] = other.Ports[i]
		}
	}
}

// groupsOf returns the groups of the net, the system's file and those in the names of the blocks, sorted.
func (l *Local) groupsOf() []Group {
	net := l.front.Net()
	all := map[string]Group{}
	for _, b := range net.Blocks {
		for i, c := range b.Name {
			if c == '.' {
				all[b.Name[:i]] = Group{Name: b.Name[:i]}
			}
		}
	}
	for _, g := range net.Groups {
		if g.Name != "" {
			all[g.Name] = l.describeGroup(g)
		}
	}
	for _, g := range l.groups {
		described := all[g.Name]
		described.Name, described.File = g.Name, absolute(g.File)
		all[g.Name] = described
	}
	list := []Group{}
	for _, g := range all {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// describeGroup describes a group of the net. The ports of blocks in other processes are described there.
func (l *Local) describeGroup(g *diagram.Group) Group {
	d := Group{Name: g.Name, Level: g.Level, Levels: g.Levels}
	for _, p := range g.Ports {
		var e Port
		first := p.Ends[0]
		if b := l.blocks[first.Block]; b != nil {
			behind := b.Port(first.Port)
			e = describePort(behind)
			e.Watch, e.Show = false, "" // the port of the block is the one to show
			if n := len(first.Elements); n == 1 {
				e.Type = typeName(behind.Type.Elem())
			} else if n > 1 {
				e.Type = fmt.Sprintf("%s[%d]", typeName(behind.Type.Elem()), n)
			}
		}
		e.Name = p.Name
		for _, end := range p.Ends {
			e.Behind = append(e.Behind, end.String())
		}
		d.Ports = append(d.Ports, e)
	}
	return d
}
