package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// cloudOf returns points of a kind that robots have: scattered, on a ball, a slab with many coplanar points.
func cloudOf(r *rand.Rand, kind, n int) []spatial.Vec3 {
	points := make([]spatial.Vec3, n)
	for i := range points {
		p := spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		switch kind {
		case 1:
			p = p.Unit()
		case 2:
			p = spatial.Vec3{X: float64(r.IntN(4)), Y: float64(r.IntN(4)), Z: float64(r.IntN(2)) * 0.1}
		}
		points[i] = p.Scale(0.1).Add(spatial.Vec3{X: 0.3, Y: -0.2, Z: 0.5})
	}
	return points
}

// outside returns how far a point is outside of a shape, as the queries of pairs find it, which know nothing of the faces of hulls.
func outside(t *testing.T, s *Shape, pose spatial.Pose, p spatial.Vec3) float64 {
	t.Helper()
	dot, err := NewSphere(0)
	if err != nil {
		t.Fatal(err)
	}
	at := spatial.Translation(p)
	c, err := new(Query).Distance(s, &pose, dot, &at, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Distance
}

func volumeOf(s *Shape) (v float64) {
	points, triangles := s.Surface()
	for _, t := range triangles {
		v += points[t[0]].Dot(points[t[1]].Cross(points[t[2]])) / 6
	}
	return v
}

func TestBoundingHullsLoseNoPointAndHaveFewCorners(t *testing.T) {
	r := testkit.Rand(t)
	for kind := range 3 {
		for range 8 {
			points := cloudOf(r, kind, 20+r.IntN(100))
			hull, err := NewHull(points)
			if err != nil {
				t.Fatal(err)
			}
			last := volumeOf(hull)
			for _, n := range []int{40, 20, 12, 8} {
				b, err := hull.Bounding(n)
				if err != nil {
					t.Fatal(err)
				}
				if got := len(b.Corners()); got > max(n, 12) { // at fewer, no edge of a flat hull may have a point outside of all planes
					t.Errorf("kind %d: %d corners, expected at most %d of %d", kind, got, n, len(hull.Corners()))
				}
				for _, p := range points {
					if d := outside(t, b, spatial.IdentityPose(), p); d > 1e-12 {
						t.Errorf("kind %d, %d corners: a point is outside by %g m", kind, n, d)
					}
				}
				if v := volumeOf(b); v < last*(1-1e-12) {
					t.Errorf("kind %d, %d corners: the volume is %g m³, of more corners %g", kind, n, v, last)
				} else {
					last = v
				}
			}
		}
	}
}

// A cube whose edges are cut off by small planes is the cube again, when they are contracted: 24 corners become 8.
func TestBoundingHullOfATruncatedCubeIsTheCube(t *testing.T) {
	var points []spatial.Vec3
	for i := range 8 {
		s := spatial.Vec3{X: float64(i&1)*2 - 1, Y: float64(i>>1&1)*2 - 1, Z: float64(i>>2)*2 - 1}
		for _, k := range []spatial.Vec3{{X: 0.99, Y: 1, Z: 1}, {X: 1, Y: 0.99, Z: 1}, {X: 1, Y: 1, Z: 0.99}} {
			points = append(points, spatial.Vec3{X: s.X * k.X, Y: s.Y * k.Y, Z: s.Z * k.Z})
		}
	}
	hull, err := NewHull(points)
	if err != nil {
		t.Fatal(err)
	}
	b, err := hull.Bounding(8)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "volume", volumeOf(b), 8, 0.02)
	if len(b.Corners()) != 8 {
		t.Errorf("%d corners", len(b.Corners()))
	}
	if _, err := hull.Bounding(3); err == nil {
		t.Error("three corners were accepted")
	}
}

// The shapes themselves are found again, wherever they are: no smaller one holds their points.
func TestEnclosingFindsTheShapeThatPointsLieOn(t *testing.T) {
	r := testkit.Rand(t)
	for range 10 {
		pose := spatial.Pose{R: spatial.ExpQuat(spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}).Mat3(), P: spatial.Vec3{X: r.NormFloat64()}}
		a, b, c := 0.1+r.Float64(), 0.1+r.Float64(), 0.1+r.Float64()
		var box, cylinder, ball []spatial.Vec3
		for i := range 8 {
			box = append(box, pose.Apply(spatial.Vec3{X: a * float64(i&1*2-1), Y: b * float64(i>>1&1*2-1), Z: c * float64(i>>2&1*2-1)}))
		}
		for i := range 64 {
			s, k := math.Sincos(float64(i/2) * math.Pi / 16)
			cylinder = append(cylinder, pose.Apply(spatial.Vec3{X: a * k, Y: a * s, Z: b * float64(i&1*2-1)}))
		}
		directions, _ := icosphere(2)
		for _, d := range directions {
			ball = append(ball, pose.Apply(d.Scale(a)))
		}
		for _, x := range []struct {
			points []spatial.Vec3
			kind   Kind
			volume float64
		}{{box, Box, 8 * a * b * c}, {cylinder, Cylinder, 2 * math.Pi * a * a * b}, {ball, Sphere, 4 * math.Pi / 3 * a * a * a}} {
			part, volume, err := Enclosing(x.points)
			if err != nil {
				t.Fatal(err)
			}
			if part.Shape.Kind() != x.kind || math.Abs(volume/x.volume-1) > 0.01 {
				t.Errorf("a %v of %g m³ is held by a %v of %g m³", x.kind, x.volume, part.Shape.Kind(), volume)
			}
			for _, p := range x.points {
				if d := outside(t, part.Shape, part.Pose, p); d > 1e-12 {
					t.Errorf("a point of a %v is outside by %g m", x.kind, d)
				}
			}
		}
		points := cloudOf(r, 0, 50)
		part, _, err := Enclosing(points)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			if d := outside(t, part.Shape, part.Pose, p); d > 1e-12 {
				t.Errorf("a point is outside a %v by %g m", part.Shape.Kind(), d)
			}
		}
	}
}
