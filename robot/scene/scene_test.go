package scene_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// slider returns a robot of three links: rail, cart (slides along x) and arm (turns about z of the cart, a ball 1 m away from the axis).
func slider(t *testing.T) scene.Model {
	t.Helper()
	m, err := multibody.NewModel(multibody.Tree{
		Name:  "slider",
		Links: []multibody.Link{{Name: "rail"}, {Name: "cart"}, {Name: "arm"}, {Name: "tool"}},
		Joints: []multibody.Joint{
			{Name: "slide", Type: multibody.Prismatic, Parent: "rail", Child: "cart", Axis: spatial.Vec3{X: 1}, Limits: &multibody.Limits{Lower: -3, Upper: 3}},
			{Name: "turn", Type: multibody.Revolute, Parent: "cart", Child: "arm", Axis: spatial.Vec3{Z: 1}},
			{Name: "mount", Type: multibody.Fixed, Parent: "arm", Child: "tool", Placement: spatial.Translation(spatial.Vec3{X: 1})},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return scene.Model{Model: m, Shapes: map[string][]geometry.Part{
		"rail": ball(t, 0.1), "cart": ball(t, 0.1), "arm": ball(t, 0.1), "tool": ball(t, 0.1),
	}}
}

func ball(t *testing.T, radius float64) []geometry.Part {
	t.Helper()
	s, err := geometry.NewSphere(radius)
	if err != nil {
		t.Fatal(err)
	}
	return []geometry.Part{{Shape: s}}
}

func must(t *testing.T) func(*scene.Scene, error) *scene.Scene {
	return func(s *scene.Scene, err error) *scene.Scene {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestSceneRefusesBadInput(t *testing.T) {
	good := slider(t)
	s := must(t)(scene.New(good))
	s = must(t)(s.Add(scene.Object{Name: "can", Pose: spatial.Translation(spatial.Vec3{X: 1, Y: 0.2}), Parts: ball(t, 0.05)}))
	q := []float64{0, 0}
	held := must(t)(s.Attach("can", "tool", q))
	bare, typo, pairs, thin := good, good, good, good
	bare.Shapes = nil
	typo.Shapes = map[string][]geometry.Part{"carts": ball(t, 1), "arm": ball(t, 1)}
	pairs.Allowed = []scene.Pair{{A: "rail", B: "arms"}}
	thin.Padding = -1
	for _, c := range []struct {
		name string
		do   func() (*scene.Scene, error)
		want string
	}{
		{"robot without geometry", func() (*scene.Scene, error) { return scene.New(bare) }, "none of its links has a shape"},
		{"shape of no link", func() (*scene.Scene, error) { return scene.New(typo) }, `names the link "carts", which it does not have`},
		{"pair of no link", func() (*scene.Scene, error) { return scene.New(pairs) }, `an allowed pair names the link "arms"`},
		{"negative padding", func() (*scene.Scene, error) { return scene.New(thin) }, "padding is -1"},
		{"two robots with the same names", func() (*scene.Scene, error) { return scene.New(good, good) }, "give one of the robots a prefix"},
		{"name in use", func() (*scene.Scene, error) { return s.Add(scene.Object{Name: "can", Parts: ball(t, 1)}) }, "has a body of that name"},
		{"object without a shape", func() (*scene.Scene, error) { return s.Add(scene.Object{Name: "air"}) }, "it has no shape"},
		{"part without a shape", func() (*scene.Scene, error) {
			return s.Add(scene.Object{Name: "air", Parts: []geometry.Part{{}}})
		}, "part 1 has no shape"},
		{"pose of NaN", func() (*scene.Scene, error) {
			return s.Move("can", spatial.Translation(spatial.Vec3{Y: math.NaN()}))
		}, "not finite"},
		{"pose that shears", func() (*scene.Scene, error) {
			return s.Move("can", spatial.Pose{R: spatial.Mat3{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}})
		}, "no rotation matrix"},
		{"unknown object", func() (*scene.Scene, error) { return s.Attach("cane", "tool", q) }, `no object of that name; did you mean "can"?`},
		{"link as an object", func() (*scene.Scene, error) { return s.Remove("arm") }, "it is a link of a robot"},
		{"unknown link", func() (*scene.Scene, error) { return s.Attach("can", "tol", q) }, `no robot has a link "tol"`},
		{"unknown touch link", func() (*scene.Scene, error) { return s.Attach("can", "tool", q, "finger") }, `touch links: no robot has a link "finger"`},
		{"attached twice", func() (*scene.Scene, error) { return held.Attach("can", "arm", q) }, "already attached to tool"},
		{"moved while attached", func() (*scene.Scene, error) { return held.Move("can", spatial.IdentityPose()) }, "attached to tool"},
		{"detached while it rests", func() (*scene.Scene, error) { return s.Detach("can", q) }, "not attached"},
		{"pair of no body", func() (*scene.Scene, error) { return s.Allow(scene.Pair{A: "can", B: "table"}) }, `there is no body "table"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestAToolHoldsObjectsNearIt(t *testing.T) {
	s := must(t)(scene.New(slider(t)))
	s = must(t)(s.Add(scene.Object{Name: "can", Pose: spatial.Translation(spatial.Vec3{X: 1}), Parts: ball(t, 0.05)}))
	if err := s.CheckGrip("can", spatial.Vec3{}); err == nil || !strings.Contains(err.Error(), "it is not attached") {
		t.Error(err)
	}
	poses := scene.NewPlacer(s)
	if err := poses.Place([]float64{0, 0}); err != nil {
		t.Fatal(err)
	}
	tool, err := s.Find("tool")
	if err != nil {
		t.Fatal(err)
	}
	at := poses.Poses[tool[0]].InvMul(spatial.Translation(spatial.Vec3{X: 1})).P // of the can, in the link
	held := must(t)(s.Attach("can", "tool", []float64{0, 0}))
	if err := held.CheckGrip("can", at.Add(spatial.Vec3{Y: 0.149})); err != nil {
		t.Error(err)
	}
	if err := held.CheckGrip("can", at.Add(spatial.Vec3{Y: 0.16})); err == nil || !strings.Contains(err.Error(), `the object "can" is 0.11 m from the origin of the tool that takes it, at most 0.1 m`) {
		t.Error(err)
	}
}

func TestAttachedObjectMovesWithItsLinkAndRestsWhereItIsDetached(t *testing.T) {
	m := slider(t)
	m.Allowed = []scene.Pair{{A: "rail", B: "cart"}, {A: "arm", B: "rail"}, {A: "cart", B: "arm"}}
	s := must(t)(scene.New(m))
	s = must(t)(s.Add(
		scene.Object{Name: "can", Pose: spatial.Translation(spatial.Vec3{X: 1, Y: 0.12}), Parts: ball(t, 0.05)},
		scene.Object{Name: "wall", Pose: spatial.Translation(spatial.Vec3{X: 2, Y: 1.14}), Parts: ball(t, 0.1)},
	))
	collide := func(s *scene.Scene, q ...float64) scene.Pair {
		t.Helper()
		pair, _, err := exact.New(s).Collide(q)
		if err != nil {
			t.Fatal(err)
		}
		return pair
	}
	if got := collide(s, 0, 0); got != (scene.Pair{A: "tool", B: "can"}) {
		t.Errorf("before it is attached: %v", got)
	}
	held := must(t)(s.Attach("can", "tool", []float64{0, 0}))
	if got := collide(held, 0, 0); got != (scene.Pair{}) {
		t.Errorf("attached: %v", got)
	}
	if got := collide(held, 0.88, 0); got != (scene.Pair{}) {
		t.Errorf("attached, not yet at the wall: %v", got)
	}
	// At 2 m along x and turned by a right angle, the tool is at (2, 1) and the can at (1.88, 1).
	if got := collide(held, 2, math.Pi/2); got != (scene.Pair{A: "tool", B: "wall"}) && got != (scene.Pair{A: "wall", B: "tool"}) {
		t.Errorf("at the wall: %v", got)
	}
	careless := must(t)(held.Allow(scene.Pair{A: "wall", B: "tool"}))
	if got := collide(careless, 2, math.Pi/2); got != (scene.Pair{}) {
		t.Errorf("allowed at the wall: %v", got)
	}
	if got := collide(careless, 2.12, math.Pi/2); got != (scene.Pair{A: "can", B: "wall"}) {
		t.Errorf("can at the wall: %v", got)
	}
	rests := must(t)(held.Detach("can", []float64{2, math.Pi / 2}))
	var at spatial.Vec3
	for _, b := range rests.Bodies() {
		if b.Name == "can" {
			at = b.Pose.P
		}
	}
	if at.Sub(spatial.Vec3{X: 1.88, Y: 1}).Norm() > 1e-12 {
		t.Errorf("detached at %v, want (1.88, 1, 0)", at)
	}
	if len(s.Bodies()) != 6 || s.Bodies()[4].Model != -1 {
		t.Error("the first scene changed")
	}
}

func TestFindAllowedSeparatesAdjacentAlwaysAndNever(t *testing.T) {
	m := slider(t) // the balls of arm and cart are always at one place, those of rail and cart in some samples, the tool's is far above
	m.Shapes["tool"] = []geometry.Part{{Shape: m.Shapes["tool"][0].Shape, Pose: spatial.Translation(spatial.Vec3{Z: 9})}}
	found, err := scene.FindAllowed(exact.New(must(t)(scene.New(m))), 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []scene.AllowedPair{
		{Pair: scene.Pair{A: "arm", B: "cart"}, Reason: scene.Always},
		{Pair: scene.Pair{A: "cart", B: "rail"}, Reason: scene.Adjacent},
		{Pair: scene.Pair{A: "cart", B: "tool"}, Reason: scene.Never},
		{Pair: scene.Pair{A: "rail", B: "tool"}, Reason: scene.Never},
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %v, want %v: arm and rail meet in some samples", found, want)
	}
	again, _ := scene.FindAllowed(exact.New(must(t)(scene.New(m))), 2000, 1)
	if !slices.Equal(found, again) {
		t.Error("the same seed found other pairs")
	}
}

func TestSphereEngineRefusesOtherShapesOfLinks(t *testing.T) {
	m := slider(t)
	box, err := geometry.NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.Shapes["cart"] = []geometry.Part{{Shape: box}}
	_, err = spheres.New(must(t)(scene.New(m)))
	if err == nil || !strings.Contains(err.Error(), `"cart" has a box`) {
		t.Errorf("error %v", err)
	}
}
