package geometry

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MaxContacts is the greatest number of points that [Query.Contacts] returns for a pair.
const MaxContacts = 8

// ErrNotConvex refuses the contact points of a mesh, a height field or a compound.
var ErrNotConvex = errors.New("geometry: find the contact points of a pair: a shape is a mesh, a height field or a compound; " +
	"split it into convex parts with Parts, or take its ConvexHull")

// Contacts appends the points at which two convex shapes that overlap touch, at most [MaxContacts], to points and returns them; for shapes
// that do not overlap it appends nothing. All points have the same Normal, that of the depth of the pair; the Distance of each is negative:
// how deep the shapes overlap along the normal there. warm is as in [Query.Distance]. Nothing is allocated if points has room.
//
// Each shape shows the other the face, edge or corner that lies farthest along the normal. The one with the better aligned face
// is the reference: the other's feature is clipped at the sides of that face, and the corners below the face are
// the contact points (the clipping of Sutherland and Hodgman 1974, as for boxes in Baraff 1994). Rims of cylinders and cones are
// octagons with one corner in the direction of the deepest point. Where no corner comes near the depth of the pair, as between crossed
// edges and at smooth surfaces, the one point of Distance stands alone. The error is [ErrPose], [ErrUnbounded] or [ErrNotConvex].
func (q *Query) Contacts(a *Shape, poseA *spatial.Pose, b *Shape, poseB *spatial.Pose, warm *WarmStart, points []Contact) ([]Contact, error) {
	if !valid(poseA) || !valid(poseB) {
		return points, ErrPose
	}
	if a.kind > Plane || b.kind > Plane {
		return points, ErrNotConvex
	}
	swapped := a.kind > b.kind
	if swapped {
		a, poseA, b, poseB = b, poseB, a, poseA
	}
	f := relative(poseA, poseB)
	round := a.round + b.round
	var g gap
	var exact bool
	if a.kind == Box && b.kind == Box && round == 0 {
		if exact, _ = boxBoxHit(a.half, b.half, &f); exact { // their nearest points are found only where they are needed
			g.d, g.n = boxBoxNormal(a, b, &f)
		}
	} else if g, exact = q.pair(a, b, &f, round, warm); math.IsInf(g.d, -1) {
		return points, ErrUnbounded
	}
	if !exact || !(g.d < round) {
		return points, nil
	}
	first := len(points)
	points = q.manifold(a, b, &f, g, points)
	for i := first; i < len(points); i++ {
		p := &points[i] // in the frame of a, of the cores
		n := poseA.R.MulVec(p.Normal)
		at := turnPoint(poseA, p.A)
		d := p.Distance
		*p = Contact{d - round, at.Add(n.Scale(a.round)), at.Add(n.Scale(d - b.round)), n}
		if swapped {
			*p = Contact{p.Distance, p.B, p.A, n.Neg()}
		}
	}
	return points, nil
}

// manifold appends the contacts of two cores in the frame of the first.
func (q *Query) manifold(a, b *Shape, f *frame, g gap, points []Contact) []Contact {
	limit := a.round + b.round
	first := len(points)
	var fa, fb feature
	if a.kind == Hull && b.kind == Plane { // all corners below, whether they make a face or not
		x := axisAcross(g.n)
		a.extremes(g.n, x, g.n.Cross(x), g.n.Dot(f.p)-limit, &fa)
	} else {
		a.feature(g.n, &fa)
	}
	if fa.n > 1 && b.kind == Plane {
		for _, p := range fa.p[:fa.n] {
			if d := g.n.Dot(f.p.Sub(p)); d < limit {
				points = append(points, Contact{d, p, p.Add(g.n.Scale(d)), g.n})
			}
		}
	} else if fa.n > 1 {
		b.feature(f.back(g.n.Neg()), &fb)
		for i := range fb.n {
			fb.p[i] = f.point(fb.p[i])
		}
		alignA, alignB := math.Abs(fa.normal().Dot(g.n)), math.Abs(fb.normal().Dot(g.n))
		switch {
		case fb.n < 2:
		case fa.n < 3 && fb.n < 3:
			points = alongEdges(&fa, &fb, g, limit, points)
		case alignB > alignA+1e-6:
			points = clip(&fb, &fa, g, limit, true, points)
		default:
			points = clip(&fa, &fb, g, limit, false, points)
		}
	}
	deepest := limit
	for _, p := range points[first:] {
		deepest = min(deepest, p.Distance)
	}
	if len(points) > first+1 && deepest-limit <= 0.5*(g.d-limit) {
		return points
	}
	if a.kind == Box && b.kind == Box && limit == 0 {
		g = q.apart(a, b, f, g.d, g.n)
	}
	return append(points[:first], Contact{g.d, g.a, g.b, g.n})
}

// sameCorner is the distance, over the extent of a face, within which two points of contact count as one, and by which corners may lie beside
// the face: faces with common edges would give corners twice, and more of them at each breath.
const sameCorner = 1e-3

// steepest is the cosine of the greatest angle between a face and the plane of contact.
const steepest = 0.3

// clip appends the corners of in that remain within the sides of the face ref and overlap it. refIsB means that ref is a face of the second shape.
func clip(ref, in *feature, g gap, limit float64, refIsB bool, points []Contact) []Contact {
	m := ref.normal()
	slope := m.Dot(g.n)
	if math.Abs(slope) < steepest {
		return points
	}
	extent := 0.0
	for _, p := range ref.p[:ref.n] {
		extent = max(extent, p.Sub(ref.p[0]).Norm())
	}
	var from, to [2*MaxContacts + 4]spatial.Vec3
	n := copy(from[:], in.p[:in.n])
	for i := range ref.n {
		p, edge := ref.p[i], ref.p[(i+1)%ref.n].Sub(ref.p[i])
		inward := g.n.Cross(edge).Scale(math.Copysign(1, slope))
		slack := sameCorner * extent * inward.Norm()
		k := 0
		for j := range n {
			c, e := from[j], from[(j+1)%n]
			hc, he := inward.Dot(c.Sub(p)), inward.Dot(e.Sub(p))
			if hc >= -slack {
				to[k] = c
				k++
			}
			if hc < -slack != (he < -slack) && hc < 0 != (he < 0) && (n > 2 || j == 0) {
				to[k] = c.Lerp(e, hc/(hc-he))
				k++
			}
		}
		if n, from = k, to; n == 0 {
			return points
		}
	}
	var found [len(from)]Contact
	count := 0
	for _, p := range from[:n] {
		s := m.Dot(ref.p[0].Sub(p)) / slope // from p along the normal to the face
		c := Contact{-s, p.Add(g.n.Scale(s)), p, g.n}
		if refIsB {
			c = Contact{s, p, p.Add(g.n.Scale(s)), g.n}
		}
		if c.Distance >= limit {
			continue
		}
		if c.Distance < g.d { // a face that is not quite flat
			c.Distance = g.d
			c.B = c.A.Add(g.n.Scale(g.d))
		}
		same := false
		for k := range count {
			same = same || found[k].A.Sub(c.A).Norm() < sameCorner*extent
		}
		if !same {
			found[count] = c
			count++
		}
	}
	if count <= MaxContacts {
		return append(points, found[:count]...)
	}
	for i := range MaxContacts { // of a polygon with more corners every second or so
		points = append(points, found[i*count/MaxContacts])
	}
	return points
}

// besides is the angle between two edges (rad) up to which they lie side by side rather than across.
const besides = 0.01

// alongEdges appends the two ends of the stretch along which two edges lie side by side, and nothing if they cross.
func alongEdges(a, b *feature, g gap, limit float64, points []Contact) []Contact {
	e := a.p[1].Sub(a.p[0])
	u := b.p[1].Sub(b.p[0])
	e = e.Sub(g.n.Scale(g.n.Dot(e)))
	flat := u.Sub(g.n.Scale(g.n.Dot(u)))
	le, lu := e.Norm(), flat.Norm()
	if le == 0 || lu == 0 || e.Cross(flat).Norm() > besides*le*lu {
		return points
	}
	along := e.Scale(1 / (le * le))
	// parameters of the ends of b along a, and those of the common stretch
	t0, t1 := along.Dot(b.p[0].Sub(a.p[0])), along.Dot(b.p[1].Sub(a.p[0]))
	low, high := max(0, min(t0, t1)), min(1, max(t0, t1))
	if low > high {
		return points
	}
	for _, t := range [2]float64{low, high} {
		p := a.p[0].Lerp(a.p[1], t)
		r := b.p[0].Lerp(b.p[1], (t-t0)/(t1-t0))
		if d := g.n.Dot(r.Sub(p)); d < limit {
			d = max(d, g.d)
			points = append(points, Contact{d, p, p.Add(g.n.Scale(d)), g.n})
		}
	}
	return points
}
