package geometry

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestRayEndsOnTheShapeAndNotBefore(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(8, 12, even)
	shapes := []*Shape{NewPlane(), must(t)(NewMesh(points, triangles)), must(t)(NewHeightField(3, 4, 2, 2, make([]float64, 12), -1))}
	for _, k := range convexKinds {
		s := randomShape(t, r, k, 1)
		grown, _ := s.Rounded(0.2)
		shapes = append(shapes, s, grown, must(t)(NewCompound([]Part{{s, randomPose(r, 1)}, {grown, randomPose(r, 1)}})))
	}
	var q Query
	point := must(t)(NewSphere(0))
	for _, s := range shapes {
		hits := 0
		for range 200 {
			pose := randomPose(r, 1)
			ray := Ray{pose.P.Add(randomVec(r).Scale(3)), randomVec(r), 10}
			ray.Direction = pose.P.Add(randomVec(r).Scale(0.3)).Sub(ray.Origin)
			hit, ok, err := q.Raycast(s, &pose, ray)
			if err != nil {
				t.Fatal(err)
			}
			u := ray.Direction.Unit()
			end := ray.Length
			if ok {
				hits++
				end = hit.Distance
				at := spatial.Translation(hit.Point)
				c, _ := q.Distance(point, &at, s, &pose, nil)
				if end > 0 && math.Abs(c.Distance) > 1e-7 {
					t.Fatalf("%v: the point of the hit is %g from the shape", s.Kind(), c.Distance)
				}
				if end > 0 && hit.Normal.Dot(u) > 1e-6 {
					t.Fatalf("%v: the ray leaves along the normal", s.Kind())
				}
			}
			for i := 0; i < 20 && end > 0; i++ {
				at := spatial.Translation(ray.Origin.Add(u.Scale(end * r.Float64() * (1 - 1e-6))))
				if c, _ := q.Distance(point, &at, s, &pose, nil); c.Distance < -1e-6 {
					t.Fatalf("%v: the ray was inside by %g before its end", s.Kind(), -c.Distance)
				}
			}
		}
		if hits < 2 {
			t.Errorf("%v: only %d rays of 200 hit", s.Kind(), hits)
		}
	}
}

func TestRayWithoutDirectionIsRefused(t *testing.T) {
	var q Query
	x := spatial.IdentityPose()
	for _, ray := range []Ray{{Length: 1}, {Direction: spatial.Vec3{X: math.NaN()}, Length: 1}, {Direction: spatial.Vec3{X: 1}, Length: math.Inf(1)}} {
		if _, _, err := q.Raycast(NewPlane(), &x, ray); err != ErrRay {
			t.Errorf("%v: %v", ray, err)
		}
	}
}

func TestSweepEndsAtTheFirstContact(t *testing.T) {
	r := testkit.Rand(t)
	var q Query
	const tolerance = 1e-4
	for range 300 {
		a, b := randomShape(t, r, convexKinds[r.IntN(7)], 0.6), randomShape(t, r, convexKinds[r.IntN(7)], 0.6)
		ma, mb := Motion{randomPose(r, 2), randomPose(r, 2)}, Motion{randomPose(r, 2), randomPose(r, 2)}
		at, c, hit, err := q.Sweep(a, &ma, b, &mb, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if hit && at > 0 && math.Abs(c.Distance-tolerance) > tolerance {
			t.Fatalf("%v, %v: contact with distance %g", a.Kind(), b.Kind(), c.Distance)
		}
		for i := 0; i < 40 && at > 0; i++ {
			s := at * r.Float64() * (1 - 1e-9)
			pa, pb := ma.At(s), mb.At(s)
			if d, _ := q.Distance(a, &pa, b, &pb, nil); d.Distance <= tolerance/4 {
				t.Fatalf("%v, %v: distance %g at %g, before %g", a.Kind(), b.Kind(), d.Distance, s, at)
			}
		}
	}
}

// TestSweepMeetsOtherPartsThanTheNearest moves a ball past one ball of a shape, without coming nearer to it, and into another one.
func TestSweepMeetsOtherPartsThanTheNearest(t *testing.T) {
	ball := must(t)(NewSphere(0.1))
	places := []spatial.Vec3{{}, {X: 2, Y: 0.5}}
	for _, s := range []*Shape{
		must(t)(NewCloud(places, []float64{0.1, 0.1})),
		must(t)(NewCompound([]Part{{ball, spatial.Translation(places[0])}, {ball, spatial.Translation(places[1])}})),
	} {
		var q Query
		begin := spatial.Vec3{Y: 0.5}
		still := Motion{spatial.Translation(spatial.Vec3{}), spatial.Translation(spatial.Vec3{})}
		past := Motion{spatial.Translation(begin), spatial.Translation(begin.Add(spatial.Vec3{X: 4}))}
		at, _, hit, err := q.Sweep(s, &still, ball, &past, 1e-4)
		if err != nil || !hit || math.Abs(at-1.8/4) > 1e-4 {
			t.Errorf("%v: met at %g (%v, %v), expected %g", s.Kind(), at, hit, err, 1.8/4)
		}
	}
}

func TestSweepDoesNotPassThroughAThinPlate(t *testing.T) {
	var q Query
	bullet, plate := must(t)(NewSphere(1e-3)), must(t)(NewBox(spatial.Vec3{X: 1e-6, Y: 1, Z: 1}))
	m := Motion{spatial.Translation(spatial.Vec3{X: -100}), spatial.Translation(spatial.Vec3{X: 100})}
	still := Motion{spatial.IdentityPose(), spatial.IdentityPose()}
	at, _, hit, err := q.Sweep(bullet, &m, plate, &still, 1e-6)
	if err != nil || !hit {
		t.Fatal(at, hit, err)
	}
	testkit.Near(t, "time", at, 0.5-1e-3/200, 1e-7)
}
