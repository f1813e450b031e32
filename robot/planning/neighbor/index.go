package neighbor

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Index is a set of points in the order in which they were added, of at most as many as it was made for. It belongs to one goroutine. Its calls
// allocate nothing, except where a result slice has to grow. Distances are those from a point of the set to the given one.
type Index interface {
	// Reset removes all points.
	Reset()
	// Add adds a copy of a point and returns its number, from 0. A full set is a mistake of the program and panics.
	Add(p []float64) int32
	// Len returns the number of points, Cap the largest possible one.
	Len() int
	Cap() int
	// At returns a point. It is part of the set.
	At(i int32) []float64
	// Nearest returns the nearest point; -1 and an infinite distance if there is none.
	Nearest(p []float64) (i int32, distance float64)
	// K writes the k nearest points over list, nearest first, and returns it.
	K(p []float64, k int, list []Neighbor) []Neighbor
	// Within writes the points at most a distance away over list, nearest first, and returns it.
	Within(p []float64, distance float64, list []Neighbor) []Neighbor
}

// Neighbor is a point of a set and its distance.
type Neighbor struct {
	I        int32
	Distance float64
}

// Most values of a point up to which trees are faster than a comparison with all points; bench/neighbors measures them among 10,000 points.
const (
	mostKernels = 16 // of a k-d tree by kernels: among 100,000 points; among 10,000 the comparison with all is as fast from 12 on
	mostPlain   = 14 // of a k-d tree in plain Go
	mostGNAT    = 14 // where distances are expensive, as those of poses
)

// New returns the fastest index for points of s: a k-d tree for lines and circles, a GNAT for other symmetric spaces, and a linear search for spaces of more
// values than such trees pay for, or without symmetry.
func New(s space.Space, capacity int) Index { return newIndex(s, capacity, processor()) }

// newIndex is New with the given kernels, which may be none.
func newIndex(s space.Space, capacity int, k *kernels) Index {
	mostKD := mostPlain
	if k != nil {
		mostKD = mostKernels
	}
	if _, flat := s.(interface{ Flat() *space.Axes }); flat && s.Dim() <= mostKD {
		if kd, err := newKD(s, capacity, k); err == nil {
			return kd
		}
	} else if !flat && s.Dim() <= mostGNAT {
		if gnat, err := newGNAT(s, capacity, k); err == nil {
			return gnat
		}
	}
	return newLinear(s, capacity, k)
}

// points is the memory of all indices.
type points struct {
	dim    int
	values []float64
}

func newPoints(s space.Space, capacity int) points {
	return points{s.Dim(), make([]float64, 0, s.Dim()*capacity)}
}

// Len returns the number of points.
func (p *points) Len() int { return len(p.values) / p.dim }

// Cap returns the largest number of points.
func (p *points) Cap() int { return cap(p.values) / p.dim }

// At returns a point. It is part of the set.
func (p *points) At(i int32) []float64 { return p.values[int(i)*p.dim : (int(i)+1)*p.dim] }

func (p *points) append(q []float64) int32 {
	if len(q) != p.dim || len(p.values) == cap(p.values) {
		panic(fmt.Sprintf("neighbor: add a point of %d values to %d of %d points with %d values", len(q), p.Len(), p.Cap(), p.dim))
	}
	p.values = append(p.values, q...)
	return int32(p.Len() - 1)
}

// query is a search in progress: the best neighbours so far as a heap with the farthest one in front, at most k, at most bound away.
type query struct {
	k     int
	bound float64
	heap  []Neighbor
}

// begin begins a search whose result is written over list.
func (q *query) begin(k int, bound float64, list []Neighbor) {
	q.k, q.bound, q.heap = k, bound, list[:0]
}

// offer takes a point that is near enough. Of equally distant points the first one added wins.
func (q *query) offer(i int32, distance float64) {
	n := Neighbor{i, distance}
	if distance > q.bound || math.IsNaN(distance) {
		return
	}
	if len(q.heap) < q.k {
		q.heap = append(q.heap, n)
		for c := len(q.heap) - 1; c > 0 && q.heap[(c-1)/2].before(q.heap[c]); c = (c - 1) / 2 {
			q.heap[c], q.heap[(c-1)/2] = q.heap[(c-1)/2], q.heap[c]
		}
	} else if n.before(q.heap[0]) {
		q.heap[0] = n
		q.sink(len(q.heap))
	}
	if len(q.heap) == q.k {
		q.bound = q.heap[0].Distance
	}
}

func (a Neighbor) before(b Neighbor) bool {
	return a.Distance < b.Distance || a.Distance == b.Distance && a.I < b.I
}

// sink moves the first of n neighbours to its place in the heap.
func (q *query) sink(n int) {
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			return
		}
		if c+1 < n && q.heap[c].before(q.heap[c+1]) {
			c++
		}
		if !q.heap[i].before(q.heap[c]) {
			return
		}
		q.heap[i], q.heap[c] = q.heap[c], q.heap[i]
		i = c
	}
}

// sorted returns the result, nearest first.
func (q *query) sorted() []Neighbor {
	for n := len(q.heap) - 1; n > 0; n-- {
		q.heap[0], q.heap[n] = q.heap[n], q.heap[0]
		q.sink(n)
	}
	return q.heap
}

// searcher is the part of an index by which its queries differ.
type searcher interface {
	search(p []float64, q *query)
}

// finder answers the queries of an index by its search.
type finder struct {
	by  searcher
	q   query
	one [1]Neighbor
}

// Nearest returns the nearest point; -1 and an infinite distance if there is none.
func (f *finder) Nearest(p []float64) (i int32, distance float64) {
	f.q.begin(1, math.Inf(1), f.one[:0])
	f.by.search(p, &f.q)
	if len(f.q.heap) == 0 {
		return -1, math.Inf(1)
	}
	return f.q.heap[0].I, f.q.heap[0].Distance
}

// K writes the k nearest points over list, nearest first, and returns it.
func (f *finder) K(p []float64, k int, list []Neighbor) []Neighbor {
	if k <= 0 {
		return list[:0]
	}
	f.q.begin(k, math.Inf(1), list)
	f.by.search(p, &f.q)
	return f.q.sorted()
}

// Within writes the points at most a distance away over list, nearest first, and returns it.
func (f *finder) Within(p []float64, distance float64, list []Neighbor) []Neighbor {
	f.q.begin(math.MaxInt, distance, list)
	f.by.search(p, &f.q)
	return f.q.sorted()
}
