package planning

import (
	"errors"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Portfolio runs several planners in rounds until one of them finds a path (Huberman, Lukose and Hogg 1997): how long a planner with samples takes varies by
// orders of magnitude from seed to seed and from problem to problem, and different ones are seldom slow together.
//
// The clock of a planner is the number of configurations that it checks, so the path depends on the seed only. In a round each planner starts again and may check as
// many as the round allows, Growth times those of the round before. The first path wins. Where the first planner, which is RRT-Connect, finds one
// in the first round, its path is the answer, after the same checks.
type Portfolio struct {
	Search
	First  int // configurations that a planner may check in the first round
	Growth int // of this number from round to round, at least 2

	members []Planner
	names   []string
	ended   []bool // by member: it has no path within its limits of nodes and iterations
	winner  int
	limit   int
	watch   func() bool
	cancel  bool // the caller's Stop ended the plan
}

// NewPortfolio returns a portfolio of RRT-Connect, the same with adaptive dynamic domains, RRT-Connect with the next seed, and BKPIECE, with the arguments of
// [NewConnect].
func NewPortfolio(e scene.Engine, s space.Robots, resolution float64, nodes int) (*Portfolio, error) {
	if _, curved := s.(*ConstrainedSpace); curved {
		return nil, errCurved
	}
	first, err := NewConnect(e, s, resolution, nodes)
	if err != nil {
		return nil, err
	}
	c := &Portfolio{Search: first.Search, First: 200_000, Growth: 4, members: []Planner{first}, names: []string{"rrt-connect"}}
	c.watch = c.over
	for _, name := range []string{"add-rrt-con-con", "rrt-connect", "bkpiece"} {
		for _, k := range Kinds() {
			if k.Name != name {
				continue
			}
			m, err := k.New(e, s, resolution, nodes)
			if err != nil {
				return nil, err
			}
			m.Common().verifier = c.verifier // one for all: its engine, and its clock
			c.members, c.names = append(c.members, m), append(c.names, name)
		}
	}
	c.ended = make([]bool, len(c.members))
	return c, nil
}

// Winner returns the name of the planner that found the last path.
func (c *Portfolio) Winner() string { return c.names[c.winner] }

// over reports whether the planner whose turn it is has checked all that it may.
func (c *Portfolio) over() bool {
	c.cancel = c.cancel || c.stopped()
	return c.cancel || c.verifier.Checked > c.limit
}

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *Portfolio) Plan(start, goal []float64) (*Path, error) {
	c.cancel, c.Samples = false, 0
	clear(c.ended)
	for budget, left := c.First, len(c.members); left > 0; budget *= c.Growth {
		for k, m := range c.members {
			if c.ended[k] {
				continue
			}
			common := m.Common()
			common.Range, common.Seed, common.Sampler, common.Iterations, common.Stop = c.Range, c.Seed+uint64(k), c.Sampler, c.Iterations, c.watch
			c.winner, c.limit = k, c.verifier.Checked+budget
			path, err := m.Plan(start, goal)
			c.Samples += common.Samples
			switch {
			case errors.Is(err, ErrNoPath):
				c.ended[k] = true
				left--
			case err == nil || c.cancel || !errors.Is(err, ErrStopped):
				return path, err
			}
		}
	}
	return nil, ErrNoPath
}

// Edges implements [Grower], with the trees of the planner that found the path.
func (c *Portfolio) Edges(do func(from, to []float64) bool) {
	if g, ok := c.members[c.winner].(Grower); ok {
		g.Edges(do)
	}
}

// Vertices implements [Grower], for the trees of the planner that found the path.
func (c *Portfolio) Vertices() int {
	if g, ok := c.members[c.winner].(Grower); ok {
		return g.Vertices()
	}
	return 0
}
