package motion

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Planner plans timed motions among obstacles, on request: RRT-Connect with samples near nodes and shortcuts, the quickest of five such paths, its points moved to where it is quicker, rounded
// corners, and a proof by the exact engine that the motion is free at all times ([timed.Planner]).
//
//	            ┌─────────┐
//	request ──► │ Planner ├─► plan, outcome, duration
//	  balls ──► │         │
//	            └─────────┘
//
// A plan takes a millisecond, or a hundred in a narrow place: the planner belongs in a thread of its own, whose period does not matter. It holds its
// memory and allocates nothing. Limits must be those of the [Executor] that follows. Balls count with margin, at the places where they are
// when the request comes. Where some are nearer than margin at the start but touch nothing, the motion first leads straight away from them until none is, and
// rests there.
type Planner struct {
	World
	Margin            block.Const[float64] `unit:"m" default:"0.03" min:"0" max:"10" doc:"by which balls count as larger"`
	Padding           block.Const[float64] `unit:"m" default:"0.005" min:"0" max:"1" doc:"by which the links of the robot and its load count as larger"`
	AccelerationLimit block.Const[float64] `name:"max_acceleration" unit:"{Coordinate}/s²" default:"5" min:"0.001" max:"10000" doc:"greatest acceleration of each joint; motions are planned with half of it"`
	JerkLimit         block.Const[float64] `name:"max_jerk" unit:"{Coordinate}/s³" default:"100" min:"0.001" max:"1000000" doc:"greatest jerk of each joint; motions are planned with half of it"`
	Samples           block.Const[int]     `default:"20000" min:"1" max:"1000000" doc:"after which a plan gives up"`

	Request block.In[[]float64] `required:"yes" trigger:"yes" doc:"of an executor"`
	Places  block.In[[]float64] `name:"balls" unit:"m" doc:"x, y and z of each ball"`
	Seen    block.In[[]float32] `unit:"m" doc:"cubes of a Mapper"`

	Plan     block.Out[[]float64] `doc:"for the executor"`
	Outcome  block.Out[int64]     `watch:"yes" doc:"0: planned, 1: the start is not free and no straight way leads from it, 2: the goal is not free, 3: no path, 4: not proved, 5: too many points"`
	Duration block.Out[float64]   `unit:"s" watch:"yes" doc:"of the last motion"`

	world   *world
	planner [2]*timed.Planner
	connect [2]*planning.Connect
	exits   [2]*exits
	whole   *trajectory.Rounded // from the start
}

// resolution is the distance between the points at which edges are checked, rad or m.
const resolution = 1.0 / 32

// nodes is the number of nodes of each tree of a planner.
const nodes = 20_000

// Setup reads the world and allocates the trees.
func (p *Planner) Setup(s *block.Setup) error {
	var err error
	if p.world, err = p.read(s, p.Margin.Value(), p.Padding.Value()); err != nil {
		return err
	}
	w := p.world
	if err := w.limit(p.AccelerationLimit.Value()/2, p.JerkLimit.Value()/2); err != nil {
		return err
	}
	for k, scene := range w.scenes {
		if p.connect[k], err = planning.NewConnect(engine(scene), w.joints, resolution, nodes); err != nil {
			return err
		}
		p.connect[k].Near = true
		p.connect[k].Iterations = p.Samples.Value()
		prover, err := proof.NewProver(scene, w.joints, 1e-3)
		if err != nil {
			return err
		}
		p.planner[k] = timed.NewPlanner(p.connect[k], prover, w.limits)
		if p.exits[k], err = newExits(p.connect[k].Verifier(), w, k, p.Margin.Value()+p.Padding.Value()); err != nil {
			return err
		}
	}
	p.whole = trajectory.NewRounded(w.dim, mostPoints)
	s.Len(requestLen(w.dim), &p.Request)
	w.ports(s, &p.Places, &p.Seen)
	s.Len(planLen(w.dim), &p.Plan)
	return nil
}

// Step answers a new request.
func (p *Planner) Step(clock.Tick) error {
	asked, status := p.Request.Read()
	if status != block.NewData {
		return nil
	}
	if balls, status := p.Places.Read(); status != block.NoData && !p.world.place(balls) {
		return errBalls
	}
	if _, err := p.world.look(&p.Seen); err != nil {
		return err
	}
	r, out := request(asked), plan(*p.Plan.Slot())
	clear(out)
	out[0] = r.number()
	outcome, err := p.answer(r, out)
	if err != nil {
		return err
	}
	out[1] = float64(outcome)
	p.Plan.Commit()
	p.Outcome.Write(int64(outcome))
	if outcome == Planned {
		p.Duration.Write(p.whole.Duration())
	}
	return nil
}

// errBalls refuses places that are no numbers.
var errBalls = errors.New("the place of a ball is not a finite number")

// answer writes the points of the motion that a request asks for.
func (p *Planner) answer(r request, out plan) (Outcome, error) {
	k := 0
	if r.loaded() {
		k = 1
	}
	w, v := p.world, p.connect[k].Verifier()
	// Ends are examined first, because the errors of a plan that names bodies allocate.
	from := r.start()
	if w.joints.Outside(from) >= 0 {
		return StartNotFree, nil
	}
	if !v.Free(from) {
		var err error
		if from, err = p.exits[k].find(r.start()); from == nil || err != nil {
			return StartNotFree, err
		}
		out.add(w.dim, r.start(), 0)
	}
	if w.joints.Outside(r.goal()) >= 0 || !v.Free(r.goal()) {
		return GoalNotFree, nil
	}
	if _, _, err := p.planner[k].Plan(from, r.goal()); err != nil {
		if errors.Is(err, planning.ErrNoPath) {
			return NoPath, nil
		}
		return NotProved, nil
	}
	points, deviations := p.planner[k].Polyline()
	if out.len()+len(deviations) > mostPoints {
		return TooManyPoints, nil
	}
	for i, d := range deviations {
		if i == 0 {
			d = 0 // rests at the exit
		}
		out.add(w.dim, points[i*w.dim:(i+1)*w.dim], d)
	}
	return Planned, p.whole.Plan(out.points(w.dim), w.limits, out.deviations(w.dim))
}
