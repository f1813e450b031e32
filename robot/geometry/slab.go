package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// slab holds the points x of a node with low ≤ m·(x - c) ≤ high, where c is the centre of its box. Along the mean normal of its triangles, a patch of a
// surface is much thinner than its box. The zero value stands for a node without a slab.
type slab struct {
	m         [3]float32 // about unit length
	low, high float32
}

// farthest returns an upper bound of d·x over the points x of a node; abs is d without signs. For any number k, d·x = k m·x + (d - k m)·x, of which the slab
// bounds the first part and the box the second one.
func (n *node) farthest(d, abs *spatial.Vec3) float64 {
	base := d.X*n.c.X + d.Y*n.c.Y + d.Z*n.c.Z
	box := abs.X*n.h.X + abs.Y*n.h.Y + abs.Z*n.h.Z
	mx, my, mz := float64(n.m[0]), float64(n.m[1]), float64(n.m[2])
	k := d.X*mx + d.Y*my + d.Z*mz
	side := k * float64(n.high)
	if k < 0 {
		side = k * float64(n.low)
	}
	if k == 0 {
		return base + box
	}
	return base + min(box, side+math.Abs(d.X-k*mx)*n.h.X+math.Abs(d.Y-k*my)*n.h.Y+math.Abs(d.Z-k*mz)*n.h.Z)
}

// addSlabs computes the slabs of a tree of triangles.
func (t *tree) addSlabs() {
	for i := range t.nodes {
		n := &t.nodes[i]
		m := t.meanNormal(n)
		if m == (spatial.Vec3{}) {
			continue
		}
		n.m = [3]float32{float32(m.X), float32(m.Y), float32(m.Z)}
		m = spatial.Vec3{X: float64(n.m[0]), Y: float64(n.m[1]), Z: float64(n.m[2])}
		low, high := math.Inf(1), math.Inf(-1)
		for _, corners := range t.triangles[n.first : n.first+n.count] {
			for _, at := range corners {
				x := m.Dot(t.corners[at].Sub(n.c))
				low, high = min(low, x), max(high, x)
			}
		}
		n.low, n.high = -roundedUp(-low), roundedUp(high)
	}
}

// meanNormal returns the direction of the sum of the normals of a node's triangles, weighted by area and all turned to the side of the first one; zero if no triangle has
// an area.
func (t *tree) meanNormal(n *node) (sum spatial.Vec3) {
	for _, c := range t.triangles[n.first : n.first+n.count] {
		o := t.corners[c[0]]
		m := t.corners[c[1]].Sub(o).Cross(t.corners[c[2]].Sub(o))
		if m.Dot(sum) < 0 {
			m = m.Neg()
		}
		sum = sum.Add(m)
	}
	if l := sum.Norm(); l > 0 && !math.IsInf(l, 1) {
		return sum.Scale(1 / l)
	}
	return spatial.Vec3{}
}

// roundedUp returns the least float32 that is not below x.
func roundedUp(x float64) float32 {
	y := float32(x)
	if float64(y) < x {
		return math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}

// highest returns the greatest d·x over the points x of triangle i.
func (t *tree) highest(i int32, d *spatial.Vec3) float64 {
	c := &t.triangles[i]
	return max(d.Dot(t.corners[c[0]]), d.Dot(t.corners[c[1]]), d.Dot(t.corners[c[2]]))
}

// waiting is a node that waits, with a bound of what is in it.
type waiting struct {
	node  int32
	bound float64
}

// farthestCorner returns the corner of a mesh that lies farthest in direction d. hint is a triangle, or -1: the search is shorter if that lies far; it is
// set to one with the result.
func (t *tree) farthestCorner(d spatial.Vec3, hint *int32) spatial.Vec3 {
	most := math.Inf(-1)
	if *hint >= 0 {
		most = t.highest(*hint, &d)
	} else {
		*hint = 0
	}
	abs := absolute(d)
	var stack [treeStack]waiting
	stack[0] = waiting{0, math.Inf(1)}
	for n := 1; n > 0; {
		n--
		if stack[n].bound <= most {
			continue
		}
		x := &t.nodes[stack[n].node]
		if x.left < 0 {
			for i := x.first; i < x.first+x.count; i++ {
				if high := t.highest(i, &d); high > most {
					most, *hint = high, i
				}
			}
			continue
		}
		near := waiting{x.left, t.nodes[x.left].farthest(&d, &abs)}
		far := waiting{x.left + 1, t.nodes[x.left+1].farthest(&d, &abs)}
		if near.bound < far.bound {
			near, far = far, near
		}
		for _, w := range [2]waiting{far, near} {
			if w.bound > most {
				stack[n] = w
				n++
			}
		}
	}
	c := &t.triangles[*hint]
	best := t.corners[c[0]]
	for _, at := range c[1:] {
		if p := t.corners[at]; d.Dot(p) > d.Dot(best) {
			best = p
		}
	}
	return best
}
