package scenario_test

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestWrittenSceneIsReadAgain(t *testing.T) {
	box, _ := geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.3})
	ball, _ := geometry.NewSphere(0.05)
	rod, _ := geometry.NewCylinder(0.02, 0.4)
	cone, _ := geometry.NewCone(0.03, 0.1)
	at := spatial.Pose{R: spatial.RPY(0.1, 0.2, 0.3), P: spatial.Vec3{X: 1, Y: -2, Z: 3}}
	world := scenario.World{Frame: "world", Objects: []scene.Object{
		{Name: "shelf", Pose: at, Parts: []geometry.Part{{Shape: box}, {Shape: rod, Pose: at}}},
		{Name: "fruit", Parts: []geometry.Part{{Shape: ball}, {Shape: cone}}},
	}}
	var text strings.Builder
	if err := scenario.WriteMoveIt(&text, &world); err != nil {
		t.Fatal(err)
	}
	read, err := scenario.ReadMoveIt(fstest.MapFS{"s.yaml": {Data: []byte(text.String())}}, "s.yaml")
	if err != nil || len(read.Objects) != 2 || read.Frame != "world" {
		t.Fatalf("%+v, %v\n%s", read, err, text.String())
	}
	here := spatial.IdentityPose()
	for i, o := range world.Objects {
		got := read.Objects[i]
		if i == 0 && (got.Pose.P.Sub(at.P).Norm() > 1e-12 || got.Pose.R.T().Mul(at.R).Log().Norm() > 1e-9) {
			t.Errorf("%s is at %v, was %v", o.Name, got.Pose, at)
		}
		for k, p := range o.Parts {
			if a, b := p.Shape, got.Parts[k].Shape; a.Kind() != b.Kind() || a.Bounds(&here).Max.Sub(b.Bounds(&here).Max).Norm() > 1e-12 {
				t.Errorf("shape %d of %s is a %v, was a %v", k, o.Name, b.Kind(), a.Kind())
			}
		}
	}
}

func TestSavedShapesTakeTheSameSpace(t *testing.T) {
	make1 := func(s *geometry.Shape, err error) *geometry.Shape {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	corners := []spatial.Vec3{{}, {X: 0.2}, {Y: 0.3}, {Z: 0.1}}
	dent := []spatial.Vec3{{}, {X: 0.2}, {Y: 0.3}, {Z: 0.1}, {X: 0.02, Y: 0.02, Z: 0.02}}
	at := spatial.Pose{R: spatial.RPY(0.1, 0.2, 0.3), P: spatial.Vec3{X: 0.1}}
	shapes := map[string]*geometry.Shape{
		"pill":   make1(geometry.NewCapsule(0.1, 0.2)),
		"hull":   make1(geometry.NewHull(corners)),
		"dent":   make1(geometry.NewMesh(dent, [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}})),
		"hills":  make1(geometry.NewHeightField(3, 3, 0.4, 0.4, []float64{0.1, 0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1}, 0)),
		"cloud":  make1(geometry.NewCloud(corners, []float64{0.02})),
		"pair":   make1(geometry.NewCompound([]geometry.Part{{Shape: make1(geometry.NewCapsule(0.05, 0.1)), Pose: at}, {Shape: make1(geometry.NewHull(corners)), Pose: at}})),
		"ground": geometry.NewPlane(),
	}
	world := scenario.World{Frame: "world"}
	for name, s := range shapes {
		world.Objects = append(world.Objects, scene.Object{Name: name, Pose: at, Parts: []geometry.Part{{Shape: s, Pose: at}}})
	}
	var text strings.Builder
	if err := scenario.WriteMoveIt(&text, &world); err != nil {
		t.Fatal(err)
	}
	read, err := scenario.ReadMoveIt(fstest.MapFS{"s.yaml": {Data: []byte(text.String())}}, "s.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	probe := make1(geometry.NewSphere(0.01))
	r := testkit.Rand(t)
	distance := func(o *scene.Object, p spatial.Pose) float64 {
		least := math.Inf(1)
		for i := range o.Parts {
			var q geometry.Query
			part := o.Pose.Mul(o.Parts[i].Pose)
			c, err := q.Distance(o.Parts[i].Shape, &part, probe, &p, nil)
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, c.Distance)
		}
		return least
	}
	for i := range world.Objects {
		for range 200 {
			p := spatial.Translation(spatial.Vec3{X: r.Float64() - 0.3, Y: r.Float64() - 0.4, Z: r.Float64() - 0.3})
			was, is := distance(&world.Objects[i], p), distance(&read.Objects[i], p)
			if hollow := world.Objects[i].Name == "hills" && was < 0; !hollow && ((was > 0) != (is > 0) || was > 0 && math.Abs(was-is) > 1e-6) {
				t.Fatalf("%s: %g m from a ball, was %g", world.Objects[i].Name, is, was)
			}
		}
	}
}

func TestShapesThatMoveItDoesNotKnowAreNotWritten(t *testing.T) {
	egg, _ := geometry.NewEllipsoid(spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.3})
	box, _ := geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.3})
	soap, _ := box.Rounded(0.01)
	world := scenario.World{Objects: []scene.Object{{Name: "egg", Parts: []geometry.Part{{Shape: egg}}}, {Name: "soap", Parts: []geometry.Part{{Shape: soap}}}}}
	err := scenario.WriteMoveIt(&strings.Builder{}, &world)
	if err == nil || !strings.Contains(err.Error(), "egg") || !strings.Contains(err.Error(), "soap") {
		t.Errorf("%v", err)
	}
}
