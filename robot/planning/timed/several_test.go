package timed_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// twoArms is a Panda and a UR5 that face each other 1.1 m apart and reach for the middle between them. The file of the UR5 has it on a table of 0.91 m.
type twoArms struct {
	scene  *scene.Scene
	robots [][]string
	joints *space.Joints
	limits []trajectory.Limits
	exact  *exact.Engine
	q      []float64
}

func newTwoArms(t *testing.T) *twoArms {
	t.Helper()
	panda := planningtest.Read(t, scenario.ReadRobot, testkit.SharedData(t, "planning", "robots", "panda.json"))
	ur5 := planningtest.Read(t, scenario.ReadRobot, testkit.SharedData(t, "planning", "robots", "ur5.json"))
	panda.Scene.Prefix, ur5.Scene.Prefix = "left/", "right/"
	ur5.Scene.Base = spatial.Pose{R: spatial.RotZ(math.Pi), P: spatial.Vec3{X: 1.1, Z: -0.91}}
	a := &twoArms{scene: planningtest.Must(scene.New(panda.Scene, ur5.Scene)), robots: make([][]string, 2)}
	a.joints = planningtest.Must(space.NewJoints(a.scene, nil, nil))
	for _, name := range a.joints.Names {
		k := 0
		if strings.HasPrefix(name, "right/") {
			k = 1
		}
		a.robots[k] = append(a.robots[k], name)
		a.limits = append(a.limits, trajectory.Limits{Velocity: 2, Acceleration: 10, Jerk: 500})
	}
	a.exact, a.q = exact.New(a.scene), make([]float64, a.scene.NQ())
	if len(a.robots[0]) != 7 || len(a.robots[1]) != 6 {
		t.Fatalf("the arms have the joints %v", a.robots)
	}
	return a
}

const resolution = 1.0 / 32

// atOnce is the motion of both arms if the second one departs at the beginning.
type atOnce struct{ *timed.MultiRobotMotion }

func (m atOnce) At(time float64, out []trajectory.State) {
	late := make([]trajectory.State, len(out))
	m.MultiRobotMotion.At(time+m.Departure(1), late)
	m.MultiRobotMotion.At(time, out)
	copy(out[7:], late[7:])
}

// free reports by the exact engine whether both arms are free.
func (a *twoArms) free(p []float64) bool {
	a.joints.Configuration(p, a.q)
	_, hit, err := a.exact.Collide(a.q)
	return !hit && err == nil
}

// touches reports by the exact engine whether the arms touch at one of 2000 times of a motion.
func (a *twoArms) touches(m trajectory.Motion) bool {
	states, p := make([]trajectory.State, m.Axes()), make([]float64, m.Axes())
	for k := range 2001 {
		m.At(m.Duration()*float64(k)/2000, states)
		for i, x := range states {
			p[i] = x.Position
		}
		if !a.free(p) {
			return true
		}
	}
	return false
}

// The arms reach for the middle around these postures, rad.
var (
	home   = []float64{0, 0.4, 0, -1.6, 0, 2, 0.8, -1.57, -1, 1.4, -2, -1.5, 0}
	spread = []float64{1.4, 0.5, 0.5, 0.6, 0.5, 0.5, 1, 1.4, 0.5, 0.6, 0.5, 0.5, 1}
)

// problem returns a start and a goal of both arms at which they are free, also while one has moved and the other has not. If swapped, they are not free then.
func (a *twoArms) problem(u *space.Uniform, swapped bool) (start, goal []float64) {
	n := a.joints.Dim()
	start, goal = make([]float64, n), make([]float64, n)
	for {
		for _, p := range [][]float64{start, goal} {
			u.Next(p)
			for i := range p {
				p[i] = home[i] + 2*(p[i]-0.5)*spread[i]
			}
		}
		moved := slices.Concat(goal[:7], start[7:])
		if a.free(start) && a.free(goal) && a.free(moved) != swapped {
			return start, goal
		}
	}
}

// TestArmsMoveOneAfterTheOtherInTime plans for two arms whose motions touch if they begin at once. The motions of both together must be free by the exact engine, begin and end
// where they should, and take less time than one behind the other.
func TestArmsMoveOneAfterTheOtherInTime(t *testing.T) {
	a := newTwoArms(t)
	p := planningtest.Must(timed.NewPrioritized(planningtest.Must(spheres.New(a.scene)), a.robots, a.limits, resolution, 20_000))
	var u space.Uniform
	u.Reset(1)
	solved, waited := 0, 0
	sum, behind, best := 0.0, 0.0, 0.0
	for range 40 {
		start, goal := a.problem(&u, false)
		p.Seed = uint64(solved)
		p.Paths = 1
		m, v, err := p.Plan(start, goal)
		if errors.Is(err, planning.ErrNoPath) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		solved++
		if !v.Free || a.touches(m) {
			t.Errorf("problem %d: the arms touch: %v", solved, v)
		}
		states := make([]trajectory.State, m.Axes())
		for time, want := range map[float64][]float64{0: start, m.Duration(): goal} {
			m.At(time, states)
			for i, x := range states {
				if math.Abs(x.Position-want[i]) > 1e-9 || x.Velocity != 0 {
					t.Errorf("problem %d: axis %d is at %+v at %g s, want rest at %g", solved, i, x, time, want[i])
				}
			}
		}
		if m.Departure(1) == 0 {
			continue
		}
		waited++
		both := m.Duration()
		sum += both
		behind += both - m.Departure(1) + m.Arrival(0)
		// The same motions, begun at once, touch.
		if !a.touches(atOnce{m}) {
			t.Errorf("problem %d: the second arm waits %g s for nothing", solved, m.Departure(1))
		}
		p.Paths = 4
		faster, _, err := p.Plan(start, goal)
		if err != nil || faster.Duration() > both || a.touches(faster) {
			t.Errorf("problem %d: with four paths %v", solved, err)
			continue
		}
		best += faster.Duration()
	}
	t.Logf("%d of 40 solved, %d with a later departure: %.2f s together, %.2f s with the best of four paths, %.2f s one behind the other", solved, waited, sum, best, behind)
	if solved < 38 || waited < 5 || sum > 0.8*behind || best > sum {
		t.Errorf("%d problems solved, %d with a later departure, %g s of %g s", solved, waited, sum, behind)
	}
}

// TestArmsMoveAsOne plans in the space of all joints of both arms for problems in which one arm ends where the other one starts, which robots one after the other cannot
// solve.
func TestArmsMoveAsOne(t *testing.T) {
	a := newTwoArms(t)
	engine := planningtest.Must(spheres.New(a.scene))
	connect := planningtest.Must(planning.NewConnect(engine, a.joints, resolution, 50_000))
	planner := timed.NewPlanner(connect, planningtest.Must(proof.NewProver(a.scene, a.joints, 1e-3)), a.limits)
	prioritized := planningtest.Must(timed.NewPrioritized(engine, a.robots, a.limits, resolution, 20_000))
	var u space.Uniform
	u.Reset(2)
	around := 0
	for i := range 12 {
		start, goal := a.problem(&u, true)
		m, report, err := planner.Plan(start, goal)
		if err != nil {
			t.Errorf("problem %d: %v", i, err)
			continue
		}
		if !report.Free || a.touches(m) {
			t.Errorf("problem %d: the arms touch: %v", i, report)
		}
		if report.Waypoints > 2 {
			around++
		}
		var collision *planning.CollisionError
		if _, _, err := prioritized.Plan(start, goal); !errors.As(err, &collision) || collision.End != "goal" || !strings.Contains(err.Error(), "plan the motion of robot 0, with left/panda_joint1: ") ||
			!strings.Contains(err.Error(), "right/") {
			t.Errorf("problem %d, one after the other: %v", i, err)
		}
	}
	if around < 6 {
		t.Errorf("%d of 12 motions go around the other arm", around)
	}
}

func TestSeveralRobotsAreRefused(t *testing.T) {
	a := newTwoArms(t)
	engine := planningtest.Must(spheres.New(a.scene))
	for want, robots := range map[string][][]string{
		"name the joints of each": {{"left/panda_joint1"}, {}},
		"it is named twice":       {{"left/panda_joint1"}, {"left/panda_joint1"}},
		"no robot of the scene":   {{"left/panda_joint9"}, {"left/panda_joint1"}},
		"limits of 13 joints":     {{"left/panda_joint1"}, {"left/panda_joint2"}},
	} {
		if _, err := timed.NewPrioritized(engine, robots, a.limits, resolution, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
