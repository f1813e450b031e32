package hierarchy

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Hierarchy is a net of parts in the making. All that is wrong with it is collected and told by [Hierarchy.Build].
type Hierarchy struct {
	diagram *diagram.Diagram
	root    Group
	errs    diagram.Errors
	names   map[string]bool
}

// New returns an empty hierarchy of the given name.
func New(name string) *Hierarchy {
	h := &Hierarchy{diagram: diagram.New(name), names: map[string]bool{}}
	h.root.h, h.root.path = h, name
	return h
}

// Diagram returns what the hierarchy is written into, for what is no module: blocks on threads of their own, such as
// viewers, and links to them. No other block may be placed on the thread of a part.
func (h *Hierarchy) Diagram() *diagram.Diagram { return h.diagram }

// Part adds a part: a group with a thread of its own. Sensor values come to it from parts of lower levels, control
// values from parts of higher levels. The names of its modules begin with the thread's.
func (h *Hierarchy) Part(level int, t diagram.Thread) *Group {
	h.diagram.Thread(t)
	g := h.root.Group(level, t.Name)
	g.thread = t.Name
	return g
}

// Edge joins two parts, as [Group.Edge] does members of a group.
func (h *Hierarchy) Edge(from, to Vector) { h.root.Edge(from, to) }

// Build checks the hierarchy and makes it a net whose steps are in the published order. The error is of type
// [diagram.Errors] and tells all that is wrong. A hierarchy can be built once.
func (h *Hierarchy) Build() (*diagram.Net, error) {
	net, err := h.diagram.Build()
	var errs diagram.Errors
	if errors.As(err, &errs) || len(h.errs) > 0 {
		return nil, append(errs, h.errs...) // a module that could not be made comes before the edges that miss its ports
	}
	for _, t := range net.Threads {
		for _, part := range h.root.members {
			if part.group.thread == t.Name {
				h.arrange(t, part.group)
			}
		}
	}
	if len(h.errs) > 0 {
		return nil, h.errs
	}
	return net, nil
}

func (h *Hierarchy) fail(source, format string, args ...any) {
	h.errs = append(h.errs, &diagram.Error{Source: source, Err: fmt.Errorf(format, args...)})
}

// arrange puts the steps of a part's thread into the published order. Every edge leads from an earlier step to a later
// one in it, so it is one of the orders that the flow of data allows.
func (h *Hierarchy) arrange(t *diagram.ThreadPlan, part *Group) {
	type half struct {
		block string
		part  block.Part
	}
	steps := map[half]diagram.Step{}
	for _, s := range t.Steps {
		steps[half{s.Block.Name, s.Part}] = s
	}
	sorted := make([]diagram.Step, 0, len(t.Steps))
	take := func(m *Member, part block.Part) {
		key := half{m.path, part}
		if s, ok := steps[key]; ok {
			sorted = append(sorted, s)
			delete(steps, key)
		}
	}
	part.sense(func(m *Member) {
		take(m, block.Sense)
		take(m, block.Whole)
	})
	part.control(func(m *Member) { take(m, block.Control) })
	for _, s := range t.Steps {
		if _, alien := steps[half{s.Block.Name, s.Part}]; alien {
			h.fail("", "block %q is on the thread of part %q, but no module of it: place it on another thread, or make it one", s.Block.Name, t.Name)
		}
	}
	t.Steps = sorted
}
