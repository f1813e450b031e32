package motion

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Executor moves a robot from station to station along plans of a [Planner], and never enters what it has not just seen to be free.
//
//	          ┌──────────┐
//	 plan ──► │ Executor ├─► position, velocity, acceleration
//	balls ──► │          ├─► request, state, rate, station, loaded
//	          └──────────┘
//
// It follows a planned motion q(τ) at a rate that it may change,
//
//	q = q(τ),  q' = dq/dτ rate,  q'' = d²q/dτ² rate² + dq/dτ rate'.
//
// In each cycle it examines up to checks configurations of the motion ahead, with the balls where they are now. The rate is the greatest one at which
// it can still stop before the first configuration that was not examined or is not free. So it slows down before an obstacle, stops, goes on when the obstacle
// has left, and asks for another plan from where it stands if that takes longer than patience. When a ball has moved by more than a third of margin everything ahead is
// examined again. When a [Mapper] sees other cubes, it is examined again too, while the robot moves on: within the time in which checks configurations a
// cycle reach as far ahead as before.
//
// Where balls are nearer than margin to where the robot is, but touch nothing, it may move as long as none of them comes nearer to the body that it is near to, until all are farther
// than margin again.
//
// Motions are planned with half of max_acceleration and max_jerk; the other half is for changes of the rate, so both hold at all times.
type Executor struct {
	World
	Margin            block.Const[float64]   `unit:"m" default:"0.03" min:"0" max:"10" doc:"by which balls count as larger"`
	Padding           block.Const[float64]   `unit:"m" default:"0.005" min:"0" max:"1" doc:"by which the links of the robot and its load count as larger"`
	Stations          block.Const[[]float64] `required:"yes" unit:"{Coordinate}" doc:"positions of all joints at the first station, at the second, and so on; the first is where the robot is at first"`
	Carry             block.Const[[]bool]    `doc:"of each station: whether the load is carried from there; default: never"`
	AccelerationLimit block.Const[float64]   `name:"max_acceleration" unit:"{Coordinate}/s²" default:"5" min:"0.001" max:"10000" doc:"greatest acceleration of each joint"`
	JerkLimit         block.Const[float64]   `name:"max_jerk" unit:"{Coordinate}/s³" default:"100" min:"0.001" max:"1000000" doc:"greatest jerk of each joint"`
	Checks            block.Const[int]       `default:"4" min:"1" max:"1000" doc:"configurations to examine in a cycle"`

	Running  block.Param[bool]    `default:"true" doc:"go to the next station after a pause at each"`
	Pause    block.Param[float64] `unit:"s" default:"0.5" min:"0" doc:"rest at each station"`
	Patience block.Param[float64] `unit:"s" default:"0.3" min:"0" doc:"rest before an obstacle until another plan is asked for"`
	Speed    block.Param[float64] `default:"1" min:"0.01" max:"1" doc:"greatest rate"`

	Plan   block.In[[]float64] `required:"yes" doc:"of a planner"`
	Places block.In[[]float64] `name:"balls" unit:"m" doc:"x, y and z of each ball"`
	Seen   block.In[[]float32] `unit:"m" doc:"cubes of a Mapper"`

	Position     block.Out[[]float64] `unit:"{Coordinate}" show:"joint_desired" doc:"of the joints"`
	Velocity     block.Out[[]float64] `unit:"{Coordinate}/s" doc:"of the joints"`
	Acceleration block.Out[[]float64] `name:"acceleration" unit:"{Coordinate}/s²" doc:"of the joints"`
	Request      block.Out[[]float64] `doc:"for the planner"`
	State        block.Out[int64]     `watch:"yes" doc:"0: at a station, 1: waits for a plan, 2: moves, 3: stopped before an obstacle"`
	Rate         block.Out[float64]   `watch:"yes" doc:"share of the planned speed"`
	Station      block.Out[int64]     `watch:"yes" doc:"where it is or goes to, from 0"`
	Loaded       block.Out[bool]      `doc:"the load is carried"`
	Replans      block.Out[int64]     `watch:"yes" doc:"plans that were asked for because of an obstacle"`

	world    *world
	engines  [2]scene.Engine
	retreats [2]*retreat
	motion   *trajectory.Rounded
	states   []trajectory.State
	point    []float64
	q        []float64
	seen     []float64 // places of the balls when the motion ahead was examined

	rate       *trajectory.Online // of τ
	slowing    trajectory.Limits  // of it
	state      State
	examined   float64 // τ up to which the motion is free
	fresh      float64 // τ up to which it is free with the cubes seen last; at most examined
	blocked    bool    // what follows is not
	retreating bool    // no configuration has been examined at which all balls are farther than margin
	rest       float64 // s, since it has stopped
	station    int
	loaded     bool
	asked      request
	replans    int64
}

// State is what an [Executor] does.
type State int64

// States of an executor.
const (
	AtStation State = iota // rests until Running is set and Pause is over
	Waiting                // rests until the planner answers
	Moving                 // follows the motion to the next station
	Stopped                // rests on the motion, which an obstacle blocks; after Patience it asks for another one
)

// step is the travel of the joints between configurations that are examined, as the greatest of all, rad or m.
const step = 0.02

// Setup reads the world and the stations, and makes the ports. It fails for files that cannot be read, and for stations that do not fit the robot.
func (x *Executor) Setup(s *block.Setup) error {
	var err error
	if x.world, err = x.read(s, x.Margin.Value(), x.Padding.Value()); err != nil {
		return err
	}
	w := x.world
	if err := w.limit(x.AccelerationLimit.Value()/2, x.JerkLimit.Value()/2); err != nil {
		return err
	}
	n := w.dim
	stations := x.Stations.Value()
	if len(stations) == 0 || len(stations)%n != 0 {
		return fmt.Errorf("stations has length %d: wants the positions of all %d joints at the first station, at the second, and so on", len(stations), n)
	}
	for i := 0; i < len(stations); i += n {
		if k := w.joints.Outside(stations[i : i+n]); k >= 0 {
			return fmt.Errorf("stations: station %d: joint %q is at %v: its limits are %.4g and %.4g", i/n, w.joints.Names[k], stations[i+k], w.joints.Lower[k], w.joints.Upper[k])
		}
	}
	if c := x.Carry.Value(); len(c) != 0 && len(c) != len(stations)/n {
		return fmt.Errorf("carry has length %d: wants one element for each of the stations (%d)", len(c), len(stations)/n)
	}
	if err := x.limitRate(); err != nil {
		return err
	}
	for k, scene := range w.scenes {
		x.engines[k] = engine(scene)
	}
	if x.retreats, err = w.retreats(x.Margin.Value(), x.Padding.Value()); err != nil {
		return err
	}
	x.motion, x.rate = trajectory.NewRounded(n, mostPoints), trajectory.NewOnline(1)
	x.states, x.point, x.q, x.seen = make([]trajectory.State, n), make([]float64, n), make([]float64, len(w.q)), make([]float64, 3*len(w.balls))
	x.asked = newRequest(n)
	s.Len(n, &x.Position, &x.Velocity, &x.Acceleration)
	s.Len(requestLen(n), &x.Request)
	s.Len(planLen(n), &x.Plan)
	w.ports(s, &x.Places, &x.Seen)
	return nil
}

// limitRate computes how fast the rate may change. With V, A and J the limits of the motion, half of those of the joints, it adds at most
// V a to an acceleration, and 3 A a + V j to a jerk; both have the other half.
func (x *Executor) limitRate() error {
	l := trajectory.Limits{Velocity: 1, Acceleration: math.Inf(1), Jerk: math.Inf(1)}
	for i, m := range x.world.limits {
		a := m.Acceleration / m.Velocity
		j := (m.Jerk - 3*m.Acceleration*a) / m.Velocity
		if j <= 0 {
			return fmt.Errorf("max_jerk is %v: joint %q needs more than %.4g to slow down within max_acceleration", x.JerkLimit.Value(), x.world.joints.Names[i], 6*m.Acceleration*a)
		}
		l.Acceleration, l.Jerk = min(l.Acceleration, a), min(l.Jerk, j)
	}
	x.slowing = l
	return nil
}

// Start puts the robot at the first station.
func (x *Executor) Start() error {
	n := x.world.dim
	if err := x.motion.Plan(x.Stations.Value()[:n], x.world.limits, x.point[:1]); err != nil {
		return err
	}
	x.state, x.station, x.replans, x.loaded = AtStation, 0, 0, x.carries(0)
	return x.begin()
}

func (x *Executor) carries(station int) bool {
	c := x.Carry.Value()
	return len(c) > 0 && c[station]
}

// begin puts τ at the start of the motion.
func (x *Executor) begin() error {
	x.rate.Input.Axes[0] = trajectory.Axis{Control: trajectory.ToVelocity, Limits: x.slowing}
	x.examined, x.rest = 0, 0
	return x.reexamine()
}

// reexamine makes the motion be examined again from where the robot is.
func (x *Executor) reexamine() error {
	x.fresh, x.blocked, x.retreating = x.rate.Input.Axes[0].Start.Position, false, true
	x.configuration(x.fresh)
	return x.retreats[x.scene()].begin(x.q)
}

// configuration writes the configuration of the scene at τ to q.
func (x *Executor) configuration(tau float64) {
	x.motion.At(tau, x.states)
	for i, s := range x.states {
		x.point[i] = s.Position
	}
	x.world.joints.Configuration(x.point, x.q)
}

// scene returns the index of the scene that counts: with the load or without it.
func (x *Executor) scene() int {
	if x.loaded {
		return 1
	}
	return 0
}

var errPlan = errors.New("the plan is not one of a motion.Planner, or does not begin where the robot is; are the limits of planner and executor the same?")

// Step moves on.
func (x *Executor) Step(t clock.Tick) error {
	dt := t.Seconds()
	if err := x.look(); err != nil {
		return err
	}
	x.rest += dt
	switch x.state {
	case AtStation:
		if next := (x.station + 1) % (len(x.Stations.Value()) / x.world.dim); x.Running.Value() && x.rest >= x.Pause.Value() {
			x.loaded = x.carries(x.station)
			x.station = next
			x.ask()
		}
	case Waiting:
		if err := x.receive(); err != nil {
			return err
		}
	case Moving, Stopped:
		if err := x.follow(dt); err != nil {
			return err
		}
	}
	x.write()
	return nil
}

// look takes the places of the balls. If one has moved, the motion ahead must be examined again.
func (x *Executor) look() error {
	changed, err := x.world.look(&x.Seen)
	if err != nil {
		return err
	}
	if changed {
		if err := x.reexamine(); err != nil {
			return err
		}
	}
	balls, status := x.Places.Read()
	if status == block.NoData {
		return nil
	}
	moved := false
	for i, p := range balls {
		moved = moved || math.Abs(p-x.seen[i]) > x.Margin.Value()/6 // along each axis: together at most a third
	}
	if !moved {
		return nil
	}
	if !x.world.place(balls) {
		return errBalls
	}
	copy(x.seen, balls)
	x.examined = x.rate.Input.Axes[0].Start.Position
	return x.reexamine()
}

// ask asks for a plan from where the robot is to the station.
func (x *Executor) ask() {
	x.state, x.rest = Waiting, 0
	x.asked[0]++
	x.asked.setLoaded(x.loaded)
	x.motion.At(x.rate.Input.Axes[0].Start.Position, x.states)
	for i, s := range x.states {
		x.asked.start()[i] = s.Position
	}
	copy(x.asked.goal(), x.Stations.Value()[x.station*x.world.dim:])
	x.Request.Write(x.asked)
}

// receive takes the plan that was asked for. Without one it asks again after a while.
func (x *Executor) receive() error {
	in, status := x.Plan.Read()
	p := plan(in)
	if status == block.NoData || p.number() != x.asked.number() {
		return nil
	}
	if p.outcome() != Planned {
		if x.rest >= x.Patience.Value() {
			x.ask()
		}
		return nil
	}
	if !p.whole() {
		return errPlan
	}
	n := x.world.dim
	points := p.points(n)
	for i, q := range x.asked.start() {
		if points[i] != q {
			return errPlan
		}
	}
	if err := x.motion.Plan(points, x.world.limits, p.deviations(n)); err != nil {
		return err
	}
	x.state = Moving
	return x.begin()
}

// follow examines what is ahead and moves as far as that allows.
func (x *Executor) follow(dt float64) error {
	axis := &x.rate.Input.Axes[0]
	for range x.Checks.Value() {
		if x.blocked || x.fresh >= x.motion.Duration() {
			break
		}
		if err := x.examine(); err != nil {
			return err
		}
	}
	axis.Target.Velocity = x.allowed(x.examined-axis.Start.Position, dt)
	if _, err := x.rate.Step(dt); err != nil {
		return err
	}
	still := axis.Start.Velocity < 1e-6
	switch {
	case axis.Start.Position >= x.motion.Duration():
		x.state, x.rest = AtStation, 0
		axis.Start = trajectory.State{Position: x.motion.Duration()}
		axis.Target.Velocity = 0
	case !still:
		x.state, x.rest = Moving, 0
	case x.blocked:
		x.state = Stopped
		if x.rest >= x.Patience.Value() {
			x.replans++
			x.ask()
		}
	}
	return nil
}

// examine examines the next configuration of the motion: one that was free before other cubes were seen, or a new one.
func (x *Executor) examine() error {
	x.motion.At(x.fresh, x.states)
	fastest := 0.0
	for i, s := range x.states {
		l := &x.world.limits[i]
		fastest = max(fastest, min(math.Abs(s.Velocity)+0.1*l.Acceleration, l.Velocity))
	}
	next := min(x.fresh+min(step/fastest, 0.1), x.motion.Duration())
	x.configuration(next)
	free, err := x.free()
	if err != nil {
		return err
	}
	if x.blocked = !free; !free {
		x.examined = x.fresh
		return nil
	}
	x.fresh = next
	x.examined = max(x.examined, next)
	return nil
}

// free reports whether the robot may be at the configuration q: all balls are farther than margin, or those that were nearer are no nearer than at the
// configuration before.
func (x *Executor) free() (bool, error) {
	k := x.scene()
	_, hit, err := x.engines[k].Collide(x.q)
	if hit && x.retreating && err == nil {
		return x.retreats[k].allows(x.q)
	}
	x.retreating = false
	return !hit, err
}

// allowed returns the greatest rate from which the motion can stop within ahead, in seconds of the plan: the ramp down from the rate r takes
// r/2 (r/a + a/j), and some cycles pass until it begins.
func (x *Executor) allowed(ahead, dt float64) float64 {
	a, j := x.slowing.Acceleration, x.slowing.Jerk
	if x.examined >= x.motion.Duration() {
		return x.Speed.Value() // the motion comes to rest at its end
	}
	axis := &x.rate.Input.Axes[0].Start
	late := a/(2*j) + max(axis.Acceleration, 0)/j + 3*dt
	r := a * (math.Sqrt(late*late+2*max(ahead, 0)/a) - late)
	if r < 1e-3 {
		return 0
	}
	return min(r, x.Speed.Value())
}

// write writes where the robot is.
func (x *Executor) write() {
	at := x.rate.Input.Axes[0].Start
	x.motion.At(at.Position, x.states)
	q, v, a := *x.Position.Slot(), *x.Velocity.Slot(), *x.Acceleration.Slot()
	for i, s := range x.states {
		q[i], v[i] = s.Position, s.Velocity*at.Velocity
		a[i] = s.Acceleration*at.Velocity*at.Velocity + s.Velocity*at.Acceleration
	}
	x.Position.Commit()
	x.Velocity.Commit()
	x.Acceleration.Commit()
	x.State.Write(int64(x.state))
	x.Rate.Write(at.Velocity)
	x.Station.Write(int64(x.station))
	x.Loaded.Write(x.loaded)
	x.Replans.Write(x.replans)
}
