package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// Member is the common part of modules and groups: a place in a group, and four vectors.
type Member struct {
	h       *Hierarchy
	parent  *Group
	group   *Group // nil for a module
	level   int
	path    string // names of the enclosing groups and its own, joined by dots
	vectors [kinds][]element
}

// Module is a block in a group.
type Module struct{ Member }

// Group holds modules and groups on levels, and looks like a module itself.
type Group struct {
	Member
	thread  string
	levels  int
	members []*Member // in the order in which they were added
}

// SensorIn returns the vector of values from lower levels.
func (m *Member) SensorIn() Vector { return m.vector(sensorIn) }

// SensorOut returns the vector of values for higher levels.
func (m *Member) SensorOut() Vector { return m.vector(sensorOut) }

// ControlIn returns the vector of values from higher levels.
func (m *Member) ControlIn() Vector { return m.vector(controlIn) }

// ControlOut returns the vector of values for lower levels.
func (m *Member) ControlOut() Vector { return m.vector(controlOut) }

func (m *Member) vector(k kind) Vector { return Vector{m, k, m.vectors[k]} }

// Level returns the level in the enclosing group.
func (m *Member) Level() int { return m.level }

// Path returns the names of the enclosing groups and its own, as in "legs.left.servos". For a module it is the name
// of its block.
func (m *Member) Path() string { return m.path }

func (m *Member) fail(format string, args ...any) { m.h.fail("", format, args...) }

// Module adds block b on a level of the group, under a name. The place configures the block and how often it runs;
// its thread is that of the group's part.
func (g *Group) Module(level int, name string, b block.Block, p diagram.Place) *Module {
	m := &Module{}
	if !g.add(&m.Member, level, name) {
		return m
	}
	p.Thread, p.Level = g.thread, level
	g.h.diagram.Add(m.path, b, p)
	for _, port := range g.h.diagram.Enable(m.path).Block.Ports {
		if k, ok := kindOf(port); ok {
			m.vectors[k] = append(m.vectors[k], element{port.Name, port.Unit, port.Doc, []diagram.End{{Block: m.path, Port: port.Name}}})
		}
	}
	return m
}

// Group adds an empty group on a level of this group, under a name, with a number of levels of its own.
func (g *Group) Group(level int, name string, levels int) *Group {
	inner := &Group{thread: g.thread, levels: levels}
	inner.group = inner
	if g.add(&inner.Member, level, name) {
		inner.checkLevels()
	}
	return inner
}

// Levels returns the number of levels of the group: its members are on 0, the lowest, to Levels()-1.
func (g *Group) Levels() int { return g.levels }

func (g *Group) checkLevels() {
	if g.levels < 1 || g.levels > diagram.MaxLevels {
		g.fail("%s: %d levels are not between 1 and %d", g.path, g.levels, diagram.MaxLevels)
		g.levels = diagram.MaxLevels // its members are not at fault
	}
}

// add gives m its place; it records an error and returns false if that is not possible.
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
		g.fail("%s exists already", m.path)
		return false
	case level < 0 || level >= g.levels:
		g.fail("%s: level %d is not between 0 (the lowest) and %d, the levels of %s", m.path, level, g.levels-1, g.path)
		m.level = 0
		return false
	}
	g.h.names[m.path] = true
	g.members = append(g.members, m)
	return true
}

// Edge joins a vector of one member to one of another: a sensor output to the sensor input of a member on a higher
// level, or a control output to the control input of a member on a lower level. Both must have the same number of
// elements, and equal units in each pair of elements that both have a unit.
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

// Expose makes elements of a member's vector elements of the group's vector of the same kind, under their own or the
// given names. Inputs of several members that are exposed under one name get the same value.
func (g *Group) Expose(v Vector, names ...string) {
	v.check()
	switch {
	case v.of.parent != g:
		g.fail("%s cannot expose %v, which is not a member of it", g.path, v)
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
