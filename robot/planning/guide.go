package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// guide proposes the samples of utility-guided roadmaps (Burns and Brock 2005): between two components, where the samples so far predict free
// space.
type guide struct {
	checked neighbor.Index // samples; nil until it is used
	free    []bool
	near    near
	list    []neighbor.Neighbor
	point   []float64
}

// witnesses is how many checked samples predict whether a point is free.
const witnesses = 5

// reset forgets all samples. The memory is for as many as nodes.
func (g *guide) reset(s space.Space, nodes int, seed uint64) {
	if g.checked == nil {
		g.checked, g.point = neighbor.New(s, nodes), make([]float64, s.Dim())
	}
	g.checked.Reset()
	g.free = g.free[:0]
	g.near.reset(seed)
}

// check checks the sample of c; a planner with candidates remembers the answer as long as it has memory.
func (g *guide) check(c *PRM) bool {
	is := c.verifier.Free(c.sample)
	if c.Candidates > 0 && g.checked.Len() < g.checked.Cap() {
		g.checked.Add(c.sample)
		g.free = append(g.free, is)
	}
	return is
}

// propose writes the best of the candidates to the sample of c. It reports false if there are none, as when the roadmap has one component only.
func (g *guide) propose(c *PRM) bool {
	best := -1.0
	for range c.Candidates {
		if !g.candidate(c) {
			continue
		}
		if p := g.predict(); p > best {
			best = p
			copy(c.sample, g.point)
		}
	}
	return best >= 0
}

// candidate samples a point about the middle between a node and the nearest one of another component.
func (g *guide) candidate(c *PRM) bool {
	var u [1]float64
	g.near.source.Next(u[:])
	a := int32(u[0] * float64(c.graph.Len()))
	c.list = c.graph.K(c.graph.At(a), 2*c.Neighbors+1, c.list)
	for _, n := range c.list {
		if c.graph.component(n.I) == c.graph.component(a) {
			continue
		}
		c.space.Interpolate(c.graph.At(a), c.graph.At(n.I), 0.5, g.point)
		g.near.displace(c.space, g.point, n.Distance/(2*math.Sqrt(float64(len(g.point)))), g.point)
		return c.space.Outside(g.point) < 0
	}
	return false
}

// predict returns how free the point is according to the checked samples near it, by the inverse of their distance.
func (g *guide) predict() float64 {
	g.list = g.checked.K(g.point, witnesses, g.list)
	sum, total := 0.5, 1.0
	for _, n := range g.list {
		w := 1 / (n.Distance + 1e-6)
		total += w
		if g.free[n.I] {
			sum += w
		}
	}
	return sum / total
}
