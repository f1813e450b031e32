package neighbor

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Sizes of a GNAT: pivots of an inner node, and points of a leaf before it is divided.
const (
	pivots = 8
	bucket = 32
)

// errOneWay is what trees over distances answer to Dubins.
var errOneWay = errors.New("make a tree of neighbours: the distance of the space is not symmetric; use a linear search")

// GNAT is a geometric near-neighbour access tree (Brin 1995): an inner node has pivots, each with the points nearer to it than to the others, and
// the ranges of the distances between pivots and such sets. It needs only the distance.
type GNAT struct {
	points
	finder
	space space.Space
	nodes []gnatNode
	inner []gnatInner
	link  []int32 // for each point the next one of its leaf, -1: none

	list [bucket + 1]int32 // the leaf that is divided
	near [bucket + 1]float64
}

// gnatNode is a leaf or an inner node.
type gnatNode struct {
	inner int32 // -1: a leaf
	first int32 // point of a leaf, -1: none
	n     int32 // points of a leaf
}

type gnatInner struct {
	pivot    [pivots]int32
	child    [pivots]int32
	min, max [pivots][pivots]float64 // distances from pivot i to pivot j and its points
}

// NewGNAT returns an index of at most capacity points. It fails for a space whose distance is not symmetric.
func NewGNAT(s space.Space, capacity int) (*GNAT, error) {
	if !s.Symmetric() {
		return nil, errOneWay
	}
	inner := capacity/pivots + 1 // each takes its pivots from the points
	g := &GNAT{
		points: newPoints(s, capacity), space: s, link: make([]int32, 0, capacity),
		inner: make([]gnatInner, 0, inner), nodes: make([]gnatNode, 0, 1+pivots*inner),
	}
	g.by = g
	g.Reset()
	return g, nil
}

// Reset removes all points.
func (g *GNAT) Reset() {
	g.values, g.link, g.inner = g.values[:0], g.link[:0], g.inner[:0]
	g.nodes = append(g.nodes[:0], gnatNode{-1, -1, 0})
}

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (g *GNAT) Add(p []float64) int32 {
	added := g.append(p)
	g.link = append(g.link, -1)
	at := int32(0)
	for g.nodes[at].inner >= 0 {
		in := &g.inner[g.nodes[at].inner]
		var d [pivots]float64
		best := 0
		for i, v := range in.pivot {
			if d[i] = g.space.Distance(g.At(v), p); d[i] < d[best] {
				best = i
			}
		}
		in.widen(&d, best)
		at = in.child[best]
	}
	n := &g.nodes[at]
	g.link[added], n.first = n.first, added
	if n.n++; n.n > bucket {
		g.divide(at)
	}
	return added
}

// widen extends the ranges of the set of a pivot by a point with these distances from all pivots.
func (in *gnatInner) widen(d *[pivots]float64, set int) {
	for i, x := range d {
		in.min[i][set], in.max[i][set] = min(in.min[i][set], x), max(in.max[i][set], x)
	}
}

// divide makes a leaf an inner node. Each pivot is the point that is farthest from the pivots before it.
func (g *GNAT) divide(at int32) {
	list := g.list[:0]
	for i := g.nodes[at].first; i >= 0; i = g.link[i] {
		list = append(list, i)
		g.near[len(list)-1] = math.Inf(1)
	}
	g.inner = append(g.inner, gnatInner{})
	in := &g.inner[len(g.inner)-1]
	g.nodes[at] = gnatNode{int32(len(g.inner) - 1), -1, 0}
	far := 0
	for k := range pivots {
		in.pivot[k], in.child[k] = list[far], int32(len(g.nodes))
		g.nodes = append(g.nodes, gnatNode{-1, -1, 0})
		g.near[far] = -1 // taken
		next := -1
		for i, v := range list {
			if g.near[i] < 0 {
				continue
			}
			g.near[i] = min(g.near[i], g.space.Distance(g.At(in.pivot[k]), g.At(v)))
			if next < 0 || g.near[i] > g.near[next] {
				next = i
			}
		}
		far = next
	}
	for i := range in.pivot {
		for j := range in.pivot {
			in.min[i][j] = g.space.Distance(g.At(in.pivot[i]), g.At(in.pivot[j]))
			in.max[i][j] = in.min[i][j]
		}
	}
	for i, v := range list {
		if g.near[i] < 0 {
			continue
		}
		var d [pivots]float64
		best := 0
		for k, p := range in.pivot {
			if d[k] = g.space.Distance(g.At(p), g.At(v)); d[k] < d[best] {
				best = k
			}
		}
		in.widen(&d, best)
		n := &g.nodes[in.child[best]]
		g.link[v], n.first = n.first, v
		n.n++
	}
}

func (g *GNAT) search(p []float64, q *query) { g.visit(0, p, q) }

// visit searches a node. A set whose range of distances from some pivot lies too far from the distance of p is left out.
func (g *GNAT) visit(at int32, p []float64, q *query) {
	n := g.nodes[at]
	if n.inner < 0 {
		for i := n.first; i >= 0; i = g.link[i] {
			q.offer(i, g.space.Distance(g.At(i), p))
		}
		return
	}
	in := &g.inner[n.inner]
	var d [pivots]float64
	for i, v := range in.pivot {
		d[i] = g.space.Distance(g.At(v), p)
		q.offer(v, d[i])
	}
	var done [pivots]bool
	for range pivots {
		best := -1 // the nearest set that is left comes first: it makes the bound small
		for i := range d {
			if !done[i] && (best < 0 || d[i] < d[best]) {
				best = i
			}
		}
		done[best] = true
		if in.mayHold(best, &d, q.bound) {
			g.visit(in.child[best], p, q)
		}
	}
}

// mayHold reports whether the set of a pivot may have a point at most bound away from one with the distances d from all pivots.
func (in *gnatInner) mayHold(set int, d *[pivots]float64, bound float64) bool {
	bound += 1e-9 * (1 + bound) // for rounding
	for i, x := range d {
		if x-bound > in.max[i][set] || x+bound < in.min[i][set] {
			return false
		}
	}
	return true
}
