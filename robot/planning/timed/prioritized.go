package timed

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Prioritized plans motions of several robots in one scene, one after the other: each avoids the motions of those before it in time (Erdmann and
// Lozano-Pérez 1987).
//
// The way of a robot is planned while those before it rest at their goals and those behind it at their starts, so it is free once the others have arrived. It departs as
// early as its motion is free with those before it at all times, which a [proof.Prover] of all robots decides (the path is fixed, then its time, as by Kant and Zucker
// 1986). A second way avoids all places of the motions before it, and need not wait. Of several paths of both kinds the one that arrives first is taken. Robots that have to make way for one another at the same time, as where each starts at the goal of
// the other, are planned as one: [planning.Connect] in the space of all joints.
type Prioritized struct {
	Seed       uint64
	Paths      int // of each kind, of each robot but the first
	Departures int // times that are tried, from 0 to the end of the motions before

	scene      *scene.Scene
	engine     scene.Engine
	robots     [][]string
	joints     *space.Joints // of all robots
	prover     *proof.Prover
	limits     []trajectory.Limits
	resolution float64
	nodes      int
	states     []trajectory.State
	point, q   []float64
}

// looks is how many configurations are checked before a departure is proved.
const looks = 100

// NewPrioritized returns a planner for robots that are given by the names of their joints, in the order of their priority, with limits for all joints in this order. Engine,
// resolution and nodes are those of [planning.NewConnect]. It fails as [space.NewJoints] does, for a joint of two robots too. Unlike planners of one robot it allocates
// in each plan.
func NewPrioritized(e scene.Engine, robots [][]string, limits []trajectory.Limits, resolution float64, nodes int) (*Prioritized, error) {
	s := e.Scene()
	names := slices.Concat(robots...)
	if len(robots) == 0 || slices.ContainsFunc(robots, func(r []string) bool { return len(r) == 0 }) {
		return nil, fmt.Errorf("plan robots one after the other: a robot of %d has no joints; name the joints of each", len(robots))
	}
	joints, err := space.NewJoints(s, names, nil)
	if err != nil {
		return nil, err
	}
	if len(limits) != len(names) {
		return nil, fmt.Errorf("plan robots one after the other: limits of %d joints, want those of %d", len(limits), len(names))
	}
	prover, err := proof.NewProver(s, joints, 1e-3)
	if err != nil {
		return nil, err
	}
	return &Prioritized{
		Paths: 4, Departures: 64, scene: s, engine: e, robots: robots, joints: joints, prover: prover, limits: limits, resolution: resolution, nodes: nodes,
		states: make([]trajectory.State, len(names)), point: make([]float64, len(names)), q: make([]float64, s.NQ()),
	}, nil
}

// Joints returns the space of the joints of all robots, in which starts, goals and motions are given.
func (p *Prioritized) Joints() *space.Joints { return p.joints }

// Plan returns a motion of all robots from rest at start to rest at goal, and what proves it free. Errors name the robot; they wrap those of
// [Planner.Plan] for its way while the others rest. Points of the wrong length are a mistake of the program and panic.
func (p *Prioritized) Plan(start, goal []float64) (*MultiRobotMotion, proof.Verdict, error) {
	n := p.joints.Dim()
	if len(start) != n || len(goal) != n {
		panic(fmt.Sprintf("timed: start and goal of several robots have %d and %d values, want %d", len(start), len(goal), n))
	}
	m := &MultiRobotMotion{axes: n}
	first := 0
	for _, names := range p.robots {
		m.parts = append(m.parts, part{rest: start[first : first+len(names)], first: first})
		first += len(names)
	}
	var v proof.Verdict
	now := slices.Clone(start)
	for k := range p.robots {
		var err error
		if v, err = p.robot(m, k, now, goal); err != nil {
			return nil, v, fmt.Errorf("plan the motion of robot %d, with %s: %w", k, p.robots[k][0], err)
		}
		own := m.parts[k].first
		copy(now[own:own+len(p.robots[k])], goal[own:])
	}
	return m, v, nil
}

// robot adds the motion of robot k, which begins while all rest at now.
func (p *Prioritized) robot(m *MultiRobotMotion, k int, now, goal []float64) (best proof.Verdict, err error) {
	names, at := p.robots[k], &m.parts[k]
	p.joints.Configuration(now, p.q)
	own, err := space.NewJoints(p.scene, names, p.q)
	if err != nil {
		return best, err
	}
	connect, err := planning.NewConnect(p.engine, own, p.resolution, p.nodes)
	if err != nil {
		return best, err
	}
	connect.Near = true
	prover, err := proof.NewProver(p.scene, own, 1e-3)
	if err != nil {
		return best, err
	}
	planner := NewPlanner(connect, prover, p.limits[at.first:at.first+len(names)])
	plan := func(seed uint64) error {
		connect.Seed, planner.Simplifier().Seed = seed, seed
		motion, _, err := planner.Plan(now[at.first:at.first+len(names)], goal[at.first:at.first+len(names)])
		at.motion = motion
		return err
	}
	before := m.Duration()
	paths := uint64(p.Paths)
	if k == 0 {
		paths = 1
	}
	aside := during(m, p.engine, p.joints, own)
	type try struct {
		seed           uint64
		aside          bool
		departure, end float64
	}
	var fastest, last try
	run := func(t try) error {
		last = t
		if !t.aside {
			connect.Iterations = planning.DefaultIterations
			return errors.Join(connect.Verifier().Use(p.engine), plan(t.seed))
		}
		connect.Iterations = asideSamples
		return errors.Join(connect.Verifier().Use(aside), plan(t.seed))
	}
	for i := range 2 * paths {
		t := try{seed: p.Seed + i/2, aside: i%2 == 1}
		if t.aside && (k == 0 || best.Free && fastest.departure == 0) {
			continue
		}
		if err := run(t); err != nil {
			if t.aside {
				continue // there may be no way around all of the motions before
			}
			return best, err
		}
		v, err := p.depart(m, at, before)
		if err != nil {
			return v, err
		}
		t.departure, t.end = at.departure, at.end()
		switch {
		case !v.Free && !best.Free:
			best = v
		case v.Free && (!best.Free || t.end < fastest.end):
			best, fastest = v, t
		}
	}
	if !best.Free {
		return best, &ContactError{p.Paths, best}
	}
	if fastest.seed != last.seed || fastest.aside != last.aside || at.motion == nil {
		if err := run(fastest); err != nil {
			return best, err
		}
	}
	at.departure = fastest.departure
	return best, nil
}

// asideSamples ends the search for a way around all of the motions before.
const asideSamples = 2000

// depart finds the earliest departure of a robot at which the motion of all is free; if none is, the verdict is that of the last one.
func (p *Prioritized) depart(m *MultiRobotMotion, robot *part, before float64) (v proof.Verdict, err error) {
	for i := range p.Departures + 1 {
		robot.departure = before * float64(i) / float64(p.Departures)
		if i < p.Departures && !p.look(m) {
			continue
		}
		if v, err = p.prover.Motion(m, p.limits); err != nil || v.Free || before == 0 {
			return v, err
		}
	}
	return v, nil
}

// look reports whether all robots are free at times of their motion, before that is proved.
func (p *Prioritized) look(m *MultiRobotMotion) bool {
	end := m.Duration()
	for i := range looks {
		m.At(end*float64(i)/looks, p.states)
		for k, x := range p.states {
			p.point[k] = x.Position
		}
		p.joints.Configuration(p.point, p.q)
		if _, hit, err := p.engine.Collide(p.q); hit || err != nil {
			return false
		}
	}
	return true
}
