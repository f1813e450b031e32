package plans_test

import (
	"context"
	"encoding/binary"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func shape(t testing.TB) func(s *geometry.Shape, err error) *geometry.Shape {
	return func(s *geometry.Shape, err error) *geometry.Shape {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// arm returns plans for a robot without a description: two links that turn, on a base that is not the origin, among obstacles of all kinds.
func arm(t testing.TB, objects ...scene.Object) (*plans.Plans, *robots.Robots, plans.Problem) {
	t.Helper()
	is := shape(t)
	limits := multibody.Limits{Lower: -3, Upper: 3, Velocity: 2, Effort: 1}
	placed := func(x float64) spatial.Pose { return spatial.Translation(spatial.Vec3{X: x}) }
	tree := multibody.Tree{Name: "arm", Links: []multibody.Link{{Name: "base"}, {Name: "upper"}, {Name: "lower"}, {Name: "tip"}}, Joints: []multibody.Joint{
		{Name: "shoulder", Type: multibody.Revolute, Parent: "base", Child: "upper", Axis: spatial.Vec3{Z: 1}, Limits: &limits},
		{Name: "elbow", Type: multibody.Revolute, Parent: "upper", Child: "lower", Axis: spatial.Vec3{Z: 1}, Limits: &limits, Placement: placed(0.5)},
		{Name: "wrist", Parent: "lower", Child: "tip", Placement: placed(0.4)},
	}}
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	rod := []geometry.Part{{Shape: is(geometry.NewBox(spatial.Vec3{X: 0.4, Y: 0.04, Z: 0.04})), Pose: placed(0.25)}}
	hull := is(geometry.NewHull([]spatial.Vec3{{Y: 0.02, Z: -0.02}, {Y: -0.02, Z: -0.02}, {Z: 0.02}, {X: 0.4}}))
	s, err := scene.New(scene.Model{Model: m, Base: spatial.Translation(spatial.Vec3{Z: 1}), Shapes: map[string][]geometry.Part{"upper": rod, "lower": {{Shape: hull, Pose: spatial.IdentityPose()}}}})
	if err == nil {
		s, err = s.Add(objects...)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := robots.New(robots.Options{})
	if err := r.Add("arm", nil, &robots.World{Scene: s, Resolution: 0.02, Start: []float64{-1, 0.2}, Goal: []float64{1, 0.2}, Planner: "prm"}); err != nil {
		t.Fatal(err)
	}
	return plans.New(r), r, plans.Problem{System: robots.NoSystem, Robot: "arm", Link: "tip", Seconds: 20, Acceleration: 10, Jerk: 100, Start: []float64{-1, 0.2}, Goal: []float64{1, 0.2}}
}

// get returns a file of a robot.
func get(t *testing.T, r *robots.Robots, path string) []byte {
	t.Helper()
	mux := http.NewServeMux()
	r.Register(mux)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

func TestRobotWithoutDescriptionLooksLikeItsShapes(t *testing.T) {
	p, r, q := arm(t)
	s, err := p.Open(context.Background(), plans.Entry{System: q.System, Robot: q.Robot})
	if err != nil || s.Planner != "prm" || !slices.Equal(s.Goal, q.Goal) {
		t.Fatalf("%+v, %v", s, err)
	}
	urdf := string(get(t, r, s.URDF))
	for _, want := range []string{`<joint name="elbow" type="revolute">`, `<box size="0.4 0.04 0.04"`, `xyz="0 0 1"`, `filename="/robot/~/arm/shape/1/0.stl"`, `<joint name="fixed_tip" type="fixed">`} {
		if !strings.Contains(urdf, want) {
			t.Errorf("the description lacks %s:\n%s", want, urdf)
		}
	}
	stl := get(t, r, "/robot/~/arm/shape/1/0.stl")
	if n := binary.LittleEndian.Uint32(stl[80:]); n != 4 || len(stl) != 84+4*50 {
		t.Errorf("the surface of a tetrahedron has %d triangles in %d bytes", n, len(stl))
	}
	at := hand(make1(t, p, q), 1)
	if want := 0.5*math.Sin(1) + 0.4*math.Sin(1.2); math.Abs(at[1]-want) > 1e-6 || at[2] != 1 {
		t.Errorf("the hand ends at %v, want y = %g above a base at z = 1", at, want)
	}
}

func TestObstaclesOfAllKindsAreDrawnMovedAndSaved(t *testing.T) {
	is := shape(t)
	corners := []spatial.Vec3{{}, {X: 0.1}, {Y: 0.1}, {Z: 0.1}}
	part := func(s *geometry.Shape) []geometry.Part {
		return []geometry.Part{{Shape: s, Pose: spatial.IdentityPose()}}
	}
	p, r, q := arm(t,
		scene.Object{Name: "hull", Pose: spatial.Translation(spatial.Vec3{X: 5}), Parts: part(is(geometry.NewHull(corners)))},
		scene.Object{Name: "mesh", Pose: spatial.Translation(spatial.Vec3{X: 5, Y: 1}), Parts: part(is(geometry.NewMesh(corners, [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})))},
		scene.Object{Name: "hills", Pose: spatial.Translation(spatial.Vec3{X: 5, Y: 2}), Parts: part(is(geometry.NewHeightField(2, 2, 1, 1, []float64{0.1, 0.1, 0.1, 0.2}, 0)))},
		scene.Object{Name: "cloud", Pose: spatial.Translation(spatial.Vec3{X: 5, Y: 3}), Parts: part(is(geometry.NewCloud(corners, []float64{0.03})))},
		scene.Object{Name: "ground", Pose: spatial.Translation(spatial.Vec3{Z: -1}), Parts: part(geometry.NewPlane())},
	)
	entry := plans.Entry{System: q.System, Robot: q.Robot}
	s, err := p.Open(context.Background(), entry)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{"hull": 84 + 4*50, "mesh": 84 + 4*50, "hills": 84 + 12*50, "cloud": 4 * 16}
	for i, o := range s.Objects {
		part := o.Parts[0]
		switch want, ok := sizes[o.Name]; {
		case part.Kind != "file":
			t.Errorf("%s is a %s", o.Name, part.Kind)
		case ok && len(get(t, r, part.File)) != want:
			t.Errorf("%s has %d bytes, want %d", o.Name, len(get(t, r, part.File)), want)
		case !ok && part.File != "":
			t.Errorf("%s has the file %q", o.Name, part.File)
		case o.Name == "cloud":
			s.Objects[i].P = [3]float64{0.85, 0, 1} // in the way
		}
	}
	q.Objects = s.Objects
	around := make1(t, p, q)
	if around.Why != nil || around.Length < 2.1 {
		t.Errorf("with a cloud in the way: %+v, length %g", around.Why, around.Length)
	}
	saved, err := p.WriteScene(context.Background(), plans.SceneRequest{Entry: entry, Objects: s.Objects})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"vertex_indices", "sphere", "coef", "hills"} {
		if !strings.Contains(saved.Text, want) {
			t.Errorf("the saved scene lacks %s:\n%s", want, saved.Text)
		}
	}
}

// flyer returns plans for a body that flies between two walls with a gap.
func flyer(t testing.TB) (*plans.Plans, *robots.Robots, plans.Problem) {
	t.Helper()
	is := shape(t)
	m, err := multibody.NewModel(multibody.Tree{Name: "box", Links: []multibody.Link{{Name: "world"}, {Name: "body"}}, Joints: []multibody.Joint{{Name: "air", Type: multibody.Floating, Parent: "world", Child: "body"}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"body": {{Shape: is(geometry.NewBox(spatial.Vec3{X: 0.6, Y: 0.1, Z: 0.1})), Pose: spatial.IdentityPose()}}}})
	if err == nil {
		wall := is(geometry.NewBox(spatial.Vec3{X: 0.1, Y: 2, Z: 4}))
		s, err = s.Add(scene.Object{Name: "left", Pose: spatial.Translation(spatial.Vec3{Y: 1.4}), Parts: []geometry.Part{{Shape: wall}}},
			scene.Object{Name: "right", Pose: spatial.Translation(spatial.Vec3{Y: -1.4}), Parts: []geometry.Part{{Shape: wall}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	poses, err := space.NewPoses("air", [3]float64{-2, -2, -1}, [3]float64{2, 2, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	of, err := space.NewCoordinates(s, poses, []string{"air"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &robots.World{Scene: s, Space: of, Resolution: 0.02, Start: []float64{-1, 0, 0, 0, 0, 0, 1}, Goal: []float64{1, 0.5, 0, 0, 0, 0, 1}}
	r := robots.New(robots.Options{})
	if err := r.Add("box", nil, w); err != nil {
		t.Fatal(err)
	}
	p := plans.New(r)
	setting, err := p.Open(context.Background(), plans.Entry{System: robots.NoSystem, Robot: "box"})
	if err != nil || len(setting.Axes) != 0 || setting.Joints[0] != "air.px" {
		t.Fatalf("%+v, %v", setting, err)
	}
	return p, r, plans.Problem{System: robots.NoSystem, Robot: "box", Link: "body", Seconds: 60, Acceleration: 1, Jerk: 1, Start: w.Start, Goal: w.Goal, Objects: setting.Objects, Distance: true}
}

func TestBodyThatFloatsIsPlannedAndDragged(t *testing.T) {
	p, r, q := flyer(t)
	if urdf := string(get(t, r, "/robot/~/box/robot.urdf")); !strings.Contains(urdf, `<joint name="air" type="floating">`) {
		t.Errorf("the description has no floating joint:\n%s", urdf)
	}
	plan := make1(t, p, q)
	if plan.Why != nil || plan.Proved || plan.Duration < 2 || plan.Least == nil {
		t.Fatalf("%+v", plan)
	}
	free, err := p.Check(context.Background(), plans.CheckRequest{System: q.System, Robot: q.Robot, Objects: q.Objects, Q: plan.Waypoints})
	if err != nil || free.Why != nil {
		t.Errorf("the motion is not free: %+v, %v", free.Why, err)
	}
	q.Pose = &robots.Target{P: [3]float64{1, -0.4, 0.3}, Q: &[4]float64{0, 0, math.Sqrt(0.5), math.Sqrt(0.5)}}
	dragged := make1(t, p, q)
	if dragged.Why != nil || math.Abs(dragged.Goal[2]-0.3) > 1e-5 || math.Abs(math.Abs(dragged.Goal[5])-math.Sqrt(0.5)) > 1e-5 {
		t.Errorf("%+v, goal %v", dragged.Why, dragged.Goal)
	}
	if _, err := p.Slice(context.Background(), plans.SliceRequest{System: q.System, Robot: q.Robot, Q: q.Goal, X: 0, Y: 1, Cells: 8}); err == nil {
		t.Error("a slice through a quaternion is drawn")
	}
}

func TestStartIsFreeWhereTheRestIsInCollision(t *testing.T) {
	p, r, q := arm(t)
	m, _, err := r.World(context.Background(), q.System, q.Robot)
	if err != nil {
		t.Fatal(err)
	}
	stone := shape(t)(geometry.NewSphere(0.1))
	s, err := m.Scene.Add(scene.Object{Name: "stone", Pose: spatial.Translation(spatial.Vec3{X: 0.7, Z: 1}), Parts: []geometry.Part{{Shape: stone}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add("blocked", nil, &robots.World{Scene: s, Resolution: 0.02}); err != nil {
		t.Fatal(err)
	}
	setting, err := p.Open(context.Background(), plans.Entry{System: q.System, Robot: "blocked"})
	if err != nil || !strings.Contains(setting.StartNote, "stone") {
		t.Fatalf("%+v, %v", setting, err)
	}
	if far := math.Hypot(setting.Start[0], setting.Start[1]); far > 1 {
		t.Errorf("the start %v is far from rest", setting.Start)
	}
	check, err := p.Check(context.Background(), plans.CheckRequest{System: q.System, Robot: "blocked", Objects: setting.Objects, Q: [][]float64{setting.Start}})
	if err != nil || check.Why != nil {
		t.Errorf("the start %v is not free: %+v, %v", setting.Start, check, err)
	}
}

func TestHeldJointsStay(t *testing.T) {
	p, _, q := arm(t)
	q.Held = []string{"elbow"}
	plan := make1(t, p, q)
	if plan.Why != nil {
		t.Fatalf("%+v", plan.Why)
	}
	for _, row := range rows(plan) {
		if row[1] != 0.2 {
			t.Fatalf("the elbow is at %g, held at 0.2", row[1])
		}
	}
	q.Goal = []float64{1, 0.4}
	if r := make1(t, p, q); r.Why == nil || r.Why.Kind != "held" || r.Why.Joint != "elbow" {
		t.Errorf("a goal that moves a held joint: %+v", r.Why)
	}
	q.Goal = []float64{1, 0.2}
	q.Pose = &robots.Target{P: [3]float64{0.6, 0, 1}}
	if r := make1(t, p, q); r.Why == nil || r.Why.Kind != "unreachable" || r.Why.Reached == nil || !strings.Contains(r.Why.Text, "held: elbow") {
		t.Errorf("a pose that only the elbow reaches: %+v", r.Why)
	}
	q.Held = nil
	if r := make1(t, p, q); r.Why != nil {
		t.Errorf("the same pose with a free elbow: %+v", r.Why)
	}
	reach, err := p.Reach(context.Background(), plans.ReachRequest{Entry: plans.Entry{System: q.System, Robot: q.Robot}, Link: "tip", Pose: *q.Pose, Q: q.Start, Held: []string{"shoulder"}})
	if err != nil || reach.OK || reach.Q[0] != q.Start[0] {
		t.Errorf("%+v, %v", reach, err)
	}
}

func TestPanesHavePlansOfTheirOwn(t *testing.T) {
	p, _, q := arm(t)
	done := make(chan error, 1)
	slow := q
	slow.Pane, slow.Planner, slow.Seconds = "slow", "prm-star", 600 // it improves until it is cancelled
	wall := box("wall", 0.9, 0, 1, 0.1)
	slow.Objects = []plans.Object{wall}
	go func() {
		_, err := p.Make(context.Background(), "page", &slow)
		done <- err
	}()
	var grown *plans.GrowReply
	for grown == nil || len(grown.Tree) == 0 {
		var err error
		if grown, err = p.Grow(context.Background(), "page", plans.PaneRequest{Pane: "slow"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(grown.Tree)%6 != 0 || !grown.Growing {
		t.Errorf("%d numbers of edges, growing: %t", len(grown.Tree), grown.Growing)
	}
	quick := q
	quick.Pane = "quick"
	if r, err := p.Make(context.Background(), "page", &quick); err != nil || r.Why != nil {
		t.Fatalf("beside a slow plan: %+v, %v", r, err)
	}
	if r, err := p.Grow(context.Background(), "page", plans.PaneRequest{Pane: "quick"}); err != nil || r.Growing {
		t.Errorf("a plan that is made grows: %+v, %v", r, err)
	}
	p.Close("page", plans.PaneRequest{Pane: "slow"})
	if err := <-done; err == nil {
		t.Error("the plan of a closed pane was made")
	}
	for i := range 20 {
		quick.Pane = strings.Repeat("x", i)
		if _, err := p.Make(context.Background(), "page", &quick); (err != nil) != (i >= 15) {
			t.Errorf("pane %d: %v", i+2, err)
		}
	}
	p.EndOf("page")
}

func TestNumbersAreFloatsInBase64(t *testing.T) {
	text, err := plans.Numbers{1, -2.5}.MarshalJSON()
	if err != nil || string(text) != `"AACAPwAAIMA="` { // 00 00 80 3f 00 00 20 c0
		t.Errorf("%s, %v", text, err)
	}
}
