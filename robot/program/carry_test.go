package program

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// crane moves a hand along x and z; all shapes are cubes of 0.1 m, and the fingers are beside those that they hold.
const crane = `<robot name="crane">
<link name="base"/><link name="slide"/>
<link name="hand"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="finger"><collision><geometry><box size="0.02 0.1 0.05"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="slide"/><axis xyz="1 0 0"/><limit lower="-1" upper="3" velocity="1" effort="1"/></joint>
<joint name="z" type="prismatic"><parent link="slide"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="0" upper="2" velocity="1" effort="1"/></joint>
<joint name="grip" type="fixed"><parent link="hand"/><child link="finger"/><origin xyz="0.055 0 -0.07"/></joint>
</robot>`

// cranes returns the crane, and a scene with a box on a table, and a wall of 0.3 m between x = 0.48 and 0.52.
func cranes(t *testing.T, objects ...string) (arm, *scene.Scene, *space.Joints) {
	t.Helper()
	d, err := description.Read(fstest.MapFS{"crane.urdf": {Data: []byte(crane)}}, "crane.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := d.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: shapes})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range objects {
		size, at := spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}, spatial.Vec3{Z: 0.05}
		switch name {
		case "table":
			size, at = spatial.Vec3{X: 6, Y: 1, Z: 0.1}, spatial.Vec3{Z: -0.05}
		case "wall":
			size, at = spatial.Vec3{X: 0.04, Y: 1, Z: 0.3}, spatial.Vec3{X: 0.5, Z: 0.15}
		}
		shape, err := geometry.NewBox(size)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.Add(scene.Object{Name: name, Pose: spatial.Pose{R: spatial.Identity(), P: at}, Parts: []geometry.Part{{Shape: shape, Pose: spatial.IdentityPose()}}}); err != nil {
			t.Fatal(err)
		}
	}
	joints, err := space.NewJoints(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	limits := trajectory.Limits{Velocity: 1, Acceleration: 5, Jerk: 50}
	return arm{Robot{Model: m, Limits: []trajectory.Limits{limits, limits}}, []float64{0, 1}, "hand"}, s, joints
}

// carrying is a program that takes the box, lifts it, goes over the wall, and sets it down.
func carrying(lift, down string) string {
	return `tools: {hand: {link: hand, touch: [finger]}}
moves:
  - moveJ: {z: 0.15}
  - set: {gripper: 1}
  - dwell: 100 ms
  - attach: box
  - moveJ: {z: ` + lift + `}
  - moveJ: {x: 1}
  - moveJ: {z: ` + down + `}
  - set: {gripper: 0}
  - detach: box
  - dwell: 100 ms
  - moveJ: {z: 0.5}
`
}

// freedom checks a program in a scene.
func freedom(t *testing.T, text string, objects ...string) (Freedom, error) {
	t.Helper()
	a, s, joints := cranes(t, objects...)
	return CheckFree(parse(t, text), compile(t, a, text), a.Model, s, joints, 1e-3)
}

func TestTheObjectThatIsCarriedTouchesTheWall(t *testing.T) {
	// From 0.45 m on the box passes over the wall; the hand alone does so from 0.35 m on.
	f, err := freedom(t, carrying("0.4", "0.15"), "table", "wall", "box")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.At.Line != 8 || e.Number != 6 || e.Joint != "z" || e.S < 0.42 || e.S > 0.58 || f.Free {
		t.Errorf("%+v, %+v", e, f)
	}
	if want := `moveJ (move 6) at s = `; !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `box, which hand carries on joint "z",`) || !strings.Contains(err.Error(), "wall") {
		t.Error(err)
	}
	if pair, hit, err := exact.New(f.Scene).Collide([]float64{0.5, 0.4}); err != nil || !hit {
		t.Errorf("the scene of the contact has the box at its old place: %v, %v", pair, err)
	}

	if f, err = freedom(t, carrying("0.46", "0.15"), "table", "wall", "box"); err != nil || !f.Free || f.Scene != nil {
		t.Errorf("a box that is lifted over the wall: %+v, %v", f, err)
	}
	if _, err = freedom(t, "tools: {hand: {link: hand}}\nmoves: [moveJ: {z: 0.4}, moveJ: {x: 1}]", "table", "wall", "box"); err != nil {
		t.Errorf("the hand alone: %v", err)
	}
}

func TestAnObjectTouchesItsSupportWhileItIsSetDownOnly(t *testing.T) {
	for text, want := range map[string]string{
		carrying("0.46", "0.1505"): "",               // 0.5 mm above the table
		carrying("0.46", "0.1"):    `moveJ (move 7)`, // 50 mm deep in it
		strings.Replace(carrying("0.46", "0.15"), "x: 1}", "x: 1, z: 0.15}", 1): `moveJ (move 6)`, // through the wall
		strings.Replace(carrying("0.46", "0.15"), ", touch: [finger]", "", 1):   `finger`,
	} {
		_, err := freedom(t, text, "table", "wall", "box")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func TestADetachedObjectRestsWhereItWasLeft(t *testing.T) {
	text := carrying("0.46", "0.15") + "  - moveJ: {x: 2}\n  - moveJ: {z: 0.13}\n"
	if _, err := freedom(t, text, "table", "wall", "box"); err != nil {
		t.Fatal(err)
	}
	text += "  - moveJ: {x: 0.9}\n"
	if _, err := freedom(t, text, "table", "wall", "box"); err == nil || !strings.Contains(err.Error(), "moveJ (move 14)") || !strings.Contains(err.Error(), "box") || strings.Contains(err.Error(), "carries") {
		t.Error(err)
	}
}

func TestObjectsThatTheSceneLacksAreNamed(t *testing.T) {
	_, err := freedom(t, strings.ReplaceAll(carrying("0.46", "0.15"), ": box", ": bax"), "table", "wall", "box")
	if err == nil || !strings.Contains(err.Error(), `test.yaml:6:5: attach (move 4): the scene has no object "bax"; did you mean "box"?`) {
		t.Error(err)
	}
	f, err := freedom(t, carrying("0.46", "0.15"))
	if err != nil || !f.Free || !slices.Equal(f.Absent, []string{"box"}) || !strings.HasSuffix(f.String(), "; without box, which the scene does not have") {
		t.Errorf("%v, %v", f, err)
	}
}

func TestAnObjectElsewhereIsNotAttached(t *testing.T) {
	text := strings.Replace(carrying("0.46", "0.15"), "moveJ: {z: 0.15}", "moveJ: {x: 0.3, z: 0.15}", 1)
	_, err := freedom(t, text, "table", "wall", "box")
	if err == nil || !strings.Contains(err.Error(), `test.yaml:6:5: attach (move 4): the object "box" is 0.255 m from the origin of the tool that takes it, at most 0.1 m`) {
		t.Error(err)
	}
}

func TestCarriesNameTimesAndLinks(t *testing.T) {
	a, _, _ := cranes(t)
	m := compile(t, a, carrying("0.46", "0.15")+"  - attach: lid\n")
	if len(m.Carries) != 2 {
		t.Fatal(m.Carries)
	}
	box, lid := m.Carries[0], m.Carries[1]
	if box.Object != "box" || box.Link != "hand" || !slices.Equal(box.Touch, []string{"finger"}) || box.From != m.Parts[1].End || box.To != m.Parts[4].End {
		t.Errorf("%+v of %+v", box, m.Parts)
	}
	if box.approach != 0 || box.lift != m.Parts[2].End || box.lower != m.Parts[4].Start || box.retreat != m.Duration() {
		t.Errorf("%+v of %+v", box, m.Parts)
	}
	if lid.Object != "lid" || lid.From != m.Duration() || lid.To != m.Duration() {
		t.Errorf("%+v", lid)
	}
	_, err := Compile(parse(t, "tools: {hand: {link: hand, touch: [fingr]}}\nmoves: [attach: box]\n"), a.Robot, a.home)
	if err == nil || !strings.Contains(err.Error(), `attach (move 1): the robot has no link "fingr", which touch of the tool names; did you mean "finger"?`) {
		t.Error(err)
	}
}
