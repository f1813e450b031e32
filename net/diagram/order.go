package diagram

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/port"
)

// node is one part of a block in the order of its thread, or a point between parts: between two levels of a group, or the turn
// of a thread with two-way blocks, which lies behind every Sense and before every Control.
type node struct {
	block  *placed // nil: a point
	part   port.Part
	turn   bool
	index  int     // order of choice
	next   []*node // what must run later
	reason []*link // why, for each of next; nil where it is a point
	waits  int     // how many must run before
	done   bool
}

// graph holds the nodes of one thread.
type graph struct {
	nodes []*node
	of    map[*placed][]*node
	turn  *node
}

// order sorts the parts of a thread's blocks by data flow. A loop becomes an error.
func (d *Diagram) order(t *thread) []*node {
	g := d.newGraph(t)
	for _, l := range d.links {
		from, to := d.byName[l.From.Block], d.byName[l.To.Block]
		if l.isForeign() || l.Delay || from.thread != t || to.thread != t {
			continue
		}
		for _, a := range g.parts(from, l.from) {
			for _, b := range g.parts(to, l.to) {
				if a != b || l.to.Kind != port.Handler {
					a.before(b, l)
				}
			}
		}
	}
	sorted := g.sort()
	if len(sorted) < len(g.nodes) {
		d.failLoop(t, g)
	}
	return sorted
}

func (d *Diagram) newGraph(t *thread) *graph {
	g := &graph{of: map[*placed][]*node{}, turn: &node{turn: true, index: atOnce}}
	add := func(b *placed, part port.Part) *node {
		n := &node{block: b, part: part, index: len(g.nodes)}
		g.nodes = append(g.nodes, n)
		g.of[b] = append(g.of[b], n)
		return n
	}
	for _, b := range t.blocks {
		switch {
		case b.TwoWay:
			add(b, port.Sense).before(g.turn, nil)
			g.turn.before(add(b, port.Control), nil)
		case b.Executable || b.Script || handles(b):
			add(b, port.Whole)
		}
	}
	g.nodes = append(g.nodes, g.turn)
	d.orderLevels(g, t)
	if g.turn.waits == 0 {
		g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return n == g.turn })
	}
	return g
}

// atOnce is the index of a point: it is reached as soon as nothing lies before it.
const atOnce = -1

// handles reports whether a block that has no step must still be visited for its events.
func handles(b *placed) bool {
	for _, p := range b.Ports {
		if p.Kind == port.Handler {
			return true
		}
	}
	return false
}

// parts returns the nodes that touch a port: both of a two-way block for its enable input.
func (g *graph) parts(b *placed, p *port.Port) []*node {
	nodes := g.of[b]
	if len(nodes) == 2 && p.Part != port.Whole {
		return nodes[p.Part-port.Sense : p.Part-port.Sense+1]
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

// maxLoop is how many links of a loop its error names.
const maxLoop = 20

// failLoop names one loop among the nodes that could not be sorted: from any of them, walk back along what it waits
// for until a node comes twice.
func (d *Diagram) failLoop(t *thread, g *graph) {
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
	source, count, note := "", 0, ""
	for m := n; ; {
		switch {
		case m.turn:
			note = "; every Sense of a thread is executed before any Control"
		case m.block == nil && note == "":
			note = "; the levels of groups decide the order of their members"
		}
		s := back[m]
		if s.link != nil {
			if count++; count <= maxLoop {
				links = append(links, s.link.String())
			}
			source = s.link.Source
		}
		if m = s.from; m == n {
			break
		}
	}
	if count > maxLoop {
		links = append(links, fmt.Sprintf("and %s links before them", grouped(count-maxLoop)))
	}
	slices.Reverse(links)
	d.fail(source, "thread %q: loop without a delay: %s%s; open it with delay: true on one of these links, or with a flow.Delay",
		t.Name, strings.Join(links, ", "), note)
}
