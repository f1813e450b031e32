package plans_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// square returns plans for the Panda with the program square.yaml, and a request to compile it.
func square(t *testing.T) (*plans.Plans, plans.ProgramRequest) {
	t.Helper()
	folder := filepath.Join("..", "..", "examples", "arm")
	d, err := description.Read(os.DirFS(filepath.Join("..", "..", "models", "panda")), "panda.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := robots.NewWorld(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	arm := robots.Arm{Semantic: &description.Semantic{States: []description.GroupState{
		{Name: "aside", Joints: []description.JointPosition{{Joint: "panda_joint1", Values: []float64{0.5}}}},
	}}}
	for i, v := range []float64{2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61} {
		arm.Joints = append(arm.Joints, "panda_joint"+string(rune('1'+i)))
		arm.Limits = append(arm.Limits, trajectory.Limits{Velocity: v, Acceleration: 5, Jerk: 50})
	}
	w.Programs = []robots.Program{{Name: "square.yaml", File: "/square.yaml", Files: os.DirFS(folder), Arm: func(context.Context) (*robots.Arm, error) { return &arm, nil }}}
	r := robots.New(robots.Options{})
	if err := r.Add("panda", d, w); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "square.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return plans.New(r), plans.ProgramRequest{Entry: plans.Entry{System: robots.NoSystem, Robot: "panda"}, File: "/square.yaml", Text: string(text),
		Start: []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854, 0.02}}
}

func compile(t *testing.T, p *plans.Plans, q plans.ProgramRequest) *plans.ProgramReply {
	t.Helper()
	r, err := p.Compile(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pointOf returns the point of a move.
func pointOf(t *testing.T, r *plans.ProgramReply, move int, via bool) plans.ProgramPoint {
	t.Helper()
	for _, x := range r.Points {
		if x.Move == move && x.Via == via {
			return x
		}
	}
	t.Fatalf("move %d has no point among %+v", move, r.Points)
	return plans.ProgramPoint{}
}

func TestCompileDescribesMotionPointsAndLimits(t *testing.T) {
	p, q := square(t)
	q.Free = true
	r := compile(t, p, q)
	if len(r.Problems) != 0 || r.Title != "square and circle" || math.Abs(r.Duration-10.56) > 0.1 || !strings.Contains(r.Report, "free") {
		t.Fatalf("%+v, %q, %g s, %q", r.Problems, r.Title, r.Duration, r.Report)
	}
	corner := pointOf(t, r, 5, false)
	if at := corner.Pose.P; math.Hypot(at[0]-0.6, at[1]-0.1) > 1e-9 || corner.Line != 23 || corner.Turns || corner.Fixed != "" {
		t.Errorf("the first corner: %+v", corner)
	}
	if via := pointOf(t, r, 11, true).Pose.P; math.Hypot(via[0]-0.5, via[1]-0.1) > 1e-9 {
		t.Errorf("the arc passes through %v", via)
	}
	n, width := len(r.Hand)/3, len(r.Limits)
	if len(r.Q) != 8*n || len(r.Use) != width*n || r.Q[7] != 0.02 {
		t.Fatalf("%d samples of the tool, %d of 8 joints, %d of %d limits", n, len(r.Q), len(r.Use), width)
	}
	most, tool := 0.0, 0.0
	for i, x := range r.Use {
		most = max(most, x)
		if l := r.Limits[i%width]; l == (plans.ProgramLimit{Kind: "speed"}) {
			tool = max(tool, x)
		}
	}
	if most > 1.001 || tool < 0.99 {
		t.Errorf("the greatest use of a limit is %g, of the tool's speed %g: want at most 1, and 1 on the longer edges", most, tool)
	}
	if last := r.Hand.Row(n-1, 3); math.Hypot(last[0]-r.Hand[0], last[2]-r.Hand[2]) > 1e-6 {
		t.Errorf("the program ends at %v, begins at %v", last, r.Hand[:3])
	}
}

func TestCompileAppliesAnEditToOnePlaceOfTheText(t *testing.T) {
	p, q := square(t)
	r := compile(t, p, q)
	at := pointOf(t, r, 5, false).Pose
	at.P[0] += 0.03
	q.Edit = &plans.ProgramEdit{Move: 5, Pose: at}
	r = compile(t, p, q)
	if want := strings.Replace(q.Text, "{xyz: [100 mm, -100 mm, 0]}", "{xyz: [130 mm, -100 mm, 0]}", 1); r.Text != want || len(r.Problems) != 0 {
		t.Errorf("%+v\n%s", r.Problems, r.Text)
	}
	if moved := pointOf(t, r, 5, false).Pose.P; math.Abs(moved[0]-at.P[0]) > 1e-6 {
		t.Errorf("the point is at %v, want %v", moved, at.P)
	}
	q.Text = r.Text
	last := pointOf(t, r, 13, false) // a moveJ in positions of joints
	last.Pose.P[2] -= 0.02
	q.Edit = &plans.ProgramEdit{Move: 13, Pose: last.Pose}
	r = compile(t, p, q)
	if now := pointOf(t, r, 13, false).Pose.P; math.Hypot(now[0]-last.Pose.P[0], now[2]-last.Pose.P[2]) > 1e-4 {
		t.Errorf("the joints bring the tool to %v, want %v", now, last.Pose.P)
	}
	if a, b := strings.Split(q.Text, "\n"), strings.Split(r.Text, "\n"); a[len(a)-2] == b[len(b)-2] || a[0] != b[0] || len(a) != len(b) {
		t.Errorf("the last move is %q", b[len(b)-2])
	}
}

// A moveJ by the names of some joints has its point where the tool is at its end, which cannot be dragged; one that names all joints is as one with a list.
func TestCompileShowsTheEndsOfMovesOfNamedJoints(t *testing.T) {
	p, q := square(t)
	head, _, _ := strings.Cut(q.Text, "\nmoves:")
	q.Text = head + `
moves:
  - moveJ: {panda_joint1: 0.5, panda_joint4: -2}
  - moveJ: [0.5, -0.7854, 0, -2, 0, 1.5708, 0.9]
  - moveJ: {panda_joint7: 0.9, panda_joint1: 0.5, panda_joint2: -0.7854, panda_joint3: 0, panda_joint4: -2, panda_joint5: 0, panda_joint6: 1.5708}
  - moveL: {xyz: [0.5, 0, 9]}
  - moveJ: {panda_joint1: 0}
`
	r := compile(t, p, q)
	if len(r.Points) != 4 || len(r.Problems) != 1 {
		t.Fatalf("%+v\n%+v", r.Points, r.Problems)
	}
	some, list, all := pointOf(t, r, 1, false), pointOf(t, r, 2, false), pointOf(t, r, 3, false)
	for k := range 3 {
		if math.Abs(some.Pose.P[k]-list.Pose.P[k]) > 1e-9 || math.Abs(all.Pose.P[k]-list.Pose.P[k]) > 1e-9 {
			t.Fatalf("the tool is at %v, %v and %v: want the same place three times", some.Pose.P, list.Pose.P, all.Pose.P)
		}
	}
	if !some.Joints || !list.Joints || !strings.Contains(some.Fixed, "the others stay") || all.Fixed != "" {
		t.Errorf("%+v\n%+v", some, all)
	}
	all.Pose.P[2] += 0.02
	q.Edit = &plans.ProgramEdit{Move: 3, Pose: all.Pose}
	r = compile(t, p, q)
	if now := pointOf(t, r, 3, false).Pose.P; math.Abs(now[2]-all.Pose.P[2]) > 1e-4 {
		t.Errorf("the joints bring the tool to %v, want %v", now, all.Pose.P)
	}
}

func TestCompileShowsWhereAProgramFails(t *testing.T) {
	p, q := square(t)
	text := q.Text
	q.Text = strings.Replace(text, "{xyz: [100 mm, 100 mm, 0]}", "{xyz: [100 mm, 900 mm, 0]}", 1)
	r := compile(t, p, q)
	if len(r.Problems) != 1 {
		t.Fatalf("%+v", r.Problems)
	}
	x := r.Problems[0]
	if x.Line != 25 || x.Move != 6 || x.S == nil || *x.S < 0.2 || x.Place == nil || math.Abs(x.Place[1]-(0.1-*x.S)) > 0.03 || !strings.Contains(x.Text, "move the target") {
		t.Errorf("%+v", x)
	}
	if r.Duration == 0 || len(r.Moves) == 0 || r.Moves[len(r.Moves)-1].Move >= 6 {
		t.Errorf("the motion before it takes %g s: %+v", r.Duration, r.Moves)
	}
	q.Text = strings.Replace(text, "  - moveJ: [0,", "  - moveJ: [3,", 1)
	if r = compile(t, p, q); len(r.Problems) != 1 || r.Problems[0].Joint != "panda_joint1" {
		t.Errorf("beyond a limit: %+v", r.Problems)
	}
	q.Text = strings.Replace(text, "dwell: 200 ms", "dwell: 200 mm", 1)
	if r = compile(t, p, q); len(r.Problems) != 1 || r.Problems[0].Line != 22 || len(r.Points) != 0 {
		t.Errorf("a mistake in the text: %+v", r.Problems)
	}
	q.Text, q.Free, q.Objects = text, true, []plans.Object{box("box", 0.6, 0.1, 0.3, 0.05)}
	if r = compile(t, p, q); len(r.Problems) != 1 || r.Problems[0].Place == nil || r.Duration < 10 {
		t.Fatalf("an obstacle on the way: %+v", r.Problems)
	}
	if c := r.Problems[0].Contacts; len(c) == 0 || c[0].B != "box" && c[0].A != "box" {
		t.Errorf("it touches %+v", c)
	}
	q.File = "other.yaml"
	if _, err := p.Compile(context.Background(), q); err == nil || !strings.Contains(err.Error(), `robot "panda" has no such program`) {
		t.Error(err)
	}
}

func TestOpenNamesJointsWithoutALimitOfVelocity(t *testing.T) {
	urdf := `<robot name="slider"><link name="world"/><link name="box"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="world"/><child link="box"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="0" effort="0"/></joint></robot>`
	d, err := description.Read(fstest.MapFS{"slider.urdf": {Data: []byte(urdf)}}, "slider.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := robots.NewWorld(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := robots.New(robots.Options{})
	if err := r.Add("slider", d, w); err != nil {
		t.Fatal(err)
	}
	setting, err := plans.New(r).Open(context.Background(), plans.Entry{System: robots.NoSystem, Robot: "slider"})
	if err != nil || len(setting.Unlimited) != 1 || setting.Unlimited[0] != "slide" || !strings.Contains(strings.Join(setting.Notes, "\n"), "no greatest velocity of slide") {
		t.Errorf("%+v, %v", setting, err)
	}
}

// A moveJ to a state of the SRDF file has its place on the page; it is moved in the text only, and a name that does not exist is a mistake of its line.
func TestProgramGoesToStates(t *testing.T) {
	p, q := square(t)
	q.Text = "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: aside\n"
	r := compile(t, p, q)
	if len(r.Problems) != 0 || len(r.Q) < 8 || math.Abs(r.Q[len(r.Q)-8]-0.5) > 1e-9 {
		t.Fatalf("%+v", r)
	}
	if x := pointOf(t, r, 1, false); !x.Joints || !strings.Contains(x.Fixed, `it is the state "aside" of the SRDF file`) || x.Pose.P[1] < 0.1 {
		t.Errorf("%+v", x)
	}
	q.Text = "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: asid\n"
	if r = compile(t, p, q); len(r.Problems) != 1 || r.Problems[0].Line != 3 || !strings.Contains(r.Problems[0].Text, `no state "asid"; did you mean "aside"?`) {
		t.Errorf("%+v", r.Problems)
	}
}

// An object that the tool carries is examined with the robot: the hand passes over the wall, and the box below it touches.
func TestProgramCarriesAnObjectOfTheScene(t *testing.T) {
	p, q := square(t)
	q.Free = true
	q.Text = `tools: {hand: {link: panda_hand, xyz: [0, 0, 103 mm], touch: [panda_leftfinger, panda_rightfinger]}}
moves:
  - moveJ: {xyz: [0.45, -0.25, 0.1], rpy: [180 deg, 0, 0]}
  - attach: box
  - moveL: {xyz: [0.45, -0.25, 0.3]}
  - moveL: {xyz: [0.45, 0.25, 0.3]}
`
	block := func(name string, at, size [3]float64) plans.Object {
		upright := [4]float64{0, 0, 0, 1}
		return plans.Object{Name: name, P: at, Q: upright, Parts: []plans.Part{{Kind: "box", Size: size[:], Q: upright}}}
	}
	wall, box := block("wall", [3]float64{0.6, 0, 0.135}, [3]float64{0.4, 0.04, 0.27}), block("box", [3]float64{0.45, -0.25, 0.1}, [3]float64{0.03, 0.03, 0.08})
	q.Objects = []plans.Object{wall, box}
	r := compile(t, p, q)
	if len(r.Problems) != 1 || r.Problems[0].Line != 6 || r.Problems[0].Joint != "panda_joint7" || r.Problems[0].S == nil || !strings.Contains(r.Problems[0].Text, "box, which panda_hand carries") {
		t.Fatalf("%+v", r.Problems)
	}
	if c := r.Problems[0].Contacts; len(c) != 1 || c[0].A != "wall" && c[0].B != "wall" {
		t.Errorf("%+v", c)
	}
	near := func(a [3]float64, x, y, z float64) bool { return math.Hypot(math.Hypot(a[0]-x, a[1]-y), a[2]-z) < 1e-6 }
	if c := r.Carried; len(c) != 1 || c[0].Object != "box" || c[0].Link != "panda_hand" || c[0].From != r.Moves[0].End || c[0].To != r.Duration || !near(c[0].Grip.P, 0, 0, 0.103) || !near(c[0].Left.P, 0.45, 0.25, 0.3) {
		t.Errorf("the page draws %+v", c)
	}
	q.Objects = []plans.Object{wall}
	if r = compile(t, p, q); len(r.Problems) != 1 || r.Problems[0].Line != 4 || !strings.Contains(r.Problems[0].Text, `the scene has no object "box"; there is wall`) {
		t.Errorf("%+v", r.Problems)
	}
	q.Objects = nil
	if r = compile(t, p, q); len(r.Problems) != 0 || len(r.Carried) != 0 || !strings.Contains(r.Report, "without box") {
		t.Errorf("%+v, %s", r.Problems, r.Report)
	}
}
