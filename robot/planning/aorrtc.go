package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// AORRTC is asymptotically optimal RRT-Connect (Wilson, Thomason, Kingston and Gammell 2025). After a first path by RRT-Connect, with samples near nodes, it
// searches again and again, each time only for paths that are shorter than the best one: samples have a cost beside their point, nodes have their length from the
// root, and a sample is reached from the node that is nearest in both. Shortcuts shorten each path that is found, and from time to time the best one again.
type AORRTC struct {
	Search
	Improve int // samples after the first path

	first      *Connect
	trees      [2]*costTree
	simplifier *Simplifier
	chance     space.Uniform
	informed   informed
	list       []neighbor.Neighbor
	best       Path
	length     float64 // of the best path
}

// costTree is a tree whose nodes know their length from the root.
type costTree struct {
	*tree
	root []float64
	cost []float64
}

// again is after how many samples other shortcuts are tried on the best path.
const again = 250

// competitors is how many nodes near a sample compete in cost.
const competitors = 10

// NewAORRTC returns a planner with the arguments of [NewConnect].
func NewAORRTC(e scene.Engine, s space.Robots, resolution float64, nodes int) (*AORRTC, error) {
	if _, curved := s.(*ConstrainedSpace); curved {
		return nil, errCurved
	}
	first, err := NewConnect(e, s, resolution, nodes)
	if err != nil {
		return nil, err
	}
	c := &AORRTC{Search: first.Search, Improve: DefaultImproving, first: first, simplifier: NewSimplifier(first.verifier), informed: newInformed(s)}
	first.Near = true
	c.simplifier.Attempts, c.simplifier.gain = 100, 1e-3
	c.best = Path{dim: s.Dim(), points: make([]float64, 0, cap(c.path.points))}
	for i, t := range first.trees {
		c.trees[i] = &costTree{tree: t, cost: make([]float64, 0, t.Cap())}
	}
	return c, nil
}

// Plan returns the shortest path from start to goal that it finds, which are points of Dim values; errors are those of [Planner].
func (c *AORRTC) Plan(start, goal []float64) (*Path, error) {
	c.first.Range, c.first.Seed, c.first.Sampler, c.first.Iterations, c.first.Stop = c.Range, c.Seed, c.Sampler, c.Iterations, c.Stop
	path, err := c.first.Plan(start, goal)
	c.Samples = c.first.Samples
	if err != nil || path.Len() == 2 {
		return path, err
	}
	c.trees[0].root, c.trees[1].root = start, goal
	c.chance.Reset(c.Seed)
	c.informed.begin(start, goal, c.Seed)
	c.length = math.Inf(1)
	c.simplifier.forget()
	c.shorten(path)
	end := c.Samples + c.Improve
	for c.Samples < end && !c.stopped() {
		for i := range c.trees {
			c.trees[i].begin()
		}
		c.improve(end)
	}
	return &c.best, nil
}

// shorten makes a path the best one if shortcuts make it so.
func (c *AORRTC) shorten(path *Path) {
	c.simplifier.Seed, c.simplifier.Stop = c.Seed+uint64(c.Samples), c.Stop
	c.simplifier.shortcuts(path)
	if l := path.Length(c.space); l < c.length {
		c.length = l
		c.best.points = append(c.best.points[:0], path.points...)
	}
}

// begin makes the tree its root.
func (t *costTree) begin() {
	t.tree.root(t.root)
	t.cost = append(t.cost[:0], 0)
}

// improve grows trees until they join in a path shorter than the best one, or the samples end.
func (c *AORRTC) improve(end int) {
	for grown := 0; c.Samples < end && !c.stopped(); c.Samples++ {
		if len(c.trees[1-grown].cost) < len(c.trees[grown].cost) {
			grown = 1 - grown
		}
		a, b := c.trees[grown], c.trees[1-grown]
		if a.full() || b.full() {
			return
		}
		if c.Samples%again == 0 {
			c.shorten(&c.best)
		}
		if !c.informed.next(c.trees[0].root, c.trees[1].root, c.length, c.sample, c.next) {
			continue
		}
		there, back := c.space.Distance(a.root, c.sample), c.space.Distance(c.sample, b.root)
		var u [1]float64
		c.chance.Next(u[:])
		i := c.reach(a, there+u[0]*(c.length-back-there), b)
		if i < 0 {
			continue
		}
		if j := c.join(b, a, i); j >= 0 {
			c.Samples++
			c.path.Reset()
			if grown == 1 {
				i, j = j, i
			}
			c.trees[0].branch(i, &c.path)
			c.path.reverse(0)
			c.trees[1].branch(c.trees[1].parent[j], &c.path)
			c.shorten(&c.path)
			return
		}
	}
}

// nearest returns the node of t nearest to a point at a cost, in both together, from which the point costs less than limit, and its distance; -1: none.
func (c *AORRTC) nearest(t *costTree, p []float64, cost, limit float64) (best int32, distance float64) {
	c.list = t.K(p, competitors, c.list)
	best = -1
	least := math.Inf(1)
	for _, n := range c.list {
		if t.cost[n.I]+n.Distance >= limit {
			continue
		}
		if d := math.Hypot(n.Distance, t.cost[n.I]-cost); d < least {
			best, distance, least = n.I, n.Distance, d
		}
	}
	return best, distance
}

// reach extends t towards the sample at a cost, and returns the new node. If it can be reached at less cost, from a node that is nearest at such a
// cost, that node is its parent: the cost is sampled again until there is no better one.
func (c *AORRTC) reach(t *costTree, cost float64, other *costTree) int32 {
	near, distance := c.nearest(t, c.sample, cost, math.Inf(1))
	to := c.sample
	if distance > c.Range {
		c.space.Interpolate(t.At(near), c.sample, c.Range/distance, c.sample)
		distance = c.space.Distance(t.At(near), to)
	}
	rest := c.space.Distance(to, other.root)
	if t.cost[near]+distance+rest >= c.length || !c.verifier.Free(to) || !c.verifier.way(t.At(near), to) {
		return -1
	}
	least := c.space.Distance(t.root, to)
	for {
		var u [1]float64
		c.chance.Next(u[:])
		now := t.cost[near] + distance
		better, d := c.nearest(t, to, least+u[0]*(now-least), now-1e-9)
		if better < 0 || !c.verifier.way(t.At(better), to) {
			break
		}
		near, distance = better, d
	}
	return t.append(to, near, t.cost[near]+distance)
}

// append adds a node.
func (t *costTree) append(p []float64, parent int32, cost float64) int32 {
	t.cost = append(t.cost, cost)
	return t.add(p, parent)
}

// join grows t towards node i of the other tree, as long as the path can be shorter than the best one. It returns its node there, or -1.
func (c *AORRTC) join(t, other *costTree, i int32) int32 {
	to, limit := other.At(i), c.length-other.cost[i]
	near, distance := c.nearest(t, to, limit, limit)
	for near >= 0 && !t.full() {
		next, reached := c.extend(t.tree, near, to, distance, true)
		if next < 0 {
			return -1
		}
		t.cost = append(t.cost, t.cost[near]+c.space.Distance(t.At(near), t.At(next)))
		if reached {
			return next
		}
		near, distance = next, distance-c.Range
	}
	return -1
}
