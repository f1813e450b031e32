package plans_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scenario"
)

// panda returns plans for the Panda, and a problem without obstacles in which the hand goes from one side to the other.
func panda(t testing.TB) (*plans.Plans, plans.Problem) {
	t.Helper()
	d, err := description.Read(os.DirFS(filepath.Join("..", "..", "models", "panda")), "panda.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := robots.NewWorld(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := robots.New(robots.Options{})
	if err := r.Add("panda", d, w); err != nil {
		t.Fatal(err)
	}
	return plans.New(r), plans.Problem{
		System: robots.NoSystem, Robot: "panda", Link: "panda_hand", Seconds: 5, Acceleration: 10, Jerk: 100, Distance: true, Tree: true,
		Start: []float64{-0.8, 0.2, 0, -1.8, 0, 2, 0.8, 0.02}, Goal: []float64{0.8, 0.2, 0, -1.8, 0, 2, 0.8, 0.02},
	}
}

func box(name string, x, y, z, size float64) plans.Object {
	return plans.Object{Name: name, P: [3]float64{x, y, z}, Q: [4]float64{0, 0, 0, 1}, Parts: []plans.Part{{Kind: "box", Size: []float64{size, size, size}, Q: [4]float64{0, 0, 0, 1}}}}
}

func make1(t *testing.T, p *plans.Plans, q plans.Problem) *plans.Reply {
	t.Helper()
	r, err := p.Make(context.Background(), "page", &q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hand returns the position of the hand at a share of the samples of a motion.
func hand(r *plans.Reply, share float64) []float64 {
	return r.Hand.Row(int(share*float64(len(r.Hand)/3-1)), 3)
}

// rows returns the points of a motion.
func rows(r *plans.Reply) (list [][]float64) {
	for i := range len(r.Q) / len(r.Goal) {
		list = append(list, r.Q.Row(i, len(r.Goal)))
	}
	return list
}

func TestOpenDescribesRobotAndPlanners(t *testing.T) {
	p, q := panda(t)
	list, err := p.List(context.Background(), plans.ListRequest{})
	if err != nil || len(list) != 1 || list[0] != (plans.Entry{System: "~", Robot: "panda"}) {
		t.Fatalf("%v, %v", list, err)
	}
	s, err := p.Open(context.Background(), list[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Joints) != len(q.Start) || len(s.Planners) != len(planning.Kinds()) || s.Engines[0] != "exact" || s.URDF != "/robot/~/panda/robot.urdf" {
		t.Errorf("%+v", s)
	}
	if len(s.Notes) == 0 || !strings.Contains(s.Notes[0], "visuals") {
		t.Errorf("no note about the visuals: %q", s.Notes)
	}
	if _, err := p.Open(context.Background(), plans.Entry{System: "~", Robot: "pandas"}); err == nil || !strings.Contains(err.Error(), `"panda"`) {
		t.Errorf("an unknown robot: %v", err)
	}
}

func TestMovedObstacleGivesAnotherMotion(t *testing.T) {
	p, q := panda(t)
	straight := make1(t, p, q)
	if straight.Why != nil || straight.Duration <= 0 || len(straight.Q) == 0 || len(straight.Hand)*8 != len(straight.Q)*3 {
		t.Fatalf("%+v", straight)
	}
	if straight.Least == nil || straight.Least.Distance <= 0 {
		t.Errorf("no least distance: %+v", straight.Least)
	}
	middle := hand(straight, 0.5)
	q.Objects = []plans.Object{box("block", middle[0], middle[1], middle[2], 0.2)}
	around := make1(t, p, q)
	if around.Why != nil || around.Length <= straight.Length || len(around.Tree) == 0 {
		t.Fatalf("a box in the way: %v, length %g after %g, %d edges", around.Why, around.Length, straight.Length, len(around.Tree))
	}
	check, err := p.Check(context.Background(), plans.CheckRequest{System: q.System, Robot: q.Robot, Objects: q.Objects, Q: rows(around)})
	if err != nil || check.Why != nil {
		t.Errorf("the motion is not free: %+v, %v", check, err)
	}
	check, err = p.Check(context.Background(), plans.CheckRequest{System: q.System, Robot: q.Robot, Objects: q.Objects, Q: rows(straight)})
	if err != nil || check.Why == nil {
		t.Errorf("the straight motion is free: %+v, %v", check, err)
	}
	q.Objects[0].P[2] += 2
	if away := make1(t, p, q); math.Abs(away.Length-straight.Length) > 1e-9 {
		t.Errorf("length %g with the box away, %g without it", away.Length, straight.Length)
	}
}

func TestGoalInCollisionNamesBodiesAndDepth(t *testing.T) {
	p, q := panda(t)
	at := hand(make1(t, p, q), 1)
	q.Objects = []plans.Object{box("crate", at[0], at[1], at[2], 0.1)}
	r := make1(t, p, q)
	if r.Why == nil || r.Why.Kind != "goal" || len(r.Why.Contacts) == 0 {
		t.Fatalf("%+v", r.Why)
	}
	c := r.Why.Contacts[0]
	if c.A != "crate" && c.B != "crate" || c.Distance >= 0 {
		t.Errorf("%+v", c)
	}
}

func TestReasonsOfProblemsWithoutPlan(t *testing.T) {
	p, q := panda(t)
	beyond := q
	beyond.Goal = append([]float64{3}, q.Goal[1:]...)
	if r := make1(t, p, beyond); r.Why == nil || r.Why.Kind != "limit" || r.Why.Joint != "panda_joint1" {
		t.Errorf("a goal beyond a limit: %+v", r.Why)
	}
	far := q
	far.Pose = &robots.Target{P: [3]float64{3, 0, 0.5}, Q: &[4]float64{1, 0, 0, 0}}
	if r := make1(t, p, far); r.Why == nil || r.Why.Kind != "unreachable" || len(r.Goal) != len(q.Goal) {
		t.Errorf("a pose out of reach: %+v", r.Why)
	}
	walls := q
	walls.Seconds = 0.05
	for i, at := range [][3]float64{{0.45, 0, 0.5}} {
		wall := box("wall"+string(rune('a'+i)), at[0], at[1], at[2], 1)
		wall.Parts[0].Size = []float64{0.7, 0.01, 3}
		walls.Objects = append(walls.Objects, wall)
	}
	r := make1(t, p, walls)
	if r.Why != nil && r.Why.Kind != "time" {
		t.Errorf("a wall: %+v", r.Why)
	}
}

func TestPoseOfTheHandIsReachedFromTheLastGoal(t *testing.T) {
	p, q := panda(t)
	first := make1(t, p, q)
	at := hand(first, 1)
	q.Pose = &robots.Target{P: [3]float64{at[0], at[1], at[2] + 0.05}}
	r := make1(t, p, q)
	if r.Why != nil {
		t.Fatalf("%+v", r.Why)
	}
	if end := hand(r, 1); math.Abs(end[2]-at[2]-0.05) > 1e-3 {
		t.Errorf("the hand is at %v, want 0.05 m above %v", end, at)
	}
	for i := range r.Goal {
		if math.Abs(r.Goal[i]-q.Goal[i]) > 0.5 {
			t.Errorf("joint %d leaps from %g to %g", i, q.Goal[i], r.Goal[i])
		}
	}
}

func TestEveryPlannerIsOffered(t *testing.T) {
	p, q := panda(t)
	q.Seconds = 0.2
	for _, k := range planning.Kinds() {
		q.Planner = k.Name
		if r := make1(t, p, q); r.Why != nil || r.Planner != k.Name {
			t.Errorf("%s: %+v", k.Name, r.Why)
		}
	}
}

func TestNewerRequestReplacesTheOneUnderWay(t *testing.T) {
	p, q := panda(t)
	q.Planner = "prm-star" // it goes on improving until its time is over
	at := hand(make1(t, p, q), 0.5)
	q.Objects = []plans.Object{box("block", at[0], at[1], at[2], 0.2)}
	const pages = 8
	var wait sync.WaitGroup
	outcomes := make(chan error, pages)
	for range pages {
		wait.Go(func() {
			mine := q
			_, err := p.Make(context.Background(), "page", &mine)
			outcomes <- err
		})
	}
	wait.Wait()
	close(outcomes)
	made := 0
	for err := range outcomes {
		switch {
		case err == nil:
			made++
		case !errors.Is(err, plans.ErrReplaced):
			t.Error(err)
		}
	}
	if made == 0 {
		t.Error("no request was answered")
	}
	p.EndOf("page")
}

func TestHostileProblemsAreRefused(t *testing.T) {
	p, good := panda(t)
	turned := box("b", 1, 0, 0, 0.1)
	turned.Q = [4]float64{}
	many := make([]plans.Object, 201)
	for name, change := range map[string]func(q *plans.Problem){
		"values":       func(q *plans.Problem) { q.Start = q.Start[1:] },
		"beyond":       func(q *plans.Problem) { q.Goal = append([]float64{1e9}, q.Goal[1:]...) },
		"not finite":   func(q *plans.Problem) { q.Goal = append([]float64{math.NaN()}, q.Goal[1:]...) },
		"obstacles":    func(q *plans.Problem) { q.Objects = many },
		"time":         func(q *plans.Problem) { q.Seconds = 1000 },
		"hold joint":   func(q *plans.Problem) { q.Held = []string{"panda_joint99"} },
		"acceleration": func(q *plans.Problem) { q.Acceleration = math.Inf(1) },
		"jerk":         func(q *plans.Problem) { q.Jerk = -1 },
		"engine":       func(q *plans.Problem) { q.Engine = "fast" },
		"spheres":      func(q *plans.Problem) { q.Engine = "spheres" },
		"planner":      func(q *plans.Problem) { q.Planner = "rrt-conect" },
		"panda_hnad":   func(q *plans.Problem) { q.Link = "panda_hnad" },
		"quaternion":   func(q *plans.Problem) { q.Objects = []plans.Object{turned} },
		"size":         func(q *plans.Problem) { q.Objects = []plans.Object{box("b", 1, 0, 0, -1)} },
		"name":         func(q *plans.Problem) { q.Objects = []plans.Object{box("", 1, 0, 0, 1)} },
		"has a body":   func(q *plans.Problem) { q.Objects = []plans.Object{box("panda_hand", 1, 0, 0, 1)} },
		"want box": func(q *plans.Problem) {
			o := box("b", 1, 0, 0, 1)
			o.Parts[0].Kind = "ball"
			q.Objects = []plans.Object{o}
		},
		"its file": func(q *plans.Problem) {
			o := box("b", 1, 0, 0, 1)
			o.Parts[0].Kind = "file"
			q.Objects = []plans.Object{o}
		},
		"pose": func(q *plans.Problem) { q.Pose = &robots.Target{P: [3]float64{math.Inf(1)}} },
	} {
		q := good
		change(&q)
		if _, err := p.Make(context.Background(), "page", &q); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r := make1(t, p, good); r.Why != nil {
		t.Errorf("a good problem after bad ones: %+v", r.Why)
	}
}

func TestSliceShowsWhatIsFreeAroundTheGoal(t *testing.T) {
	p, q := panda(t)
	at := hand(make1(t, p, q), 0.5)
	slice := plans.SliceRequest{System: q.System, Robot: q.Robot, Objects: []plans.Object{box("block", at[0], at[1], at[2], 0.2)}, Q: q.Goal, X: 0, Y: 1, Cells: 16}
	r, err := p.Slice(context.Background(), slice)
	if err != nil || len(r.Rows) != 16 || len(r.Rows[0]) != 16 {
		t.Fatalf("%+v, %v", r, err)
	}
	if all := strings.Join(r.Rows, ""); !strings.Contains(all, ".") || !strings.Contains(all, "#") {
		t.Errorf("nothing is free, or nothing in collision:\n%s", strings.Join(r.Rows, "\n"))
	}
	for _, bad := range []func(*plans.SliceRequest){
		func(q *plans.SliceRequest) { q.Y = 0 }, func(q *plans.SliceRequest) { q.X = 99 }, func(q *plans.SliceRequest) { q.Cells = 1000 }, func(q *plans.SliceRequest) { q.Q = nil },
	} {
		q := slice
		if bad(&q); func() bool { _, err := p.Slice(context.Background(), q); return err == nil }() {
			t.Errorf("%+v is sliced", q)
		}
	}
}

func TestCheckRefusesWaysThatTakeLong(t *testing.T) {
	p, q := panda(t)
	far := slices.Clone(q.Goal)
	far[0] += 100
	_, err := p.Check(context.Background(), plans.CheckRequest{System: q.System, Robot: q.Robot, Q: [][]float64{q.Start, q.Goal, far}})
	if err == nil || !strings.Contains(err.Error(), "the way to point 3 of 3 is longer than 64") {
		t.Errorf("%v", err)
	}
}

// TestDriverIsAnsweredDuringAFloodOfAViewer: requests that compute have their turns by user, so each of the driver waits for few of the viewer.
func TestDriverIsAnsweredDuringAFloodOfAViewer(t *testing.T) {
	p, q := panda(t)
	const flood = 64 // requests that are worked on at once
	as := func(ctx context.Context, user string) context.Context {
		return admin.WithActor(ctx, admin.Actor{User: user})
	}
	slice := plans.SliceRequest{System: q.System, Robot: q.Robot, Q: q.Goal, X: 0, Y: 1, Cells: 96}
	viewer, cancel := context.WithCancel(as(t.Context(), "viewer"))
	var flooding sync.WaitGroup
	var asked, answered atomic.Int32
	for range flood {
		flooding.Go(func() {
			asked.Add(1)
			for viewer.Err() == nil {
				if _, err := p.Slice(viewer, slice); err == nil {
					answered.Add(1)
				}
			}
		})
	}
	testkit.Await(t, "the flood", func() bool { return asked.Load() == flood })
	driver, before := as(t.Context(), "driver"), answered.Load()
	if _, err := p.Slice(driver, slice); err != nil {
		t.Error(err)
	}
	if _, err := p.Check(driver, plans.CheckRequest{System: q.System, Robot: q.Robot, Q: [][]float64{q.Start, q.Goal}}); err != nil {
		t.Error(err)
	}
	if _, err := p.Reach(driver, plans.ReachRequest{Entry: plans.Entry{System: q.System, Robot: q.Robot}, Link: q.Link, Pose: robots.Target{P: [3]float64{0.4, 0, 0.5}}, Q: q.Goal}); err != nil {
		t.Error(err)
	}
	if r, err := p.Make(driver, "page", &q); err != nil || r.Why != nil {
		t.Error(err, r)
	}
	if n := answered.Load() - before; n > flood/2 {
		t.Errorf("meanwhile the viewer was answered %d times", n)
	}
	cancel()
	flooding.Wait()
}

// BenchmarkDraggedGoal plans for goals that move a little at a time, around a box. It reports the 95th percentile of a request, in µs.
func BenchmarkDraggedGoal(b *testing.B) {
	p, q := panda(b)
	q.Objects = []plans.Object{box("block", 0.6, 0, 0.4, 0.2)}
	q.Tree = false
	var times []float64
	for i := 0; b.Loop(); i++ {
		q.Goal[0] = 0.8 + 0.2*math.Sin(float64(i)/20)
		r, err := p.Make(context.Background(), "page", &q)
		if err != nil || r.Why != nil {
			b.Fatal(err, r)
		}
		times = append(times, r.TotalUS)
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)*95/100], "p95-µs")
}

func TestSavedSceneIsReadAgain(t *testing.T) {
	p, _ := panda(t)
	o := box("crate", 0.5, 0.1, 0.2, 0.3)
	o.Parts = append(o.Parts, plans.Part{Kind: "sphere", Size: []float64{0.05}, P: [3]float64{0, 0, 0.2}, Q: [4]float64{0, 0, 0, 1}},
		plans.Part{Kind: "cylinder", Size: []float64{0.4, 0.02}, Q: [4]float64{0, 0, 0, 1}})
	reply, err := p.WriteScene(context.Background(), plans.SceneRequest{Entry: plans.Entry{System: robots.NoSystem, Robot: "panda"}, Objects: []plans.Object{o}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "scene.yaml"), []byte(reply.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := scenario.ReadMoveIt(os.DirFS(dir), "scene.yaml")
	if err != nil || len(w.Objects) != 1 || len(w.Objects[0].Parts) != 3 || w.Objects[0].Pose.P.X != 0.5 {
		t.Fatalf("%+v, %v\n%s", w, err, reply.Text)
	}
}
