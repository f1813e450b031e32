package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// isGate reports whether a name is that of an input which decides whether blocks are executed, not what they compute: a link to such an
// input of a group leads to that of each of its blocks.
func isGate(name string) bool { return name == port.EnableName || name == port.TriggerName }

// linkGroups puts links to the gates of a group's blocks in the place of a link to the group's own, which is shown among its ports. It
// also notes which blocks begin again when they are enabled.
func (d *Diagram) linkGroups() {
	links, room := d.links, MaxLinks
	var all []*link
	for _, l := range links {
		g := d.groups[l.To.Block]
		if g == nil || l.To.Block == "" || !isGate(l.To.Port) {
			if b := d.byName[l.To.Block]; b != nil && !l.replaced && l.To.Port == port.EnableName && d.isNumber(l.From) {
				l.To.Port = d.inspector.AddEnable(b.Instance, true, "the block is executed while it is above 0").Name
			}
			all, room = append(all, l), room-1
			continue
		}
		if l.replaced || !d.checkGate(g, l) {
			continue
		}
		p := GroupPort{Name: l.To.Port, Source: l.Source}
		for _, b := range d.blocks {
			if !b.in(g) {
				continue
			}
			if room--; room < 0 {
				d.fail(l.Source, "link %v: with a link to each block of %s the net has more than %d links", l, g.what(), MaxLinks)
				return
			}
			one := d.linkGate(g, l, b)
			if one == nil {
				return
			}
			all, p.Ends = append(all, one), append(p.Ends, one.To)
		}
		g.Ports = append(g.Ports, p)
	}
	d.links = all
	for _, g := range d.groupList {
		for i := range g.Ports {
			g.Ports[i].Ends = d.gatesBehind(g.Ports[i].Ends)
		}
	}
	d.noteRestarts()
}

// isNumber reports whether an end of a link is one number: a float64, or one element of several.
func (d *Diagram) isNumber(e End) bool {
	b := d.byName[e.Block]
	if b == nil || b.Port(e.Port) == nil {
		return false
	}
	p := b.Port(e.Port)
	if p.Type.Kind() != schema.Float64 && len(e.Elements) != 1 {
		return false
	}
	return elementType(p).Kind() == schema.Float64
}

// linkGate returns the link to the gate of a block in the place of one to its group; nil, and an error in d, where that is not possible. A
// block that has a condition already gets another input: it is executed while all of them hold.
func (d *Diagram) linkGate(g *Group, l *link, b *placed) *link {
	one := &link{Link: l.Link}
	one.To = End{Block: b.Name, Port: l.To.Port}
	ref := b.Name + "." + l.To.Port
	if number := d.isNumber(l.From); l.To.Port == port.EnableName && (number || len(d.into[ref]) > 0) {
		doc := fmt.Sprintf("condition of %s: the block is executed while it is true", g.what())
		if number {
			doc = fmt.Sprintf("condition of %s: the block is executed while it is above 0", g.what())
		}
		one.To.Port = d.inspector.AddEnable(b.Instance, number, doc).Name
		ref = b.Name + "." + one.To.Port
	}
	if old := d.into[ref]; len(old) > 0 {
		d.fail(l.Source, "link %v: the input %s of block %q in %s is linked already, to %s: a block has one trigger, so remove one of the links, or join both with flow.Logic",
			l, l.To.Port, b.Name, g.what(), old[0].From)
		return nil
	}
	if l.To.Port == port.TriggerName {
		if b.Port(port.TriggerName) != nil {
			d.fail(l.Source, "link %v: block %q (%s) in %s has a port %s of its own, so the group cannot be triggered: take the block out of it, or link the ports of its blocks one by one",
				l, b.Name, b.Type, g.what(), port.TriggerName)
			return nil
		}
		d.inspector.AddTrigger(b.Instance)
	}
	d.into[ref] = []*link{one}
	return one
}

// gatesBehind puts the gates of blocks in the place of that of a group in it, which a port of a group stands for.
func (d *Diagram) gatesBehind(ends []End) []End {
	if len(ends) != 1 || !isGate(ends[0].Port) || d.groups[ends[0].Block] == nil {
		return ends
	}
	for _, p := range d.groups[ends[0].Block].Ports {
		if p.Name == ends[0].Port {
			return p.Ends
		}
	}
	var behind []End
	for _, b := range d.blocks {
		if b.in(d.groups[ends[0].Block]) {
			behind = append(behind, End{Block: b.Name, Port: ends[0].Port})
		}
	}
	if behind == nil {
		return ends // which is reported
	}
	return behind
}

// checkGate reports why a link cannot lead to a gate of a group.
func (d *Diagram) checkGate(g *Group, l *link) bool {
	gate := l.To.Port
	switch {
	case strings.HasPrefix(l.From.Block, g.Name+"."):
		why := "disabled, it could not enable the group again"
		if gate == port.TriggerName {
			why = "it would run only after it has triggered itself"
		}
		d.fail(l.Source, "link %v: block %q is in %s itself: %s", l, l.From.Block, g.what(), why)
		return false
	case slices.ContainsFunc(g.Ports, func(p GroupPort) bool { return p.Name == gate }):
		d.fail(l.Source, "link %v: the input %s of %s is linked already: an input takes one source, so remove one of the links", l, gate, g.what())
		return false
	case l.To.Elements != nil || l.Buffer > 0:
		d.fail(l.Source, "link %v: the input %s of %s takes one truth value, the newest: leave out elements and buffer", l, gate, g.what())
		return false
	}
	for name := range d.foreign {
		if strings.HasPrefix(name, g.Name+".") {
			d.fail(l.Source, "link %v: %q in %s is a program of its own, which nothing here can %s: take it out of the group", l, name, g.what(), strings.Replace(gate, port.EnableName, "disable", 1))
			return false
		}
	}
	if !slices.ContainsFunc(d.blocks, func(b *placed) bool { return b.in(g) }) {
		d.fail(l.Source, "link %v: %s has no blocks to %s", l, g.what(), gate)
		return false
	}
	return true
}

// in reports whether the block is in a group, or in one of those in it.
func (b *placed) in(g *Group) bool { return strings.HasPrefix(b.Name, g.Name+".") }

// NumberGate is an output whose number enables blocks.
type NumberGate struct {
	From   *port.Port
	Block  string // the first of them
	Others int    // how many more
}

// NumberGates returns the outputs of this process whose numbers enable blocks.
func (n *Net) NumberGates() (list []NumberGate) {
	at := map[*port.Port]int{}
	for _, l := range n.Links {
		if l.Source == nil || l.Target == nil || !l.Target.Layout().HasFloats() || !l.Target.Block.IsGate(l.Target) {
			continue
		}
		if i, known := at[l.Source]; known {
			list[i].Others++
			continue
		}
		at[l.Source] = len(list)
		list = append(list, NumberGate{From: l.Source, Block: l.Target.Block.Name})
	}
	return list
}
