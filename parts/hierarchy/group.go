package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Member is what modules and groups have in common: a place in a group, and four vectors.
type Member struct {
	h       *Hierarchy
	parent  *Group
	group   *Group // nil for a module
	level   int
	path    string // name, with those of the groups around it before it
	vectors [kinds][]element
}

// Module is a block in a group.
type Module struct{ Member }

// Group holds modules and groups on levels, and looks like a module itself.
type Group struct {
	Member
	thread  string
	members []*Member // by level; those of one level in the order in which they were made
}

// SensorIn returns the vector of what comes from lower levels.
func (m *Member) SensorIn() Vector { return m.vector(sensorIn) }

// SensorOut returns the vector of what goes to higher levels.
func (m *Member) SensorOut() Vector { return m.vector(sensorOut) }

// ControlIn returns the vector of what comes from higher levels.
func (m *Member) ControlIn() Vector { return m.vector(controlIn) }

// ControlOut returns the vector of what goes to lower levels.
func (m *Member) ControlOut() Vector { return m.vector(controlOut) }

func (m *Member) vector(k kind) Vector { return Vector{m, k, m.vectors[k]} }

// Level returns the level in the group around it.
func (m *Member) Level() int { return m.level }

// Path returns the name with those of the groups around it before it, as in "legs.left.servos". A module's is the name
// of its block.
func (m *Member) Path() string { return m.path }

func (m *Member) fail(format string, args ...any) { m.h.fail("", format, args...) }

// Module adds block b on a level of the group, under a name. The place says how often it runs and what is configured
// of it; its thread is that of the group's part.
func (g *Group) Module(level int, name string, b block.Block, p diagram.Place) *Module {
	m := &Module{}
	if !g.add(&m.Member, level, name) {
		return m
	}
	p.Thread = g.thread
	g.h.diagram.Add(m.path, b, p)
	for _, port := range g.h.diagram.Enable(m.path).Block.Ports {
		if k, ok := kindOf(port); ok {
			m.vectors[k] = append(m.vectors[k], element{port.Name, port.Unit, port.Doc, []diagram.End{{Block: m.path, Port: port.Name}}})
		}
	}
	return m
}

// Group adds an empty group on a level of this one, under a name.
func (g *Group) Group(level int, name string) *Group {
	inner := &Group{thread: g.thread}
	inner.group = inner
	g.add(&inner.Member, level, name)
	return inner
}

// add gives m its place; false, and an error, where there is none.
func (g *Group) add(m *Member, level int, name string) bool {
	m.h, m.parent, m.level, m.path = g.h, g, level, name
	if g != &g.h.root {
		m.path = g.path + "." + name
	}
	switch {
	case name == "" || strings.ContainsAny(name, ".[]\" \t\n"):
		g.fail("%s: name %q: wants letters, digits, _ and -", g.path, name)
		return false
	case g.h.names[m.path]:
		g.fail("%s is there twice", m.path)
		return false
	}
	g.h.names[m.path] = true
	at, _ := slices.BinarySearchFunc(g.members, level+1, func(m *Member, level int) int { return cmp.Compare(m.level, level) })
	g.members = slices.Insert(g.members, at, m)
	return true
}

// Edge joins a vector of one member to one of another: a sensor output to the sensor input of a member on a higher
// level, or a control output to the control input of a member on a lower level. Both have as many elements, and in
// each pair equal units where both say one.
func (g *Group) Edge(from, to Vector) {
	fail := func(format string, args ...any) {
		g.fail("edge from %v to %v: %w", from, to, fmt.Errorf(format, args...))
	}
	from.check()
	to.check()
	up := from.kind == sensorOut && to.kind == sensorIn
	down := from.kind == controlOut && to.kind == controlIn
	switch {
	case from.of.parent != g || to.of.parent != g:
		fail("both must be members of %s", g.path)
	case !up && !down:
		fail("edges lead from a sensor output to a sensor input, or from a control output to a control input")
	case up && from.of.level >= to.of.level:
		fail("sensor values go to a higher level, not from %d to %d", from.of.level, to.of.level)
	case down && from.of.level <= to.of.level:
		fail("control values go to a lower level, not from %d to %d", from.of.level, to.of.level)
	case len(from.elements) != len(to.elements):
		fail("%s do not fit %s", from.list(), to.list())
	default:
		for i, e := range from.elements {
			for _, end := range to.elements[i].ends {
				g.h.diagram.Join(diagram.Link{From: e.ends[0], To: end})
			}
		}
	}
}

// Expose shows elements of a member's vector as elements of the group's vector of the same kind, under their own names or
// under the given ones. Inputs of several members that are exposed under one name get the same value.
func (g *Group) Expose(v Vector, names ...string) {
	v.check()
	switch {
	case v.of.parent != g:
		g.fail("%s cannot expose %v, which is no member of it", g.path, v)
		return
	case len(names) > 0 && len(names) != len(v.elements):
		g.fail("%s exposes %v: %d names for %s", g.path, v, len(names), v.list())
		return
	}
	for i, e := range v.elements {
		if len(names) > 0 {
			e.name = names[i]
		}
		g.expose(v, e)
	}
}

func (g *Group) expose(v Vector, e element) {
	list := &g.vectors[v.kind]
	i := slices.IndexFunc(*list, func(other element) bool { return other.name == e.name })
	if i < 0 {
		e.ends = slices.Clone(e.ends)
		*list = append(*list, e)
		return
	}
	there := &(*list)[i]
	switch {
	case v.kind == sensorOut || v.kind == controlOut:
		g.fail("%s exposes %q of %v, but its %v has a %q already: give it another name", g.path, e.name, v, v.kind, e.name)
	case there.unit != "" && e.unit != "" && there.unit != e.unit:
		g.fail("%s exposes %q of %v in %s, but its %v has a %q in %s", g.path, e.name, v, e.unit, v.kind, e.name, there.unit)
	default:
		there.ends = append(there.ends, e.ends...)
	}
}

// sense visits the modules of the group in the order of Sense: from the lowest level up.
func (g *Group) sense(visit func(*Member)) {
	for _, m := range g.members {
		if m.group != nil {
			m.group.sense(visit)
		} else {
			visit(m)
		}
	}
}

// control visits the modules of the group in the order of Control: from the highest level down.
func (g *Group) control(visit func(*Member)) {
	for end := len(g.members); end > 0; {
		start := end - 1
		for start > 0 && g.members[start-1].level == g.members[start].level {
			start--
		}
		for _, m := range g.members[start:end] {
			if m.group != nil {
				m.group.control(visit)
			} else {
				visit(m)
			}
		}
		end = start
	}
}
