package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// JerkLimited moves the joints of a robot to goals in the shortest time that their limits of velocity, acceleration and jerk allow; all
// joints arrive together. A new goal takes over position, velocity and acceleration of the motion under way: nothing jumps
// ([trajectory.Online]; Berscheid and Kröger 2021).
//
//	|q'| ≤ speed · max_velocity,   |q''| ≤ max_acceleration,   |q'''| ≤ max_jerk,   lower ≤ goal ≤ upper
//
//	             ┌─────────────┐
//	    goal ──► │ JerkLimited ├─► position, velocity, acceleration
//	measured ──► │             ├─► target, arrived
//	             └─────────────┘
//	              moveTo, halt
//
// Goals come as moveTo, at the port goal, or one after another from waypoints. The first two, and halt, set running to false: the waypoints
// go on when it is true again. A goal of moveTo beyond the limits of the joints is
// rejected, and the motion under way goes on; a goal at the port is kept within them, as target shows, and where an element is not a
// finite number the joint keeps its target.
//
// The limits of position and velocity are those of the description; max_velocity, where it is not 0, replaces the latter. Without
// a description there are n joints without limits of position, and max_velocity must be given. Descriptions have no limits of
// acceleration and jerk.
//
// Ports and limits are in the unit coordinate, which is m only where all joints slide. A robot in which some joints turn and others slide keeps rad; the values of a joint that slides are in m there.
//
// Where measured is linked the motion begins where the joints are, and begins again there after an interruption of more than 0.1 s, as
// when the block was disabled. Otherwise it begins at initial, and after an interruption where it was, at rest. The time that
// passed counts: a missed period leaves no spike.
//
// Elements are in the order of the model: depth first, and by name where links branch, or that of the parameter joints. measured has those of
// all joints that are not locked, also where joints selects some.
type JerkLimited struct {
	URDF       block.Const[string]    `doc:"file of the robot's links and joints"`
	SRDF       block.Const[string]    `doc:"file of groups of its joints; default: none"`
	Locked     block.Const[[]string]  `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string]  `doc:"joints to move, each by name or by a group of the SRDF file; default: all"`
	N          block.Const[int]       `default:"1" min:"1" max:"1000" doc:"number of joints if there is no description"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m; without a description any"`
	Initial    block.Const[[]float64] `unit:"{Coordinate}" doc:"first positions, if measured is not linked; default: all 0, or the limit nearest to it"`
	Waypoints  block.Const[[]float64] `unit:"{Coordinate}" doc:"positions of all joints in the first waypoint, in the second, and so on; default: none"`

	VelocityLimit     block.Param[[]float64] `name:"max_velocity" unit:"{Coordinate}/s" default:"[0]" min:"0" spread:"yes" doc:"greatest velocities: one, or one for each joint; 0: that of the description"`
	AccelerationLimit block.Param[[]float64] `name:"max_acceleration" unit:"{Coordinate}/s²" default:"[5]" min:"0.001" spread:"yes" doc:"greatest accelerations: one, or one for each joint"`
	JerkLimit         block.Param[[]float64] `name:"max_jerk" unit:"{Coordinate}/s³" default:"[50]" min:"0.001" spread:"yes" doc:"greatest jerks: one, or one for each joint"`
	Speed             block.Param[float64]   `default:"1" min:"0.01" max:"1" doc:"share of the greatest velocities that is used"`
	Running           block.Param[bool]      `default:"true" doc:"go from waypoint to waypoint, repeatedly"`
	Pause             block.Param[float64]   `unit:"s" default:"0.5" min:"0" doc:"rest at each waypoint"`

	Goal     block.In[[]float64] `unit:"{Coordinate}" doc:"positions to go to, from the moment in which they come; without a link goals come as moveTo, or from waypoints"`
	Measured block.In[[]float64] `unit:"{Coordinate}" doc:"measured positions, where the motion begins; without a link it begins at initial"`

	Position     block.Out[[]float64] `unit:"{Coordinate}" show:"joint_desired" doc:"planned positions"`
	Velocity     block.Out[[]float64] `unit:"{Coordinate}/s" doc:"planned velocities"`
	Acceleration block.Out[[]float64] `unit:"{Coordinate}/s²" doc:"planned accelerations"`
	Target       block.Out[[]float64] `unit:"{Coordinate}" doc:"where the motion ends"`
	Arrived      block.Out[bool]      `doc:"the motion has ended"`

	MoveTo block.Operation[Move, block.None]       `unit:"{Coordinate}" show:"joint_move" doc:"go to positions in a time, beginning now; if that is too short, as 0 is, in the shortest time possible"`
	Halt   block.Operation[block.None, block.None] `doc:"come to rest as fast as the limits of acceleration and jerk allow, and stay there"`

	axes   axes
	motion *trajectory.Online
	goal   []float64
	hurry  []bool  // joints that do not wait for the others, to stay within their limits
	least  float64 // least duration of the rest of the motion under way, s
	usual  float64 // time between the last two steps, s
	rest   float64 // time since the arrival, s
	next   int     // waypoint
	begun  bool
	halted bool
	ended  bool
}

// interruption is the time without a step after which a motion begins again, s.
const interruption = 0.1

// longestMove is the longest time of a motion that can be asked for, s.
const longestMove = 1e6

var (
	errMoveTime = errors.New("moveTo: duration must be a time from 0 to 1e+06 s")
	errNotBegun = errors.New("measured is linked, but no position has come yet: the motion cannot begin")
)

// Setup reads the limits.
func (g *JerkLimited) Setup(s *block.Setup) error {
	var err error
	if g.axes, err = readAxes(s, robotfile.Constants{URDF: g.URDF.Value(), SRDF: g.SRDF.Value(), Locked: g.Locked.Value(), Joints: g.Joints.Value(), Coordinate: g.Coordinate.Value()}, g.N.Value()); err != nil {
		return err
	}
	n := len(g.axes.lower)
	s.Len(g.axes.robot, &g.Measured)
	s.Len(n, &g.Goal, &g.Position, &g.Velocity, &g.Acceleration, &g.Target, &g.MoveTo)
	g.MoveTo.Handle(g.moveTo)
	g.Halt.Handle(g.halt)
	g.motion, g.goal, g.hurry = trajectory.NewOnline(n), make([]float64, n), make([]bool, n)
	return errors.Join(g.checkPositions(n),
		spread("max_acceleration", &g.AccelerationLimit, n, "joints"), spread("max_jerk", &g.JerkLimit, n, "joints"), g.checkVelocity(n))
}

// checkPositions rejects first positions and waypoints that the joints cannot take.
func (g *JerkLimited) checkPositions(n int) error {
	if q := g.Initial.Value(); len(q) != 0 && len(q) != n {
		return fmt.Errorf("initial has length %d: wants one element for each of the joints (%d)", len(q), n)
	}
	if err := g.axes.check("initial", g.Initial.Value()); err != nil {
		return err
	}
	way := g.Waypoints.Value()
	if len(way)%n != 0 {
		return fmt.Errorf("waypoints has length %d: wants the positions of all %d joints in the first waypoint, in the second, and so on", len(way), n)
	}
	for i := 0; i < len(way); i += n {
		if err := g.axes.check(fmt.Sprintf("waypoint %d", i/n+1), way[i:i+n]); err != nil {
			return err
		}
	}
	return nil
}

func (g *JerkLimited) checkVelocity(n int) error {
	if err := spread("max_velocity", &g.VelocityLimit, n, "joints"); err != nil {
		return err
	}
	return g.axes.checkVelocity(g.VelocityLimit.Value())
}

// CheckParams rejects a greatest velocity of 0 where the description has none.
func (g *JerkLimited) CheckParams() error { return g.axes.checkVelocity(g.VelocityLimit.Value()) }

// Start forgets the motion before.
func (g *JerkLimited) Start() error {
	g.begun, g.next = false, 0
	return nil
}

// begin makes positions the start, at rest.
func (g *JerkLimited) begin(at func(i int) float64) {
	for i := range g.motion.Input.Axes {
		q := at(i)
		g.motion.Input.Axes[i] = trajectory.Axis{Start: trajectory.State{Position: q}}
		g.goal[i] = q
	}
	g.begun, g.halted, g.ended, g.least, g.rest = true, false, true, 0, 0
}

// resume begins where the joints are, if that is known; false while it is not.
func (g *JerkLimited) resume() bool {
	q, status := g.Measured.Read()
	switch {
	case status != block.NoData:
		g.begin(func(i int) float64 { return q[g.axes.at[i]] })
	case g.Measured.Linked():
		return false
	case g.begun:
		g.begin(func(i int) float64 { return g.motion.Input.Axes[i].Start.Position })
	default:
		initial := g.Initial.Value()
		g.begin(func(i int) float64 {
			if len(initial) > 0 {
				return initial[i]
			}
			return g.axes.within(i, 0)
		})
	}
	return true
}

func (g *JerkLimited) moveTo(m Move) (block.None, error) {
	if !(m.Duration >= 0 && m.Duration <= longestMove) {
		return block.None{}, errMoveTime
	}
	for i, q := range m.Positions {
		if !(q >= g.axes.lower[i] && q <= g.axes.upper[i]) {
			return block.None{}, g.axes.outside[i]
		}
	}
	if !g.begun && !g.resume() {
		return block.None{}, errNotBegun
	}
	g.Running.Set(false)
	g.goTo(m.Positions, m.Duration)
	return block.None{}, nil
}

// goTo makes positions within the limits the goal.
func (g *JerkLimited) goTo(positions []float64, duration float64) {
	copy(g.goal, positions)
	g.least, g.halted, g.ended, g.rest = duration, false, false, 0
}

func (g *JerkLimited) halt(block.None) (block.None, error) {
	g.Running.Set(false)
	g.halted, g.ended, g.least = g.begun, false, 0
	return block.None{}, nil
}

// Step moves on.
func (g *JerkLimited) Step(t clock.Tick) error {
	dt := t.Seconds()
	if !g.begun || dt > interruption && dt > 3*g.usual {
		if !g.resume() {
			return nil
		}
		dt = 0
	}
	g.usual = t.Seconds()
	g.choose(dt)
	if err := g.plan(); err != nil {
		return err
	}
	arrived, err := g.motion.Step(dt)
	if err != nil {
		return err
	}
	g.least = max(g.least-dt, 0)
	g.ended = arrived
	if g.halted { // the goal is where it comes to rest
		for i := range g.goal {
			g.goal[i] = g.motion.Input.Axes[i].Start.Position
		}
	}
	g.write()
	return nil
}

// choose takes the next goal: from the port, or the next waypoint after a rest at the last one.
func (g *JerkLimited) choose(dt float64) {
	if goal, status := g.Goal.Read(); status == block.NewData {
		for i, q := range goal {
			if q-q == 0 {
				g.goal[i] = g.axes.within(i, q)
			}
		}
		g.Running.Set(false)
		g.goTo(g.goal, 0)
		return
	}
	way, n := g.Waypoints.Value(), len(g.goal)
	if !g.ended || !g.Running.Value() || len(way) == 0 {
		return
	}
	if g.rest += dt; g.rest >= g.Pause.Value() {
		g.goTo(way[g.next*n:(g.next+1)*n], 0)
		g.next = (g.next + 1) % (len(way) / n)
	}
}

// plan gives goal and limits to the motion, which is planned again only where they have changed. A joint that turns back close to its
// limits, and that would leave them if it took the time of the others, moves as fast as it can.
func (g *JerkLimited) plan() error {
	if !g.wish() {
		return nil
	}
	g.motion.Input.MinDuration = g.least
	clear(g.hurry)
	g.wish()
	if err := g.motion.PlanWithin(g.axes.lower, g.axes.upper); err != nil {
		return err
	}
	for i := range g.hurry {
		g.hurry[i] = g.motion.Input.Axes[i].Sync == trajectory.Independent
	}
	return nil
}

// wish sets goal and limits, and reports whether they have changed.
func (g *JerkLimited) wish() (changed bool) {
	for i := range g.motion.Input.Axes {
		x := &g.motion.Input.Axes[i]
		before := *x
		x.Limits = trajectory.Limits{
			Velocity:     g.Speed.Value() * g.axes.velocityOf(i, g.VelocityLimit.Value()),
			Acceleration: g.AccelerationLimit.Value()[i],
			Jerk:         g.JerkLimit.Value()[i],
		}
		x.Control, x.Sync, x.Target = trajectory.ToPosition, trajectory.InTime, trajectory.State{Position: g.goal[i]}
		if g.hurry[i] {
			x.Sync = trajectory.Independent
		}
		if g.halted { // each on its own: the fastest way keeps the limits of velocity
			x.Control, x.Sync, x.Target = trajectory.ToVelocity, trajectory.Independent, trajectory.State{}
		}
		changed = changed || *x != before
	}
	return changed
}

// write writes the planned state.
func (g *JerkLimited) write() {
	q, v, a := *g.Position.Slot(), *g.Velocity.Slot(), *g.Acceleration.Slot()
	for i := range g.motion.Input.Axes {
		s := g.motion.Input.Axes[i].Start
		q[i], v[i], a[i] = s.Position, s.Velocity, s.Acceleration
	}
	g.Position.Commit()
	g.Velocity.Commit()
	g.Acceleration.Commit()
	g.Target.Write(g.goal)
	g.Arrived.Write(g.ended)
}
