package planning

import (
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// RRT is a rapidly-exploring random tree (LaValle 1998) that grows from the start towards samples, some of which are the goal. New nodes at most
// Range away from the goal try an edge to it. It is the planner for ways of one direction, as those of Dubins.
type RRT struct {
	Search
	Bias float64 // part of the samples that are the goal, from 0 to 1
	Grow Growth

	tree   *tree
	tried  []bool // nodes from which an edge towards the goal was tried
	chance space.Uniform
}

// NewRRT returns a planner with the arguments of [NewConnect], without a bias.
func NewRRT(e scene.Engine, s space.Robots, resolution float64, nodes int) (*RRT, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	return &RRT{Search: search, tree: newTree(s, nodes), tried: make([]bool, nodes)}, nil
}

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *RRT) Plan(start, goal []float64) (*Path, error) {
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	c.tree.root(start)
	clear(c.tried)
	c.tried[0] = true
	c.chance.Reset(c.Seed)
	for ; c.Samples < c.Iterations; c.Samples++ {
		if c.stopped() {
			return c.towards(c.tree, goal), ErrStopped
		}
		if c.tree.full() {
			return nil, ErrNoPath
		}
		if c.sampled(goal) {
			c.Samples++
			return c.towards(c.tree, goal), nil
		}
	}
	return nil, ErrNoPath
}

// sampled grows the tree towards a sample, and reports whether it reached the goal.
func (c *RRT) sampled(goal []float64) bool {
	var u [1]float64
	c.chance.Next(u[:])
	to, free := c.sample, false
	near, distance := int32(0), 0.0
	if u[0] < c.Bias {
		near, distance = c.tree.Nearest(goal)
		free = !c.tried[near] // else a second try would fail too
	}
	if free {
		to = goal
		c.tried[near] = true
	} else {
		c.next()
		near, distance = c.tree.Nearest(c.sample)
	}
	before := int32(len(c.tree.parent))
	var reached bool
	if c.Grow == Greedy {
		_, reached = c.grow(c.tree, near, to, distance, free)
	} else {
		_, reached = c.extend(c.tree, near, to, distance, free)
	}
	if free && c.Grow == Greedy {
		for i := before; i < int32(len(c.tree.parent)); i++ {
			c.tried[i] = true // all on the same line
		}
	}
	return free && reached || c.reach(before, goal)
}

// reach tries edges to the goal from new nodes near it.
func (c *RRT) reach(before int32, goal []float64) bool {
	for i := before; i < int32(len(c.tree.parent)) && !c.tree.full(); i++ {
		d := c.space.Distance(c.tree.At(i), goal)
		if d > c.Range || c.tried[i] {
			continue
		}
		c.tried[i] = true
		if node, _ := c.extend(c.tree, i, goal, d, true); node >= 0 {
			return true
		}
	}
	return false
}
