package geometry

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// dot is a point of a cloud with the radius of its ball.
type dot struct {
	c spatial.Vec3
	r float64
}

// NewCloud returns the union of balls around points (m), as depth cameras and scanners measure them. radii has the radius (m, ≥ 0) of each ball, or
// one for all. It fails for no points, more than 2²⁴, another number of radii, and for points that are not finite or beyond [Limit]; the error
// counts them.
func NewCloud(points []spatial.Vec3, radii []float64) (*Shape, error) {
	if len(points) == 0 {
		return nil, fmt.Errorf("make a point cloud: no points; want at least one")
	}
	if err := checkDots(points, radii); err != nil {
		return nil, err
	}
	bad, first := 0, 0
	for i, p := range points {
		if !insideLimit(p) {
			if bad++; bad == 1 {
				first = i
			}
		}
	}
	if bad > 0 {
		p := points[first]
		return nil, fmt.Errorf("make a point cloud: %d of %d points are not finite or beyond %g m, the first of them is point %d, (%g, %g, %g); drop them before",
			bad, len(points), float64(Limit), first, p.X, p.Y, p.Z)
	}
	return newCloud(Cloud, points, radii), nil
}

// newCloud is NewCloud after all checks.
func newCloud(kind Kind, points []spatial.Vec3, radii []float64) *Shape {
	corner := spatial.Vec3{X: 2 * Limit, Y: 2 * Limit, Z: 2 * Limit} // a ball at the limit reaches beyond it
	b := CloudBuffer{region: Bounds{corner.Neg(), corner}}
	b.fill(points, radii)
	s := &Shape{kind: kind, tree: &b.tree}
	for _, d := range b.tree.dots {
		s.reach = max(s.reach, d.c.Norm()+d.r)
	}
	return s.boundTree()
}

// maxDots is the greatest number of points of a cloud. With it, stacks of constant size hold the nodes that wait.
const maxDots = 1 << 24

// checkDots refuses too many points, another number of radii than one or that of the points, and radii that are no lengths.
func checkDots(points []spatial.Vec3, radii []float64) error {
	if len(points) > maxDots {
		return fmt.Errorf("make a point cloud: %d points: want at most %d", len(points), maxDots)
	}
	if len(radii) != 1 && len(radii) != len(points) {
		return fmt.Errorf("make a point cloud: %d radii for %d points: want one for all or one for each", len(radii), len(points))
	}
	for i, r := range radii {
		if !(r >= 0 && r <= Limit) {
			return fmt.Errorf("make a point cloud: radius %d is %g: want a length from 0 to %g m", i, r, float64(Limit))
		}
	}
	return nil
}

// insideLimit reports whether a point is finite and within [Limit].
func insideLimit(p spatial.Vec3) bool {
	return math.Abs(p.X) <= Limit && math.Abs(p.Y) <= Limit && math.Abs(p.Z) <= Limit
}

// CloudBuffer is a cloud whose points are replaced again and again, for example at each image of a camera, in the same memory. Its [Shape] stays the same and
// has constant bounds, so that a scene and its engines are made once. One goroutine at a time may call Set or query the shape.
type CloudBuffer struct {
	region Bounds
	shape  Shape
	tree   tree
	keys   [2][]mortonKey
	spans  []span
}

// NewCloudBuffer returns a buffer without points. The balls of all later points lie within region; it fails for a region that is empty or
// beyond [Limit].
func NewCloudBuffer(region Bounds) (*CloudBuffer, error) {
	if !insideLimit(region.Min) || !insideLimit(region.Max) || !(region.Min.X <= region.Max.X && region.Min.Y <= region.Max.Y && region.Min.Z <= region.Max.Z) {
		return nil, fmt.Errorf("make a buffer of point clouds: the region from %v to %v is empty or beyond %g m", region.Min, region.Max, float64(Limit))
	}
	b := &CloudBuffer{region: region}
	b.shape = Shape{kind: Cloud, tree: &b.tree, bounds: region, buffer: true}
	b.shape.reach = spatial.Vec3{
		X: max(-region.Min.X, region.Max.X), Y: max(-region.Min.Y, region.Max.Y), Z: max(-region.Min.Z, region.Max.Z),
	}.Norm()
	b.fill(nil, nil)
	return b, nil
}

// Shape returns the shape, which is always the same. Without points nothing touches it, and its distance is infinite.
func (b *CloudBuffer) Shape() *Shape { return &b.shape }

// Set replaces all points. It copies them, and allocates only where they are more than ever before. radii is as for [NewCloud]. dropped counts the points
// that are not among the new ones: not finite, or with a ball that reaches out of the region. After an error the buffer
// is as before.
func (b *CloudBuffer) Set(points []spatial.Vec3, radii []float64) (dropped int, err error) {
	if err := checkDots(points, radii); err != nil {
		return 0, err
	}
	return b.fill(points, radii), nil
}

// mortonKey orders a point along a space-filling curve.
type mortonKey struct {
	key uint64
	at  int32
}

// span is a node whose points are the keys from first to end.
type span struct{ node, first, end int32 }

const (
	leafDots   = 8  // greatest number of points in a leaf, unless more are at one place
	mortonBits = 13 // of each axis
	radixBits  = 10
	radixMask  = 1<<radixBits - 1
	radixSteps = 4 // an even number: the keys return to the first array
)

// fill builds the tree: points in the order of Morton (1966), split where the highest bit of their keys changes (Lauterbach et al. 2009,
// "Fast BVH Construction on GPUs"), so that a build takes linear time. Points beyond the region are dropped.
func (b *CloudBuffer) fill(points []spatial.Vec3, radii []float64) (dropped int) {
	radius := func(i int) float64 {
		if len(radii) == 1 {
			return radii[0]
		}
		return radii[i]
	}
	b.keys[0] = b.keys[0][:0]
	low, high := b.region.Max, b.region.Min
	for i, p := range points {
		r := radius(i)
		if !(p.X-r >= b.region.Min.X && p.Y-r >= b.region.Min.Y && p.Z-r >= b.region.Min.Z &&
			p.X+r <= b.region.Max.X && p.Y+r <= b.region.Max.Y && p.Z+r <= b.region.Max.Z) { // a NaN neither
			dropped++
			continue
		}
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
		b.keys[0] = append(b.keys[0], mortonKey{at: int32(i)})
	}
	t := &b.tree
	t.nodes, t.dots, t.order = t.nodes[:0], t.dots[:0], t.order[:0]
	if len(b.keys[0]) == 0 {
		t.nodes = append(t.nodes, node{left: -1})
		return dropped
	}
	scale := 0.0
	if extent := max(high.X-low.X, high.Y-low.Y, high.Z-low.Z); extent > 0 {
		scale = (1<<mortonBits - 1) / extent
	}
	for i := range b.keys[0] {
		k := &b.keys[0][i]
		d := points[k.at].Sub(low).Scale(scale)
		k.key = spread(uint64(d.X)) | spread(uint64(d.Y))<<1 | spread(uint64(d.Z))<<2
	}
	b.sort()
	for i, k := range b.keys[0] {
		t.dots = append(t.dots, dot{points[k.at], radius(int(k.at))})
		t.order = append(t.order, int32(i))
	}
	b.split()
	t.enclose()
	return dropped
}

// spread puts two zeros behind each of the lowest 21 bits.
func spread(x uint64) uint64 {
	x &= 1<<21 - 1
	x = (x | x<<32) & 0x1f00000000ffff
	x = (x | x<<16) & 0x1f0000ff0000ff
	x = (x | x<<8) & 0x100f00f00f00f00f
	x = (x | x<<4) & 0x10c30c30c30c30c3
	return (x | x<<2) & 0x1249249249249249
}

// sort sorts the keys digit by digit.
func (b *CloudBuffer) sort() {
	from := b.keys[0]
	if cap(b.keys[1]) < len(from) {
		b.keys[1] = make([]mortonKey, cap(from))
	}
	to := b.keys[1][:len(from)]
	var count [radixSteps][radixMask + 1]int32
	for _, k := range from {
		for step := range count {
			count[step][k.key>>(radixBits*step)&radixMask]++
		}
	}
	for step := range count {
		at := int32(0)
		for digit, n := range count[step] {
			count[step][digit] = at
			at += n
		}
		for _, k := range from {
			digit := k.key >> (radixBits * step) & radixMask
			to[count[step][digit]] = k
			count[step][digit]++
		}
		from, to = to, from
	}
}

// split makes the nodes, parents before their children, without boxes.
func (b *CloudBuffer) split() {
	t, keys := &b.tree, b.keys[0]
	t.nodes = append(t.nodes, node{})
	b.spans = append(b.spans[:0], span{0, 0, int32(len(keys))})
	for len(b.spans) > 0 {
		s := b.spans[len(b.spans)-1]
		b.spans = b.spans[:len(b.spans)-1]
		t.nodes[s.node] = node{left: -1, first: s.first, count: s.end - s.first}
		if s.end-s.first <= leafDots {
			continue
		}
		middle := (s.first + s.end) / 2
		if differ := keys[s.first].key ^ keys[s.end-1].key; differ != 0 {
			for differ&(differ-1) != 0 {
				differ &= differ - 1
			}
			low, high := s.first, s.end-1 // the bit is 0 at low and 1 at high
			for high-low > 1 {
				if m := (low + high) / 2; keys[m].key&differ == 0 {
					low = m
				} else {
					high = m
				}
			}
			middle = high
		}
		left := int32(len(t.nodes))
		t.nodes[s.node].left = left
		t.nodes = append(t.nodes, node{}, node{})
		b.spans = append(b.spans, span{left, s.first, middle}, span{left + 1, middle, s.end})
	}
}

// enclose computes the boxes, from the leaves upwards.
func (t *tree) enclose() {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		var box Bounds
		if n.left >= 0 {
			l, r := &t.nodes[n.left], &t.nodes[n.left+1]
			box = Bounds{l.c.Sub(l.h), l.c.Add(l.h)}.Union(Bounds{r.c.Sub(r.h), r.c.Add(r.h)})
		} else {
			for k := n.first; k < n.first+n.count; k++ {
				d := &t.dots[k]
				r := spatial.Vec3{X: d.r, Y: d.r, Z: d.r}
				if b := (Bounds{d.c.Sub(r), d.c.Add(r)}); k == n.first {
					box = b
				} else {
					box = box.Union(b)
				}
			}
		}
		n.c, n.h = box.Min.Lerp(box.Max, 0.5), box.Max.Sub(box.Min).Scale(0.5*(1+1e-15))
	}
}
