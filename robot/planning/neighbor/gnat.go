package neighbor

import (
	"errors"
	"math"
	"math/bits"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Sizes of a GNAT: pivots of an inner node, and points of a leaf before it is divided, for plain Go and for kernels.
const (
	pivots        = 8
	bucket        = 32
	bucketKernels = 128 * lanes

	runGroups = 8                 // groups of a run
	run       = runGroups * lanes // points of a run
	inSingles = 64                // points of a leaf before its first run
)

// errOneWay is what trees over distances answer to Dubins.
var errOneWay = errors.New("make a tree of neighbours: the distance of the space is not symmetric; use a linear search")

// GNAT is a geometric near-neighbour access tree (Brin 1995): an inner node has pivots, each with the points nearer to it than to the others, and
// the ranges of the distances between pivots and such sets. It needs only the distance. On processors with AVX2 the points of a leaf are compared eight at once
// where the space has an embedding; the answers are the same.
type GNAT struct {
	points
	finder
	space space.Space
	nodes []gnatNode
	inner []gnatInner

	// Leaves are lists of groups of points: the first points of a leaf are in single groups, the others in runs, which are compared faster. All but the first one
	// of the list are full.
	size     int     // most points of a leaf
	number   []int32 // of the points of groups
	after    []int32 // of a single group, or the first one of a run, the next one of its leaf, -1: none
	free     []int32 // single groups that a leaf has had
	freeRuns []int32 // first groups of runs that a leaf has had
	taken    int32   // groups that some leaf has or has had

	filter   *embedded // nil: points are compared one by one
	filtered bool      // in the search in progress
	bounded  float64   // the distance of the filter

	list []int32 // the leaf that is divided
	near []float64
}

// gnatNode is a leaf or an inner node.
type gnatNode struct {
	inner int32 // -1: a leaf
	first int32 // group or run of a leaf, -1: none
	n     int32 // points of a leaf
}

type gnatInner struct {
	pivot    [pivots]int32
	child    [pivots]int32
	min, max [pivots][pivots]float64 // distances from pivot i to pivot j and its points
}

// NewGNAT returns an index of at most capacity points. It fails for a space whose distance is not symmetric.
func NewGNAT(s space.Space, capacity int) (*GNAT, error) { return newGNAT(s, capacity, processor()) }

// newGNAT returns an index that uses the given kernels, which may be none.
func newGNAT(s space.Space, capacity int, k *kernels) (*GNAT, error) {
	if !s.Symmetric() {
		return nil, errOneWay
	}
	inner := capacity/pivots + 1 // each takes its pivots from the points
	// Of n points, d divisions take 8d, and leave at most 1 + 7d leaves with a point, or one for each point that is left: at most 7n/15. Each of them has at most
	// seven lanes to spare in single groups. Runs, of which a leaf has the first when its single groups hold 64 points, hold at most n points together with what they
	// have to spare. Groups of runs become single ones, but not the other way round.
	groups := capacity*8/15 + lanes + capacity/lanes + runGroups
	g := &GNAT{
		points: newPoints(s, capacity), space: s, size: bucket,
		inner: make([]gnatInner, 0, inner), nodes: make([]gnatNode, 0, 1+pivots*inner),
		number: make([]int32, groups*lanes), after: make([]int32, groups), free: make([]int32, 0, groups), freeRuns: make([]int32, 0, groups/runGroups),
	}
	if g.filter = newEmbedded(k, s, groups*lanes); g.filter != nil {
		g.size = bucketKernels
	}
	g.list, g.near = make([]int32, 0, g.size+1), make([]float64, g.size+1)
	g.by = g
	g.Reset()
	return g, nil
}

// Reset removes all points.
func (g *GNAT) Reset() {
	g.values, g.inner, g.free, g.freeRuns, g.taken = g.values[:0], g.inner[:0], g.free[:0], g.freeRuns[:0], 0
	g.nodes = append(g.nodes[:0], gnatNode{-1, -1, 0})
	if g.filter != nil {
		g.filter.reach = 0
	}
}

// put adds a point to a leaf.
func (g *GNAT) put(leaf *gnatNode, i int32) {
	place := leaf.n % lanes
	if leaf.n >= inSingles {
		place = (leaf.n - inSingles) % run
	}
	if place == 0 {
		group := g.take(leaf.n >= inSingles)
		g.after[group], leaf.first = leaf.first, group
	}
	at := leaf.first*lanes + place
	g.number[at] = i
	if g.filter != nil {
		g.filter.put(at, g.At(i))
	}
	leaf.n++
}

// take returns a single group that no leaf has, or the first one of a run.
func (g *GNAT) take(ofRun bool) (group int32) {
	single, runs := len(g.free), len(g.freeRuns)
	switch {
	case !ofRun && single > 0:
		group, g.free = g.free[single-1], g.free[:single-1]
	case runs > 0:
		group, g.freeRuns = g.freeRuns[runs-1], g.freeRuns[:runs-1]
		for k := int32(1); k < runGroups && !ofRun; k++ {
			g.free = append(g.free, group+k)
		}
	case ofRun:
		group = g.taken
		g.taken += runGroups
	default:
		group = g.taken
		g.taken++
	}
	return group
}

// inFirst returns how many of n points of a leaf, more than none, are in its first group or run.
func inFirst(n int32) int32 {
	if n > inSingles {
		return (n-inSingles-1)%run + 1
	}
	return (n-1)%lanes + 1
}

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (g *GNAT) Add(p []float64) int32 {
	added := g.append(p)
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
	g.put(&g.nodes[at], added)
	if int(g.nodes[at].n) > g.size {
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
	leaf := g.nodes[at]
	for group, left := leaf.first, leaf.n; group >= 0; group = g.after[group] {
		n := inFirst(left)
		list = append(list, g.number[group*lanes:][:n]...)
		if left > inSingles {
			g.freeRuns = append(g.freeRuns, group)
		} else {
			g.free = append(g.free, group)
		}
		left -= n
	}
	for i := range list {
		g.near[i] = math.Inf(1)
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
		g.put(&g.nodes[in.child[best]], v)
	}
}

func (g *GNAT) search(p []float64, q *query) {
	g.filtered, g.bounded = g.filter != nil && g.filter.aim(p), math.NaN()
	g.visit(0, p, q)
}

// visit searches a node. A set whose range of distances from some pivot lies too far from the distance of p is left out.
func (g *GNAT) visit(at int32, p []float64, q *query) {
	n := &g.nodes[at]
	if n.inner < 0 {
		g.leaf(n, p, q)
		return
	}
	in := &g.inner[n.inner]
	var d [pivots]float64
	var order [pivots]int // the nearest set comes first: it makes the bound small
	for i, v := range in.pivot {
		d[i] = g.space.Distance(g.At(v), p)
		q.offer(v, d[i])
		k := i
		for ; k > 0 && d[order[k-1]] > d[i]; k-- {
			order[k] = order[k-1]
		}
		order[k] = i
	}
	for _, set := range order {
		if in.mayHold(set, &d, q.bound) {
			g.visit(in.child[set], p, q)
		}
	}
}

// leaf compares the points of a leaf.
func (g *GNAT) leaf(leaf *gnatNode, p []float64, q *query) {
	for first, left := leaf.first, leaf.n; left > 0; first = g.after[first] {
		n := inFirst(left)
		left -= n
		number := g.number[first*lanes:][:n]
		if !g.filtered {
			for _, i := range number {
				q.offer(i, g.space.Distance(g.At(i), p))
			}
			continue
		}
		groups := int(n+lanes-1) / lanes
		for group := 0; group < groups; group++ {
			if q.bound != g.bounded {
				g.bounded = q.bound
				g.filter.within(q.bound * q.bound)
			}
			var hit uint32
			for group, hit = g.filter.next(int(first), group, groups); hit != 0; hit &= hit - 1 {
				i := number[group*lanes+bits.TrailingZeros32(hit)]
				q.offer(i, g.space.Distance(g.At(i), p))
			}
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
