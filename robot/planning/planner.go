package planning

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Planner finds paths. It belongs to one goroutine.
type Planner interface {
	// Common returns the settings that all planners have.
	Common() *Search
	// Plan returns a path from start to goal, valid until the next call. The error is a [CollisionError], a [LimitError], a [ConstraintError],
	// [ErrNoPath] or [ErrStopped]. With ErrStopped a path may be returned too: it leads from the start to the point found nearest to the goal. Points of the wrong
	// length are a mistake of the program and panic.
	Plan(start, goal []float64) (*Path, error)
}

// Limits of plans, unless they are set otherwise.
const (
	DefaultNodes      = 100_000   // of each tree or roadmap
	DefaultIterations = 1_000_000 // samples until the first path
	DefaultImproving  = 5_000     // samples after it, of planners that improve their path
)

// Search is what all planners have in common: their settings, and the number of samples of the last plan.
type Search struct {
	Range      float64       // longest edge of trees, in the distance of the space
	Seed       uint64        // of the samples
	Sampler    space.Sampler // Halton if it was not set
	Iterations int           // samples after which a plan without a path ends
	Stop       func() bool   // nil: never

	// Samples counts the samples of the last plan, with the one that ended it.
	Samples int

	space    space.Robots
	verifier *Verifier
	path     Path
	sample   []float64
	step     []float64
}

var errCurved = errors.New("make a planner in a space with a constraint: only Connect plans there; use NewConnect")

// newSearch returns what planners share. Edges of a space with a constraint are curves, which only [Connect] follows.
func newSearch(e scene.Engine, s space.Robots, resolution float64, nodes *int) (Search, error) {
	if _, curved := s.(*ConstrainedSpace); curved {
		return Search{}, errCurved
	}
	return newCurvedSearch(e, s, resolution, nodes)
}

// newCurvedSearch is newSearch for a planner that also follows curves.
func newCurvedSearch(e scene.Engine, s space.Robots, resolution float64, nodes *int) (Search, error) {
	v, err := NewVerifier(e, s, resolution)
	if err != nil {
		return Search{}, err
	}
	if *nodes == 0 {
		*nodes = DefaultNodes
	}
	if *nodes < 2 {
		return Search{}, fmt.Errorf("make a planner: room for %d nodes, want at least 2", *nodes)
	}
	n := s.Dim()
	return Search{
		Range: 1, Sampler: &space.Halton{}, Iterations: DefaultIterations, space: s, verifier: v,
		sample: make([]float64, n), step: make([]float64, n), path: Path{dim: n, points: make([]float64, 0, 2**nodes*n)},
	}, nil
}

// Common returns the settings.
func (c *Search) Common() *Search { return c }

// Space returns the space in which the planner plans.
func (c *Search) Space() space.Robots { return c.space }

// Verifier returns the verifier of the planner.
func (c *Search) Verifier() *Verifier { return c.verifier }

// begin refuses bad ends, and reports whether the way between good ones is free: then it is the path.
func (c *Search) begin(start, goal []float64) (done bool, err error) {
	if err := c.check("start", start); err != nil {
		return false, err
	}
	if err := c.check("goal", goal); err != nil {
		return false, err
	}
	c.reset()
	return c.straight(start, goal), nil
}

// found returns the path that begin found, or its error.
func (c *Search) found(err error) (*Path, error) {
	if err != nil {
		return nil, err
	}
	return &c.path, nil
}

// reset begins a plan.
func (c *Search) reset() {
	c.path.Reset()
	c.restart()
}

// restart begins a plan that may use the last path.
func (c *Search) restart() {
	c.Samples = 0
	c.Sampler.Reset(c.Seed)
}

// straight reports whether the way between two free points is free: then it is the path.
func (c *Search) straight(start, goal []float64) bool {
	if !c.verifier.way(start, goal) {
		return false
	}
	c.path.Add(start)
	c.path.Add(goal)
	return true
}

// check refuses a start or goal outside the limits or in collision.
func (c *Search) check(end string, p []float64) error {
	c.want(end, p)
	if i := c.space.Outside(p); i >= 0 {
		name, lower, upper := c.space.Limits(i)
		return &LimitError{end, name, p[i], lower, upper}
	}
	if c.verifier.Free(p) {
		return nil
	}
	if k := c.verifier.kept; k != nil && !k.Keeps(p) {
		return &ConstraintError{end, k.constraint.Link, k.constraint.off(k.tool(p))}
	}
	c.space.Configuration(p, c.verifier.q)
	contacts, err := c.verifier.engine.Contacts(c.verifier.q, nil)
	if err != nil {
		return fmt.Errorf("plan a motion: check the %s: %w", end, err)
	}
	return &CollisionError{end, contacts}
}

// want panics if a point has the wrong length.
func (c *Search) want(end string, p []float64) {
	if len(p) != c.space.Dim() {
		panic(fmt.Sprintf("planning: the %s has %d values, want %d", end, len(p), c.space.Dim()))
	}
}

// free reports whether a point is within the limits and free.
func (c *Search) free(p []float64) bool { return c.space.Outside(p) < 0 && c.verifier.Free(p) }

// next writes the next sample of the space.
func (c *Search) next() {
	c.Sampler.Next(c.sample)
	c.space.Scale(c.sample)
}

func (c *Search) stopped() bool { return c.Stop != nil && c.Stop() }

// extend adds a node to t, from node i towards a point at this distance, at most Range away; free means that the point is known to be so. It returns
// the node and whether it is the point; the node is -1 if the edge is not free.
func (c *Search) extend(t *tree, i int32, to []float64, distance float64, free bool) (node int32, reached bool) {
	from := t.At(i)
	if distance <= c.Range {
		copy(c.step, to)
		reached = true
	} else {
		c.space.Interpolate(from, to, c.Range/distance, c.step)
	}
	if reached && free {
		if !c.verifier.way(from, c.step) {
			return -1, false
		}
	} else if !c.verifier.edge(from, c.step, min(distance, c.Range)) {
		return -1, false
	}
	return t.add(c.step, i), reached
}

// grow extends t from node i towards a point until it reaches it, an edge is not free or the tree is full. It returns the last node, -1 if there
// is none, and whether it is the point.
func (c *Search) grow(t *tree, i int32, to []float64, distance float64, free bool) (last int32, reached bool) {
	last = -1
	for !t.full() {
		if i, reached = c.extend(t, i, to, distance, free); i < 0 {
			return last, false
		}
		if last = i; reached {
			return last, true
		}
		distance -= c.Range
	}
	return last, false
}

// towards makes the path from the root of t to its node nearest to the goal.
func (c *Search) towards(t *tree, goal []float64) *Path {
	i, _ := t.Nearest(goal)
	c.path.Reset()
	t.branch(i, &c.path)
	c.path.reverse(0)
	return &c.path
}

// tree grows from one root or several by edges.
type tree struct {
	neighbor.Index
	parent []int32
}

func newTree(s space.Space, nodes int) *tree {
	return &tree{neighbor.New(s, nodes), make([]int32, 0, nodes)}
}

// root makes the tree a single point.
func (t *tree) root(p []float64) {
	t.clear()
	t.add(p, -1)
}

// clear removes all nodes.
func (t *tree) clear() {
	t.Reset()
	t.parent = t.parent[:0]
}

func (t *tree) full() bool { return len(t.parent) == cap(t.parent) }

// add adds a node and returns its index. A node without a parent, -1, is a root.
func (t *tree) add(p []float64, parent int32) int32 {
	t.parent = append(t.parent, parent)
	return t.Add(p)
}

// branch appends the points from a node to the root.
func (t *tree) branch(i int32, path *Path) {
	for ; i >= 0; i = t.parent[i] {
		path.Add(t.At(i))
	}
}
