package motion

import (
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// period is that of a cycle in tests.
const period = 2 * time.Millisecond

// The left compartment of the shelf of examples/plan, and the right one.
var stations = []float64{0.35, 0.5, 1.3, -0.2, -0.35, 0.5, 1.3, -0.2}

// away is where the ball is in no way.
var away = []float64{0, 0, 3}

func shelf() World {
	return World{
		URDF: block.NewConst("arm.urdf"), SRDF: block.NewConst("arm.srdf"), Problems: block.NewConst("shelf.json"), Radii: block.NewConst([]float64{0.08}),
		Hand: block.NewConst("hand"), Load: block.NewConst(0.03), LoadAt: block.NewConst([]float64{0, 0, 0.12}),
	}
}

func newPlanner() *Planner {
	return &Planner{World: shelf(), Margin: block.NewConst(0.03), Padding: block.NewConst(0.005), AccelerationLimit: block.NewConst(5.0), JerkLimit: block.NewConst(200.0), Samples: block.NewConst(20_000)}
}

func newExecutor() *Executor {
	return &Executor{
		World: shelf(), Margin: block.NewConst(0.03), Padding: block.NewConst(0.005), Stations: block.NewConst(stations), Carry: block.NewConst([]bool{true, false}), AccelerationLimit: block.NewConst(5.0), JerkLimit: block.NewConst(200.0),
		Checks: block.NewConst(8), Running: block.NewParam(true), Pause: block.NewParam(0.1), Patience: block.NewParam(0.2), Speed: block.NewParam(1.0),
	}
}

// start builds and starts a block, to be stepped by hand.
func start(t testing.TB, b block.Block) error {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	d.Add("b", b, diagram.Place{Thread: "main", Given: port.Given{Files: system.Folder(filepath.Join(testkit.Root(t), "examples/plan"))}})
	if _, err := d.Build(); err != nil {
		return err
	}
	if s, ok := b.(block.Starter); ok {
		return s.Start()
	}
	return nil
}

// folder is where the blocks of a test read their robot.
type folder struct{ fs.FS }

func (f folder) Files() fs.FS  { return f.FS }
func (f folder) Notice(string) {}

func examplesOf(t testing.TB) folder {
	return folder{system.Folder(filepath.Join(testkit.Root(t), "examples/plan"))}
}

// cell is a planner and an executor whose links are the test.
type cell struct {
	t        testing.TB
	planner  *Planner
	executor *Executor
	asked    uint64
	tick     clock.Tick
	judge    [2]*exact.Engine // with the true balls
	world    *world
	q        []float64
}

func newCell(t testing.TB) *cell {
	t.Helper()
	c := &cell{t: t, planner: newPlanner(), executor: newExecutor(), tick: clock.Tick{Dt: period}}
	for _, b := range []block.Block{c.planner, c.executor} {
		if err := start(t, b); err != nil {
			t.Fatal(err)
		}
	}
	described := shelf()
	var err error
	if c.world, err = described.read(examplesOf(t), 0, 0); err != nil {
		t.Fatal(err)
	}
	c.judge = [2]*exact.Engine{exact.New(c.world.scenes[0]), exact.New(c.world.scenes[1])}
	c.q = make([]float64, len(c.world.q))
	return c
}

// cycle is one cycle with the ball at a place; the planner answers within delay cycles.
func (c *cell) cycle(ball []float64) {
	c.executor.Places.Feed(ball)
	if err := c.executor.Step(c.tick); err != nil {
		c.t.Fatal(err)
	}
	if n := *inspect.PortOf(&c.executor.Request).Count(); n != c.asked {
		c.asked = n
		c.planner.Places.Feed(ball)
		c.planner.Request.Feed(c.executor.Request.Value())
		if err := c.planner.Step(c.tick); err != nil {
			c.t.Fatal(err)
		}
		c.executor.Plan.Feed(c.planner.Plan.Value())
	}
}

// gap returns the distance of the robot from what is around it.
func (c *cell) gap(ball []float64) float64 {
	d, err := c.place(ball).Distance(c.q)
	if err != nil {
		c.t.Fatal(err)
	}
	return d.Distance
}

// ballGap returns the distance of the robot from the ball.
func (c *cell) ballGap(ball []float64) float64 {
	judge := c.place(ball)
	d, err := judge.Between(c.q, judge.Scene().OfModel(0), judge.Scene().OfModel(1))
	if err != nil {
		c.t.Fatal(err)
	}
	return d.Distance
}

// place writes the configuration of robot and ball, and returns the judge of it.
func (c *cell) place(ball []float64) *exact.Engine {
	c.world.place(ball)
	c.world.joints.Configuration(c.executor.Position.Value(), c.q)
	k := 0
	if c.executor.Loaded.Value() {
		k = 1
	}
	return c.judge[k]
}

// TestExecutorKeepsLimitsAndStopsBeforeABall puts a ball into the way again and again, for 3 s each time: nothing is touched, all limits hold, and the
// stations are reached.
func TestExecutorKeepsLimitsAndStopsBeforeABall(t *testing.T) {
	c := newCell(t)
	visits, stops, last := 0, 0, State(AtStation)
	var position, velocity, acceleration [4]float64
	const jerk, h = 200.0, 2e-3
	least := math.Inf(1)
	ball, balls := away, 0
	for k := range 30_000 {
		seconds := float64(k) * h
		switch k % 2000 {
		case 0:
			ball = away
		case 500:
			if at := ballAhead(c); at != nil {
				ball, balls = at, balls+1
			}
		}
		c.cycle(ball)
		state := State(c.executor.State.Value())
		if state == AtStation && last != AtStation {
			visits++
		}
		if state == Stopped && last != Stopped {
			stops++
		}
		last = state
		least = min(least, c.gap(ball))
		q, v, a := c.executor.Position.Value(), c.executor.Velocity.Value(), c.executor.Acceleration.Value()
		for i := range q {
			if k > 1 {
				if d := math.Abs(q[i] - position[i] - h*(v[i]+velocity[i])/2); d > jerk*h*h*h {
					t.Fatalf("joint %d at %g s: the position is %g off the integral of the velocity", i, seconds, d)
				}
				if d := math.Abs(a[i] - acceleration[i]); d > jerk*h*1.001+1e-6 {
					t.Fatalf("joint %d at %g s: a jerk of %g", i, seconds, d/h)
				}
			}
			if math.Abs(v[i]) > 2+1e-6 || math.Abs(a[i]) > 5+1e-6 {
				t.Fatalf("joint %d at %g s: velocity %g, acceleration %g", i, seconds, v[i], a[i])
			}
			position[i], velocity[i], acceleration[i] = q[i], v[i], a[i]
		}
	}
	t.Logf("%d stations in 60 s, %d balls, %d stops before them, %d plans around it, least distance %.1f mm", visits, balls, stops, c.executor.Replans.Value(), 1000*least)
	if visits < 6 || least < 0.005 || balls < 6 || stops < 6 {
		t.Errorf("%d stations reached, %d balls, %d stops, least distance %.4f m", visits, balls, stops, least)
	}
}

func TestExecutorGoesOnWhenTheBallLeaves(t *testing.T) {
	c := newCell(t)
	c.executor.Patience.Set(1e6)
	for c.executor.State.Value() != int64(Moving) {
		c.cycle(away)
	}
	for range 50 {
		c.cycle(away)
	}
	q := c.executor.Station.Value()
	at := ballAhead(c)
	if at == nil {
		t.Fatal("no place of the ball is on the way")
	}
	for range 2000 {
		c.cycle(at)
	}
	if s, rate := State(c.executor.State.Value()), c.executor.Rate.Value(); s != Stopped || rate != 0 {
		t.Fatalf("state %d at rate %g before a ball at %v, want a stop", s, rate, at)
	}
	for range 2000 {
		if c.cycle(away); c.executor.State.Value() == int64(AtStation) {
			break
		}
	}
	if c.executor.State.Value() != int64(AtStation) || c.executor.Station.Value() != q || c.executor.Replans.Value() != 0 {
		t.Errorf("state %d, station %d after %d plans; want to arrive at %d without a plan", c.executor.State.Value(), c.executor.Station.Value(), c.executor.Replans.Value(), q)
	}
}

// TestArmLeavesABallWithinMarginButComesNoNearer puts a ball within margin of the arm at rest, at random places, and judges the way to the next station by the true balls.
func TestArmLeavesABallWithinMarginButComesNoNearer(t *testing.T) {
	c := newCell(t)
	random := rand.New(rand.NewPCG(1, 2))
	const enough = 0.03 + 0.005 // margin and padding
	left, kept := 0, 0
	for left+kept < 40 {
		c.executor.Running.Set(false)
		for State(c.executor.State.Value()) != AtStation {
			c.cycle(away)
		}
		ball := []float64{0.8 * random.Float64(), random.Float64() - 0.5, 0.2 + 1.1*random.Float64()}
		before := c.ballGap(ball)
		if before < 0.002 || before > enough-0.002 {
			continue
		}
		c.executor.Running.Set(true)
		for State(c.executor.State.Value()) == AtStation {
			c.cycle(ball)
		}
		// Now it carries the load, or no more.
		if before = c.ballGap(ball); before < 0.002 {
			continue
		}
		c.executor.Running.Set(false)
		switch Outcome(c.planner.Outcome.Value()) {
		case Planned:
			left++
		case StartNotFree:
			kept++ // at the foot of the arm, for example
		}
		for k := 0; c.planner.Outcome.Value() == int64(Planned) && State(c.executor.State.Value()) != AtStation; k++ {
			c.cycle(ball)
			gap := c.ballGap(ball)
			if gap < before-1e-4 || k == 5000 {
				t.Fatalf("a ball at %v: %.2f mm from the arm, after %.2f mm; state %d after %d cycles", ball, 1000*gap, 1000*before, c.executor.State.Value(), k)
			}
			before = min(max(before, gap), enough)
		}
	}
	t.Logf("the arm left %d balls of %d", left, left+kept)
	if left < 35 {
		t.Errorf("the arm left %d balls of %d, want 35", left, left+kept)
	}
}

// ballAhead returns a place of the ball that the motion meets in 0.9 to 1.9 s, or nil: before it the robot can stop, and does so within 3 s.
func ballAhead(c *cell) []float64 {
	for x := 0.3; x < 0.9; x += 0.03 {
		for z := 0.4; z < 1.2; z += 0.03 {
			for y := -0.4; y < 0.4; y += 0.03 {
				at := []float64{x, y, z}
				e := c.executor
				e.world.place(at)
				now := e.rate.Input.Axes[0].Start.Position
				for tau := now; tau < min(e.motion.Duration(), now+1.9); tau += 0.02 {
					e.motion.At(tau, e.states)
					for i, s := range e.states {
						e.point[i] = s.Position
					}
					e.world.joints.Configuration(e.point, e.q)
					if _, hit, _ := e.engines[1].Collide(e.q); hit && tau-now < 0.9 {
						break // too near to stop
					} else if hit {
						return at
					}
				}
			}
		}
	}
	return nil
}

func TestStepsOfMotionAllocateNothing(t *testing.T) {
	c := newCell(t)
	monitor := &Monitor{World: shelf()}
	if err := start(t, monitor); err != nil {
		t.Fatal(err)
	}
	asked := 0
	ball := []float64{0.45, 0, 2}
	testkit.NoAllocs(t, 3000, func() {
		before := c.asked
		ball[2] = 1.1 + 0.6*math.Sin(float64(asked)) // another place for each plan
		c.cycle(ball)
		if c.asked != before {
			asked++
		}
		monitor.Places.Feed(ball)
		monitor.Position.Feed(c.executor.Position.Value())
		monitor.Loaded.Feed(c.executor.Loaded.Value())
		if err := monitor.Step(c.tick); err != nil {
			t.Fatal(err)
		}
	})
	if asked < 2 {
		t.Errorf("%d plans: the test shows too little", asked)
	}
}

func TestPlansFromWithinMarginAllocateNothing(t *testing.T) {
	p := newPlanner()
	if err := start(t, p); err != nil {
		t.Fatal(err)
	}
	r := newRequest(4)
	copy(r.start(), stations[:4])
	copy(r.goal(), stations[4:])
	ball := []float64{0.46, 0.16, 0.8}
	testkit.NoAllocs(t, 20, func() {
		r[0]++
		p.Places.Feed(ball)
		p.Request.Feed(r)
		if err := p.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
	})
	if n := plan(p.Plan.Value()).len(); p.Outcome.Value() != int64(Planned) || p.connect[0].Verifier().Free(r.start()) || n < 3 {
		t.Errorf("outcome %d, %d points; want a motion that begins within margin", p.Outcome.Value(), n)
	}
}

func TestMonitorMeasuresTheLeastDistance(t *testing.T) {
	m := &Monitor{World: shelf()}
	if err := start(t, m); err != nil {
		t.Fatal(err)
	}
	step := func(ball []float64) {
		m.Places.Feed(ball)
		m.Position.Feed([]float64{0, 0, 0, 0}) // straight up: the fingers end at 1.265 m
		if err := m.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
	}
	step([]float64{0, 0.035, 1.465})
	testkit.Near(t, "distance", m.Distance.Value(), 0.225-0.025-0.08, 1e-9)
	testkit.AllNear(t, "points", append(append([]float64{}, m.From.Value()...), m.To.Value()...), []float64{0, 0.035, 1.265, 0, 0.035, 1.385}, 1e-9)
	step([]float64{0, 0.035, 1.3})
	testkit.Near(t, "depth", m.Distance.Value(), 0.06-0.025-0.08, 1e-9)
	m.Places.Feed([]float64{0, math.NaN(), 0})
	m.Position.Feed([]float64{0, 0, 0, 0})
	if err := m.Step(clock.Tick{Dt: period}); err != errBalls {
		t.Errorf("a ball nowhere: %v", err)
	}
}

func TestPlannerExplainsItsOutcome(t *testing.T) {
	p := newPlanner()
	if err := start(t, p); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		start, goal, ball []float64
		want              Outcome
	}{
		"free":            {stations[:4], stations[4:], away, Planned},
		"start in a ball": {stations[:4], stations[4:], []float64{0.14, 0.05, 0.64}, StartNotFree},
		"goal in a board": {stations[:4], []float64{0, 0.9, 0.9, 0}, away, GoalNotFree},
		"goal too far":    {stations[:4], []float64{4, 0.5, 1.3, -0.2}, away, GoalNotFree},
	} {
		r := newRequest(4)
		r[0] = p.world.q[0] + 1
		copy(r.start(), c.start)
		copy(r.goal(), c.goal)
		p.Places.Feed(c.ball)
		p.Request.Feed(r)
		if err := p.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
		if got := plan(p.Plan.Value()).outcome(); got != c.want || p.Outcome.Value() != int64(c.want) {
			t.Errorf("%s: outcome %d, want %d", name, got, c.want)
		}
	}
}

func TestSetupExplainsWhatIsWrong(t *testing.T) {
	for want, change := range map[string]func(*Executor){
		"stations has length 3":                                              func(x *Executor) { x.Stations = block.NewConst([]float64{1, 2, 3}) },
		`stations: station 0: joint "raise" is at 9: its limits`:             func(x *Executor) { x.Stations = block.NewConst([]float64{0, 9, 0, 0}) },
		"carry has length 3: wants one element for each of the stations (2)": func(x *Executor) { x.Carry = block.NewConst([]bool{true, false, true}) },
		`max_jerk is 1: joint "turn" needs more than`:                        func(x *Executor) { x.JerkLimit = block.NewConst(1.0) },
		`hand: `:               func(x *Executor) { x.Hand = block.NewConst("claw") },
		"load_at has length 1": func(x *Executor) { x.LoadAt = block.NewConst([]float64{1}) },
		"none.json":            func(x *Executor) { x.Problems = block.NewConst("none.json") },
	} {
		x := newExecutor()
		change(x)
		if err := start(t, x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
