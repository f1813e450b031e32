package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// must returns the shape of a constructor that cannot fail in this test.
func must(t testing.TB) func(s *Shape, err error) *Shape {
	return func(s *Shape, err error) *Shape {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

var convexKinds = []Kind{Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid, Hull}

func randomVec(r *rand.Rand) spatial.Vec3 {
	return spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
}

// randomPose returns a pose with a random rotation and a position of about this extent.
func randomPose(r *rand.Rand, extent float64) spatial.Pose {
	return spatial.Pose{R: spatial.Exp(randomVec(r).Scale(2)), P: randomVec(r).Scale(extent)}
}

// randomShape returns a shape of a kind with sizes of about scale.
func randomShape(t testing.TB, r *rand.Rand, k Kind, scale float64) *Shape {
	ok := must(t)
	x := func() float64 { return scale * (0.1 + r.Float64()) }
	switch k {
	case Sphere:
		return ok(NewSphere(x()))
	case Capsule:
		return ok(NewCapsule(x(), x()))
	case Box:
		return ok(NewBox(spatial.Vec3{X: x(), Y: x(), Z: x()}))
	case Cylinder:
		return ok(NewCylinder(x(), x()))
	case Cone:
		return ok(NewCone(x(), x()))
	case Ellipsoid:
		return ok(NewEllipsoid(spatial.Vec3{X: x(), Y: x(), Z: x()}))
	case Plane:
		return NewPlane()
	case Hull:
		points := make([]spatial.Vec3, 4+r.IntN(80))
		for i := range points {
			points[i] = randomVec(r).Unit().Scale(x())
		}
		return ok(NewHull(points))
	}
	t.Fatalf("no random %v", k)
	return nil
}

// reachAlong returns the greatest n·p over the points p of the shape at this pose.
func reachAlong(s *Shape, pose *spatial.Pose, n spatial.Vec3) float64 {
	if s.kind == Plane {
		if z := pose.R.Col(2); n.Sub(z).Norm() < 1e-14 {
			return z.Dot(pose.P) + s.round
		}
		return math.Inf(1)
	}
	hint := int32(-1)
	return n.Dot(pose.Apply(s.support(pose.R.TMulVec(n), &hint))) + s.round
}

// certify fails unless the contact is right: the points and the direction prove it, whatever computed them.
func certify(t testing.TB, r *rand.Rand, a *Shape, pa *spatial.Pose, b *Shape, pb *spatial.Pose, c Contact, scale float64) {
	t.Helper()
	tol, deep := 1e-9*scale, 2e-6
	curved := a.curved() || b.curved()
	if curved {
		tol = 1e-5 * scale
		if scale != 1 { // deep in each other, and needles: a polytope of 120 corners is coarse
			deep = 1e-2
		}
	}
	if math.Abs(c.Normal.Norm()-1) > 1e-9 {
		t.Fatalf("%v, %v: the normal %v has not the length 1: %+v", a.kind, b.kind, c.Normal, c)
	}
	if e := c.B.Sub(c.A).Sub(c.Normal.Scale(c.Distance)).Norm(); e > tol {
		t.Fatalf("%v, %v: B is off A + Distance Normal by %g: %+v", a.kind, b.kind, e, c)
	}
	// the shapes lie on the two sides of a slab of this thickness: the distance is not smaller, the depth not greater
	// where the gap is tiny beside the shapes, rounding turns its direction
	if c.Distance > 0 {
		tol += 1e-15 * scale * scale / c.Distance
	}
	slab := -reachAlong(b, pb, c.Normal.Neg()) - reachAlong(a, pa, c.Normal)
	if math.Abs(slab-c.Distance) > tol+1e-6*math.Max(0, -c.Distance) {
		t.Fatalf("%v, %v: distance %g, slab %g", a.kind, b.kind, c.Distance, slab)
	}
	if c.Distance > 0 {
		for _, side := range []struct {
			s *Shape
			x *spatial.Pose
			p spatial.Vec3
		}{{a, pa, c.A}, {b, pb, c.B}} {
			for range 10 { // the nearest points belong to the shapes
				n := randomVec(r).Unit()
				if e := n.Dot(side.p) - reachAlong(side.s, side.x, n); e > tol {
					t.Fatalf("%v, %v: a point is outside its shape %v by %g", a.kind, b.kind, side.s.kind, e)
				}
			}
		}
		return
	}
	for i := range 60 { // no direction separates by less
		n := randomVec(r).Unit()
		if i%2 == 0 {
			n = c.Normal.Add(n.Scale(math.Pow(10, -4*r.Float64()))).Unit()
		}
		if w := reachAlong(a, pa, n) + reachAlong(b, pb, n.Neg()); w < -c.Distance-tol-deep*math.Max(0, -c.Distance) {
			t.Fatalf("%v, %v: depth %g, but %g along %v separates", a.kind, b.kind, -c.Distance, w, n)
		}
	}
}
