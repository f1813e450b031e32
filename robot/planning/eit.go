package planning

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// EIT is EIT*, effort informed trees (Strub and Gammell, International Journal of Robotics Research 41(4), 2022, section 5), of the family of BIT*: batches of
// samples make a graph in which each node has its nearest neighbours, and two searches of it inform each other. The reverse one, from the goal, checks edges at few points; by it every
// node knows the least length to the goal and the effort to verify the way there. The forward one, from the start, checks edges at all points: until there is a
// path those first that promise the least effort, then those that promise the shortest path. An edge of the reverse tree that turns out not to be free makes the
// reverse search begin again, with twice as many points on each edge.
//
// Effort counts runs of eight points, as many as the sphere engine checks at once with AVX2, on every processor. Points of an edge that the reverse search has checked are not
// checked again by the forward one.
//
// Compared with EITstar of OMPL 2.0, step by step: searches, their queues and what suspends them agree. There the reverse search checks one point of an edge at first, and from
// n to 2n + 1 later; here runs of eight, doubled. Batches grow with the graph, there they do not. Samples that cannot shorten the path stay in the graph; the
// effort spent is not kept from one plan to the next.
type EIT struct {
	Search
	Improve int // samples after the first path
	Batch   int // free samples between two searches, at least; half as many as there are if that is more

	graph    *roadmap
	list     []neighbor.Neighbor
	informed informed
	done     []uint16 // runs of each edge that are checked
	batch    int32
	met      []int32 // batch after which each node was joined with its neighbours

	// The forward tree.
	cost    []float64 // from the start, infinite outside the tree
	parent  []int32
	forward ranking
	best    float64 // length of the path, infinite: none yet

	// The reverse search.
	ahead   []float64 // distance from the start
	toGo    []float64 // length to the goal, infinite: not reached
	effort  []float64 // runs to check on the way there
	via     []int32   // half-edge by which a node was reached
	reverse ranking
	sparse  int // runs of an edge that the reverse search checks
}

// Nodes of the graph.
const (
	startNode int32 = iota
	goalNode
)

// NewEIT returns a planner with the arguments of [NewConnect]; nodes are those of the graph.
func NewEIT(e scene.Engine, s space.Robots, resolution float64, nodes int) (*EIT, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	if !s.Symmetric() {
		return nil, errors.New("make a planner: EIT* needs ways that lead in both directions; use RRT")
	}
	return &EIT{Search: search, Improve: DefaultImproving, Batch: 100, graph: newRoadmap(s, nodes), informed: newInformed(s)}, nil
}

// Plan returns the shortest path from start to goal that it finds, which are points of Dim values; errors are those of [Planner].
func (c *EIT) Plan(start, goal []float64) (*Path, error) {
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	c.graph.reset()
	c.done, c.cost, c.parent, c.ahead = c.done[:0], c.cost[:0], c.parent[:0], c.ahead[:0]
	c.toGo, c.effort, c.via, c.met, c.batch = c.toGo[:0], c.effort[:0], c.via[:0], c.met[:0], 0
	c.informed.begin(start, goal, c.Seed)
	c.add(start)
	c.add(goal)
	c.cost[startNode], c.best = 0, math.Inf(1)
	for end := c.Iterations; c.Samples < end && !c.graph.full(); {
		solved := !math.IsInf(c.best, 1)
		if !c.refine(start, goal, end) || !c.search() {
			break
		}
		if !solved && !math.IsInf(c.best, 1) {
			end = c.Samples + c.Improve
		}
	}
	switch {
	case !math.IsInf(c.best, 1):
		return &c.path, nil
	case c.stopped():
		c.write(c.nearest(goal))
		return &c.path, ErrStopped
	}
	return nil, ErrNoPath
}

// add adds a node that is free.
func (c *EIT) add(p []float64) {
	i := c.graph.add(p, free)
	c.cost, c.parent = append(c.cost, math.Inf(1)), append(c.parent, -1)
	c.ahead = append(c.ahead, c.space.Distance(c.graph.At(startNode), c.graph.At(i)))
	c.toGo, c.effort, c.via, c.met = append(c.toGo, math.Inf(1)), append(c.effort, 0), append(c.via, -1), append(c.met, 0)
}

// refine adds a batch of samples through which a shorter path can lead. It reports false if it was stopped.
func (c *EIT) refine(start, goal []float64, end int) bool {
	batch := max(c.Batch, c.graph.Len()/2) // else most of the time goes into searching the same graph again
	for added := 0; added < batch && c.Samples < end && !c.graph.full(); c.Samples++ {
		if c.stopped() {
			return false
		}
		if c.informed.next(start, goal, c.best, c.sample, c.next) && c.verifier.Free(c.sample) {
			c.add(c.sample)
			added++
		}
	}
	c.batch++
	c.sparse = 1
	c.restart()
	return true
}

// meet joins a node with its neighbours, once for each batch: only nodes that a search reaches need any.
func (c *EIT) meet(i int32) {
	if c.met[i] == c.batch {
		return
	}
	c.met[i] = c.batch
	k := int(math.Ceil(math.E * (1 + 1/float64(c.space.Dim())) * math.Log(float64(c.graph.Len())))) // of PRM* (Karaman and Frazzoli 2011)
	c.list = c.graph.K(c.graph.At(i), k+1, c.list)                                                  // the node is its own nearest neighbour
	for _, n := range c.list {
		if n.I != i && i+n.I != startNode+goalNode && !c.graph.adjacent(i, n.I) {
			c.graph.join(i, n.I, n.Distance, unknown)
			c.done = append(c.done, 0)
		}
	}
}

// adjacent reports whether there is an edge between two nodes.
func (g *roadmap) adjacent(a, b int32) bool {
	for h := g.first[a]; h >= 0; h = g.next[h] {
		if g.to[h] == b {
			return true
		}
	}
	return false
}

// search goes on with both searches until neither can find a shorter path in the graph. It reports false if it was stopped.
func (c *EIT) search() bool {
	for {
		switch {
		case c.stopped():
			return false
		case c.inform():
			c.reverseStep()
		case len(c.forward) > 0:
			c.forwardStep()
		default:
			return true
		}
	}
}

// inform reports whether the reverse search goes on before the forward one: until it reaches the start and a node next to the forward tree, and, once
// there is a path, until what it may still reach cannot lead to a shorter one than the best edge of the forward search.
func (c *EIT) inform() bool {
	switch {
	case len(c.reverse) == 0:
		return false
	case len(c.forward) == 0:
		return true
	case math.IsInf(c.best, 1):
		return math.IsInf(c.toGo[startNode], 1)
	}
	return c.reverse[0].first <= c.forward[0].first
}

// restart begins the reverse search again. The forward search keeps its tree; its queue fills as the reverse search reaches nodes.
func (c *EIT) restart() {
	for i := range c.toGo {
		c.toGo[i] = math.Inf(1)
	}
	c.reverse, c.forward = c.reverse[:0], c.forward[:0]
	c.reach(goalNode, -1, 0, 0)
}

// reverseStep looks at one edge of the reverse search.
func (c *EIT) reverseStep() {
	e := c.reverse.pop()
	from, to := c.graph.to[e.half^1], c.graph.to[e.half]
	if e.first >= c.best {
		c.reverse = c.reverse[:0]
		return
	}
	if math.IsInf(c.toGo[to], 1) && c.check(e.half, c.sparse) {
		c.reach(to, e.half, c.toGo[from]+c.graph.length[e.half], c.effort[from]+c.left(e.half))
	}
}

// reach adds a node to the reverse tree. Keys of its queue never fall, so the first way to a node is the shortest.
func (c *EIT) reach(i, via int32, toGo, effort float64) {
	g := c.graph
	c.toGo[i], c.effort[i], c.via[i] = toGo, effort, via
	c.meet(i)
	for h := g.first[i]; h >= 0; h = g.next[h] {
		j := g.to[h]
		if g.edge[h/2] == blocked {
			continue
		}
		if key := toGo + g.length[h] + c.ahead[j]; math.IsInf(c.toGo[j], 1) && key < c.best {
			c.reverse.push(ranked{h, key, effort + c.left(h)})
		}
		c.offer(h ^ 1)
		c.offer(h)
	}
}

// offer adds a half-edge to the queue of the forward search, if it leads from the forward tree to a node of the reverse tree, and to a shorter path.
func (c *EIT) offer(h int32) {
	from, to := c.graph.to[h^1], c.graph.to[h]
	cost := c.cost[from] + c.graph.length[h]
	if math.IsInf(c.toGo[to], 1) || !(cost < c.cost[to]) || !(cost+c.toGo[to] < c.best) || c.graph.edge[h/2] == blocked {
		return
	}
	e := ranked{h, c.left(h) + c.effort[to], cost + c.toGo[to]}
	if !math.IsInf(c.best, 1) {
		e.first, e.second = e.second, e.first
	}
	c.forward.push(e)
}

// forwardStep looks at one edge of the forward search.
func (c *EIT) forwardStep() {
	g, e := c.graph, c.forward.pop()
	from, to := g.to[e.half^1], g.to[e.half]
	cost := c.cost[from] + g.length[e.half]
	if cost >= c.cost[to] || cost+c.toGo[to] >= c.best {
		return
	}
	if !c.check(e.half, math.MaxUint16) {
		if c.via[from] == e.half^1 || c.via[to] == e.half {
			c.sparse *= 2
			c.restart()
		}
		return
	}
	// Nodes behind this one get their lower costs as the search goes on: edges to them are offered like others.
	c.cost[to], c.parent[to] = cost, from
	if to != goalNode {
		for h := g.first[to]; h >= 0; h = g.next[h] {
			c.offer(h)
		}
		return
	}
	if math.IsInf(c.best, 1) {
		c.forward.swap()
	}
	c.write(goalNode)
	c.best = c.path.Length(c.space)
	c.cost[goalNode] = c.best
}

// check checks runs of an edge until this many are, and reports whether none is hit.
func (c *EIT) check(h int32, runs int) bool {
	e := h / 2
	switch c.graph.edge[e] {
	case free:
		return true
	case blocked:
		return false
	}
	a, b := c.graph.At(c.graph.to[2*e+1]), c.graph.At(c.graph.to[2*e])
	all := c.verifier.runs(c.graph.length[h])
	for ; int(c.done[e]) < min(runs, all); c.done[e]++ {
		if !c.verifier.run(a, b, spread(int(c.done[e]), all), all) {
			c.graph.edge[e] = blocked
			return false
		}
	}
	if int(c.done[e]) == all {
		c.graph.edge[e] = free
	}
	return true
}

// left returns how many runs of an edge are still to be checked.
func (c *EIT) left(h int32) float64 {
	return float64(c.verifier.runs(c.graph.length[h]) - int(c.done[h/2]))
}

// nearest returns the node of the forward tree that is nearest to the goal.
func (c *EIT) nearest(goal []float64) int32 {
	best, least := startNode, math.Inf(1)
	for i, cost := range c.cost {
		if d := c.space.Distance(c.graph.At(int32(i)), goal); !math.IsInf(cost, 1) && d < least {
			best, least = int32(i), d
		}
	}
	return best
}

// write makes the path from the start to a node.
func (c *EIT) write(i int32) {
	c.path.Reset()
	for ; i >= 0; i = c.parent[i] {
		c.path.Add(c.graph.At(i))
	}
	c.path.reverse(0)
}
