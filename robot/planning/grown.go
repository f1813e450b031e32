package planning

// Grower is a planner whose trees or roadmap can be drawn.
type Grower interface {
	// Edges calls do with both ends of each edge of the last plan, until it returns false. A plan that needed no samples has none. The points are
	// part of the tree.
	Edges(do func(from, to []float64) bool)
	// Vertices returns how many points the trees or the roadmap of the last plan hold, start and goal included, also those without an edge. A plan
	// that needed no samples has none.
	Vertices() int
}

// vertices returns n after a plan that needed samples, else 0.
func (c *Search) vertices(n int) int {
	if c.Samples == 0 {
		return 0
	}
	return n
}

// edges calls do with the edges of the tree, and reports whether it returned true for all.
func (t *tree) edges(do func(from, to []float64) bool) bool {
	for i, parent := range t.parent {
		if parent >= 0 && !do(t.At(parent), t.At(int32(i))) {
			return false
		}
	}
	return true
}

// Edges implements [Grower].
func (c *Connect) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 && c.trees[0].edges(do) {
		c.trees[1].edges(do)
	}
}

// Vertices implements [Grower].
func (c *Connect) Vertices() int { return c.vertices(len(c.trees[0].parent) + len(c.trees[1].parent)) }

// Edges implements [Grower].
func (c *AORRTC) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 && c.trees[0].edges(do) {
		c.trees[1].edges(do)
	}
}

// Vertices implements [Grower].
func (c *AORRTC) Vertices() int { return c.vertices(len(c.trees[0].parent) + len(c.trees[1].parent)) }

// Edges implements [Grower].
func (c *RRT) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 {
		c.tree.edges(do)
	}
}

// Vertices implements [Grower].
func (c *RRT) Vertices() int { return c.vertices(len(c.tree.parent)) }

// Edges implements [Grower].
func (c *RRTStar) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 {
		c.tree.edges(do)
	}
}

// Vertices implements [Grower].
func (c *RRTStar) Vertices() int { return c.vertices(len(c.tree.parent)) }

// Edges implements [Grower].
func (c *EET) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 {
		c.tree.edges(do)
	}
}

// Vertices implements [Grower].
func (c *EET) Vertices() int { return c.vertices(len(c.tree.parent)) }

// Edges implements [Grower].
func (c *KPIECE) Edges(do func(from, to []float64) bool) {
	if c.Samples > 0 && c.trees[0].edges(do) {
		c.trees[1].edges(do)
	}
}

// Vertices implements [Grower].
func (c *KPIECE) Vertices() int { return c.vertices(len(c.trees[0].parent) + len(c.trees[1].parent)) }

// Edges implements [Grower], with the forward tree.
func (c *EIT) Edges(do func(from, to []float64) bool) {
	for i, parent := range c.parent {
		if c.Samples > 0 && parent >= 0 && !do(c.graph.At(parent), c.graph.At(int32(i))) {
			return
		}
	}
}

// Vertices implements [Grower].
func (c *EIT) Vertices() int { return c.vertices(c.graph.Len()) }

// Edges implements [Grower], without the edges that are known not to be free.
func (c *PRM) Edges(do func(from, to []float64) bool) {
	g := c.graph
	for e, s := range g.edge {
		if c.Samples > 0 && s != blocked && !do(g.At(g.to[2*e+1]), g.At(g.to[2*e])) {
			return
		}
	}
}

// Vertices implements [Grower].
func (c *PRM) Vertices() int { return c.vertices(c.graph.Len()) }
