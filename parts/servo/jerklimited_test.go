package servo

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
)

// arms has the descriptions of real robots.
func arms(t testing.TB) *rig {
	r := newRig(t)
	r.files = os.DirFS(filepath.Join(testkit.Root(t), "bench/robots"))
	return r
}

// Goals at any time, by operation, port and waypoint: limits of position, velocity, acceleration and jerk are kept throughout.
func TestJerkLimitedKeepsItsLimits(t *testing.T) {
	random := testkit.Rand(t)
	g := &JerkLimited{URDF: block.NewConst("panda.urdf"), AccelerationLimit: block.NewParam([]float64{4}), JerkLimit: block.NewParam([]float64{30}), Speed: block.NewParam(0.5)}
	r := arms(t)
	r.add("g", g)
	pose := func(share float64) []float64 {
		q := make([]float64, 7)
		for i := range q {
			q[i] = g.axes.lower[i] + (g.axes.upper[i]-g.axes.lower[i])*(0.5+share*(random.Float64()-0.5))
		}
		return q
	}
	var q, v, a []float64
	arrivals := 0
	h := period.Seconds()
	r.run(20_000, func(k int) {
		switch random.IntN(300) {
		case 0:
			if _, err := g.moveTo(Move{pose(1), 4 * random.Float64()}); err != nil {
				t.Fatal(err)
			}
		case 1:
			g.Goal.Feed(pose(2)) // some are beyond the limits
		case 2:
			_, _ = g.halt(block.None{})
		}
	}, func(k int) {
		for i := range q {
			v1, a1 := g.Velocity.Value()[i], g.Acceleration.Value()[i]
			within := g.axes.velocity[i]*0.5 + 1e-6
			if math.Abs(v1) > within || math.Abs(a1) > 4+1e-6 || math.Abs(a1-a[i]) > 30*h+1e-6 || math.Abs(g.axes.within(i, g.Position.Value()[i])-g.Position.Value()[i]) > 1e-4 {
				t.Fatalf("step %d, joint %d: position %v, velocity %v, acceleration %v after %v, goal %v", k, i, g.Position.Value()[i], v1, a1, a[i], g.goal[i])
			}
			testkit.Near(t, "position", g.Position.Value()[i], q[i]+h/2*(v[i]+v1)+h*h/12*(a[i]-a1), 1e-4)
		}
		q, v, a = append(q[:0], g.Position.Value()...), append(v[:0], g.Velocity.Value()...), append(a[:0], g.Acceleration.Value()...)
		if g.Arrived.Value() {
			arrivals++
			testkit.AllNear(t, "arrived", q, g.Target.Value(), 1e-9)
		}
	})
	if arrivals == 0 {
		t.Error("never arrived")
	}
}

// All joints arrive together: in the time asked for, or in the shortest one.
func TestJerkLimitedArrivesInTime(t *testing.T) {
	for duration, want := range map[float64]float64{0: 0.2 + 1.5, 3: 3} { // 1 rad at 1 rad/s, with ramps of 0.5 s in the mean
		g := &JerkLimited{N: block.NewConst(2), VelocityLimit: block.NewParam([]float64{1}), AccelerationLimit: block.NewParam([]float64{2}), JerkLimit: block.NewParam([]float64{10})}
		r := newRig(t)
		r.add("g", g)
		arrived := -1
		r.run(400, func(k int) {
			if k == 0 {
				if _, err := g.moveTo(Move{[]float64{1, 0.3}, duration}); err != nil {
					t.Fatal(err)
				}
			}
		}, func(k int) {
			if arrived < 0 && k > 0 && g.Arrived.Value() {
				arrived = k
				testkit.AllNear(t, "position", g.Position.Value(), []float64{1, 0.3}, 1e-9)
			}
		})
		testkit.Near(t, fmt.Sprintf("duration for %v s", duration), float64(arrived)*period.Seconds(), want, 0.011)
	}
}

// It visits its waypoints again and again; a goal ends that until running is switched on again.
func TestJerkLimitedToursItsWaypoints(t *testing.T) {
	g := &JerkLimited{N: block.NewConst(1), VelocityLimit: block.NewParam([]float64{2}), AccelerationLimit: block.NewParam([]float64{20}), JerkLimit: block.NewParam([]float64{400}),
		Waypoints: block.NewConst([]float64{0.5, -0.5}), Pause: block.NewParam(0.2), Running: block.NewParam(true)}
	r := newRig(t)
	r.add("g", g)
	var visited []float64
	r.run(600, func(k int) {
		switch k {
		case 300:
			g.Goal.Feed([]float64{1.5})
		case 450:
			testkit.AllNear(t, "at the goal", g.Position.Value(), []float64{1.5}, 1e-9)
			g.Running.Set(true)
		}
	}, func(k int) {
		if q := g.Position.Value()[0]; g.Arrived.Value() && k > 0 && (len(visited) == 0 || math.Abs(visited[len(visited)-1]-q) > 1e-6) {
			visited = append(visited, math.Round(q*1e6)/1e6)
		}
	})
	text := strings.Trim(fmt.Sprint(visited), "[]")
	if !strings.HasPrefix(text, "0 0.5 -0.5 0.5 ") || !strings.Contains(text, " 1.5 -0.5") && !strings.Contains(text, " 1.5 0.5") {
		t.Errorf("visited %s", text)
	}
}

// The motion begins where the joints are measured, waits for that, and begins again there after an interruption.
func TestJerkLimitedBeginsWhereTheJointsAre(t *testing.T) {
	g := &JerkLimited{URDF: block.NewConst("panda.urdf"), Joints: block.NewConst([]string{"panda_joint7", "panda_joint2"})}
	r := arms(t)
	r.add("g", g)
	at := &source7{}
	r.add("robot", at, "robot.out -> g.measured")
	r.start()
	step := func(dt time.Duration) {
		t.Helper()
		if err := g.Step(clock.Tick{N: 1, Dt: dt}); err != nil {
			t.Fatal(err)
		}
	}
	step(period)
	if _, err := g.moveTo(Move{[]float64{1, 1}, 0}); !errors.Is(err, errNotBegun) {
		t.Errorf("a goal before the first position: %v", err)
	}
	if n := *inspect.PortOf(&g.Position).Count(); n != 0 {
		t.Errorf("%d positions before one was measured", n)
	}
	at.Out.Write([]float64{0, -0.3, 0, 0, 0, 0, 0.5})
	step(period)
	testkit.AllNear(t, "first", g.Position.Value(), []float64{0.5, -0.3}, 0)
	if _, err := g.moveTo(Move{[]float64{1, 1}, 0}); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		step(period)
	}
	if q := g.Position.Value()[0]; q < 0.51 {
		t.Errorf("after 0.3 s at %v", q)
	}
	at.Out.Write([]float64{0, 0.2, 0, 0, 0, 0, 0.1})
	step(2 * time.Second)
	testkit.AllNear(t, "after an interruption", g.Position.Value(), []float64{0.1, 0.2}, 0)
	testkit.AllNear(t, "velocity after an interruption", g.Velocity.Value(), []float64{0, 0}, 0)
	step(period)
	testkit.AllNear(t, "no goal survives", g.Target.Value(), []float64{0.1, 0.2}, 0)
}

// source7 is written by a test.
type source7 struct{ Out block.Out[[]float64] }

func (s *source7) Setup(b *block.Setup) error { b.Len(7, &s.Out); return nil }

func (s *source7) Step(clock.Tick) error { return nil }

func TestJerkLimitedRejects(t *testing.T) {
	g := &JerkLimited{URDF: block.NewConst("panda.urdf"), Locked: block.NewConst([]string{"panda_joint7"})}
	r := arms(t)
	r.add("g", g)
	r.start()
	good := []float64{0, 0, 0, -1, 0, 1}
	for want, m := range map[string]Move{
		`position of joint "panda_joint4" must be from -3.072 to -0.0698 rad`: {[]float64{0, 0, 0, 1, 0, 1}, 0},
		`joint "panda_joint1"`: {[]float64{math.NaN(), 0, 0, -1, 0, 1}, 0},
		"duration must be":     {good, -1},
		"to 1e+06 s":           {good, math.NaN()},
	} {
		if _, err := g.moveTo(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
	if _, err := g.moveTo(Move{good, 0}); err != nil {
		t.Error(err)
	}
	for want, b := range map[string]*JerkLimited{
		"give max_velocity":    {},
		"give its urdf":        {Joints: block.NewConst([]string{"a"}), VelocityLimit: block.NewParam([]float64{1})},
		"initial has length 2": {URDF: block.NewConst("panda.urdf"), Initial: block.NewConst([]float64{1, 2})},
		`waypoint 2: joint "panda_joint4" is at 0.5 rad`:       {URDF: block.NewConst("panda.urdf"), Joints: block.NewConst([]string{"panda_joint4"}), Waypoints: block.NewConst([]float64{-1, 0.5})},
		"waypoints has length 3":                               {N: block.NewConst(2), VelocityLimit: block.NewParam([]float64{1}), Waypoints: block.NewConst([]float64{1, 2, 3})},
		`no joint "panda_joit4"; did you mean "panda_joint4"?`: {URDF: block.NewConst("panda.urdf"), Joints: block.NewConst([]string{"panda_joit4"})},
		`lock joint "finger"`:                                  {URDF: block.NewConst("panda.urdf"), Locked: block.NewConst([]string{"finger"})},
		"max_jerk has length 2":                                {URDF: block.NewConst("panda.urdf"), JerkLimit: block.NewParam([]float64{1, 2})},
		`initial: joint "panda_joint4" is at 0 rad`:            {URDF: block.NewConst("panda.urdf"), Initial: block.NewConst(make([]float64, 7))},
	} {
		r := arms(t)
		r.add("b", b)
		if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

func TestErrorsOfJointsThatSlideAreInMetres(t *testing.T) {
	files := func(velocity string) fstest.MapFS {
		return fstest.MapFS{"lift.urdf": {Data: []byte(`<robot name="lift"><link name="foot"/><link name="cabin"/>
<joint name="lift" type="prismatic"><parent link="foot"/><child link="cabin"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="1" velocity="` + velocity + `"/></joint></robot>`)}}
	}
	lift := block.NewConst("lift.urdf")
	for velocity, want := range map[string]string{"1": `joint "lift" is at 0.5 m: its limits are 0 to 0.4 m`, "0": "give max_velocity, in m/s"} {
		r := newRig(t)
		r.files = files(velocity)
		r.add("b", &JerkLimited{URDF: lift, Waypoints: block.NewConst([]float64{0.5})})
		if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
	g, r := &JerkLimited{URDF: lift}, newRig(t)
	r.files = files("1")
	r.add("g", g)
	r.start()
	if _, err := g.moveTo(Move{[]float64{0.5}, 0}); err == nil || !strings.Contains(err.Error(), `must be from 0 to 0.4 m`) {
		t.Errorf("got %v", err)
	}
}

// A chain in metres is checked to its beginning, and a unit that the description contradicts is an error.
func TestJerkLimitedHasTheUnitOfItsJoints(t *testing.T) {
	m := block.NewConst("m")
	files := fstest.MapFS{"lift.urdf": {Data: []byte(`<robot name="lift"><link name="foot"/><link name="cabin"/>
<joint name="lift" type="prismatic"><parent link="foot"/><child link="cabin"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="1" velocity="1"/></joint></robot>`)}}
	chain := func(g *JerkLimited, bridge block.Const[string]) error {
		r := newRig(t)
		r.files = files
		if g.URDF.Value() == "panda.urdf" {
			r = arms(t)
		}
		r.add("g", g)
		r.add("bridge", &BridgeRef{Coordinate: bridge}, "g.position -> bridge.position", "g.velocity -> bridge.velocity", "g.acceleration -> bridge.acceleration")
		_, err := r.d.Build()
		return err
	}
	lift := block.NewConst("lift.urdf")
	if err := chain(&JerkLimited{URDF: lift, Coordinate: m}, m); err != nil {
		t.Error(err)
	}
	if err := chain(&JerkLimited{Coordinate: block.NewConst("mm"), VelocityLimit: block.NewParam([]float64{9})}, block.NewConst("mm")); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"g.velocity is in m/s, but bridge.velocity is in rad/s":          chain(&JerkLimited{URDF: lift, Coordinate: m}, block.NewConst("rad")),
		`coordinate is mm, but the positions of joint "lift" are in m`:   chain(&JerkLimited{URDF: lift, Coordinate: block.NewConst("mm")}, m),
		`coordinate is m, but the positions of joint "panda_joint1" are`: chain(&JerkLimited{URDF: block.NewConst("panda.urdf"), Coordinate: m}, m),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

func TestJerkLimitedAllocatesNothing(t *testing.T) {
	g := &JerkLimited{URDF: block.NewConst("panda.urdf")}
	r := arms(t)
	r.add("g", g)
	r.start()
	k := 0
	goal := make([]float64, 7)
	testkit.NoAllocs(t, 5000, func() {
		k++
		if k%20 == 0 {
			for i := range goal {
				goal[i] = 3 * math.Sin(float64(k*(i+1)))
			}
			g.Goal.Feed(goal)
		}
		if err := g.Step(clock.Tick{N: uint64(k), Dt: period}); err != nil {
			t.Fatal(err)
		}
	})
}
