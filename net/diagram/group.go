package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
)

// MaxLevels is how many levels a group has at most.
const MaxLevels = 1000

// Group describes blocks that belong together under a name: all whose names begin with it and a dot. With levels it is a group
// of MCA: Sense of its members is executed from level 0 up, Control from the highest level down, and links between its members
// lead from a sensor output to the sensor input of a higher level, or from a control output to the control input of a lower one.
// They do not reach into a group among the members, except to what its ports show. A block with one direction only senses.
type Group struct {
	Name     string      // with those of the groups around it, as in "legs.left"; "" for the net itself
	Levels   int         // number of levels of its members; 0: they have none, and data flow alone orders them
	Level    int         // of the group in the group around it, from 0
	Ports    []GroupPort // by which it looks like a block; a link to its input enable or trigger adds that
	OnEnable OnEnable    // what its blocks do when they are enabled again
	Source   string      // where it was written

	shown map[string]map[int]bool // the elements that the ports show, by block.port; whole: all
}

// GroupPort is a port of a group: the output or event behind it, or the inputs or handlers that get the same value.
type GroupPort struct {
	Name   string
	Ends   []End
	Source string // where it was written
}

// Group adds a group. The order of calls does not matter.
func (d *Diagram) Group(g Group) {
	switch {
	case d.groups[g.Name] != nil:
		d.fail(g.Source, "group %q is there twice", g.Name)
		return
	case g.Levels < 0 || g.Levels > MaxLevels:
		d.fail(g.Source, "%s: %d levels are not between 1 and %d", g.what(), g.Levels, MaxLevels)
		g.Levels = 0
	}
	d.groups[g.Name] = &g
	d.groupList = append(d.groupList, &g)
}

// what names the group in messages.
func (g *Group) what() string {
	if g.Name == "" {
		return "the system"
	}
	return fmt.Sprintf("group %q", g.Name)
}

// around returns the groups that a block or group is in, the outermost first; the net itself is the first where it is declared.
func (d *Diagram) around(name string) []*Group {
	if len(d.groups) == 0 {
		return nil
	}
	var list []*Group
	if g := d.groups[""]; g != nil && name != "" {
		list = append(list, g)
	}
	for i, c := range name {
		if c == '.' && d.groups[name[:i]] != nil {
			list = append(list, d.groups[name[:i]])
		}
	}
	return list
}

// checkLevels reports members whose level their group does not have.
func (d *Diagram) checkLevels() {
	check := func(what, source string, level int, around []*Group) {
		if len(around) == 0 {
			return
		}
		if g := around[len(around)-1]; g.Levels > 0 && (level < 0 || level >= g.Levels) {
			d.fail(source, "%s: level %d is not between 0 (the lowest) and %d, the levels of %s", what, level, g.Levels-1, g.what())
		}
	}
	for _, b := range d.blocks {
		check(fmt.Sprintf("block %q", b.Name), b.Source, b.Level, d.around(b.Name))
	}
	for _, g := range d.groupList {
		check(g.what(), g.Source, g.Level, d.around(g.Name))
	}
}

// edge returns the group with levels whose members a link joins as an edge of MCA, and the levels of its ends; nil: it is no edge.
func (d *Diagram) edge(l *link) (g *Group, from, to int) {
	a, b := d.around(l.From.Block), d.around(l.To.Block)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if same == 0 || a[same-1].Levels == 0 || l.From.Block == l.To.Block {
		return nil, 0, 0
	}
	if l.from.Kind == port.Event || l.to.Block.IsGate(l.to) {
		return nil, 0, 0 // not elements of a vector
	}
	member := func(inner []*Group, block string) (level int) {
		if len(inner) > same {
			return inner[same].Level
		}
		return d.byName[block].Level
	}
	return a[same-1], member(a, l.From.Block), member(b, l.To.Block)
}

// checkEdge reports whether a link keeps to the levels of the group that both its ends are in; an error in d where it does not.
func (d *Diagram) checkEdge(l *link) bool {
	group, a, b := d.edge(l)
	if group == nil {
		return true
	}
	up, down := l.from.Part != port.Control, l.to.Part == port.Control
	switch {
	case up == down:
		d.fail(l.Source, "link %v: %s is a %s output, but %s is a %s input: in %s links lead from sensor to sensor, or from control to control",
			l, l.From, direction(l.from), l.To, direction(l.to), group.what())
	case up && a >= b:
		d.fail(l.Source, "link %v: sensor values go to a higher level of %s, not from %d to %d", l, group.what(), a, b)
	case !up && a <= b:
		d.fail(l.Source, "link %v: control values go to a lower level of %s, not from %d to %d", l, group.what(), a, b)
	default:
		return d.checkReach(l, l.From, l.To) && d.checkReach(l, l.To, l.From)
	}
	return false
}

// checkReach reports whether an end of an edge is a port of a member: of a block, or one that all groups between it and the other end show.
func (d *Diagram) checkReach(l *link, e, other End) bool {
	for _, g := range d.around(e.Block) {
		if g.Name == "" || strings.HasPrefix(other.Block, g.Name+".") || g.shows(e) {
			continue
		}
		d.fail(l.Source, "link %v: %s is inside %s, which is a module for those around it and does not show it: add it to the ports of the group, and link that", l, e, g.what())
		return false
	}
	return true
}

// shows reports whether an end, with all its elements, is behind a port of the group.
func (g *Group) shows(e End) bool {
	if g.shown == nil {
		g.shown = map[string]map[int]bool{}
		for _, p := range g.Ports {
			for _, behind := range p.Ends {
				ref := behind.Block + "." + behind.Port
				if g.shown[ref] == nil {
					g.shown[ref] = map[int]bool{}
				}
				if behind.Elements == nil {
					g.shown[ref][whole] = true
				}
				for _, n := range behind.Elements {
					g.shown[ref][n] = true
				}
			}
		}
	}
	elements := g.shown[e.Block+"."+e.Port]
	return elements[whole] || e.Elements != nil && !slices.ContainsFunc(e.Elements, func(n int) bool { return !elements[n] })
}

// whole stands for all elements of an end.
const whole = -1

func direction(p *port.Port) string {
	if p.Part == port.Control {
		return "control"
	}
	return "sensor"
}

// linkedEnds returns the ports, as block.port, that links name.
func (d *Diagram) linkedEnds() map[string]bool {
	if len(d.groups) == 0 {
		return nil
	}
	ends := make(map[string]bool, 2*len(d.links))
	for _, l := range d.links {
		ends[l.From.Block+"."+l.From.Port], ends[l.To.Block+"."+l.To.Port] = true, true
	}
	return ends
}

// checkGroupPorts reports ports of groups behind which there is none, except for those in links, which are reported there.
func (d *Diagram) checkGroupPorts(linked map[string]bool) {
	for _, g := range d.groupList {
		for _, p := range g.Ports {
			for _, e := range p.Ends {
				if d.broken[e.Block] || d.foreign[e.Block] != nil || linked[e.Block+"."+e.Port] {
					continue // reported already, or only the program knows its ports
				}
				b := d.byName[e.Block]
				if b == nil {
					d.fail(p.Source, "port %q of %s: no block %q%s", p.Name, g.what(), e.Block, nearest.Later(e.Block, d.blockNames))
					continue
				}
				behind := b.Port(e.Port)
				if behind == nil {
					d.fail(p.Source, "port %q of %s: block %q (%s) has no port %q%s", p.Name, g.what(), e.Block, b.Type, e.Port, nearest.Later(e.Port, b.portNames))
					continue
				}
				if n := behind.Elements(); n > 0 && len(e.Elements) > 0 && slices.Max(e.Elements) >= n {
					d.fail(p.Source, "port %q of %s: %s.%s has elements 0 to %d, not %d", p.Name, g.what(), e.Block, e.Port, n-1, slices.Max(e.Elements))
				}
			}
		}
	}
}
