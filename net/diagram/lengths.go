package diagram

import (
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// elementType returns the type of a port's elements: its own, where it is no list.
func elementType(p *port.Port) *schema.Type {
	switch p.Type.Kind() {
	case schema.Slice, schema.Array:
		return p.Type.Elem()
	}
	return p.Type
}

// carried returns how many elements an end of a link carries.
func carried(p *port.Port, e End) int {
	if e.Elements != nil {
		return len(e.Elements)
	}
	return p.Elements()
}

// spreadLengths derives the lengths that are not fixed from links and from Setup's groups of equal length.
func (d *Diagram) spreadLengths() {
	neighbors := map[*port.Port][]*port.Port{}
	join := func(a, b *port.Port) {
		neighbors[a] = append(neighbors[a], b)
		neighbors[b] = append(neighbors[b], a)
	}
	var known []*port.Port
	learn := func(p *port.Port, n int) {
		if p.Type.Kind() == schema.Slice && p.Len() == 0 && n > 0 {
			p.SetLen(n)
			known = append(known, p)
		}
	}
	for _, b := range d.blocks {
		for _, group := range b.SameLengths {
			for _, p := range group[1:] {
				join(group[0], p)
			}
		}
		for _, p := range b.Ports {
			if p.Elements() > 0 {
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
			learn(q, p.Elements())
		}
	}
}

// allocate gives every port its memory.
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
			hint := ""
			if l.to.Block.IsGate(l.to) {
				hint = ": flow.Compare makes a truth value of a number"
			}
			d.fail(l.Source, "link %v: %s carries %s, but %s takes %s%s", l, l.From, from.Name(), l.To, to.Name(), hint)
		case l.from.Bounded() || l.to.Bounded():
			d.checkBounds(l, n, m)
		case !d.inRange(l, l.from, l.From) || !d.inRange(l, l.to, l.To):
		case n == 0 && m == 0 && l.from.Kind != port.Event && l.from.Type.Kind() == schema.Slice:
			if len(d.broken) == 0 { // else a block that could not be made may fix it
				d.fail(l.Source, "link %v: neither %s nor %s has a number of elements of its own: link one of them to a block that has, or give %s a parameter with as many elements",
					l, l.From, l.To, l.From.Block)
			}
		case n != m:
			d.fail(l.Source, "link %v: %s has length %d, but %s takes %d", l, l.From, n, l.To, m)
		}
		d.checkEncoding(l)
	}
}

// checkEncoding reports why values of a link cannot be encoded.
func (d *Diagram) checkEncoding(l *link) {
	if l.Encode == nil || l.from.Layout() == nil { // or what fixes its lengths is missing, which is reported
		return
	}
	if _, err := l.Encode.New(l.from.Layout(), l.Encode.Options); err != nil {
		d.fail(l.Source, "link %v: encode %s: %w", l, l.Encode.Name, err)
	}
}

// checkBounds compares the two ends of a link of which one has values of lengths of their own. The input may take more elements
// than come.
func (d *Diagram) checkBounds(l *link, n, m int) {
	bounded := l.from
	if !bounded.Bounded() {
		bounded = l.to
	}
	switch {
	case l.From.Elements != nil || l.To.Elements != nil:
		d.fail(l.Source, "link %v: the values of %s have lengths of their own, so none of their elements can be chosen: link all of it", l, bounded.Ref())
	case !l.to.Bounded():
		d.fail(l.Source, "link %v: each value of %s has a length of its own, up to %d elements, but %s takes values of one length: the block %q must declare the input with Setup.MaxLen, or another one be linked",
			l, l.From, n, l.To, l.To.Block)
	case l.from.Type.Kind() != schema.Slice:
		d.fail(l.Source, "link %v: %s carries %s, but %s takes %s", l, l.From, l.from.Type.Name(), l.To, l.to.Type.Name())
	case m == 0 || n == 0:
		d.fail(l.Source, "link %v: the most elements of its values are unknown: set them at one end", l)
	case n > m:
		d.fail(l.Source, "link %v: %s has up to %d elements, but %s takes at most %d", l, l.From, n, l.To, m)
	}
}

func (d *Diagram) inRange(l *link, p *port.Port, e End) bool {
	n := p.Elements()
	for _, k := range e.Elements {
		switch {
		case k < n:
			continue
		case n == 0 && len(d.broken) > 0: // a block that could not be made may have fixed it
		case n == 0:
			d.fail(l.Source, "link %v: the number of elements of %s is unknown, so none can be chosen: link all of it, or set its length in a parameter", l, p.Ref())
		case n == 1:
			d.fail(l.Source, "link %v: %s has one element, 0, not %d", l, p.Ref(), k)
		default:
			d.fail(l.Source, "link %v: %s has elements 0 to %d, not %d", l, p.Ref(), n-1, k)
		}
		return false
	}
	return true
}

// checkInputs makes sure that nothing is linked twice to the same element of an input.
func (d *Diagram) checkInputs() {
	taken := map[*port.Port]*inputs{}
	for _, l := range d.links {
		if l.to == nil || l.to.Kind == port.Handler {
			continue // several events may lead to one handler
		}
		in := taken[l.to]
		if in == nil {
			in = &inputs{of: map[int]*link{}}
			taken[l.to] = in
		}
		if old := in.take(l); old != nil {
			where := ""
			if old.Source != "" {
				where = " (" + old.Source + ")"
			}
			d.fail(l.Source, "link %v: %s is linked already, to %s%s: an input takes one source, so remove one of the links", l, l.To, old.From, where)
		}
	}
}

// inputs is what an input is linked to: as a whole, or each of its elements.
type inputs struct {
	whole, first *link
	of           map[int]*link
}

// take notes a link, and returns one that was there before for an element of it.
func (in *inputs) take(l *link) (old *link) {
	if old = in.whole; old == nil && l.To.Elements == nil {
		old = in.first
	}
	if in.first == nil {
		in.first = l
	}
	if l.To.Elements == nil && in.whole == nil {
		in.whole = l
	}
	for _, n := range l.To.Elements {
		if old == nil {
			old = in.of[n]
		}
		if in.of[n] == nil {
			in.of[n] = l
		}
	}
	return old
}
