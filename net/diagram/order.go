package diagram

import (
	"container/heap"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
)

// node is one part of a block in the order of its thread.
type node struct {
	block  *placed
	part   block.Part
	index  int     // order of Add
	next   []*node // what must run later
	reason []*link // why, for each of next; nil where it is the block's own Sense
	waits  int     // how many must run before
	done   bool
}

// graph holds the nodes of one thread.
type graph struct {
	nodes []*node
	of    map[*placed][]*node
}

// order sorts the parts of a thread's blocks by data flow. A loop becomes an error.
func (d *Diagram) order(t *thread) []*node {
	g := newGraph(t)
	for _, l := range d.links {
		from, to := d.byName[l.From.Block], d.byName[l.To.Block]
		if l.isForeign() || l.Delay || from.thread != t || to.thread != t {
			continue
		}
		for _, a := range g.parts(from, l.from) {
			for _, b := range g.parts(to, l.to) {
				if a != b || l.to.Kind != block.HandlerPort {
					a.before(b, l)
				}
			}
		}
	}
	sorted := g.sort()
	if len(sorted) < len(g.nodes) {
		d.failLoop(g)
	}
	return sorted
}

func newGraph(t *thread) *graph {
	g := &graph{of: map[*placed][]*node{}}
	add := func(b *placed, part block.Part) *node {
		n := &node{block: b, part: part, index: len(g.nodes)}
		g.nodes = append(g.nodes, n)
		g.of[b] = append(g.of[b], n)
		return n
	}
	for _, b := range t.blocks {
		switch {
		case b.TwoWay():
			sense := add(b, block.Sense)
			sense.before(add(b, block.Control), nil)
		case b.Executable() || handles(b):
			add(b, block.Whole)
		}
	}
	return g
}

// handles reports whether a block that has no step must still be visited for its events.
func handles(b *placed) bool {
	for _, p := range b.Ports {
		if p.Kind == block.HandlerPort {
			return true
		}
	}
	return false
}

// parts returns the nodes that touch a port: both of a two-way block for its enable input.
func (g *graph) parts(b *placed, p *block.Port) []*node {
	nodes := g.of[b]
	if len(nodes) == 2 && p.Part != block.Whole {
		return nodes[p.Part-block.Sense : p.Part-block.Sense+1]
	}
	return nodes
}

func (n *node) before(m *node, why *link) {
	n.next = append(n.next, m)
	n.reason = append(n.reason, why)
	m.waits++
}

// ready is the heap of nodes that wait for nothing, the first added on top.
type ready []*node

func (r ready) Len() int           { return len(r) }
func (r ready) Less(i, j int) bool { return r[i].index < r[j].index }
func (r ready) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ready) Push(x any)        { *r = append(*r, x.(*node)) }
func (r *ready) Pop() any {
	old := *r
	n := old[len(old)-1]
	*r = old[:len(old)-1]
	return n
}

// sort is Kahn's algorithm (1962); what lies on a loop, or behind one, is left out.
func (g *graph) sort() []*node {
	var open ready
	for _, n := range g.nodes {
		if n.waits == 0 {
			open = append(open, n)
		}
	}
	heap.Init(&open)
	var sorted []*node
	for len(open) > 0 {
		n := heap.Pop(&open).(*node)
		n.done = true
		sorted = append(sorted, n)
		for _, m := range n.next {
			if m.waits--; m.waits == 0 {
				heap.Push(&open, m)
			}
		}
	}
	return sorted
}

// failLoop names one loop among the nodes that could not be sorted: from any of them, walk back along what it waits
// for until a node comes twice.
func (d *Diagram) failLoop(g *graph) {
	type step struct {
		from *node
		link *link
	}
	back := map[*node]step{}
	var start *node
	for _, n := range g.nodes {
		if n.done {
			continue
		}
		if start == nil {
			start = n
		}
		for i, m := range n.next {
			if _, known := back[m]; !m.done && !known {
				back[m] = step{n, n.reason[i]}
			}
		}
	}
	seen := map[*node]bool{}
	n := start
	for !seen[n] {
		seen[n] = true
		n = back[n].from
	}
	var links []string
	source := ""
	for m := n; ; {
		s := back[m]
		if s.link != nil {
			links = append([]string{s.link.String()}, links...)
			source = s.link.Source
		}
		if m = s.from; m == n {
			break
		}
	}
	d.errs = append(d.errs, &Error{source, fmt.Errorf(
		"thread %q: loop without a delay: %s; open it with delay: true on one of these links, or with a flow.Delay",
		n.block.thread.Name, strings.Join(links, ", "))})
}
