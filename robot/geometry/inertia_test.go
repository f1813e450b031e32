package geometry

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The judge is the sum over random points that lie within the shape.
func TestInertiaIsThatOfTheShapesPoints(t *testing.T) {
	r := testkit.Rand(t)
	q := new(Query)
	dot, _ := NewSphere(0)
	for _, k := range []Kind{Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid} {
		s := randomShape(t, r, k, 1)
		got, err := s.Inertia(2)
		if err != nil {
			t.Fatal(err)
		}
		at := spatial.IdentityPose()
		bounds := s.Bounds(&at)
		var n float64
		var com spatial.Vec3
		var second spatial.Mat3
		for range 100_000 {
			p := spatial.Vec3{X: bounds.Min.X + r.Float64()*(bounds.Max.X-bounds.Min.X), Y: bounds.Min.Y + r.Float64()*(bounds.Max.Y-bounds.Min.Y),
				Z: bounds.Min.Z + r.Float64()*(bounds.Max.Z-bounds.Min.Z)}
			pose := spatial.Translation(p)
			if c, err := q.Distance(s, &at, dot, &pose, nil); err == nil && c.Distance < 0 {
				n++
				com = com.Add(p)
				second = second.Add(p.Outer(p))
			}
		}
		testkit.Near(t, k.String()+": mass", got.Mass, 2, 0)
		testkit.Near(t, k.String()+": centre", got.COM.Sub(com.Scale(1/n)).Norm(), 0, 0.02*s.Reach())
		want, have := second.Scale(2/n), got.SecondMoment().Mat3()
		for i := range 3 {
			testkit.Near(t, k.String()+": second moment", have[i][i], want[i][i], 0.03*s.Reach()*s.Reach())
		}
	}
	hull := randomShape(t, r, Hull, 1)
	if _, err := hull.Inertia(1); err == nil {
		t.Error("a hull has an inertia")
	}
	if _, err := must(t)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1})).Inertia(0); err == nil {
		t.Error("a body without mass has an inertia")
	}
}
