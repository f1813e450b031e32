package cover

import (
	"container/heap"
	"fmt"
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Fitter covers one body by spheres, for any tolerances.
type Fitter struct {
	body       *Body
	grid       *grid // nil: the body consists of balls
	near       nearness
	elements   []element
	candidates []candidate
}

// candidate is a center of balls. A ball with the radius depth + tolerance sticks out by at most the tolerance.
type candidate struct {
	center spatial.Vec3
	depth  float64 // m, negative by the distance of a center that may lie outside
}

// domination drops candidates: one whose neighbour is deeper by more than this share of their distance is not near the medial axis.
const domination = 0.85

// New prepares the body. It fails for a body that is empty or not finite.
func New(b *Body) (*Fitter, error) {
	surface, err := b.surface()
	if err != nil {
		return nil, err
	}
	f := &Fitter{body: b}
	if surface == nil {
		return f, nil
	}
	point, err := geometry.NewSphere(0)
	if err != nil {
		return nil, err
	}
	f.near = nearness{surface: surface, point: point}
	f.grid = newGrid(b.triangles)
	f.addElements()
	f.addCandidates()
	return f, nil
}

// addElements divides the surface and the inside.
func (f *Fitter) addElements() {
	g := f.grid
	g.pieces(f.body.triangles, func(t *[3]spatial.Vec3) {
		g.block(t)
		f.elements[f.elementOf(t)].add(t)
	})
	g.flood()
	for i := range f.elements {
		f.elements[i].settle()
	}
	half := g.size / 2
	for i, s := range g.state {
		if s != unknown {
			continue
		}
		e := element{}
		c := g.center(i)
		for k := range 8 {
			e.points = append(e.points, c.Add(spatial.Vec3{X: half * float64(1-k&1*2), Y: half * float64(1-k>>1&1*2), Z: half * float64(1-k>>2*2)}))
		}
		e.ball = scene.Ball{Center: c, Radius: e.points[0].Sub(c).Norm()}
		f.elements = append(f.elements, e)
	}
}

// elementOf returns the index of the element of a piece, that of the cell of its centroid.
func (f *Fitter) elementOf(t *[3]spatial.Vec3) int32 {
	cell := f.grid.index(f.grid.cell(t[0].Add(t[1]).Add(t[2]).Scale(1.0 / 3)))
	i, ok := f.grid.at[cell]
	if !ok {
		i = int32(len(f.elements))
		f.grid.at[cell] = i
		f.elements = append(f.elements, element{})
	}
	return i
}

// addCandidates finds the centers of balls.
func (f *Fitter) addCandidates() {
	g := f.grid
	depth := map[int]float64{}
	for i, s := range g.state {
		if s == unknown {
			depth[i] = f.near.distance(g.center(i))
		}
	}
	for i, s := range g.state {
		if s != unknown {
			continue
		}
		c, d, deepest := g.center(i), depth[i], true
		g.around(i, true, func(at int) {
			if n, ok := depth[at]; ok && n > d+domination*g.center(at).Sub(c).Norm() {
				deepest = false
			}
		})
		if deepest {
			f.candidates = append(f.candidates, candidate{c, d})
		}
	}
	for _, cell := range slices.Sorted(maps.Keys(g.at)) {
		thin := true
		g.around(cell, true, func(at int) { thin = thin && g.state[at] != unknown })
		if thin {
			c := f.elements[g.at[cell]].ball.Center
			f.candidates = append(f.candidates, candidate{c, -f.near.distance(c)})
		}
	}
}

// Fit returns spheres that cover the body and stick out by about the tolerance (m) at most, more only where it is less than a cell of the grid. The balls of the
// body come first and are unchanged. It panics for a tolerance that is not positive.
func (f *Fitter) Fit(tolerance float64) []scene.Ball {
	if !(tolerance > 0) {
		panic(fmt.Sprintf("cover: a tolerance of %g m: want a positive length", tolerance))
	}
	list := slices.Clone(f.body.balls)
	if f.grid == nil {
		return list
	}
	return append(list, f.finish(f.choose(tolerance))...)
}

// chosen is a ball with the elements that it covers.
type chosen struct {
	ball  scene.Ball
	depth float64 // of its center
	holds []int32
}

// gain is what a candidate covers beyond those that are chosen; it never grows.
type gain struct {
	candidate int
	n         int
	at        int // number of chosen balls when it was counted
}

type gains []gain

func (g gains) Len() int { return len(g) }
func (g gains) Less(i, j int) bool {
	return g[i].n > g[j].n || g[i].n == g[j].n && g[i].candidate < g[j].candidate
}
func (g gains) Swap(i, j int) { g[i], g[j] = g[j], g[i] }
func (g *gains) Push(x any)   { *g = append(*g, x.(gain)) }
func (g *gains) Pop() any {
	old := *g
	last := old[len(old)-1]
	*g = old[:len(old)-1]
	return last
}

// choose covers all elements: by the candidate that covers most, again and again.
func (f *Fitter) choose(tolerance float64) []chosen {
	covers := make([][]int32, len(f.candidates))
	queue := make(gains, 0, len(f.candidates))
	for i, c := range f.candidates {
		if radius := c.depth + tolerance; radius > 0 {
			covers[i] = f.held(c.center, radius)
		}
		if len(covers[i]) > 0 {
			queue = append(queue, gain{i, len(covers[i]), 0})
		}
	}
	heap.Init(&queue)
	covered := make([]bool, len(f.elements))
	left := len(f.elements)
	var list []chosen
	for left > 0 && len(queue) > 0 {
		g := &queue[0]
		if g.at < len(list) { // it may cover less by now
			g.n, g.at = 0, len(list)
			for _, e := range covers[g.candidate] {
				if !covered[e] {
					g.n++
				}
			}
			if g.n == 0 {
				heap.Pop(&queue)
			} else {
				heap.Fix(&queue, 0)
			}
			continue
		}
		c := &f.candidates[g.candidate]
		list = append(list, chosen{scene.Ball{Center: c.center, Radius: c.depth + tolerance}, c.depth, covers[g.candidate]})
		for _, e := range covers[g.candidate] {
			if !covered[e] {
				covered[e] = true
				left--
			}
		}
		heap.Pop(&queue)
	}
	for i := range f.elements { // larger than the tolerance allows
		if !covered[i] {
			b := f.elements[i].ball
			b.Radius *= fitRadius
			c := chosen{ball: b, depth: -f.near.distance(b.Center), holds: f.held(b.Center, b.Radius)}
			for _, e := range append(c.holds, int32(i)) {
				covered[e] = true
			}
			list = append(list, c)
		}
	}
	return list
}

// held returns the elements in a ball.
func (f *Fitter) held(c spatial.Vec3, radius float64) (list []int32) {
	for i := range f.elements {
		if f.elements[i].holds(c, radius) {
			list = append(list, int32(i))
		}
	}
	return list
}

// Triangles returns the number of triangles of the body.
func (f *Fitter) Triangles() int { return len(f.body.triangles) }
