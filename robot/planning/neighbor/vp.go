package neighbor

import (
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// VP is a vantage-point tree (Yianilos 1993): an inner node divides its points by their distance from one of them. It needs only the distance.
type VP struct {
	points
	finder
	space space.Space
	nodes []vpNode
	link  []int32 // for each point the next one of its leaf, -1: none

	list [bucket]Neighbor // the leaf that is divided
}

// vpNode is a leaf or an inner node.
type vpNode struct {
	vantage  int32      // -1: a leaf
	first, n int32      // points of a leaf
	child    int32      // the points near the vantage point; the next node has the others
	radius   float64    // of the near ones
	min, max [2]float64 // distances from the vantage point to both sets
}

// NewVP returns an index of at most capacity points. It fails for a space whose distance is not symmetric.
func NewVP(s space.Space, capacity int) (*VP, error) {
	if !s.Symmetric() {
		return nil, errOneWay
	}
	v := &VP{points: newPoints(s, capacity), space: s, link: make([]int32, 0, capacity), nodes: make([]vpNode, 0, 2*capacity+1)}
	v.by = v
	v.Reset()
	return v, nil
}

// Reset removes all points.
func (v *VP) Reset() {
	v.values, v.link = v.values[:0], v.link[:0]
	v.nodes = append(v.nodes[:0], vpNode{vantage: -1, first: -1})
}

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (v *VP) Add(p []float64) int32 {
	added := v.append(p)
	v.link = append(v.link, -1)
	at := int32(0)
	for v.nodes[at].vantage >= 0 {
		n := &v.nodes[at]
		at = n.widen(v.space.Distance(v.At(n.vantage), p))
	}
	n := &v.nodes[at]
	v.link[added], n.first = n.first, added
	if n.n++; n.n > bucket {
		v.divide(at)
	}
	return added
}

// widen extends the range of the set to which a point at distance d from the vantage point belongs, and returns the node of this set.
func (n *vpNode) widen(d float64) int32 {
	side := int32(0)
	if d > n.radius {
		side = 1
	}
	n.min[side], n.max[side] = min(n.min[side], d), max(n.max[side], d)
	return n.child + side
}

// divide makes a leaf an inner node, whose vantage point is the newest point.
func (v *VP) divide(at int32) {
	vantage := v.nodes[at].first
	list := v.list[:0]
	for i := v.link[vantage]; i >= 0; i = v.link[i] {
		list = append(list, Neighbor{i, v.space.Distance(v.At(vantage), v.At(i))})
	}
	slices.SortFunc(list, func(a, b Neighbor) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	middle := list[len(list)/2].Distance
	v.nodes[at] = vpNode{
		vantage: vantage, child: int32(len(v.nodes)), radius: middle,
		min: [2]float64{middle, list[len(list)-1].Distance}, max: [2]float64{0, middle},
	}
	v.nodes = append(v.nodes, vpNode{vantage: -1, first: -1}, vpNode{vantage: -1, first: -1})
	for _, x := range list {
		n := &v.nodes[v.nodes[at].widen(x.Distance)]
		v.link[x.I], n.first = n.first, x.I
		n.n++
	}
}

func (v *VP) search(p []float64, q *query) { v.visit(0, p, q) }

// visit searches a node, first the side on which p lies. A set whose range of distances lies too far from the distance of p is left out.
func (v *VP) visit(at int32, p []float64, q *query) {
	n := &v.nodes[at]
	if n.vantage < 0 {
		for i := n.first; i >= 0; i = v.link[i] {
			q.offer(i, v.space.Distance(v.At(i), p))
		}
		return
	}
	d := v.space.Distance(v.At(n.vantage), p)
	q.offer(n.vantage, d)
	side := 0
	if d > n.radius {
		side = 1
	}
	for _, side := range [2]int{side, 1 - side} {
		if bound := q.bound + 1e-9*(1+q.bound); d-bound <= n.max[side] && d+bound >= n.min[side] {
			v.visit(n.child+int32(side), p, q)
		}
	}
}
