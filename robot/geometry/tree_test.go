package geometry

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ball returns points on a unit sphere and the triangles between them, rings by sectors.
func ball(rings, sectors int, radius func(i, j int) float64) (points []spatial.Vec3, triangles [][3]int) {
	at := func(i, j int) int { return i*sectors + j%sectors }
	for i := range rings + 1 {
		for j := range sectors {
			s, c := math.Sincos(math.Pi * float64(i) / float64(rings))
			y, x := math.Sincos(2 * math.Pi * float64(j) / float64(sectors))
			points = append(points, spatial.Vec3{X: s * x, Y: s * y, Z: c}.Scale(radius(i, j)))
		}
	}
	for i := range rings {
		for j := range sectors {
			triangles = append(triangles, [3]int{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return points, triangles
}

func even(int, int) float64 { return 1 }

func TestMeshOfAHullHasTheDistanceOfTheHull(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(8, 12, even)
	mesh, hull := must(t)(NewMesh(points, triangles)), must(t)(NewHull(points))
	var q Query
	for _, k := range append(convexKinds, Plane) {
		for range 200 {
			other := randomShape(t, r, k, 1)
			pa, pb := randomPose(r, 1.5), randomPose(r, 1.5)
			want, _ := q.Distance(hull, &pa, other, &pb, nil)
			if want.Distance <= 1e-6 {
				continue
			}
			got, err := q.Distance(mesh, &pa, other, &pb, nil)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Near(t, "distance to a "+k.String(), got.Distance, want.Distance, 1e-7)
			testkit.Near(t, "to itself", got.B.Sub(got.A).Norm(), got.Distance, 1e-9)
		}
	}
	for range 200 {
		pa, pb := randomPose(r, 2), randomPose(r, 2)
		want, _ := q.Distance(hull, &pa, hull, &pb, nil)
		if want.Distance > 1e-6 {
			got, _ := q.Distance(mesh, &pa, mesh, &pb, nil)
			testkit.Near(t, "distance of two meshes", got.Distance, want.Distance, 1e-9)
		}
		if hit, _, _ := q.Hit(mesh, &pa, mesh, &pb, 0.1, nil); hit != (want.Distance <= 0.1) && want.Distance > 0 {
			t.Fatalf("hit %v at distance %g", hit, want.Distance)
		}
	}
}

func TestTreeFindsTheDeepestPair(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(6, 8, func(i, j int) float64 { return 1 + 0.3*math.Sin(float64(5*i+3*j*j)) })
	mesh := must(t)(NewMesh(points, triangles))
	var q, p Query
	for _, k := range convexKinds {
		for range 40 {
			other := randomShape(t, r, k, 0.7)
			pa, pb := randomPose(r, 1), randomPose(r, 1)
			want := math.Inf(1)
			for _, c := range triangles {
				one := must(t)(NewHull([]spatial.Vec3{points[c[0]], points[c[1]], points[c[2]]}))
				d, _ := p.Distance(one, &pa, other, &pb, nil)
				want = min(want, d.Distance)
			}
			got, _ := q.Distance(mesh, &pa, other, &pb, nil)
			testkit.Near(t, "mesh against "+k.String(), got.Distance, want, 2e-6)
			hit, free, _ := q.Hit(other, &pb, mesh, &pa, 0.05, nil)
			if math.Abs(want-0.05) > 1e-5 && hit != (want <= 0.05) {
				t.Fatalf("%v: hit %v at %g", k, hit, want)
			}
			if !hit && (free > want+1e-6 || free < 0.05) {
				t.Fatalf("%v: bound %g of distance %g", k, free, want)
			}
		}
	}
}

func TestCompoundIsTheNearestOfItsParts(t *testing.T) {
	r := testkit.Rand(t)
	var q, p Query
	points, triangles := ball(4, 6, even)
	for range 100 {
		var parts []Part
		for _, k := range convexKinds {
			s, _ := randomShape(t, r, k, 0.4).Rounded(0.05)
			parts = append(parts, Part{s, randomPose(r, 1)})
		}
		parts = append(parts, Part{must(t)(NewMesh(points, triangles)), randomPose(r, 1)})
		inner := must(t)(NewCompound(parts[:3]))
		compound := must(t)(NewCompound(append([]Part{{inner, spatial.IdentityPose()}}, parts[3:]...)))
		other := randomShape(t, r, convexKinds[r.IntN(len(convexKinds))], 0.4)
		pa, pb := randomPose(r, 2), randomPose(r, 2)
		want := math.Inf(1)
		for _, part := range parts {
			at := pa.Mul(part.Pose)
			d, _ := p.Distance(part.Shape, &at, other, &pb, nil)
			want = min(want, d.Distance)
		}
		got, _ := q.Distance(compound, &pa, other, &pb, nil)
		testkit.Near(t, "compound", got.Distance, want, 2e-6)
		back, _ := q.Distance(other, &pb, compound, &pa, nil)
		testkit.Near(t, "exchanged", back.Distance, want, 2e-6)
		if _, err := q.Distance(compound, &pa, compound, &pb, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFlatHeightFieldIsTheBoxBelowIt(t *testing.T) {
	r := testkit.Rand(t)
	heights := make([]float64, 5*7)
	field := must(t)(NewHeightField(5, 7, 2, 3, heights, -1))
	box := must(t)(NewBox(spatial.Vec3{X: 2, Y: 3, Z: 1}))
	var q Query
	for range 300 {
		other := randomShape(t, r, convexKinds[r.IntN(len(convexKinds))], 0.5)
		pa, pb := randomPose(r, 1), randomPose(r, 2)
		below := pa.Mul(spatial.Translation(spatial.Vec3{Z: -0.5}))
		want, _ := q.Distance(box, &below, other, &pb, nil)
		got, _ := q.Distance(field, &pa, other, &pb, nil)
		if want.Distance > 1e-6 || got.Distance > 1e-6 {
			testkit.Near(t, "field to "+other.Kind().String(), got.Distance, want.Distance, 1e-6)
		}
	}
}
