package motion

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Avoider lets a redundant robot yield to what comes near, while its hand goes on with its task: between a source of motions and the controller, the least
// distances of the links in each cycle drive velocities in the null space of the task ([control.Avoidance]).
//
//	desired, its velocity ──► ┌─────────┐
//	                balls ──► │ Avoider ├─► position, velocity, acceleration
//	                 seen ──► │         ├─► distance, freedom, offset, turn
//	                          └─────────┘
//
// The task is the motion that the link hand_link would make at the desired positions: its pose, or only its place or its orientation. Without an obstacle within influence
// the joints follow the desired motion. A body that comes nearer is avoided at up to recoil, in full at the distance clearance. The task has priority: where it leaves no freedom
// the robot does not yield, and the outputs distance and freedom report it. Limits of velocity and position are those of the description.
//
// Nothing is written before the desired positions and the places of the balls have come. A timeout of the link to balls makes the output safe when the tracking is lost: the
// last position is held, with velocity and acceleration 0. The block goes on from there when the tracking is back.
//
// With an SRDF, pairs of the robot's own links that it does not list are kept apart within the distance own. All links count, also those that the task holds.
type Avoider struct {
	World
	Link              block.Const[string]  `name:"hand_link" required:"yes" doc:"link whose motion is the task"`
	Task              block.Const[string]  `default:"pose" doc:"what of the link's motion is the task: pose, position or orientation"`
	AccelerationLimit block.Const[float64] `name:"max_acceleration" unit:"{Coordinate}/s²" default:"10" min:"0.001" max:"10000" doc:"greatest acceleration of each joint"`
	Own               block.Const[float64] `unit:"m" default:"0.03" min:"0.001" max:"1" doc:"distance below which two links of the robot are driven apart; with an SRDF"`

	Clearance block.Param[float64] `unit:"m" default:"0.1" min:"0" max:"10" doc:"distance at and below which recoil is reached"`
	Influence block.Param[float64] `unit:"m" default:"0.3" min:"0.001" max:"10" doc:"distance from which on nothing is done; counts as at least 1 mm more than clearance"`
	Recoil    block.Param[float64] `unit:"m/s" default:"0.5" min:"0" max:"10" doc:"greatest speed at which a link leaves what is near"`
	Return    block.Param[float64] `unit:"1/s" default:"2" min:"0" max:"100" doc:"how fast the joints return to the desired positions"`
	Stiffness block.Param[float64] `unit:"1/s" default:"10" min:"0" max:"100" doc:"how fast an error of the task decays"`

	Desired         block.In[[]float64] `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"desired positions of the robot's joints"`
	DesiredVelocity block.In[[]float64] `unit:"{Coordinate}/s" doc:"their velocities; without data: 0"`
	Places          block.In[[]float64] `name:"balls" unit:"m" doc:"x, y and z of each ball"`
	Seen            block.In[[]float32] `unit:"m" doc:"cubes of a Mapper"`
	Loaded          block.In[bool]      `doc:"the robot carries the load"`

	Position     block.Out[[]float64] `unit:"{Coordinate}" doc:"of the joints, for the controller"`
	Velocity     block.Out[[]float64] `unit:"{Coordinate}/s" safe:"0" doc:"of the joints"`
	Acceleration block.Out[[]float64] `name:"acceleration" unit:"{Coordinate}/s²" safe:"0" doc:"of the joints"`
	Distance     block.Out[float64]   `unit:"m" watch:"yes" doc:"the least one to an obstacle, at most influence; negative: the depth of an overlap"`
	Freedom      block.Out[float64]   `watch:"yes" doc:"share of the way from the nearest obstacle that the task leaves free: 0 none, 1 all"`
	Offset       block.Out[float64]   `unit:"m" watch:"yes" doc:"how far the task is violated: distance of the link, at the positions written, from its desired place"`
	Turn         block.Out[float64]   `unit:"rad" watch:"yes" doc:"and the angle to its desired orientation; 0 where that is no task, as is the distance"`

	world    *world
	engines  [2]*exact.Engine
	near     []scene.Contact
	links    map[string]int // of the model, by the names of the scene's bodies
	data     *multibody.Data
	law      *control.Avoidance
	link     int
	from, to int       // rows of the task
	q        []float64 // configuration of the scene
	wanted   []float64
	jacobian []float64 // 6 × n
	gradient []float64
	task     [6]float64
	began    bool
}

// Setup reads the world and makes the ports. It fails for an unknown task, files that cannot be read, and joints with several coordinates.
func (a *Avoider) Setup(s *block.Setup) error {
	var err error
	switch a.Task.Value() {
	case "pose":
		a.from, a.to = 0, 6
	case "position":
		a.from, a.to = 0, 3
	case "orientation":
		a.from, a.to = 3, 6
	default:
		return fmt.Errorf("task is %q: wants pose, position or orientation", a.Task.Value())
	}
	if a.world, err = a.read(s, 0, 0); err != nil {
		return err
	}
	w := a.world
	if err := w.limit(a.AccelerationLimit.Value(), math.Inf(1)); err != nil {
		return err
	}
	model := w.scenes[0].Models()[0].Model
	n := model.NV()
	if n != w.dim || model.NQ() < n {
		return fmt.Errorf("%s: a joint has several coordinates: avoiding needs joints that turn about or slide along one axis", a.URDF.Value())
	}
	if a.link, err = model.Link(a.Link.Value()); err != nil {
		return fmt.Errorf("hand_link: %w", err)
	}
	a.links = map[string]int{}
	for i, name := range model.Links() {
		a.links[name] = i
	}
	if a.Hand.Value() != "" {
		a.links["load"] = a.links[a.Hand.Value()]
	}
	a.data, a.law = multibody.NewData(model), control.NewAvoidance(n, a.to-a.from)
	for i, l := range w.limits {
		a.law.MaxVelocity[i], a.law.MaxAcceleration[i] = l.Velocity, l.Acceleration
		a.law.Lower[i], a.law.Upper[i] = w.joints.Lower[i], w.joints.Upper[i]
	}
	a.q, a.wanted = make([]float64, len(w.q)), make([]float64, len(w.q))
	a.jacobian, a.gradient = make([]float64, 6*n), make([]float64, n)
	for k, scene := range w.scenes {
		a.engines[k] = exact.New(scene)
		if a.near, err = a.engines[k].Near(w.q, math.Inf(1), a.near[:0]); err != nil {
			return err
		}
	}
	s.Len(n, &a.Desired, &a.DesiredVelocity, &a.Position, &a.Velocity, &a.Acceleration)
	w.ports(s, &a.Places, &a.Seen)
	return nil
}

// Start forgets the motion before.
func (a *Avoider) Start() error {
	a.began = false
	return nil
}

var errDesired = errors.New("a desired position or velocity is not a finite number, or too large")

// Step moves on.
func (a *Avoider) Step(t clock.Tick) error {
	desired, _ := a.Desired.Read()
	velocity, _ := a.DesiredVelocity.Read()
	if len(a.world.balls) > 0 {
		balls, status := a.Places.Read()
		if status == block.NoData {
			return nil
		}
		if !a.world.place(balls) {
			return errBalls
		}
	}
	if _, err := a.world.look(&a.Seen); err != nil {
		return err
	}
	for i := range desired {
		if x := desired[i] + velocity[i]; x-x != 0 {
			return errDesired
		}
	}
	switch {
	case !a.began:
		a.law.Reset(desired)
		a.began = true
	case t.Seconds() > interruption:
		a.law.Reset(a.law.Position())
	}
	l := a.law
	l.Near, l.Far = a.Clearance.Value(), max(a.Influence.Value(), a.Clearance.Value()+1e-3)
	l.Speed, l.Return = a.Recoil.Value(), a.Return.Value()
	a.aim(desired, velocity)
	if !l.Begin(a.rows()) {
		return errDesired
	}
	least, err := a.repel()
	if err != nil {
		return err
	}
	if _, ok := l.Step(min(t.Seconds(), interruption), a.task[a.from:a.to], desired, velocity); !ok && t.Dt > 0 {
		return errDesired
	}
	a.Position.Write(l.Position())
	a.Velocity.Write(l.Velocity())
	a.Acceleration.Write(l.Acceleration())
	a.Distance.Write(least)
	a.Freedom.Write(l.Freedom())
	return nil
}

// interruption is the time without a step after which the robot begins again at rest, and the longest step, s.
const interruption = 0.1

// configuration returns the coordinates of the robot's model for the positions of its joints.
func (a *Avoider) configuration(q, out []float64) []float64 {
	a.world.joints.Configuration(q, out)
	return out[:a.data.Model().NQ()]
}

// rows are those of the Jacobian that are the task.
func (a *Avoider) rows() []float64 {
	n := len(a.gradient)
	return a.jacobian[a.from*n : a.to*n]
}

// aim computes the velocity of the task, and the link's Jacobian where the robot is.
func (a *Avoider) aim(desired, velocity []float64) {
	n := len(velocity)
	goal := multibody.Jacobian(a.data, a.configuration(desired, a.wanted), a.link, multibody.Mixed, a.jacobian)
	for row := range a.task {
		a.task[row] = 0
		for i, v := range velocity {
			a.task[row] += a.jacobian[row*n+i] * v
		}
	}
	is := multibody.Jacobian(a.data, a.configuration(a.law.Position(), a.q), a.link, multibody.Mixed, a.jacobian)
	off, turn := goal.P.Sub(is.P), goal.R.Mul(is.R.T()).Log()
	k := a.Stiffness.Value()
	for i, e := range [6]float64{off.X, off.Y, off.Z, turn.X, turn.Y, turn.Z} {
		a.task[i] += k * e
	}
	if a.from > 0 {
		off = spatial.Vec3{}
	}
	if a.to < 6 {
		turn = spatial.Vec3{}
	}
	a.Offset.Write(off.Norm())
	a.Turn.Write(turn.Norm())
}

// repel gives the law the pairs that are near, and returns the least distance to an obstacle.
func (a *Avoider) repel() (least float64, err error) {
	k := 0
	if loaded, _ := a.Loaded.Read(); loaded {
		k = 1
	}
	far := a.law.Far
	least = far
	if a.near, err = a.engines[k].Near(a.q, max(far, a.Own.Value()), a.near[:0]); err != nil {
		return 0, err
	}
	for i := range a.near {
		c := &a.near[i]
		first, isFirst := a.links[c.Pair.A]
		second, isSecond := a.links[c.Pair.B]
		d := c.Distance
		if isFirst && isSecond {
			if a.SRDF.Value() == "" {
				continue
			}
			d *= far / a.Own.Value() // own links begin at another distance
		} else {
			least = min(least, d)
		}
		if d >= far {
			continue
		}
		clear(a.gradient)
		if isFirst {
			a.add(first, c.A, c.Normal.Neg())
		}
		if isSecond {
			a.add(second, c.B, c.Normal)
		}
		a.law.Repel(d, a.gradient)
	}
	return least, nil
}

// add adds to the gradient how fast a point of a link moves along a direction, for each joint.
func (a *Avoider) add(link int, point, along spatial.Vec3) {
	n := len(a.gradient)
	multibody.Jacobian(a.data, a.q[:a.data.Model().NQ()], link, multibody.World, a.jacobian)
	turn := point.Cross(along) // along · (v + ω × p) = along · v + ω · (p × along)
	j := a.jacobian
	for i := range a.gradient {
		a.gradient[i] += along.X*j[i] + along.Y*j[n+i] + along.Z*j[2*n+i] + turn.X*j[3*n+i] + turn.Y*j[4*n+i] + turn.Z*j[5*n+i]
	}
}
