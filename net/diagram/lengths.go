package diagram

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/schema"
)

// elements returns how many elements a port has: 0 where its length is not known yet.
func elements(p *block.Port) int {
	if p.Type.Kind() == schema.Slice {
		return p.Len()
	}
	return p.Type.Count()
}

// elementType returns the type of a port's elements: its own, where it is no list.
func elementType(p *block.Port) *schema.Type {
	switch p.Type.Kind() {
	case schema.Slice, schema.Array:
		return p.Type.Elem()
	}
	return p.Type
}

// carried returns how many elements an end of a link carries.
func carried(p *block.Port, e End) int {
	if e.Elements != nil {
		return len(e.Elements)
	}
	return elements(p)
}

// spreadLengths lets links and Setup's groups of equal length tell the lengths that are not fixed, and gives every
// port its memory.
func (d *Diagram) spreadLengths() {
	neighbors := map[*block.Port][]*block.Port{}
	join := func(a, b *block.Port) {
		neighbors[a] = append(neighbors[a], b)
		neighbors[b] = append(neighbors[b], a)
	}
	var known []*block.Port
	learn := func(p *block.Port, n int) {
		if p.Type.Kind() == schema.Slice && p.Len() == 0 && n > 0 {
			p.SetLen(n)
			known = append(known, p)
		}
	}
	for _, b := range d.blocks {
		for _, group := range b.SameLengths() {
			for _, p := range group[1:] {
				join(group[0], p)
			}
		}
		for _, p := range b.Ports {
			if elements(p) > 0 {
				known = append(known, p)
			}
		}
	}
	for _, l := range d.links {
		switch {
		case l.isForeign():
		case l.From.Elements == nil && l.To.Elements == nil:
			join(l.from, l.to)
		case l.To.Elements == nil:
			learn(l.to, len(l.From.Elements))
		case l.From.Elements == nil:
			learn(l.from, len(l.To.Elements))
		}
	}
	for len(known) > 0 {
		p := known[len(known)-1]
		known = known[:len(known)-1]
		for _, q := range neighbors[p] {
			learn(q, elements(p))
		}
	}
	d.allocate()
}

func (d *Diagram) allocate() {
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			if err := p.Allocate(); err != nil {
				d.fail(b.Source, "safe value %q of %s: %w", p.Safe, p.Ref(), err)
			}
		}
	}
}

// checkFormats compares the two ends of every link: element type, number of elements, range of the selection.
func (d *Diagram) checkFormats() {
	for _, l := range d.links {
		if l.isForeign() {
			d.checkForeign(l)
			continue
		}
		from, to := elementType(l.from), elementType(l.to)
		n, m := carried(l.from, l.From), carried(l.to, l.To)
		switch {
		case from.Hash() != to.Hash():
			d.fail(l.Source, "link %v: %s carries %s, but %s takes %s", l, l.From, from.Name(), l.To, to.Name())
		case !d.inRange(l, l.from, l.From) || !d.inRange(l, l.to, l.To):
		case n == 0 && m == 0 && l.from.Kind != block.EventPort && l.from.Type.Kind() == schema.Slice:
			d.fail(l.Source, "link %v: nothing says how many elements it carries: set the length of one end", l)
		case n != m:
			d.fail(l.Source, "link %v: %s has %d elements, but %s takes %d", l, l.From, n, l.To, m)
		}
	}
}

func (d *Diagram) inRange(l *link, p *block.Port, e End) bool {
	for _, k := range e.Elements {
		if k >= elements(p) {
			d.fail(l.Source, "link %v: %s has elements 0 to %d, not %d", l, p.Ref(), elements(p)-1, k)
			return false
		}
	}
	return true
}

// checkInputs makes sure that nothing is linked twice to the same element of an input.
func (d *Diagram) checkInputs() {
	earlier := map[*block.Port][]*link{}
	for _, l := range d.links {
		if l.to == nil || l.to.Kind == block.HandlerPort {
			continue // several events may lead to one handler
		}
		for _, old := range earlier[l.to] {
			if overlap(old.To.Elements, l.To.Elements) {
				where := ""
				if old.Source != "" {
					where = " (" + old.Source + ")"
				}
				d.fail(l.Source, "link %v: %s is linked already, to %s%s: an input takes one source", l, l.To, old.From, where)
				break
			}
		}
		earlier[l.to] = append(earlier[l.to], l)
	}
}
