package geometry

import (
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// leafItems is the greatest number of pieces in a leaf.
const leafItems = 1

// node is a box of a tree, with its centre and half sizes in the frame of the shape, and a slab that holds the same pieces. Its children are left and
// left + 1; a leaf has left < 0 and the pieces first … first + count - 1.
type node struct {
	c, h spatial.Vec3
	slab
	left         int32
	first, count int32
}

// tree is a hierarchy of boxes along the axes of the shape's frame over its convex pieces.
type tree struct {
	nodes     []node
	order     []int32        // pieces in the order of the leaves
	corners   []spatial.Vec3 // of a mesh
	triangles [][3]int32     // of a mesh, by their order
	field     *grid          // of a height field
	parts     []Part         // of a compound
	frames    []frame        // and where they are
	dots      []dot          // of a cloud or a distance field, by their order
	edt       *distanceGrid  // of a distance field
}

// build splits the pieces with these bounds at the median of the widest axis, so that the depth is at most log2 of their number.
func (t *tree) build(bounds []Bounds) {
	t.order = make([]int32, len(bounds))
	centres := make([]spatial.Vec3, len(bounds))
	for i := range t.order {
		t.order[i] = int32(i)
		centres[i] = bounds[i].Min.Lerp(bounds[i].Max, 0.5)
	}
	t.nodes = make([]node, 1, 2*len(bounds))
	type span struct{ node, first, end int32 }
	for stack := []span{{0, 0, int32(len(bounds))}}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		items := t.order[s.first:s.end]
		box, middle := bounds[items[0]], Bounds{centres[items[0]], centres[items[0]]}
		for _, i := range items[1:] {
			box = box.Union(bounds[i])
			middle = middle.Union(Bounds{centres[i], centres[i]})
		}
		n := &t.nodes[s.node]
		n.c, n.h, n.left = box.Min.Lerp(box.Max, 0.5), box.Max.Sub(box.Min).Scale(0.5*(1+1e-15)), -1
		n.first, n.count = s.first, s.end-s.first
		if n.count <= leafItems {
			continue
		}
		size := middle.Max.Sub(middle.Min)
		along := func(i int32) float64 { return centres[i].X }
		if size.Y > size.X && size.Y >= size.Z {
			along = func(i int32) float64 { return centres[i].Y }
		} else if size.Z > size.X {
			along = func(i int32) float64 { return centres[i].Z }
		}
		half := len(items) / 2
		selectMedian(items, half, along)
		n.left = int32(len(t.nodes))
		left := n.left
		t.nodes = append(t.nodes, node{}, node{})
		stack = append(stack, span{left, s.first, s.first + int32(half)}, span{left + 1, s.first + int32(half), s.end})
	}
}

// selectMedian orders items so that those before k are not greater and those after not less (Hoare 1961).
func selectMedian(items []int32, k int, value func(int32) float64) {
	low, high := 0, len(items)-1
	for low < high {
		pivot := value(items[(low+high)/2])
		i, j := low, high
		for i <= j {
			for value(items[i]) < pivot {
				i++
			}
			for value(items[j]) > pivot {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return
		}
	}
}

// root returns the only node of a convex shape, whose bounds are those of its core.
func (s *Shape) root() node {
	return node{c: s.bounds.Min.Lerp(s.bounds.Max, 0.5), h: s.bounds.Max.Sub(s.bounds.Min).Scale(0.5), left: -1, count: 1}
}
