package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// pair returns the gap of the cores of a and b, whose kinds are in order, in the frame of a. Once the distance is known to exceed limit,
// it may return early: exact is then false, and the gap has only a lower bound d.
func (q *Query) pair(a, b *Shape, f *frame, limit float64, warm *WarmStart) (g gap, exact bool) {
	switch {
	case a.kind == Sphere && b.dots():
		return pointCloudGap(b, f, limit)
	case a.kind == Mesh && b.kind == Mesh:
		return q.meshes(a, b, f, limit)
	case b.kind >= Mesh:
		return q.descend(a, b, f, limit, false)
	case b.kind == Plane:
		return planeGap(a, f), true
	case a.kind == Sphere:
		if g, ok := pointGap(b, f.back(f.p.Neg())); ok {
			return gap{g.d, spatial.Vec3{}, f.turn(g.n).Scale(g.d), f.turn(g.n)}, true
		}
	case a.kind == Capsule && b.kind == Capsule:
		return segmentSegment(spatial.Vec3{}, a.half, f.p, f.column(2).Scale(b.half.Z)), true
	case a.kind == Capsule && b.kind == Box:
		g := segmentBox(f.back(f.p.Neg()), f.back(a.half), b.half)
		return gap{g.d, f.point(g.a), f.point(g.b), f.turn(g.n)}, true
	case a.kind == Box && b.kind == Box:
		if hit, bound := boxBoxHit(a.half, b.half, f); hit {
			return q.boxBoxDepth(a, b, f), true
		} else if bound > limit {
			return gap{d: bound}, false
		}
	}
	return q.convex(a, b, f, limit, warm)
}

// convex is pair for any convex cores.
func (q *Query) convex(a, b *Shape, f *frame, limit float64, warm *WarmStart) (g gap, exact bool) {
	g, result := q.gjk(a, b, f, limit, -1, warm)
	if result == overlap {
		return q.depth(a, b, f), true
	}
	return g, result == separated
}

// pointGap returns the gap from the point p in the frame of s to the core of s. ok is false if there is no closed form.
func pointGap(s *Shape, p spatial.Vec3) (g gap, ok bool) {
	switch s.kind {
	case Sphere:
		return between(p, spatial.Vec3{}, spatial.Vec3{X: 1}), true
	case Capsule:
		return pointSegment(p, s.half.Z), true
	case Box:
		return pointBox(p, s.half), true
	case Cylinder:
		return pointCylinder(p, s.half), true
	case Cone:
		return pointCone(p, s.half), true
	case Ellipsoid:
		return pointEllipsoid(p, s.half)
	case piece:
		if len(s.points) == 3 {
			return pointTriangle(p, s.points), true
		}
	}
	return gap{}, false
}

// planeGap returns the gap from the core of a convex shape to the half-space below z = 0 of the frame f. For two planes it is
// minus infinity unless they face each other.
func planeGap(a *Shape, f *frame) gap {
	n := f.column(2)
	if a.kind == Plane {
		if n.X*n.X+n.Y*n.Y > 1e-28 || n.Z > 0 {
			return gap{d: math.Inf(-1)}
		}
		return gap{f.p.Z, spatial.Vec3{}, spatial.Vec3{Z: f.p.Z}, spatial.Vec3{Z: 1}}
	}
	hint := int32(-1)
	s := a.support(n.Neg(), &hint)
	d := n.Dot(s.Sub(f.p))
	return gap{d, s, s.Sub(n.Scale(d)), n.Neg()}
}

// hit reports whether the cores of a and b are at most limit apart; free is a lower bound of their distance for a miss.
func (q *Query) hit(a, b *Shape, f *frame, limit float64, warm *WarmStart) (hit bool, free float64) {
	if a.kind == Sphere && b.dots() {
		return b.tree.hitPoint(f.back(f.p.Neg()), limit)
	}
	if b.kind >= Mesh {
		g, hit := q.descend(a, b, f, limit, true)
		return hit, g.d
	}
	if a.kind == Box && b.kind == Box {
		if hit, free = boxBoxHit(a.half, b.half, f); hit || free > limit {
			return hit, free
		}
	} else if closedForm(a, b) {
		g, _ := q.pair(a, b, f, math.Inf(1), nil)
		return g.d <= limit, g.d
	}
	g, result := q.gjk(a, b, f, limit, limit, warm)
	return result == overlap || result == within || g.d <= limit, g.d
}

// closedForm reports whether pair needs no iteration.
func closedForm(a, b *Shape) bool {
	return b.kind == Plane || a.kind == Sphere && b.kind != Hull && !(b.kind == piece && len(b.points) > 3) ||
		a.kind == Capsule && (b.kind == Capsule || b.kind == Box)
}
