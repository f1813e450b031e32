package exact_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ballAt is a ball of radius 0.5 m.
func ballAt(t *testing.T, x float64) []geometry.Part {
	t.Helper()
	s, err := geometry.NewSphere(0.5)
	if err != nil {
		t.Fatal(err)
	}
	return []geometry.Part{{Shape: s, Pose: spatial.Translation(spatial.Vec3{X: x})}}
}

// Rickert and Gaschler, Robotics Library, 2017, line 189 of the text: "In order to compare different collision engines, the API defines interfaces for simple
// collision/distance/raycast queries and penetration depth computation. Features include queries between shapes, bodies, models, or the
// whole scene." Line 177: "Each body consist of a number of geometric shapes with static transformations", bodies "can be grouped into models".
//
// Balls of radius 0.5 m stand on the x axis, so that all answers are differences of centres: a cart of two shapes, at q and q + 1, and
// two obstacles at 4 and 7.
func TestScenesAnswerThePublishedQueries(t *testing.T) {
	m, err := multibody.NewModel(multibody.Tree{Name: "slider", Links: []multibody.Link{{Name: "rail"}, {Name: "cart"}}, Joints: []multibody.Joint{
		{Name: "slide", Type: multibody.Prismatic, Parent: "rail", Child: "cart", Axis: spatial.Vec3{X: 1}, Limits: &multibody.Limits{Lower: -9, Upper: 9}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"cart": append(ballAt(t, 0), ballAt(t, 1)...)}})
	if err != nil {
		t.Fatal(err)
	}
	near, far := spatial.Translation(spatial.Vec3{X: 4}), spatial.Translation(spatial.Vec3{X: 7})
	if s, err = s.Add(scene.Object{Name: "near", Pose: near, Parts: ballAt(t, 0)}, scene.Object{Name: "far", Pose: far, Parts: ballAt(t, 0)}); err != nil {
		t.Fatal(err)
	}
	e := exact.New(s)
	rough, err := spheres.New(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ q, distance float64 }{{0, 2}, {1, 1}, {2.25, -0.25}, {2.5, -0.5}} {
		for _, engine := range []scene.Engine{e, rough} { // exchanged, to be compared
			contact, err := engine.Distance([]float64{c.q})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Near(t, engine.Name()+": distance, or depth, of the whole scene", contact.Distance, c.distance, 1e-9)
			pair, hit, err := engine.Collide([]float64{c.q})
			if err != nil || hit != (c.distance < 0) || hit && pair != (scene.Pair{A: "cart", B: "near"}) && pair != (scene.Pair{A: "near", B: "cart"}) {
				t.Errorf("%s: cart at %v: collision %v of %v, %v", engine.Name(), c.q, hit, pair, err)
			}
		}
	}
	find := func(names ...string) []int {
		list, err := s.Find(names...)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, c := range []struct {
		what string
		a, b []int
		want float64
	}{
		{"bodies", find("cart"), find("far"), 5},
		{"a model and bodies", s.OfModel(0), find("near", "far"), 2},
		{"a model and what rests", s.OfModel(0), s.OfModel(-1), 2},
		{"bodies that rest", find("near"), find("far"), 2},
	} {
		contact, err := e.Between([]float64{0}, c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Near(t, "distance of "+c.what, contact.Distance, c.want, 1e-9)
	}
	shapes := func(a, b *geometry.Shape, x spatial.Pose) float64 {
		var query geometry.Query
		still := spatial.IdentityPose()
		contact, err := query.Distance(a, &still, b, &x, nil)
		if err != nil {
			t.Fatal(err)
		}
		return contact.Distance
	}
	testkit.Near(t, "distance of shapes", shapes(ballAt(t, 0)[0].Shape, ballAt(t, 0)[0].Shape, near), 3, 1e-9)
	ray := geometry.Ray{Origin: spatial.Vec3{X: -3}, Direction: spatial.Vec3{X: 1}, Length: 20}
	for name, want := range map[string]float64{"cart": 2.5, "near": 6.5, "far": 9.5} {
		hit, ok, err := e.Raycast([]float64{0}, ray, find(name))
		if err != nil || !ok || hit.Body != name {
			t.Fatalf("ray for %s: %+v, %v, %v", name, hit, ok, err)
		}
		testkit.Near(t, "ray for "+name, hit.Distance, want, 1e-9)
	}
	if hit, ok, err := e.Raycast([]float64{0}, ray, nil); err != nil || !ok || hit.Body != "cart" {
		t.Errorf("a ray through the whole scene meets %q first, want the cart: %v", hit.Body, err)
	}
}
