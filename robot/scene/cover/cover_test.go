package cover_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/cover"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// box returns the corners and triangles of a box; the last triangles may be left out.
func box(x, y, z float64) (points []spatial.Vec3, triangles [][3]int) {
	for i := range 8 {
		points = append(points, spatial.Vec3{X: x * (float64(i&1) - 0.5), Y: y * (float64(i>>1&1) - 0.5), Z: z * (float64(i>>2) - 0.5)})
	}
	for _, f := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		triangles = append(triangles, [3]int{f[0], f[1], f[2]}, [3]int{f[0], f[2], f[3]})
	}
	return points, triangles
}

func fitter(t *testing.T, b *cover.Body) *cover.Fitter {
	t.Helper()
	f, err := cover.New(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func holds(balls []scene.Ball, p spatial.Vec3) bool {
	return slices.ContainsFunc(balls, func(b scene.Ball) bool { return p.Sub(b.Center).Norm() <= b.Radius })
}

// TestSpheresCoverBrokenSurfaces samples surfaces: each point must be in a sphere, whatever Check reports.
func TestSpheresCoverBrokenSurfaces(t *testing.T) {
	points, closed := box(0.2, 0.1, 0.06)
	inverted := slices.Clone(closed)
	for i, c := range inverted {
		inverted[i] = [3]int{c[0], c[2], c[1]}
	}
	for name, triangles := range map[string][][3]int{
		"closed": closed, "open": closed[2:], "inside out": inverted, "one triangle": closed[:1], "flat": append(slices.Clone(closed), [3]int{0, 0, 0}),
	} {
		t.Run(name, func(t *testing.T) {
			b := &cover.Body{}
			b.AddSurface(spatial.Translation(spatial.Vec3{X: 1}), points, triangles)
			f := fitter(t, b)
			balls := f.Fit(0.02)
			if r := f.Check(balls); r.Outside != 0 || r.Protrusion > 0.03 {
				t.Errorf("%d spheres: %+v", len(balls), r)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 5000 {
				c := triangles[r.IntN(len(triangles))]
				u, v := r.Float64(), r.Float64()
				if u+v > 1 {
					u, v = 1-u, 1-v
				}
				p := points[c[0]].Scale(1 - u - v).Add(points[c[1]].Scale(u)).Add(points[c[2]].Scale(v)).Add(spatial.Vec3{X: 1})
				if !holds(balls, p) {
					t.Fatalf("%v is outside", p)
				}
			}
			one := balls[1:]
			if r := f.Check(one); len(one) > 0 && r.Outside <= 0 {
				t.Error("a sphere is missing, and Check reports nothing")
			}
		})
	}
}

// TestSpheresStickOutByNoMoreThanReported measures points on the spheres by package geometry.
func TestSpheresStickOutByNoMoreThanReported(t *testing.T) {
	b := &cover.Body{}
	b.AddCapsule(spatial.IdentityPose(), 0.05, 0.2)
	f := fitter(t, b)
	capsule, err := geometry.NewCapsule(0.05, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	point, err := geometry.NewSphere(0)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for _, tolerance := range []float64{0.03, 0.01} {
		balls := f.Fit(tolerance)
		report := f.Check(balls)
		if report.Outside != 0 || report.Protrusion > 1.1*tolerance || len(balls) <= before {
			t.Errorf("tolerance %g: %d spheres, %+v", tolerance, len(balls), report)
		}
		before = len(balls)
		var q geometry.Query
		r := rand.New(rand.NewPCG(3, 4))
		worst := 0.0
		for range 5000 {
			s := balls[r.IntN(len(balls))]
			u := spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			at, origin := spatial.Translation(s.Center.Add(u.Scale(s.Radius/u.Norm()))), spatial.IdentityPose()
			c, err := q.Distance(point, &at, capsule, &origin, nil)
			if err != nil {
				t.Fatal(err)
			}
			worst = max(worst, c.Distance)
		}
		if slack := 0.002 * 0.05; worst > report.Protrusion+slack || worst < report.Protrusion/2 {
			t.Errorf("tolerance %g: spheres stick out by %g, reported %g", tolerance, worst, report.Protrusion)
		}
	}
}

func TestBallsCoverThemselves(t *testing.T) {
	b := &cover.Body{}
	b.AddBall(spatial.Vec3{Z: 1}, 0.1)
	f := fitter(t, b)
	balls := f.Fit(0.01)
	if len(balls) != 1 || balls[0] != (scene.Ball{Center: spatial.Vec3{Z: 1}, Radius: 0.1}) || f.Check(balls) != (cover.Report{}) {
		t.Errorf("%v, %+v", balls, f.Check(balls))
	}
	balls[0].Radius = 0.09
	if r := f.Check(balls); math.Abs(r.Outside-0.01) > 1e-12 {
		t.Errorf("a smaller ball leaves %g m outside, want 0.01", r.Outside)
	}
}

func TestEmptyAndInfiniteBodiesAreRefused(t *testing.T) {
	if _, err := cover.New(&cover.Body{}); err == nil {
		t.Error("an empty body was accepted")
	}
	b := &cover.Body{}
	b.AddSurface(spatial.IdentityPose(), []spatial.Vec3{{X: math.NaN()}}, [][3]int{{0, 0, 0}})
	if _, err := cover.New(b); err == nil {
		t.Error("a body of NaN was accepted")
	}
}
