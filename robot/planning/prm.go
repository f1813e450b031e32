package planning

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// PRM is a probabilistic roadmap (Kavraki, Švestka, Latombe and Overmars 1996): samples of the free space, joined by edges with their neighbours,
// among which a graph search finds the path.
type PRM struct {
	Search
	// Neighbors of a new node that edges are tried to; 0 means as many as PRM* needs, which grow with the logarithm of the nodes (Karaman and
	// Frazzoli 2011). Then edges are also tried within a component, and samples that cannot shorten the path found so far are left out.
	Neighbors int
	// Lazy leaves nodes and edges unchecked until they are on a shortest path (Bohlin and Kavraki 2000).
	Lazy bool
	// Improve is the number of samples after the first path, unless Stop or the memory ends the plan before.
	Improve int
	// Batch is the number of samples between two searches of lazy and improving plans.
	Batch int
	// Strategy samples free points; nil: Sampler, everywhere. Lazy and improving roadmaps always sample everywhere.
	Strategy Strategy
	// Candidates of every second sample of roadmaps that neither are lazy nor improve: the one that promises most to join two components is taken
	// (Burns and Brock 2005). 0: samples are not chosen.
	Candidates int
	// Keep makes the next plan use the roadmap of the last one, or of [PRM.Load].
	Keep bool

	graph    *roadmap
	list     []neighbor.Neighbor
	guide    guide
	informed informed
}

// NewPRM returns a planner with the arguments of [NewConnect]; nodes are those of the roadmap.
func NewPRM(e scene.Engine, s space.Robots, resolution float64, nodes int) (*PRM, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	if !s.Symmetric() {
		return nil, errors.New("make a planner: a roadmap needs ways that lead in both directions; use RRT")
	}
	return &PRM{Search: search, Neighbors: 10, Batch: 100, graph: newRoadmap(s, nodes), informed: newInformed(s)}, nil
}

// Forget makes the next plan check every node and edge of a kept roadmap again before it uses it, as when obstacles have moved.
func (c *PRM) Forget() {
	clear(c.graph.node)
	clear(c.graph.edge)
	c.graph.cut = true
}

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *PRM) Plan(start, goal []float64) (*Path, error) {
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	if !c.Keep {
		c.graph.reset()
	}
	seed := c.Seed + uint64(c.graph.Len()) // a kept roadmap has the samples of the seed already
	c.Sampler.Reset(seed)
	c.informed.begin(start, goal, seed)
	if c.Candidates > 0 {
		c.guide.reset(c.space, c.graph.Cap(), seed)
	}
	if c.Strategy != nil {
		c.Strategy.Reset(seed)
	}
	s := c.enter(start, -1)
	g := c.enter(goal, s) // the edge between them is not free
	if s < 0 || g < 0 {
		return nil, ErrNoPath
	}
	best, end := math.Inf(1), c.Iterations
	for {
		solved := !math.IsInf(best, 1)
		if c.Samples%c.Batch == 0 || !c.Lazy && !solved {
			best = c.search(s, g, best)
			if !solved && !math.IsInf(best, 1) {
				solved, end = true, c.Samples+c.Improve
			}
		}
		switch {
		case solved && c.Improve == 0:
			return &c.path, nil
		case c.stopped():
			if solved || c.reached(s, g) {
				return &c.path, nil
			}
			return &c.path, ErrStopped
		case c.graph.full() || c.Samples >= end:
			if best = c.search(s, g, best); math.IsInf(best, 1) {
				return nil, ErrNoPath
			}
			return &c.path, nil
		}
		c.Samples++
		c.expand(start, goal, best)
	}
}

// expand adds a sample to the roadmap, if it is free and may be on a path shorter than best.
func (c *PRM) expand(start, goal []float64, best float64) {
	state := free
	switch {
	case c.Improve > 0:
		if !c.informed.next(start, goal, best, c.sample, c.next) || !c.Lazy && !c.verifier.Free(c.sample) {
			return
		}
		if c.Lazy {
			state = unknown
		}
	case c.Lazy:
		c.next()
		state = unknown
	case c.Candidates > 0 && c.Samples%2 == 0 && c.guide.propose(c):
		if !c.guide.check(c) {
			return
		}
	case c.Strategy != nil:
		if !c.Strategy.Next(c.verifier, c.sample) {
			return
		}
	default:
		c.next()
		if !c.guide.check(c) {
			return
		}
	}
	c.attach(c.sample, state, -1)
}

// enter returns the node of an end, which is free: a new one, without an edge to the node except, unless it is in the roadmap already; -1 if the
// memory is full.
func (c *PRM) enter(p []float64, except int32) int32 {
	if i, d := c.graph.Nearest(p); i >= 0 && d == 0 && c.graph.node[i] != blocked {
		c.graph.node[i] = free
		return i
	}
	if c.graph.full() {
		return -1
	}
	return c.attach(p, free, except)
}

// attach adds a node with edges to its neighbours, except one.
func (c *PRM) attach(p []float64, state status, except int32) int32 {
	k := c.Neighbors
	if k == 0 {
		n := float64(c.graph.Len() + 1)
		k = int(math.Ceil(math.E * (1 + 1/float64(c.space.Dim())) * math.Log(n+1)))
	}
	c.list = c.graph.K(p, k, c.list)
	i := c.graph.add(p, state)
	for _, n := range c.list {
		switch {
		case n.I == except, c.graph.node[n.I] == blocked:
		case c.Lazy:
			c.graph.join(i, n.I, n.Distance, unknown)
		case c.Neighbors > 0 && c.graph.component(i) == c.graph.component(n.I):
			// The roadmap stays a forest.
		case c.verifier.way(p, c.graph.At(n.I)):
			c.graph.join(i, n.I, n.Distance, free)
		}
	}
	return i
}

// search writes a path shorter than best, if there is one, and returns its length, or best. It checks edges on the way that are unknown.
func (c *PRM) search(start, goal int32, best float64) float64 {
	for c.graph.joined(start, goal) {
		length, ok := c.graph.shortest(start, goal, best)
		if !ok {
			break
		}
		if c.verify(start, goal) {
			c.write(goal)
			return length
		}
		if c.stopped() {
			break
		}
	}
	return best
}

// verify checks the unknown nodes, then the unknown edges of the path that was found, until one is not free.
func (c *PRM) verify(start, goal int32) bool {
	g := c.graph
	for i := goal; i != start; i = g.to[g.via[i]^1] {
		if g.node[i] == unknown {
			if !c.verifier.Free(g.At(i)) {
				g.remove(i)
				return false
			}
			g.node[i] = free
		}
	}
	for i := goal; i != start; i = g.to[g.via[i]^1] {
		h := g.via[i]
		if g.edge[h/2] == unknown {
			if !c.verifier.way(g.At(g.to[h^1]), g.At(i)) {
				g.block(h / 2)
				return false
			}
			g.edge[h/2] = free
		}
	}
	return true
}

// write makes the path to a node that a search found.
func (c *PRM) write(i int32) {
	g := c.graph
	c.path.Reset()
	c.path.Add(g.At(i))
	for g.via[i] >= 0 {
		i = g.to[g.via[i]^1]
		c.path.Add(g.At(i))
	}
	c.path.reverse(0)
}

// reached makes the path to the node nearest to the goal among those that free edges join with the start, and reports whether it is the goal.
func (c *PRM) reached(start, goal int32) bool {
	g := c.graph
	g.reach(start)
	best, nearest := start, math.Inf(1)
	for i := range int32(g.Len()) {
		if d := c.space.Distance(g.At(i), g.At(goal)); g.closed[i] && d < nearest {
			best, nearest = i, d
		}
	}
	c.write(best)
	return best == goal
}

// reach closes all nodes that free edges join with the start, without an order.
func (g *roadmap) reach(start int32) {
	g.shortest(start, start, 0)
	g.closed[start] = true
	g.push(frontier{start, 0})
	for len(g.heap) > 0 {
		i := g.pop().node
		for h := g.first[i]; h >= 0; h = g.next[h] {
			if j := g.to[h]; g.edge[h/2] == free && g.node[j] == free && !g.closed[j] {
				g.closed[j], g.via[j] = true, h
				g.push(frontier{j, 0})
			}
		}
	}
}
