package diagram

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
)

// OnEnable states what the blocks of a group do when they are enabled again.
type OnEnable uint8

// The actions of blocks that are enabled again.
const (
	AsAround OnEnable = iota // what the group around states; hold where none does
	Hold                     // go on with the state that they had
	Reset                    // begin again: each block that is a block.Restarter restarts
)

// enableGroups puts links to the enable inputs of a group's blocks in the place of a link to the group's own, which is shown
// among its ports. It also notes which blocks begin again.
func (d *Diagram) enableGroups() {
	links, room := d.links, MaxLinks
	var all []*link
	for _, l := range links {
		g := d.groups[l.To.Block]
		if g == nil || l.To.Block == "" || l.To.Port != port.EnableName {
			all, room = append(all, l), room-1
			continue
		}
		if l.replaced || !d.checkEnable(g, l) {
			continue
		}
		p := GroupPort{Name: port.EnableName, Source: l.Source}
		for _, b := range d.blocks {
			if !b.in(g) {
				continue
			}
			if room--; room < 0 {
				d.fail(l.Source, "link %v: with a link to each block of %s the net has more than %d links", l, g.what(), MaxLinks)
				return
			}
			one := &link{Link: l.Link}
			one.To = End{Block: b.Name, Port: port.EnableName}
			if old := d.into[one.To.Block+"."+one.To.Port]; len(old) > 0 {
				d.fail(l.Source, "link %v: the input enable of block %q in %s is linked already, to %s: a block follows one condition, so remove one of the links, or join both conditions with flow.Logic",
					l, b.Name, g.what(), old[0].From)
				return
			}
			d.into[one.To.Block+"."+one.To.Port] = []*link{one}
			all, p.Ends = append(all, one), append(p.Ends, one.To)
		}
		g.Ports = append(g.Ports, p)
	}
	d.links = all
	for _, g := range d.groupList {
		for i := range g.Ports {
			g.Ports[i].Ends = d.enablesBehind(g.Ports[i].Ends)
		}
	}
	d.noteRestarts()
}

// enablesBehind puts the inputs of blocks in the place of the enable input of a group in it, which a port of a group stands for.
func (d *Diagram) enablesBehind(ends []End) []End {
	if len(ends) != 1 || ends[0].Port != port.EnableName || d.groups[ends[0].Block] == nil {
		return ends
	}
	var behind []End
	for _, b := range d.blocks {
		if b.in(d.groups[ends[0].Block]) {
			behind = append(behind, End{Block: b.Name, Port: port.EnableName})
		}
	}
	if behind == nil {
		return ends // which is reported
	}
	return behind
}

// checkEnable reports why a link cannot enable a group.
func (d *Diagram) checkEnable(g *Group, l *link) bool {
	switch {
	case strings.HasPrefix(l.From.Block, g.Name+"."):
		d.fail(l.Source, "link %v: block %q is in %s itself: disabled, it could not enable the group again", l, l.From.Block, g.what())
		return false
	case slices.ContainsFunc(g.Ports, func(p GroupPort) bool { return p.Name == port.EnableName }):
		d.fail(l.Source, "link %v: the input enable of %s is linked already: an input takes one source, so remove one of the links", l, g.what())
		return false
	case l.To.Elements != nil || l.Buffer > 0:
		d.fail(l.Source, "link %v: the input enable of %s takes one truth value, the newest: leave out elements and buffer", l, g.what())
		return false
	}
	for name := range d.foreign {
		if strings.HasPrefix(name, g.Name+".") {
			d.fail(l.Source, "link %v: %q in %s is a program of its own, which nothing here can disable: take it out of the group", l, name, g.what())
			return false
		}
	}
	if !slices.ContainsFunc(d.blocks, func(b *placed) bool { return b.in(g) }) {
		d.fail(l.Source, "link %v: %s has no blocks to enable", l, g.what())
		return false
	}
	return true
}

// in reports whether the block is in a group, or in one of those in it.
func (b *placed) in(g *Group) bool { return strings.HasPrefix(b.Name, g.Name+".") }

// noteRestarts notes which blocks begin again when they are enabled again: the innermost group that states it decides.
func (d *Diagram) noteRestarts() {
	for _, b := range d.blocks {
		for _, g := range d.around(b.Name) {
			if g.OnEnable != AsAround {
				b.restarts = g.OnEnable == Reset
			}
		}
	}
}

// restartNotices returns the blocks that a group wants to begin again, but that may have a state and cannot.
func (d *Diagram) restartNotices() (list []Notice) {
	for _, b := range d.blocks {
		if _, can := b.Block.(block.Restarter); b.restarts && !can && mayHaveState(b.Block) && d.here(b.thread) {
			list = append(list, Notice{b.Source, "block \"" + b.Name + "\" (" + b.Type + ") goes on with the state that it has when its group is enabled again, in spite of on_enable: reset: its type has no method Restart"})
		}
	}
	return list
}

// mayHaveState reports whether a block's struct has fields of its own beside ports, parameters, operations and events.
func mayHaveState(b block.Block) bool {
	t := reflect.TypeOf(b).Elem()
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() {
			return true
		}
	}
	return false
}
