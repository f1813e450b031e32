package planning

import (
	"errors"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Kind is a planner by its published name.
type Kind struct {
	Name, Doc string
	// New makes a planner with the arguments of [NewConnect].
	New func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error)
}

// Kinds returns all planners, the recommended one first.
func Kinds() []Kind {
	return []Kind{
		connect("rrt-connect-near", "RRT-Connect with samples near nodes of its trees, which lead out of pockets", func(c *Connect) { c.Near = true }),
		connect("rrt-connect", "RRT-Connect as published: two trees, one an edge towards samples from everywhere, the other all the way to it", func(*Connect) {}),
		{"aorrtc", "AORRTC: RRT-Connect that goes on to search for shorter paths", func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
			return NewAORRTC(e, s, resolution, nodes)
		}},
		{"portfolio", "four of them in turn, by configurations checked: the first path of any", func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
			return NewPortfolio(e, s, resolution, nodes)
		}},
		{"eit-star", "EIT*: batches of samples searched from both ends, for paths that promise little effort, then short ones", func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
			return NewEIT(e, s, resolution, nodes)
		}},
		rrt("rrt", "one tree from the start", func(*RRT) {}),
		rrt("rrt-goal-bias", "one tree; every twentieth sample is the goal", func(c *RRT) { c.Bias = bias }),
		rrt("rrt-con", "the same, growing until an edge is not free", func(c *RRT) { c.Bias, c.Grow = bias, Greedy }),
		connect("rrt-dual", "two trees, both towards samples", func(c *Connect) { c.Dual = true }),
		connect("rrt-ext-ext", "two trees, both by single edges", func(c *Connect) { c.Join = Extend }),
		connect("rrt-con-con", "two trees, both all the way", func(c *Connect) { c.Grow = Greedy }),
		connect("add-rrt-con-con", "the same with adaptive dynamic domains", func(c *Connect) {
			c.Grow, c.Domain = Greedy, Domain{Radius: 4 * c.Range, Lower: c.Range, Alpha: 1e-4}
		}),
		{"rrt-star", "RRT*: one tree that improves its path up to the last sample", func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
			return NewRRTStar(e, s, resolution, nodes)
		}},
		{"eet", "EET: a tree that a tunnel of free spheres leads by the robot's last link", func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
			return NewEET(e, s, resolution, nodes)
		}},
		kpiece("kpiece", "KPIECE: one tree that grows where cells of a projection of it are least explored", func(*KPIECE) {}),
		kpiece("bkpiece", "BKPIECE: two such trees, joined where they share a cell", func(c *KPIECE) { c.Both = true }),
		prm("prm", "roadmap that is a forest, until start and goal are joined", func(*PRM) {}),
		prm("prm-gaussian", "the same with samples near obstacles", func(c *PRM) { c.Strategy = &Gaussian{Sigma: sigma * c.Range} }),
		prm("prm-bridge", "the same with samples in narrow passages", func(c *PRM) { c.Strategy = &Bridge{Sigma: sigma * c.Range} }),
		prm("prm-utility-guided", "the same with samples that promise to join components", func(c *PRM) { c.Candidates = 5 }),
		prm("lazy-prm", "roadmap of which only shortest paths are checked", func(c *PRM) { c.Lazy, c.Neighbors = true, 15 }),
		prm("prm-star", "PRM*: improves its path up to the last sample", func(c *PRM) { c.Improve, c.Neighbors = DefaultImproving, 0 }),
		prm("lazy-prm-star", "Lazy PRM*: the same, checking only shortest paths", func(c *PRM) {
			c.Improve, c.Lazy, c.Neighbors = DefaultImproving, true, 0
		}),
	}
}

// OptimizerKind is an optimizer by its name.
type OptimizerKind struct {
	Name, Doc string
	// New makes an optimizer that verifies with v; the seed is of those that sample.
	New func(v *Verifier, seed uint64) Optimizer
}

// Optimizers returns all optimizers, the recommended one first.
func Optimizers() []OptimizerKind {
	return []OptimizerKind{
		{"shortcut", "random shortcuts between any places of the path", func(v *Verifier, seed uint64) Optimizer {
			s := NewSimplifier(v)
			s.Seed = seed
			return s
		}},
		{"simple", "leaves out single points", func(v *Verifier, _ uint64) Optimizer { return NewSimple(v) }},
		{"advanced", "cuts corners after that", func(v *Verifier, _ uint64) Optimizer { return NewAdvanced(v) }},
		{"spline", "shortcuts, then rounds the corners towards a B-spline", func(v *Verifier, seed uint64) Optimizer {
			s := NewSimplifier(v)
			s.Seed = seed
			return rounded{s, NewSpline(v)}
		}},
	}
}

// rounded shortens a path, then rounds it.
type rounded struct {
	short *Simplifier
	round *Spline
}

func (r rounded) Simplify(p *Path) {
	r.short.Simplify(p)
	r.round.Simplify(p)
}

func (r rounded) StopWith(stop func() bool) {
	r.short.StopWith(stop)
	r.round.StopWith(stop)
}

const sigma = 0.2 // of pairs of samples, in ranges

func prm(name, doc string, set func(*PRM)) Kind {
	return Kind{name, doc, func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
		c, err := NewPRM(e, s, resolution, nodes)
		if err != nil {
			return nil, err
		}
		set(c)
		return c, nil
	}}
}

const bias = 0.05 // part of the samples that are the goal

func connect(name, doc string, set func(*Connect)) Kind {
	return Kind{name, doc, func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
		c, err := NewConnect(e, s, resolution, nodes)
		if err != nil {
			return nil, err
		}
		set(c)
		return c, nil
	}}
}

func kpiece(name, doc string, set func(*KPIECE)) Kind {
	return Kind{name, doc, func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
		c, err := NewKPIECE(e, s, resolution, nodes)
		if err != nil {
			return nil, err
		}
		set(c)
		if c.Both && !s.Symmetric() {
			return nil, errors.New("make a planner: a tree that grows from the goal needs ways that lead in both directions; use RRT")
		}
		return c, nil
	}}
}

func rrt(name, doc string, set func(*RRT)) Kind {
	return Kind{name, doc, func(e scene.Engine, s space.Robots, resolution float64, nodes int) (Planner, error) {
		c, err := NewRRT(e, s, resolution, nodes)
		if err != nil {
			return nil, err
		}
		set(c)
		return c, nil
	}}
}
