package neighbor

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Most points of a leaf of a k-d tree, for kernels and for plain Go.
const (
	leafKernels = 16 * lanes
	leafPlain   = 8
)

// KD is a k-d tree of points on lines and circles (Bentley 1975), which are in leaves (Friedman, Bentley and Finkel 1977): a full leaf is divided at the
// middle of its points, by the value in which they differ most. On processors with AVX2 the points of a leaf are compared eight at once; the
// answers are the same.
type KD struct {
	points
	finder
	space  *space.Axes
	size   int // most points of a leaf
	nodes  []kdNode
	leaves int
	number []int32 // of the points of leaves, a place for each leaf
	filter *filter // nil: points are compared one by one
	sorted []byKey // points of the leaf that is divided

	// The search in progress.
	target       []float64
	keys         []float64 // of the target
	filtered     bool
	nearby       int32
	nearby2      float64   // square of its distance
	offset       []float64 // of the cell from the target, by values
	lower, upper []float64 // of the cell, by values on circles
	all          *query    // nil: only the nearest one is wanted
}

// kdNode is a leaf or divides a cell. Points on the divide may be on either side.
type kdNode struct {
	axis  int32   // that is divided; -1: a leaf
	child int32   // the lower half; the next node is the upper one. Of a leaf it is the place
	n     int32   // points of a leaf
	at    float64 // the divide
}

// byKey is a point and its value by which a cell is divided.
type byKey struct {
	key float64
	i   int32
}

// NewKD returns an index of at most capacity points. It fails for a space that does not consist of lines and circles.
func NewKD(s space.Space, capacity int) (*KD, error) { return newKD(s, capacity, processor()) }

// newKD returns an index that uses the given kernels, which may be none.
func newKD(s space.Space, capacity int, k *kernels) (*KD, error) {
	flat, ok := s.(interface{ Flat() *space.Axes })
	if !ok {
		return nil, errors.New("make a k-d tree: the space does not consist of lines and circles; use a GNAT")
	}
	n := s.Dim()
	t := &KD{
		points: newPoints(s, capacity), space: flat.Flat(), size: leafPlain,
		keys: make([]float64, n), offset: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n),
	}
	if k != nil {
		t.size = leafKernels
	}
	leaves := 1 + 2*capacity/t.size // a divided leaf leaves two that are half full
	t.number, t.nodes, t.sorted = make([]int32, leaves*t.size), make([]kdNode, 0, 2*leaves), make([]byKey, t.size)
	if k != nil {
		t.filter = newFilter(k, t.space.Circle, leaves*t.size)
	}
	t.by = t
	t.Reset()
	return t, nil
}

// Reset removes all points.
func (t *KD) Reset() {
	t.values, t.leaves = t.values[:0], 1
	t.nodes = append(t.nodes[:0], kdNode{axis: -1})
	if t.filter != nil {
		t.filter.reach = 0
	}
}

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (t *KD) Add(p []float64) int32 {
	added := t.append(p)
	node := int32(0)
	for {
		n := &t.nodes[node]
		if n.axis < 0 {
			if int(n.n) < t.size {
				break
			}
			t.divide(node)
			n = &t.nodes[node]
		}
		node = n.child
		if t.key(p, int(n.axis)) >= n.at {
			node++
		}
	}
	t.put(&t.nodes[node], added)
	return added
}

// put adds a point to a leaf that has room for it.
func (t *KD) put(leaf *kdNode, i int32) {
	at := leaf.child*int32(t.size) + leaf.n
	t.number[at] = i
	if t.filter != nil {
		t.filter.put(at, t.keysOf(t.At(i)))
	}
	leaf.n++
}

// divide makes a full leaf an inner node.
func (t *KD) divide(node int32) {
	axis, place := t.widest(node), t.nodes[node].child
	for k, i := range t.number[int(place)*t.size:][:t.size] {
		t.sorted[k] = byKey{t.key(t.At(i), axis), i}
	}
	slices.SortFunc(t.sorted, func(a, b byKey) int { return cmp.Compare(a.key, b.key) })
	half := t.size / 2
	child := int32(len(t.nodes))
	t.nodes[node] = kdNode{axis: int32(axis), child: child, at: t.sorted[half].key}
	t.nodes = append(t.nodes, kdNode{axis: -1, child: place}, kdNode{axis: -1, child: int32(t.leaves)})
	t.leaves++
	for k, x := range t.sorted {
		side := child
		if k >= half {
			side++
		}
		t.put(&t.nodes[side], x.i)
	}
}

// widest returns the axis in which the points of a full leaf differ most.
func (t *KD) widest(leaf int32) (axis int) {
	widest := -1.0
	for k := range t.dim {
		lower, upper := math.Inf(1), math.Inf(-1)
		for _, i := range t.number[int(t.nodes[leaf].child)*t.size:][:t.size] {
			x := t.key(t.At(i), k)
			lower, upper = min(lower, x), max(upper, x)
		}
		if upper-lower > widest {
			axis, widest = k, upper-lower
		}
	}
	return axis
}

// key returns the value by which cells are divided: on a circle it is from -π to π.
func (t *KD) key(p []float64, axis int) float64 {
	if x := p[axis]; !t.space.Circle[axis] || x >= -math.Pi && x <= math.Pi {
		return x
	}
	return math.Remainder(p[axis], 2*math.Pi)
}

// keysOf returns the keys of a point, valid until the next call.
func (t *KD) keysOf(p []float64) []float64 {
	for axis := range p {
		t.keys[axis] = t.key(p, axis)
	}
	return t.keys
}

// Nearest returns the nearest point, of equally distant ones the first that was added; -1 and an infinite distance if there is none.
// p has as many values as the space.
func (t *KD) Nearest(p []float64) (i int32, distance float64) {
	t.begin(p, math.Inf(1), nil)
	return t.nearby, math.Sqrt(t.nearby2)
}

func (t *KD) search(p []float64, q *query) { t.begin(p, q.bound, q) }

// begin searches the whole tree for points at most bound away.
func (t *KD) begin(p []float64, bound float64, q *query) {
	t.target, t.nearby, t.nearby2, t.all = p, -1, bound*bound, q
	if t.Len() > lanes {
		t.aim(p)
		t.descend(0, 0)
	} else { // too few for anything else to pay
		for i := range int32(t.Len()) {
			t.compare(i)
		}
	}
	t.all = nil
}

// aim prepares the search for points near p in cells and groups.
func (t *KD) aim(p []float64) {
	t.keysOf(p)
	for i, circle := range t.space.Circle {
		t.offset[i] = 0
		if circle {
			t.lower[i], t.upper[i] = -math.Pi, math.Pi
		}
	}
	t.filtered = t.filter != nil && t.filter.aim(t.keys)
}

// compare takes a point if it is near enough.
func (t *KD) compare(i int32) {
	d := t.space.Distance2(t.target, t.At(i))
	switch {
	case t.all != nil:
		t.all.offer(i, math.Sqrt(d))
		t.nearby2 = t.all.bound * t.all.bound
	case d < t.nearby2 || d == t.nearby2 && i < t.nearby:
		t.nearby, t.nearby2 = i, d
	}
}

// leaf compares the points of a leaf.
func (t *KD) leaf(n *kdNode) {
	first := int(n.child) * t.size
	number := t.number[first:][:n.n]
	if !t.filtered || len(number) <= lanes {
		for _, i := range number {
			t.compare(i)
		}
		return
	}
	groups := (len(number) + lanes - 1) / lanes
	for group := 0; group < groups; group++ {
		var hit uint32
		t.filter.within(t.nearby2)
		if group, hit = t.filter.next(first/lanes, group, groups); hit == 0 {
			return
		}
		for ; hit != 0; hit &= hit - 1 {
			t.compare(number[group*lanes+bits.TrailingZeros32(hit)])
		}
	}
}

// descend searches the cell of a node whose distance from the target has the square bound (Arya and Mount 1993).
func (t *KD) descend(node int32, bound float64) {
	n := &t.nodes[node]
	if n.axis < 0 {
		t.leaf(n)
		return
	}
	axis := n.axis
	if t.space.Circle[axis] {
		t.descendCircle(n, bound)
		return
	}
	d := t.keys[axis] - n.at
	half := int32(0)
	if d >= 0 {
		half = 1
	}
	t.descend(n.child+half, bound)
	old := t.offset[axis]
	if bound += d*d - old*old; t.within(bound) {
		t.offset[axis] = d
		t.descend(n.child+1-half, bound)
		t.offset[axis] = old
	}
}

// within reports whether a cell at this bound may have a point that counts. Sums of squares that are equal in theory differ by rounding.
func (t *KD) within(bound float64) bool { return bound*(1-1e-12) <= t.nearby2 }

// descendCircle searches the halves of a cell that is an interval of a circle. Either half may be nearer, and both are farther than the cell.
func (t *KD) descendCircle(n *kdNode, bound float64) {
	axis := n.axis
	lower, upper, old := t.lower[axis], t.upper[axis], t.offset[axis]
	offsets := [2]float64{outsideArc(t.keys[axis], lower, n.at), outsideArc(t.keys[axis], n.at, upper)}
	half := 0
	if offsets[1] < offsets[0] {
		half = 1
	}
	for _, half := range [2]int{half, 1 - half} {
		d := offsets[half]
		if b := bound + d*d - old*old; t.within(b) {
			t.offset[axis] = d
			if half == 0 {
				t.upper[axis] = n.at
			} else {
				t.lower[axis] = n.at
			}
			t.descend(n.child+int32(half), b)
			t.offset[axis], t.lower[axis], t.upper[axis] = old, lower, upper
		}
	}
}

// angleError is more than what rounding adds to a difference of angles of a few turns: the distance of two points is computed from
// such angles, the distance of a cell from angles within a turn.
const angleError = 1e-14

// outsideArc returns a lower bound of the computed distances of x from the points between lower and upper on a circle.
func outsideArc(x, lower, upper float64) float64 {
	if x >= lower && x <= upper {
		return 0
	}
	d := min(math.Abs(math.Remainder(x-lower, 2*math.Pi)), math.Abs(math.Remainder(x-upper, 2*math.Pi)))
	return max(0, d-angleError)
}
