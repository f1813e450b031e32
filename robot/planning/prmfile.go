package planning

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// roadmapFile is a roadmap as JSON.
type roadmapFile struct {
	Values []string    `json:"values"` // names of the values of a point
	Points [][]float64 `json:"points"`
	Edges  [][2]int    `json:"edges"` // numbers of points
}

// Save writes the roadmap as JSON, without the nodes and edges that are known not to be free. It fails if w does.
func (c *PRM) Save(w io.Writer) error {
	f := roadmapFile{Values: c.names(), Points: [][]float64{}, Edges: [][2]int{}}
	g := c.graph
	number := make([]int, g.Len())
	for i, s := range g.node {
		number[i] = len(f.Points)
		if s != blocked {
			f.Points = append(f.Points, slices.Clone(g.At(int32(i))))
		}
	}
	for e, s := range g.edge {
		if a, b := g.to[2*e], g.to[2*e+1]; s != blocked && g.node[a] != blocked && g.node[b] != blocked {
			f.Edges = append(f.Edges, [2]int{number[b], number[a]})
		}
	}
	if err := json.NewEncoder(w).Encode(f); err != nil {
		return fmt.Errorf("save a roadmap: %w", err)
	}
	return nil
}

// Load replaces the roadmap by one that Save wrote, and sets Keep. The next plan checks what it uses of it. It fails for text that is no roadmap of
// this space, and for more points than the planner has memory for; then the roadmap is empty.
func (c *PRM) Load(r io.Reader) error {
	c.graph.reset()
	var f roadmapFile
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return fmt.Errorf("load a roadmap: %w", err)
	}
	if err := c.load(&f); err != nil {
		c.graph.reset()
		return fmt.Errorf("load a roadmap: %w", err)
	}
	c.Keep = true
	return nil
}

func (c *PRM) load(f *roadmapFile) error {
	if names := c.names(); !slices.Equal(f.Values, names) {
		return fmt.Errorf("its points have the values %q, those of the space are %q", f.Values, names)
	}
	if len(f.Points) > c.graph.Cap() {
		return fmt.Errorf("it has %d points, the planner has memory for %d; make it with more nodes", len(f.Points), c.graph.Cap())
	}
	for i, p := range f.Points {
		if len(p) != c.space.Dim() {
			return fmt.Errorf("point %d has %d values, want %d", i, len(p), c.space.Dim())
		}
		if k := c.space.Outside(p); k >= 0 {
			return fmt.Errorf("point %d is outside the limits: %s is %g", i, f.Values[k], p[k])
		}
		c.graph.add(p, unknown)
	}
	for i, e := range f.Edges {
		for _, k := range e {
			if k < 0 || k >= len(f.Points) {
				return fmt.Errorf("edge %d names point %d, there are %d", i, k, len(f.Points))
			}
		}
		if e[0] == e[1] {
			return fmt.Errorf("edge %d joins point %d with itself", i, e[0])
		}
		a, b := int32(e[0]), int32(e[1])
		c.graph.join(a, b, c.space.Distance(c.graph.At(a), c.graph.At(b)), unknown)
	}
	return nil
}

// names returns the names of the values of a point.
func (c *PRM) names() (names []string) {
	for i := range c.space.Dim() {
		name, _, _ := c.space.Limits(i)
		names = append(names, name)
	}
	return names
}
