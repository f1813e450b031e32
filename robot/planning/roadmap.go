package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// status is what is known of a node or an edge.
type status uint8

const (
	unknown status = iota
	free
	blocked
)

// roadmap is a graph of points. An edge is two half-edges, 2e and 2e+1, one in the list of either end.
type roadmap struct {
	neighbor.Index
	space  space.Space
	node   []status
	edge   []status
	first  []int32 // half-edge of each node, -1: none
	next   []int32 // half-edge of the same node
	to     []int32 // node
	length []float64
	member []int32 // union-find forest of the nodes that edges join which are not blocked
	cut    bool    // an edge was blocked since the forest was made

	// The search in progress.
	cost   []float64 // from the start
	via    []int32   // half-edge by which a node was reached, -1: the start
	closed []bool
	heap   []frontier
}

// frontier is a node to visit, and the least length of a path through it.
type frontier struct {
	node     int32
	estimate float64
}

func newRoadmap(s space.Space, nodes int) *roadmap {
	return &roadmap{Index: neighbor.New(s, nodes), space: s}
}

// reset removes all nodes.
func (g *roadmap) reset() {
	g.Reset()
	g.node, g.edge, g.first, g.member = g.node[:0], g.edge[:0], g.first[:0], g.member[:0]
	g.next, g.to, g.length = g.next[:0], g.to[:0], g.length[:0]
	g.cut = false
}

func (g *roadmap) full() bool { return g.Len() == g.Cap() }

// add adds a node.
func (g *roadmap) add(p []float64, s status) int32 {
	i := g.Add(p)
	g.node, g.first, g.member = append(g.node, s), append(g.first, -1), append(g.member, i)
	return i
}

// join adds an edge.
func (g *roadmap) join(a, b int32, length float64, s status) {
	h := int32(len(g.to))
	g.edge = append(g.edge, s)
	g.to, g.length = append(g.to, b, a), append(g.length, length, length)
	g.next = append(g.next, g.first[a], g.first[b])
	g.first[a], g.first[b] = h, h+1
	g.member[g.component(a)] = g.component(b)
}

// component returns the node that stands for all nodes that are joined with i.
func (g *roadmap) component(i int32) int32 {
	for g.member[i] != i {
		g.member[i] = g.member[g.member[i]]
		i = g.member[i]
	}
	return i
}

// block marks an edge.
func (g *roadmap) block(e int32) { g.edge[e], g.cut = blocked, true }

// remove marks a node and its edges.
func (g *roadmap) remove(i int32) {
	g.node[i] = blocked
	for h := g.first[i]; h >= 0; h = g.next[h] {
		g.block(h / 2)
	}
}

// joined reports whether edges that are not blocked lead from a to b.
func (g *roadmap) joined(a, b int32) bool {
	if g.cut {
		g.cut = false
		for i := range g.member {
			g.member[i] = int32(i)
		}
		for e, s := range g.edge {
			if s != blocked {
				g.member[g.component(g.to[2*e])] = g.component(g.to[2*e+1])
			}
		}
	}
	return g.component(a) == g.component(b)
}

// shortest finds a shortest path by edges that are not blocked, if there is one shorter than bound, and returns its length (Hart, Nilsson and
// Raphael 1968). The path is in via, from the goal to the start.
func (g *roadmap) shortest(start, goal int32, bound float64) (length float64, ok bool) {
	n := g.Len()
	if len(g.cost) < n {
		g.cost, g.via, g.closed = make([]float64, g.Cap()), make([]int32, g.Cap()), make([]bool, g.Cap())
	}
	for i := range n {
		g.cost[i], g.closed[i] = math.Inf(1), false
	}
	end := g.At(goal)
	g.cost[start], g.via[start], g.heap = 0, -1, g.heap[:0]
	g.push(frontier{start, g.space.Distance(g.At(start), end)})
	for len(g.heap) > 0 {
		i := g.pop().node
		if i == goal {
			return g.cost[i], true
		}
		if g.closed[i] {
			continue
		}
		g.closed[i] = true
		for h := g.first[i]; h >= 0; h = g.next[h] {
			j := g.to[h]
			if g.edge[h/2] == blocked || g.closed[j] {
				continue
			}
			if c := g.cost[i] + g.length[h]; c < g.cost[j] {
				estimate := c + g.space.Distance(g.At(j), end)
				if estimate >= bound {
					continue
				}
				g.cost[j], g.via[j] = c, h
				g.push(frontier{j, estimate})
			}
		}
	}
	return 0, false
}

// before orders the heap: shorter paths first, then older nodes.
func (a frontier) before(b frontier) bool {
	return a.estimate < b.estimate || a.estimate == b.estimate && a.node < b.node
}

func (g *roadmap) push(f frontier) {
	g.heap = append(g.heap, f)
	for c := len(g.heap) - 1; c > 0 && g.heap[c].before(g.heap[(c-1)/2]); c = (c - 1) / 2 {
		g.heap[c], g.heap[(c-1)/2] = g.heap[(c-1)/2], g.heap[c]
	}
}

func (g *roadmap) pop() frontier {
	top, n := g.heap[0], len(g.heap)-1
	g.heap[0], g.heap = g.heap[n], g.heap[:n]
	for i := 0; 2*i+1 < n; {
		c := 2*i + 1
		if c+1 < n && g.heap[c+1].before(g.heap[c]) {
			c++
		}
		if !g.heap[c].before(g.heap[i]) {
			break
		}
		g.heap[i], g.heap[c] = g.heap[c], g.heap[i]
		i = c
	}
	return top
}
