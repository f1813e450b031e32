package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// facingMost is the greatest number of triangles of a mesh that are kept as facing another one.
const facingMost = 256

// facing is a triangle that faces another mesh across the gap between the convex hulls of both. It lies at least behind (m) its hull, seen along the gap, and
// within a circle of radius r (m) around x and y across the gap.
type facing struct {
	behind, x, y, r float64
	triangle        int32
}

// meshes is pair for two meshes. Where a gap separates their convex hulls, only triangles that are not farther behind them than the nearest pair can be
// nearest. They are found in each mesh alone, so the search takes the sum of two searches and not their product. Where hulls overlap, or too many triangles
// face the gap, descend searches the pairs of nodes.
func (q *Query) meshes(a, b *Shape, f *frame, limit float64) (g gap, exact bool) {
	hulls, result := q.gjk(a, b, f, limit, -1, nil)
	if result == beyond {
		return hulls, false
	}
	if result != separated {
		return q.descend(a, b, f, limit, false)
	}
	most := q.nearestCorners(f) + 1e-14*(a.reach+b.reach)
	if most < limit {
		if g, exact = q.acrossGap(a, b, f, &hulls, &most); !exact {
			g, exact = q.descend(a, b, f, most, false)
		}
		if exact {
			return g, true
		}
	}
	return q.descend(a, b, f, limit, false)
}

// nearestCorners returns the least distance of two corners of the simplex, which are points of the shapes.
func (q *Query) nearestCorners(f *frame) float64 {
	least := math.Inf(1)
	for _, p := range q.simplex[:q.corners] {
		for _, o := range q.simplex[:q.corners] {
			least = min(least, p.a.Sub(f.point(o.b)).Norm())
		}
	}
	return least * (1 + tie)
}

// acrossGap returns the nearest pair of triangles of two meshes whose hulls have a gap. most is a distance that is known to be reached; it is lowered. The first
// triangles looked at are those of a thin layer behind the hulls, whose nearest pair gives how thick it has to be. exact is false where too many triangles face the gap.
func (q *Query) acrossGap(a, b *Shape, f *frame, hulls *gap, most *float64) (best gap, exact bool) {
	var along axis
	along.set(f, hulls.n)
	x := axisAcross(hulls.n)
	y := hulls.n.Cross(x)
	bx, by := f.back(x), f.back(y)
	topA := hulls.n.Dot(hulls.a)
	topB := along.offset - topA - hulls.d
	for slack, tries := (*most-hulls.d)/4, 0; tries < 4; tries++ {
		na := a.tree.facing(&q.facing[0], &along.a, topA, slack, &x, &y)
		nb := b.tree.facing(&q.facing[1], &along.b, topB, slack, &bx, &by)
		if na > facingMost || nb > facingMost {
			slack /= 4
			continue
		}
		if g, ok := q.facingPairs(a, b, f, hulls.d, *most, [2]int{na, nb}, x.Dot(f.p), y.Dot(f.p)); ok {
			best, *most, exact = g, g.d, true
		}
		if exact && best.d-hulls.d <= slack {
			return best, true
		}
		slack = *most - hulls.d
	}
	return gap{}, false
}

// facingPairs returns the nearest pair of the n triangles of both sides that face each other, if it is at most this far apart. x and y are the place of the second
// frame across the gap.
func (q *Query) facingPairs(a, b *Shape, f *frame, hulls, most float64, n [2]int, x, y float64) (best gap, ok bool) {
	enough := most
	for i := range q.facing[0][:n[0]] {
		s := &q.facing[0][i]
		for j := range q.facing[1][:n[1]] {
			t := &q.facing[1][j]
			between := hulls + s.behind + t.behind
			if between > enough {
				break // the others lie farther behind
			}
			dx, dy, r := x+t.x-s.x, y+t.y-s.y, s.r+t.r
			if d2 := dx*dx + dy*dy; d2 > r*r {
				if across := math.Sqrt(d2) - r; between*between+across*across > enough*enough {
					continue
				}
			}
			if g, found := q.pieceGap(a, b, s.triangle, t.triangle, 0, 1, f, enough, false); found {
				best, ok, enough = g, true, g.d-tie*math.Abs(g.d)
			}
		}
	}
	return best, ok
}

// facing lists the triangles with a point not more than slack (m) below top in direction d, the highest first; x and y are axes across d. It returns their number,
// or facingMost + 1 if there are more.
func (t *tree) facing(list *[facingMost]facing, d *spatial.Vec3, top, slack float64, x, y *spatial.Vec3) int {
	abs := absolute(*d)
	var stack [treeStack]int32
	found := 0
	for n := 1; n > 0; {
		n--
		v := &t.nodes[stack[n]]
		if v.farthest(d, &abs) < top-slack {
			continue
		}
		if v.left >= 0 {
			stack[n], stack[n+1] = v.left, v.left+1
			n += 2
			continue
		}
		for i := v.first; i < v.first+v.count; i++ {
			behind := top - t.highest(i, d)
			if behind > slack {
				continue
			}
			if found == facingMost {
				return facingMost + 1
			}
			list[found] = t.circle(i, x, y)
			list[found].behind = behind
			found++
		}
	}
	slices.SortFunc(list[:found], func(a, b facing) int { return cmp.Compare(a.behind, b.behind) })
	return found
}

// circle returns the circle around triangle i, seen along the axis across x and y.
func (t *tree) circle(i int32, x, y *spatial.Vec3) facing {
	c := &t.triangles[i]
	o := t.corners[c[0]].Add(t.corners[c[1]]).Add(t.corners[c[2]]).Scale(1. / 3)
	k := facing{x: x.Dot(o), y: y.Dot(o), triangle: i}
	for _, at := range c {
		p := &t.corners[at]
		k.r = max(k.r, math.Hypot(x.Dot(*p)-k.x, y.Dot(*p)-k.y))
	}
	return k
}
