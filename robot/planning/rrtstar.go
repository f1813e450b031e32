package planning

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// RRTStar is RRT* (Karaman and Frazzoli 2011) with informed samples (Gammell, Srinivasa and Barfoot 2014): a new node gets the parent by which it is
// nearest to the start, and becomes the parent of nodes that are nearer to the start through it. Every twentieth sample is the goal until it is
// reached.
type RRTStar struct {
	Search
	Improve int // samples after the first path

	tree     *tree
	cost     []float64 // from the start
	child    []int32   // first one of each node, -1: none
	sibling  []int32   // next child of the same parent
	tried    []bool    // nodes from which an edge towards the goal was tried
	goal     int32     // node, -1: not reached yet
	list     []neighbor.Neighbor
	known    []status // of the edges to the nodes of list
	stack    []int32
	chance   space.Uniform
	informed informed
}

// NewRRTStar returns a planner with the arguments of [NewConnect].
func NewRRTStar(e scene.Engine, s space.Robots, resolution float64, nodes int) (*RRTStar, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	if !s.Symmetric() {
		return nil, errors.New("make a planner: RRT* needs ways that lead in both directions; use RRT")
	}
	return &RRTStar{
		Search: search, Improve: DefaultImproving, tree: newTree(s, nodes), tried: make([]bool, nodes),
		cost: make([]float64, 0, nodes), child: make([]int32, 0, nodes), sibling: make([]int32, 0, nodes), informed: newInformed(s),
	}, nil
}

// Plan returns the shortest path from start to goal that it finds, which are points of Dim values; errors are those of [Planner].
func (c *RRTStar) Plan(start, goal []float64) (*Path, error) {
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	c.tree.Reset()
	c.tree.parent, c.cost, c.child, c.sibling = c.tree.parent[:0], c.cost[:0], c.child[:0], c.sibling[:0]
	c.insert(start, -1, 0)
	clear(c.tried)
	c.tried[0], c.goal = true, -1
	c.chance.Reset(c.Seed)
	c.informed.begin(start, goal, c.Seed)
	for end := c.Iterations; c.Samples < end && !c.tree.full(); c.Samples++ {
		if c.stopped() {
			if c.goal < 0 {
				return c.towards(c.tree, goal), ErrStopped
			}
			break
		}
		solved := c.goal >= 0
		c.sampled(start, goal)
		if !solved && c.goal >= 0 {
			end = c.Samples + 1 + c.Improve
		}
	}
	if c.goal < 0 {
		return nil, ErrNoPath
	}
	return c.towards(c.tree, goal), nil
}

// sampled grows the tree by one node.
func (c *RRTStar) sampled(start, goal []float64) {
	var u [1]float64
	c.chance.Next(u[:])
	if c.goal < 0 && u[0] < bias {
		if near, distance := c.tree.Nearest(goal); !c.tried[near] {
			copy(c.sample, goal)
			if distance > c.Range {
				c.tried[near] = true
			}
			c.steer(near, distance, distance <= c.Range)
			return
		}
	}
	best := math.Inf(1)
	if c.goal >= 0 {
		best = c.cost[c.goal]
	}
	if !c.informed.next(start, goal, best, c.sample, c.next) {
		return
	}
	near, distance := c.tree.Nearest(c.sample)
	c.steer(near, distance, false)
}

// steer adds a node at the sample, or an edge of the full range towards it; isGoal means that the sample is the goal.
func (c *RRTStar) steer(near int32, distance float64, isGoal bool) {
	if distance > c.Range {
		c.space.Interpolate(c.tree.At(near), c.sample, c.Range/distance, c.sample)
	}
	if !isGoal && !c.verifier.Free(c.sample) {
		return
	}
	n := float64(c.tree.Len())
	k := 1 + int(math.E*(1+1/float64(c.space.Dim()))*math.Log(n+1))
	c.list = c.tree.K(c.sample, k, c.list)
	c.known = c.known[:0]
	for _, n := range c.list {
		state := unknown
		if n.Distance > c.Range*(1+1e-9) || isGoal && c.tried[n.I] {
			state = blocked
		}
		c.known = append(c.known, state)
	}
	parent := c.parent(isGoal)
	if parent < 0 {
		return
	}
	by := c.list[parent]
	added := c.insert(c.sample, by.I, c.cost[by.I]+by.Distance)
	if isGoal {
		c.goal = added
	}
	c.rewire(added, isGoal)
}

// parent returns the entry of the list by which the sample is nearest to the start, or -1.
func (c *RRTStar) parent(isGoal bool) int {
	for {
		best, least := -1, math.Inf(1)
		for i, n := range c.list {
			if cost := c.cost[n.I] + n.Distance; c.known[i] == unknown && cost < least {
				best, least = i, cost
			}
		}
		if best < 0 {
			return -1
		}
		i := c.list[best].I
		if isGoal {
			c.tried[i] = true
		}
		c.known[best] = blocked
		if c.verifier.way(c.tree.At(i), c.sample) {
			c.known[best] = free
			return best
		}
	}
}

// rewire makes a new node the parent of those of the list that are nearer to the start through it.
func (c *RRTStar) rewire(added int32, isGoal bool) {
	for i, n := range c.list {
		cost := c.cost[added] + n.Distance
		if c.known[i] != unknown || cost >= c.cost[n.I]-1e-9 {
			continue
		}
		if isGoal {
			c.tried[n.I] = true
		}
		if c.verifier.way(c.tree.At(added), c.tree.At(n.I)) {
			c.move(n.I, added, cost)
		}
	}
}

// insert adds a node.
func (c *RRTStar) insert(p []float64, parent int32, cost float64) int32 {
	i := c.tree.add(p, parent)
	c.cost, c.child, c.sibling = append(c.cost, cost), append(c.child, -1), append(c.sibling, -1)
	if parent >= 0 {
		c.child[parent], c.sibling[i] = i, c.child[parent]
	}
	return i
}

// move gives a node another parent, and its descendants their new costs.
func (c *RRTStar) move(i, parent int32, cost float64) {
	for at := &c.child[c.tree.parent[i]]; ; at = &c.sibling[*at] {
		if *at == i {
			*at = c.sibling[i]
			break
		}
	}
	c.child[parent], c.sibling[i], c.tree.parent[i] = i, c.child[parent], parent
	gain := c.cost[i] - cost
	c.stack = append(c.stack[:0], i)
	for len(c.stack) > 0 {
		j := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.cost[j] -= gain
		for k := c.child[j]; k >= 0; k = c.sibling[k] {
			c.stack = append(c.stack, k)
		}
	}
}
