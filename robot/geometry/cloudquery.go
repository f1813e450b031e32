package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A ball against a cloud is the most frequent question of a robot of spheres among measured points. It descends the tree without frames and
// pieces. Ramsey, Kingston, Thomason and Kavraki (2024, "Collision-Affording Point Trees: SIMD-Amenable Nearest Neighbors for Fast Collision Checking")
// store in each cell all points within the greatest radius of a robot; that needs this radius before the tree is built and many copies of each
// point. This tree knows no radii, and is built again for each image.

// dots reports whether the shape is a cloud or a distance field.
func (s *Shape) dots() bool { return s.kind == Cloud || s.kind == DistanceField }

// cloudStack holds the nodes that wait: one for each level, of which there are at most 3 [mortonBits] and those that halve equal keys.
const cloudStack = 64

// pointBound returns the signed distance from p to the box of a node; inside, the negative distance to the nearest face.
func pointBound(n *node, p *spatial.Vec3) float64 {
	x, y, z := math.Abs(p.X-n.c.X)-n.h.X, math.Abs(p.Y-n.c.Y)-n.h.Y, math.Abs(p.Z-n.c.Z)-n.h.Z
	if most := max(x, y, z); most <= 0 {
		return most
	}
	x, y, z = max(x, 0), max(y, 0), max(z, 0)
	return math.Sqrt(x*x + y*y + z*z)
}

// pointBound2 returns the squared distance from p to the box of a node.
func pointBound2(n *node, p *spatial.Vec3) float64 {
	x, y, z := max(math.Abs(p.X-n.c.X)-n.h.X, 0), max(math.Abs(p.Y-n.c.Y)-n.h.Y, 0), max(math.Abs(p.Z-n.c.Z)-n.h.Z, 0)
	return x*x + y*y + z*z
}

// hitPoint reports whether a ball of the cloud comes within reach (≥ 0) of p; free is a lower bound of the distance for a miss.
func (t *tree) hitPoint(p spatial.Vec3, reach float64) (hit bool, free float64) {
	if t.edt != nil {
		if free = t.edt.bound(p) - t.dots[0].r; free > reach {
			return false, free
		}
		return true, free
	}
	free = math.Inf(1)
	if len(t.dots) == 0 {
		return false, free
	}
	far2, reach2 := math.Inf(1), reach*reach
	var stack [cloudStack]int32
	top, at := 0, int32(0)
	if d2 := pointBound2(&t.nodes[0], &p); d2 > reach2 {
		return false, math.Sqrt(d2)
	}
	for {
		n := &t.nodes[at]
		if n.left >= 0 {
			near, far := n.left, n.left+1
			d2, e2 := pointBound2(&t.nodes[near], &p), pointBound2(&t.nodes[far], &p)
			if e2 < d2 {
				near, far, d2, e2 = far, near, e2, d2
			}
			if e2 <= reach2 {
				stack[top] = far
				top++
			} else {
				far2 = min(far2, e2)
			}
			if d2 <= reach2 {
				at = near
				continue
			}
			far2 = min(far2, d2)
		} else {
			for i := n.first; i < n.first+n.count; i++ {
				d := &t.dots[i]
				x, y, z, r := p.X-d.c.X, p.Y-d.c.Y, p.Z-d.c.Z, reach+d.r
				d2 := x*x + y*y + z*z
				if d2 <= r*r {
					return true, reach
				}
				if r = free + d.r; d2 < r*r {
					free = math.Sqrt(d2) - d.r
				}
			}
		}
		if top == 0 {
			return false, max(reach, min(free, math.Sqrt(far2)))
		}
		top--
		at = stack[top]
	}
}

// nearestDot returns the gap from p to the ball of the cloud that is nearest, or in which p is deepest. ok is false if it is not below limit: the gap then
// has only a lower bound d.
func (t *tree) nearestDot(p spatial.Vec3, limit float64) (g gap, ok bool) {
	if len(t.dots) == 0 {
		return gap{d: math.Inf(1)}, false
	}
	var stack [cloudStack]waiting
	stack[0] = waiting{0, pointBound(&t.nodes[0], &p)}
	best, free, found := limit, math.Inf(1), int32(-1)
	for top := 1; top > 0; {
		top--
		w := stack[top]
		if w.bound > best {
			free = min(free, w.bound)
			continue
		}
		n := &t.nodes[w.node]
		if n.left >= 0 {
			near, far := waiting{n.left, pointBound(&t.nodes[n.left], &p)}, waiting{n.left + 1, pointBound(&t.nodes[n.left+1], &p)}
			if far.bound < near.bound {
				near, far = far, near
			}
			stack[top], stack[top+1] = far, near
			top += 2
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			d := &t.dots[i]
			x, y, z := p.X-d.c.X, p.Y-d.c.Y, p.Z-d.c.Z
			s := math.Sqrt(x*x+y*y+z*z) - d.r
			if s <= best {
				best, found = s, i
			} else {
				free = min(free, s)
			}
		}
	}
	if found < 0 {
		return gap{d: free}, false
	}
	d := &t.dots[found]
	g = between(p, d.c, spatial.Vec3{X: 1})
	return gap{g.d - d.r, g.a, g.b.Sub(g.n.Scale(d.r)), g.n}, true
}

// pointCloudGap is pair for a point, the core of a, and a cloud.
func pointCloudGap(b *Shape, f *frame, limit float64) (gap, bool) {
	g, ok := b.tree.nearestDot(f.back(f.p.Neg()), limit)
	if !ok {
		return g, false
	}
	n := f.turn(g.n)
	return gap{g.d, spatial.Vec3{}, n.Scale(g.d), n}, true
}
