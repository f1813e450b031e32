package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// KPIECE plans by interior-exterior cell exploration (Şucan and Kavraki, IEEE Transactions on Robotics 28(1), 2012, section III): a random linear projection
// of the space to the plane (Şucan and Kavraki, IROS 2009) is divided into cells, and each new edge begins at a recent node of the most important cell. A cell
// is important if it is new, has few nodes and few neighbours, was rarely chosen and its edges were free; of those chosen most are exterior ones, which have
// no neighbour on some side. It needs neither a metric nor nearest neighbours.
//
// One tree grows from the start, also by ways of one direction; cells near the goal count more, and every twentieth edge leads to the goal. With Both a second
// one grows from the goal, and a new node tries an edge to a node of the other tree in the same cell (BKPIECE of the same authors).
//
// Compared with KPIECE1 and BKPIECE1 of OMPL 2.0, step by step: an edge that is not free is left out there only if less than a fifth of it is free, else its free
// part is kept; here it is always left out, because verifiers do not report where an edge ends. The projection is always to the plane, there to more dimensions from
// eight values on; its axes are not orthogonal; edges have random directions and any length up to Range, there they end in a box. A single tree also tries the goal
// within Range of each new node. Scores have a least value, where all are raised there once one has become zero.
//
// New nodes are about old ones, so its samples are uniform and do not come from Sampler.
type KPIECE struct {
	Search
	Both   bool
	Border float64 // part of the choices that are of exterior cells, from 0 to 1

	trees  [2]*cells
	axes   [2][]float64 // of the projection
	chance near
	to     []float64
	tried  []bool // of the nodes of one tree, whether the way to the goal was checked
}

// cells is a tree whose nodes are sorted into cells of a projection.
type cells struct {
	*tree
	older      []int32 // node of the same cell that was added before, -1: none
	low, width [2]float64
	cell       [gridSide * gridSide]cell
	used       []int32
}

// cell is a square of the projection.
type cell struct {
	newest    int32 // node
	nodes     int32
	chosen    int32
	neighbors int32 // of the four, how many have nodes
	born      float64
	score     float64
}

// Numbers of the published planner, and of its progress: what an edge that opened no cell, or was not free, leaves of the score of its cell.
const (
	gridSide = 20
	border   = 0.9
	failed   = 0.5
)

// NewKPIECE returns a planner with the arguments of [NewConnect]. It grows one tree.
func NewKPIECE(e scene.Engine, s space.Robots, resolution float64, nodes int) (*KPIECE, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	n := s.Dim()
	c := &KPIECE{Search: search, Border: border, to: make([]float64, n), tried: make([]bool, nodes)}
	for i := range c.trees {
		c.trees[i] = &cells{tree: newTree(s, nodes), older: make([]int32, 0, nodes), used: make([]int32, 0, gridSide*gridSide)}
		c.axes[i] = make([]float64, n)
	}
	return c, nil
}

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *KPIECE) Plan(start, goal []float64) (*Path, error) {
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	c.chance.reset(c.Seed)
	c.project()
	c.trees[1].begin(c, goal) // without Both it stays the goal
	c.trees[0].begin(c, start)
	clear(c.tried)
	c.tried[0] = true
	for ; c.Samples < c.Iterations; c.Samples++ {
		if c.stopped() {
			return c.towards(c.trees[0].tree, goal), ErrStopped
		}
		grown := 0
		if c.Both {
			grown = c.Samples % 2
		}
		a, b := c.trees[grown], c.trees[1-grown]
		if a.full() {
			return nil, ErrNoPath
		}
		i, j := c.expand(a, goal)
		if i < 0 {
			continue
		}
		if j < 0 {
			j = c.meet(a, b, i)
		}
		if j >= 0 {
			c.Samples++
			if grown == 1 {
				i, j = j, i
			}
			c.trees[0].branch(i, &c.path)
			c.path.reverse(0)
			c.trees[1].branch(j, &c.path)
			return &c.path, nil
		}
	}
	return nil, ErrNoPath
}

// project chooses the projection, and cells so large that samples of the space fill gridSide of them each way.
func (c *KPIECE) project() {
	for _, axis := range c.axes {
		for i := range axis {
			axis[i] = gauss(&c.chance.source)
		}
	}
	var low, high [2]float64
	for k := range 100 {
		c.chance.source.Next(c.to)
		c.space.Scale(c.to)
		for a, axis := range c.axes {
			x := dot(axis, c.to)
			if k == 0 {
				low[a], high[a] = x, x
			}
			low[a], high[a] = min(low[a], x), max(high[a], x)
		}
	}
	for _, t := range c.trees {
		t.low = low
		for a := range t.width {
			t.width[a] = max((high[a]-low[a])/gridSide, math.SmallestNonzeroFloat32)
		}
	}
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// at returns the cell of a point. Points that project beyond the grid belong to its outermost cells.
func (t *cells) at(c *KPIECE, p []float64) int32 {
	var k [2]int32
	for a, axis := range c.axes {
		k[a] = int32(min(max((dot(axis, p)-t.low[a])/t.width[a], 0), gridSide-1))
	}
	return k[0]*gridSide + k[1]
}

// begin makes the tree a single point.
func (t *cells) begin(c *KPIECE, p []float64) {
	for _, k := range t.used {
		t.cell[k] = cell{}
	}
	t.older, t.used = t.older[:0], t.used[:0]
	t.tree.clear()
	t.put(c, p, -1)
}

// put adds a node.
func (t *cells) put(c *KPIECE, p []float64, parent int32) int32 {
	k := t.at(c, p)
	i := t.add(p, parent)
	x := &t.cell[k]
	if x.nodes == 0 {
		*x = cell{newest: -1, chosen: 1, born: c.promise(p), score: 1}
		t.used = append(t.used, k)
		for _, n := range around(k) {
			if n >= 0 && t.cell[n].nodes > 0 {
				t.cell[n].neighbors++
				x.neighbors++
			}
		}
	}
	t.older = append(t.older, x.newest)
	x.newest = i
	x.nodes++
	return i
}

// promise returns the first score of a cell that a point opens: later ones are better, and with one tree those near the goal.
func (c *KPIECE) promise(p []float64) float64 {
	late := 1 + math.Log(float64(c.Samples)+1)
	if c.Both || c.trees[1].Len() == 0 {
		return late
	}
	return late / (1 + c.space.Distance(p, c.trees[1].At(0)))
}

// around returns the cells beside one, -1 beyond the grid.
func around(k int32) (list [4]int32) {
	list = [4]int32{k - gridSide, k + gridSide, -1, -1}
	if list[1] >= gridSide*gridSide {
		list[1] = -1
	}
	if k%gridSide > 0 {
		list[2] = k - 1
	}
	if k%gridSide < gridSide-1 {
		list[3] = k + 1
	}
	return list
}

// choose returns the most important cell: for a number below the border's part, from 0 to 1, an exterior one if there are any. That part is never less than
// theirs of all cells.
func (t *cells) choose(u, border float64) *cell {
	var best [2]*cell // interior, exterior
	var most [2]float64
	exterior := 0
	for _, k := range t.used {
		x := &t.cell[k]
		of := 0
		if x.neighbors < 4 {
			of = 1
			exterior++
		}
		if i := x.born * x.score / (float64(x.chosen) * float64(1+x.neighbors) * float64(x.nodes)); best[of] == nil || i > most[of] {
			best[of], most[of] = x, i
		}
	}
	if best[0] == nil || best[1] != nil && u < max(border, float64(exterior)/float64(len(t.used))) {
		return best[1]
	}
	return best[0]
}

// pick returns a node of a cell, more likely a recent one: the distance from the newest is half-normally distributed.
func (c *KPIECE) pick(t *cells, x *cell) int32 {
	i := x.newest
	for back := int(math.Abs(gauss(&c.chance.source)) * float64(x.nodes) / 3); back > 0 && t.older[i] >= 0; back-- {
		i = t.older[i]
	}
	return i
}

// expand adds a node about one of an important cell. It returns -1 if the edge is not free. With one tree some edges lead to the goal instead: goal is then 0, its node,
// and i where the edge begins; otherwise goal is -1.
func (c *KPIECE) expand(t *cells, end []float64) (i, goal int32) {
	var u [2]float64
	c.chance.source.Next(u[:])
	x := t.choose(u[0], c.Border)
	x.chosen++
	from := c.pick(t, x)
	if !c.Both {
		var u [1]float64
		if c.chance.source.Next(u[:]); u[0] < bias && !c.tried[from] {
			c.tried[from] = true
			if c.verifier.way(t.At(from), end) {
				return from, 0
			}
			x.score = max(failed*x.score, leastScore)
			return -1, -1
		}
	}
	c.chance.displace(c.space, t.At(from), 1, c.to)
	if distance := c.space.Distance(t.At(from), c.to); distance > 0 {
		c.space.Interpolate(t.At(from), c.to, u[1]*c.Range/distance, c.step) // any length up to Range, in a random direction
	}
	if c.space.Outside(c.step) >= 0 || !c.verifier.Edge(t.At(from), c.step) {
		x.score = max(failed*x.score, leastScore)
		return -1, -1
	}
	return t.put(c, c.step, from), -1
}

// leastScore is the score below which failures do not push a cell.
const leastScore = 1e-6

// meet tries an edge from a new node to a node of the other tree in its cell, any of them alike, or to the goal within Range. It returns the node there, or -1.
func (c *KPIECE) meet(a, b *cells, i int32) int32 {
	j := int32(0)
	if c.Both {
		x := &b.cell[b.at(c, a.At(i))]
		if x.nodes == 0 {
			return -1
		}
		var u [1]float64
		c.chance.source.Next(u[:])
		j = x.newest
		for back := int(u[0] * float64(x.nodes)); back > 0; back-- {
			j = b.older[j]
		}
	} else if c.space.Distance(a.At(i), b.At(0)) > c.Range {
		return -1
	} else {
		c.tried[i] = true
	}
	if !c.verifier.way(a.At(i), b.At(j)) {
		return -1
	}
	return j
}
