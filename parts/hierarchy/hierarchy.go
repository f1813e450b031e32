package hierarchy

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// Hierarchy is a net of parts under construction. [Hierarchy.Build] reports all errors.
type Hierarchy struct {
	diagram *diagram.Diagram
	root    Group
	errs    diagram.Errors
	names   map[string]bool
}

// New returns an empty hierarchy of the given name, whose parts have a number of levels.
func New(name string, levels int) *Hierarchy {
	h := &Hierarchy{diagram: diagram.New(name), names: map[string]bool{}}
	h.root.h, h.root.path, h.root.levels = h, name, levels
	h.root.checkLevels()
	return h
}

// Diagram returns the underlying diagram, for blocks that are not modules: blocks on their own threads, such as
// viewers, and links to them. No other block may be placed on the thread of a part.
func (h *Hierarchy) Diagram() *diagram.Diagram { return h.diagram }

// Part adds a part on a level of the hierarchy: a group with its own thread and a number of levels. It gets sensor values from
// parts of lower levels and control values from parts of higher levels. The names of its modules start with the thread's name.
func (h *Hierarchy) Part(level int, t diagram.Thread, levels int) *Group {
	h.diagram.Thread(t)
	g := h.root.Group(level, t.Name, levels)
	g.thread = t.Name
	return g
}

// Edge joins two parts, as [Group.Edge] does members of a group.
func (h *Hierarchy) Edge(from, to Vector) { h.root.Edge(from, to) }

// Build checks the hierarchy and returns a net whose steps are in the published order. The error is of type
// [diagram.Errors] and lists all problems. A hierarchy can be built only once.
func (h *Hierarchy) Build() (*diagram.Net, error) {
	h.declare(&h.root)
	net, err := h.diagram.Build()
	var errs diagram.Errors
	if errors.As(err, &errs) || len(h.errs) > 0 {
		return nil, append(errs, h.errs...) // the error of a module precedes those of edges to its missing ports
	}
	for _, t := range net.Threads {
		if !h.names[t.Name] {
			continue // not the thread of a part
		}
		for _, b := range t.Blocks {
			if !h.names[b.Name] {
				h.fail("", "block %q is on the thread of part %q, but is not a module of it: place it on another thread, or add it as a module", b.Name, t.Name)
			}
		}
	}
	if len(h.errs) > 0 {
		return nil, h.errs
	}
	return net, nil
}

// declare declares a group, and those in it, to the diagram, which orders the steps by their levels.
func (h *Hierarchy) declare(g *Group) {
	d := diagram.Group{Name: g.path, Levels: g.levels, Level: g.level}
	if g == &h.root {
		d.Name = ""
	}
	for _, vector := range g.vectors {
		for _, e := range vector {
			d.Ports = append(d.Ports, diagram.GroupPort{Name: e.name, Ends: e.ends})
		}
	}
	h.diagram.Group(d)
	for _, m := range g.members {
		if m.group != nil {
			h.declare(m.group)
		}
	}
}

func (h *Hierarchy) fail(source, format string, args ...any) {
	h.errs = append(h.errs, &diagram.Error{Source: source, Err: fmt.Errorf(format, args...)})
}
