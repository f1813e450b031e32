package geometry

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Errors of queries. They are made before, so that a query allocates nothing.
var (
	// ErrPose refuses a pose with a NaN, an infinity or a coordinate beyond [Limit].
	ErrPose = errors.New("geometry: query a pair of shapes: a pose is not finite or beyond the limit of 1e9 m; check where it was computed")
	// ErrUnbounded refuses the distance of two planes that are not parallel: no translation of finite length separates them.
	ErrUnbounded = errors.New("geometry: query a pair of planes: their half-spaces overlap without bound; ask Hit instead")
	// ErrMargin refuses a margin that is negative or not a number.
	ErrMargin = errors.New("geometry: query a pair of shapes: the margin is negative, infinite or not a number; want a length from 0 m")
)

// Query is the workspace of queries: one goroutine may use it at a time. The zero value is ready. It holds about 70 kB.
type Query struct {
	simplex  [4]corner
	corners  int
	near     nearest
	polytope polytope
	pieces   [2]Shape // triangles and prisms of the two sides
	corner   [2][6]spatial.Vec3
	place    [2]frame // of balls of clouds
	point    Shape    // a point, the zero value
	swept    WarmStart
	facing   [2][facingMost]facing
}

// Contact is where two shapes are nearest or deepest, in the world frame.
type Contact struct {
	Distance float64      // signed distance, m: the gap or, if negative, the depth
	A, B     spatial.Vec3 // points of the first and the second shape, m: B = A + Distance Normal
	Normal   spatial.Vec3 // unit vector from the first shape to the second
}

// kinds are those of a pair of shapes.
type kinds struct{ a, b Kind }

// Distance returns the signed distance of two shapes with its nearest or deepest points. warm may be nil; with it the query begins where
// the last one of this pair ended. The error is [ErrPose] or [ErrUnbounded].
func (q *Query) Distance(a *Shape, poseA *spatial.Pose, b *Shape, poseB *spatial.Pose, warm *WarmStart) (Contact, error) {
	if a.kind <= Box && b.kind <= Box { // the most frequent pairs
		switch (kinds{a.kind, b.kind}) {
		case kinds{Sphere, Sphere}:
			return spheres(a.round, &poseA.P, b.round, &poseB.P)
		case kinds{Sphere, Capsule}:
			return sphereCapsule(a.round, &poseA.P, b, poseB, 1)
		case kinds{Capsule, Sphere}:
			return sphereCapsule(b.round, &poseB.P, a, poseA, -1)
		case kinds{Sphere, Box}:
			return sphereBox(a.round, &poseA.P, b, poseB, 1)
		case kinds{Box, Sphere}:
			return sphereBox(b.round, &poseB.P, a, poseA, -1)
		case kinds{Capsule, Capsule}:
			return capsules(a, poseA, b, poseB)
		}
	}
	if !valid(poseA) || !valid(poseB) {
		return Contact{}, ErrPose
	}
	if a.kind == Sphere {
		if b.dots() {
			g, ok := b.tree.nearestDot(into(poseB, poseA.P), math.Inf(1))
			if !ok { // a cloud without points
				return Contact{Distance: g.d}, nil
			}
			return world(g, poseB, poseA.P, a.round, b.round), nil
		}
		if g, ok := pointGap(b, into(poseB, poseA.P)); ok {
			return world(g, poseB, poseA.P, a.round, b.round), nil
		}
	} else if b.kind == Sphere {
		if g, ok := pointGap(a, into(poseA, poseB.P)); ok {
			c := world(g, poseA, poseB.P, b.round, a.round)
			return Contact{c.Distance, c.B, c.A, c.Normal.Neg()}, nil
		}
	}
	swapped := a.kind > b.kind
	if swapped {
		a, poseA, b, poseB = b, poseB, a, poseA
	}
	f := relative(poseA, poseB)
	g, _ := q.pair(a, b, &f, math.Inf(1), warm)
	if math.IsInf(g.d, -1) {
		return Contact{}, ErrUnbounded
	}
	if math.IsInf(g.d, 1) { // a cloud without points
		return Contact{Distance: g.d}, nil
	}
	c := world(g, poseA, turnPoint(poseA, g.a), a.round, b.round)
	if swapped {
		c = Contact{c.Distance, c.B, c.A, c.Normal.Neg()}
	}
	return c, nil
}

// world returns the contact of two cores with balls of radii ra and rb, whose gap is known in the frame of pose; at is the point of the first core
// in the world.
func world(g gap, pose *spatial.Pose, at spatial.Vec3, ra, rb float64) Contact {
	r := &pose.R
	n := spatial.Vec3{
		X: r[0][0]*g.n.X + r[0][1]*g.n.Y + r[0][2]*g.n.Z, Y: r[1][0]*g.n.X + r[1][1]*g.n.Y + r[1][2]*g.n.Z,
		Z: r[2][0]*g.n.X + r[2][1]*g.n.Y + r[2][2]*g.n.Z,
	}
	d := g.d - rb
	return Contact{
		d - ra, spatial.Vec3{X: at.X + ra*n.X, Y: at.Y + ra*n.Y, Z: at.Z + ra*n.Z},
		spatial.Vec3{X: at.X + d*n.X, Y: at.Y + d*n.Y, Z: at.Z + d*n.Z}, n,
	}
}

// turnPoint returns the point p of the frame of pose in the world.
func turnPoint(pose *spatial.Pose, p spatial.Vec3) spatial.Vec3 {
	r := &pose.R
	return spatial.Vec3{
		X: r[0][0]*p.X + r[0][1]*p.Y + r[0][2]*p.Z + pose.P.X, Y: r[1][0]*p.X + r[1][1]*p.Y + r[1][2]*p.Z + pose.P.Y,
		Z: r[2][0]*p.X + r[2][1]*p.Y + r[2][2]*p.Z + pose.P.Z,
	}
}

// Hit reports whether the shapes come closer than margin (m, ≥ 0) or overlap. For a miss, free is a lower bound of
// their distance, not below margin; it costs nothing more. The error is [ErrPose] or [ErrMargin].
func (q *Query) Hit(a *Shape, poseA *spatial.Pose, b *Shape, poseB *spatial.Pose, margin float64, warm *WarmStart) (hit bool, free float64, err error) {
	if !(margin >= 0 && margin <= Limit) {
		return false, 0, ErrMargin
	}
	if !valid(poseA) || !valid(poseB) {
		return false, 0, ErrPose
	}
	if a.kind > b.kind {
		a, poseA, b, poseB = b, poseB, a, poseA
	}
	if a.kind == Sphere && b.dots() {
		hit, free = b.tree.hitPoint(into(poseB, poseA.P), margin+a.round+b.round)
		return hit, free - a.round - b.round, nil
	}
	f := relative(poseA, poseB)
	limit := margin + a.round + b.round
	hit, free = q.hit(a, b, &f, limit, warm)
	return hit, free - a.round - b.round, nil
}

// rounded returns the gap of cores with balls of these radii.
func rounded(g gap, ra, rb float64) gap {
	return gap{g.d - ra - rb, g.a.Add(g.n.Scale(ra)), g.b.Sub(g.n.Scale(rb)), g.n}
}

// valid reports whether a pose is finite and within the limit.
func valid(x *spatial.Pose) bool {
	r := &x.R
	turn := math.Abs(r[0][0]) + math.Abs(r[0][1]) + math.Abs(r[0][2]) + math.Abs(r[1][0]) + math.Abs(r[1][1]) + math.Abs(r[1][2]) +
		math.Abs(r[2][0]) + math.Abs(r[2][1]) + math.Abs(r[2][2])
	return turn <= 10 && math.Abs(x.P.X) <= Limit && math.Abs(x.P.Y) <= Limit && math.Abs(x.P.Z) <= Limit
}
