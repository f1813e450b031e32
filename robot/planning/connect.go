package planning

import (
	"errors"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Growth is how a tree grows towards a point.
type Growth int

// Growths.
const (
	Extend Growth = iota // by one edge
	Greedy               // by edges until one is not free or the point is reached
)

// Connect is RRT-Connect (Kuffner and LaValle 2000) with its relatives: trees grow from start and goal, one towards samples, the other towards what
// the first one reached. The smaller tree grows first.
//
// A node in a pocket, as a goal in a shelf, gets samples from far away, which all lie in a few directions, and nearly all edges towards them end at the same
// obstacles. Dynamic domains (Yershova, Jaillet, Siméon and LaValle 2005) therefore reject what is far from such nodes, and with it most samples. Near takes
// samples from there instead, as trees of expansive spaces do (Hsu, Latombe and Motwani 1997).
type Connect struct {
	Search
	Grow Growth // of the tree that grows towards samples
	Join Growth // of the tree that grows towards the other one
	Dual bool   // both trees grow towards the sample (LaValle and Kuffner 1999); Join is then one edge between near nodes

	// Repair begins with what is left of the last path, as it was returned and shortened since: both trees hold its free ends, and only the gap is
	// searched, as after an obstacle or the goal has moved. A plan then depends on the one before. A plan that fails for its ends keeps the last path.
	Repair bool

	// Near takes seven of eight samples from around a random node of the tree that grows, in each value at most 1.5 Range away. The eighth comes from
	// everywhere, so that no free place is left out.
	Near bool

	// Domain limits the samples that a node attracts to its surroundings, if its radius is not 0.
	Domain Domain

	trees  [2]*tree
	radii  [2][]float64 // of the nodes' domains
	gap    gap
	near   []float64
	source space.Uniform
	drawn  []float64 // numbers for a sample near a node: which one, and the place
}

// Domain is the adaptive dynamic domain (Jaillet, Yershova, LaValle and Siméon 2005): a node from which an edge was not free attracts only samples
// nearer than its radius, which shrinks with failures and grows with successes.
type Domain struct {
	Radius float64 // after the first failure, in the distance of the space; 0: all nodes attract all samples
	Lower  float64 // least radius
	Alpha  float64 // part by which a radius changes each time, 0 to 1
}

// NewConnect returns a planner with the engine's scene for obstacles, edges at most 1 long that are checked at points at most
// resolution apart, and trees of at most nodes nodes, whose memory it allocates; 0 means [DefaultNodes].
func NewConnect(e scene.Engine, s space.Robots, resolution float64, nodes int) (*Connect, error) {
	search, err := newCurvedSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	if !s.Symmetric() {
		return nil, errors.New("make a planner: a tree that grows from the goal needs ways that lead in both directions; use RRT")
	}
	c := &Connect{Search: search, Join: Greedy, near: make([]float64, s.Dim()), drawn: make([]float64, 1+s.Dim())}
	for i := range c.trees {
		c.trees[i], c.radii[i] = newTree(s, nodes), make([]float64, nodes)
	}
	return c, nil
}

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *Connect) Plan(start, goal []float64) (*Path, error) { return c.PlanToAny(start, goal) }

// PlanToAny returns a path from start to one of the goals, as [Connect.Plan] does: a pose of a tool has many configurations of an arm. Goals that are
// not free are left out; if none is, the error is that of the first one. No goal at all is a mistake of the program and panics.
func (c *Connect) PlanToAny(start []float64, goals ...[]float64) (*Path, error) {
	if len(goals) == 0 {
		panic("planning: PlanToAny: expected at least one goal")
	}
	if err := c.check("start", start); err != nil {
		return nil, err
	}
	c.restart()
	c.source.Reset(^c.Seed)
	c.gap.open = false
	c.trees[0].root(start)
	c.trees[1].clear()
	for _, goal := range goals {
		c.want("goal", goal)
		if c.trees[1].full() || !c.free(goal) {
			continue
		}
		if c.verifier.way(start, goal) {
			c.path.Reset()
			c.path.Add(start)
			c.path.Add(goal)
			return &c.path, nil
		}
		c.trees[1].add(goal, -1)
	}
	if len(c.trees[1].parent) == 0 {
		return nil, c.check("goal", goals[0])
	}
	c.widen(0, 0)
	c.widen(1, 0)
	if !c.Repair {
		c.path.Reset()
	} else if c.seed() {
		return &c.path, nil
	}
	for grown := 0; c.Samples < c.Iterations; c.Samples++ {
		if c.stopped() {
			return c.towards(c.trees[0], goals[0]), ErrStopped
		}
		if len(c.trees[1-grown].parent) < len(c.trees[grown].parent) {
			grown = 1 - grown
		}
		a, b := c.trees[grown], c.trees[1-grown]
		if a.full() || b.full() {
			return nil, ErrNoPath
		}
		i := c.sampled(grown)
		if i < 0 {
			continue
		}
		if j := c.join(b, a.At(i), 1-grown); j >= 0 {
			c.Samples++
			c.connect(i, j, grown == 1)
			return &c.path, nil
		}
	}
	return nil, ErrNoPath
}

// Samples near nodes, of planners with Near.
const (
	nearby     = 1.5 // how far from the node they are at most in each value, in Ranges
	everywhere = 8   // one of as many samples comes from everywhere
)

// draw writes the next sample for a tree, near the gap of a repair, near a node, or from everywhere, and returns the node nearest to it with its distance.
func (c *Connect) draw(t *tree) (near int32, distance float64) {
	gap := c.gap.open && c.Samples%2 == 0
	if c.Near && !gap && c.Samples%everywhere != everywhere-1 {
		c.source.Next(c.drawn)
		copy(c.sample, c.drawn[1:])
		center := int32(c.drawn[0] * float64(t.Len()))
		c.space.ScaleNear(t.At(center), nearby*c.Range, c.sample)
		return t.Nearest(c.sample)
	}
	c.next()
	if gap {
		c.around()
	}
	return t.Nearest(c.sample)
}

// sampled grows a tree towards the next sample and returns its last new node, or -1.
func (c *Connect) sampled(grown int) int32 {
	t := c.trees[grown]
	near, distance := c.draw(t)
	radius := &c.radii[grown][near]
	if distance > *radius {
		return -1
	}
	before := len(t.parent)
	var i int32
	if c.Grow == Greedy {
		i, _ = c.grow(t, near, c.sample, distance, false)
	} else {
		i, _ = c.extend(t, near, c.sample, distance, false)
	}
	if c.Domain.Radius > 0 {
		c.Domain.adapt(radius, i >= 0)
	}
	c.widen(grown, before)
	return i
}

// widen gives new nodes an unlimited domain.
func (c *Connect) widen(of, before int) {
	for i := before; i < len(c.trees[of].parent); i++ {
		c.radii[of][i] = math.Inf(1)
	}
}

// adapt changes the radius of a node after an edge from it.
func (d *Domain) adapt(radius *float64, free bool) {
	switch {
	case free:
		*radius *= 1 + d.Alpha
	case math.IsInf(*radius, 1):
		*radius = d.Radius
	default:
		*radius = max(d.Lower, *radius*(1-d.Alpha))
	}
}

// join grows a tree towards a node of the other one and returns its node there, or -1.
func (c *Connect) join(t *tree, to []float64, of int) int32 {
	before := len(t.parent)
	defer c.widen(of, before)
	near, distance := t.Nearest(to)
	if c.Dual {
		if distance <= c.Range {
			if i, _ := c.extend(t, near, to, distance, true); i >= 0 || slices.Equal(to, c.sample) {
				return i
			}
		}
		near, distance = t.Nearest(c.sample)
		c.extend(t, near, c.sample, distance, false)
		return -1
	}
	var i int32
	var reached bool
	if c.Join == Greedy {
		i, reached = c.grow(t, near, to, distance, true)
	} else {
		i, reached = c.extend(t, near, to, distance, true)
	}
	if !reached {
		return -1
	}
	return i
}

// connect makes the path from the start through node i of one tree and node j of the other, which are the same point.
func (c *Connect) connect(i, j int32, fromGoal bool) {
	if fromGoal {
		i, j = j, i
	}
	c.trees[0].branch(i, &c.path)
	c.path.reverse(0)
	c.trees[1].branch(c.trees[1].parent[j], &c.path)
}
