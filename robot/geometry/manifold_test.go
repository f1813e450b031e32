package geometry

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestContactPointsOfABoxOnABoxAreTheCornersOfTheCommonFace(t *testing.T) {
	a, b := must(t)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 0.2})), must(t)(NewBox(spatial.Vec3{X: 0.4, Y: 1, Z: 0.2}))
	pa, pb := spatial.IdentityPose(), spatial.Translation(spatial.Vec3{X: 0.4, Y: 0.3, Z: 0.199})
	points, err := new(Query).Contacts(a, &pa, b, &pb, nil, nil)
	if err != nil || len(points) != 4 {
		t.Fatalf("%v, %v: want 4 points", points, err)
	}
	for _, p := range points {
		testkit.Near(t, "depth", p.Distance, -0.001, 1e-12)
		testkit.Near(t, "normal", p.Normal.Z, 1, 1e-12)
		testkit.Near(t, "x beside the middle of the face", math.Abs(p.A.X-0.35), 0.15, 1e-12)
		testkit.Near(t, "y beside the middle of the face", math.Abs(p.A.Y-0.15), 0.35, 1e-12)
	}
}

func TestContactPointsOfKnownPairs(t *testing.T) {
	r := testkit.Rand(t)
	up := spatial.Translation(spatial.Vec3{Z: 0.499})
	lying := spatial.Pose{R: spatial.RotX(math.Pi / 2), P: spatial.Vec3{Z: 0.499}}
	ground := spatial.IdentityPose()
	table := must(t)(NewBox(spatial.Vec3{X: 9, Y: 9, Z: 2}))
	below := spatial.Translation(spatial.Vec3{Z: -1})
	for _, c := range []struct {
		name string
		s    *Shape
		pose spatial.Pose
		want int
	}{
		{"sphere", must(t)(NewSphere(0.5)), up, 1},
		{"ellipsoid", must(t)(NewEllipsoid(spatial.Vec3{X: 0.3, Y: 0.2, Z: 0.5})), up, 1},
		{"capsule lying", must(t)(NewCapsule(0.5, 2)), lying, 2},
		{"cylinder lying", must(t)(NewCylinder(0.5, 2)), lying, 2},
		{"cylinder standing", must(t)(NewCylinder(0.5, 1)), up, 8},
		{"cone standing", must(t)(NewCone(0.5, 1)), up, 8},
		{"box", must(t)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1})), up, 4},
		{"rounded box", must(t)(must(t)(NewBox(spatial.Vec3{X: 0.8, Y: 0.8, Z: 0.8})).Rounded(0.1)), up, 4},
		{"hull", must(t)(NewHull([]spatial.Vec3{{X: 1, Z: -0.5}, {X: -1, Y: 1, Z: -0.5}, {X: -1, Y: -1, Z: -0.5}, {Z: 1}})), up, 3},
	} {
		turn := spatial.Rotation(spatial.RotZ(6 * r.Float64()))
		pose := turn.Mul(c.pose)
		for _, under := range []struct {
			s    *Shape
			pose spatial.Pose
		}{{NewPlane(), ground}, {table, below}} {
			points, err := new(Query).Contacts(c.s, &pose, under.s, &under.pose, nil, nil)
			if err != nil || len(points) != c.want {
				t.Errorf("%s on a %v: %d points (%v), want %d", c.name, under.s.Kind(), len(points), err, c.want)
			}
			for _, p := range points {
				testkit.Near(t, c.name+": depth", p.Distance, -0.001, 1e-6)
			}
		}
	}
}

// Of random pairs: several points lie on both shapes, one is about as deep as the pair and none is deeper, and there are also some in the
// other order. A single point is that of Distance.
func TestContactPointsAreThoseOfThePair(t *testing.T) {
	r := testkit.Rand(t)
	q := new(Query)
	dot, _ := NewSphere(0)
	touching := 0
	for _, ka := range convexKinds {
		for _, kb := range append([]Kind{Plane}, convexKinds...) {
			for range 100 {
				a, b := randomShape(t, r, ka, 1), NewPlane()
				pa, pb := randomPose(r, 0.5), randomPose(r, 0.5)
				if kb != Plane {
					b = randomShape(t, r, kb, 1)
				}
				pair, err := q.Distance(a, &pa, b, &pb, nil)
				if err != nil {
					t.Fatal(err)
				}
				points, err := q.Contacts(a, &pa, b, &pb, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				if (len(points) > 0) != (pair.Distance < 0) {
					t.Errorf("%v and %v: %d points at the distance %g", ka, kb, len(points), pair.Distance)
				}
				if pair.Distance >= 0 {
					continue
				}
				touching++
				if len(points) == 1 {
					testkit.Near(t, "depth of a single point", points[0].Distance, pair.Distance, 1e-6)
					continue
				}
				deepest := 0.0
				for _, p := range points {
					deepest = min(deepest, p.Distance)
					if e := p.B.Sub(p.A).Sub(p.Normal.Scale(p.Distance)).Norm(); e > 1e-9 {
						t.Errorf("%v and %v: B is %g beside A + Distance Normal", ka, kb, e)
					}
					at := spatial.Translation(p.A)
					toA, err := q.Distance(a, &pa, dot, &at, nil)
					if err != nil || toA.Distance > 0.02 {
						t.Errorf("%v and %v: the point on the first is %g m beside it (%v)", ka, kb, toA.Distance, err)
					}
					at.P = p.B
					toB, err := q.Distance(b, &pb, dot, &at, nil)
					if err != nil || toB.Distance > 0.02 {
						t.Errorf("%v and %v: the point on the second is %g m beside it (%v)", ka, kb, toB.Distance, err)
					}
				}
				if deepest < pair.Distance-1e-4 || deepest > 0.4*pair.Distance {
					t.Errorf("%v and %v: the deepest point has %g, the pair %g", ka, kb, deepest, pair.Distance)
				}
				back, err := q.Contacts(b, &pb, a, &pa, nil, nil)
				if err != nil || len(back) == 0 {
					t.Errorf("%v and %v: points %v, in the other order %v (%v)", ka, kb, points, back, err)
				}
			}
		}
	}
	if touching < 1000 {
		t.Errorf("only %d pairs touch", touching)
	}
}

func TestContactsRefuseWhatIsNotConvex(t *testing.T) {
	field := must(t)(NewHeightField(2, 2, 1, 1, make([]float64, 4), -1))
	ball := must(t)(NewSphere(1))
	at := spatial.IdentityPose()
	if _, err := new(Query).Contacts(field, &at, ball, &at, nil, nil); err != ErrNotConvex {
		t.Errorf("error %v", err)
	}
	if _, err := new(Query).Contacts(NewPlane(), &at, NewPlane(), &at, nil, nil); err != ErrUnbounded {
		t.Errorf("error %v of two planes", err)
	}
	if _, err := field.ConvexHull(); err == nil {
		t.Error("a height field has a convex hull")
	}
	mesh := must(t)(NewMesh([]spatial.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}}, [][3]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}))
	hull, err := mesh.ConvexHull()
	if err != nil || hull.Kind() != Hull || len(hull.Corners()) != 4 {
		t.Errorf("hull of a mesh: %v, %v", hull, err)
	}
	compound := must(t)(must(t)(NewCompound([]Part{{ball, at}, {mesh, at}})).Rounded(0.1))
	if parts := compound.Parts(); len(parts) != 2 || parts[0].Shape.Radius() != 1.1 {
		t.Errorf("parts of a compound: %v", parts)
	}
}

func TestContactsAllocateNothing(t *testing.T) {
	a, b := must(t)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1})), must(t)(NewCylinder(0.5, 1))
	pa, pb := spatial.IdentityPose(), spatial.Translation(spatial.Vec3{Z: 0.99})
	q, warm, points := new(Query), new(WarmStart), make([]Contact, 0, MaxContacts)
	testkit.NoAllocs(t, 100, func() { points, _ = q.Contacts(a, &pa, b, &pb, warm, points[:0]) })
}

func BenchmarkContactsOfBoxes(b *testing.B) {
	s := must(b)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1}))
	pa, pb := spatial.IdentityPose(), spatial.Translation(spatial.Vec3{X: 0.1, Z: 0.99})
	q, points := new(Query), make([]Contact, 0, MaxContacts)
	for b.Loop() {
		points, _ = q.Contacts(s, &pa, s, &pb, nil, points[:0])
	}
}
