package cover

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	fineness  = 48        // cells along the diagonal of a body
	maxPieces = 4_000_000 // pieces of triangles; longer edges than a cell remain beyond it
	fitRadius = 1 + 1e-9  // by which radii are rounded up
	growSteps = 100       // towards the least ball around points
	leastCell = 1e-5      // edge of a cell, m
	fewPoints = 26        // an element keeps this many of its points, the extreme ones
)

// element is what one ball has to cover as a whole: the pieces of triangles in a cell, or a cell inside the body.
type element struct {
	points []spatial.Vec3 // extreme ones
	ball   scene.Ball     // around all of its points
}

// grid has the cells of a body.
type grid struct {
	low    spatial.Vec3
	size   float64
	counts [3]int
	state  []uint8
	at     map[int]int32 // element of a cell
}

// States of cells.
const (
	unknown uint8 = iota // inside, after the flood
	wall                 // a piece of the surface may be in it
	outside              // reached from the border of the grid
)

// newGrid returns the grid around triangles with a free border of one cell.
func newGrid(triangles [][3]spatial.Vec3) *grid {
	low, high := triangles[0][0], triangles[0][0]
	for i := range triangles {
		for _, p := range triangles[i] {
			low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
			high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
		}
	}
	extent := high.Sub(low)
	g := &grid{size: max(extent.Norm()/fineness, leastCell), at: map[int]int32{}}
	border := spatial.Vec3{X: 1.5 * g.size, Y: 1.5 * g.size, Z: 1.5 * g.size}
	g.low = low.Sub(border)
	for k, e := range [3]float64{extent.X, extent.Y, extent.Z} {
		g.counts[k] = int(math.Ceil(e/g.size)) + 4
	}
	g.state = make([]uint8, g.counts[0]*g.counts[1]*g.counts[2])
	return g
}

// cell returns the coordinates of the cell of a point within the grid.
func (g *grid) cell(p spatial.Vec3) (c [3]int) {
	for k, x := range [3]float64{p.X - g.low.X, p.Y - g.low.Y, p.Z - g.low.Z} {
		c[k] = min(max(int(x/g.size), 0), g.counts[k]-1)
	}
	return c
}

func (g *grid) index(c [3]int) int { return c[0] + g.counts[0]*(c[1]+g.counts[1]*c[2]) }

// center returns the middle of a cell.
func (g *grid) center(i int) spatial.Vec3 {
	x, y := i%g.counts[0], i/g.counts[0]
	y, z := y%g.counts[1], y/g.counts[1]
	return g.low.Add(spatial.Vec3{X: float64(x) + 0.5, Y: float64(y) + 0.5, Z: float64(z) + 0.5}.Scale(g.size))
}

// around calls do for the cells that share a face with a cell, with all for those that share a corner as well.
func (g *grid) around(i int, all bool, do func(at int)) {
	x, y := i%g.counts[0], i/g.counts[0]
	y, z := y%g.counts[1], y/g.counts[1]
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				steps := dx*dx + dy*dy + dz*dz
				c := [3]int{x + dx, y + dy, z + dz}
				if steps == 0 || !all && steps > 1 || min(c[0], c[1], c[2]) < 0 || c[0] >= g.counts[0] || c[1] >= g.counts[1] || c[2] >= g.counts[2] {
					continue
				}
				do(g.index(c))
			}
		}
	}
}

// block marks the cells that a piece may touch.
func (g *grid) block(t *[3]spatial.Vec3) {
	a, b := g.cell(t[0]), g.cell(t[0])
	for _, p := range t[1:] {
		c := g.cell(p)
		for k := range 3 {
			a[k], b[k] = min(a[k], c[k]), max(b[k], c[k])
		}
	}
	for z := a[2]; z <= b[2]; z++ {
		for y := a[1]; y <= b[1]; y++ {
			for x := a[0]; x <= b[0]; x++ {
				g.state[g.index([3]int{x, y, z})] = wall
			}
		}
	}
}

// flood marks the cells outside: those that are reached from a corner of the grid without passing a wall. The remaining cells are enclosed.
func (g *grid) flood() {
	queue := []int{0}
	g.state[0] = outside
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		g.around(i, false, func(at int) {
			if g.state[at] == unknown {
				g.state[at] = outside
				queue = append(queue, at)
			}
		})
	}
}

// middle returns the middle of the longest edge of a triangle, which divides it into t with corner i and t with corner j replaced.
func middle(t *[3]spatial.Vec3) (m spatial.Vec3, i, j int, length float64) {
	for k := range 3 {
		if d := t[k].Sub(t[(k+1)%3]).Norm(); d > length {
			i, j, length = k, (k+1)%3, d
		}
	}
	return t[i].Lerp(t[j], 0.5), i, j, length
}

// pieces calls do with pieces of the triangles whose edges are not longer than a cell.
func (g *grid) pieces(triangles [][3]spatial.Vec3, do func(t *[3]spatial.Vec3)) {
	left := maxPieces
	var divide func(t [3]spatial.Vec3)
	divide = func(t [3]spatial.Vec3) {
		m, i, j, length := middle(&t)
		if length <= g.size/2 || left <= 0 {
			left--
			do(&t)
			return
		}
		a, b := t, t
		a[i], b[j] = m, m
		divide(a)
		divide(b)
	}
	for i := range triangles {
		divide(triangles[i])
	}
}

// directions are those in which the points of an element are extreme: to the faces, edges and corners of a cube.
var directions = func() (list [fewPoints]spatial.Vec3) {
	n := 0
	for i := range 27 {
		if i != 13 {
			list[n] = spatial.Vec3{X: float64(i%3 - 1), Y: float64(i/3%3 - 1), Z: float64(i/9 - 1)}
			n++
		}
	}
	return list
}()

// add adds the corners of a piece to an element.
func (e *element) add(t *[3]spatial.Vec3) {
	for _, p := range t {
		if e.points == nil {
			e.points = make([]spatial.Vec3, fewPoints)
			for k := range e.points {
				e.points[k] = p
			}
			continue
		}
		for k, d := range directions {
			if d.Dot(p) > d.Dot(e.points[k]) {
				e.points[k] = p
			}
		}
	}
}

// settle removes points that occur twice and computes the ball.
func (e *element) settle() {
	kept := e.points[:0]
	for i, p := range e.points {
		twice := false
		for _, k := range e.points[:i] {
			twice = twice || k == p
		}
		if !twice {
			kept = append(kept, p)
		}
	}
	e.points = kept
	e.ball = around(e.points)
}

// around returns a ball around points that is hardly larger than the least one (Badoiu and Clarkson 2003).
func around(points []spatial.Vec3) scene.Ball {
	low, high := points[0], points[0]
	for _, p := range points {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	b := scene.Ball{Center: low.Lerp(high, 0.5), Radius: math.Inf(1)}
	c := b.Center
	for i := range growSteps {
		far, reach := farthest(c, points)
		if reach < b.Radius {
			b = scene.Ball{Center: c, Radius: reach}
		}
		c = c.Add(far.Sub(c).Scale(1 / float64(i+2)))
	}
	return b
}

// farthest returns the point that is farthest from c, and its distance.
func farthest(c spatial.Vec3, points []spatial.Vec3) (far spatial.Vec3, reach float64) {
	far = points[0]
	for _, p := range points {
		if v := p.Sub(c); v.Dot(v) > reach {
			far, reach = p, v.Dot(v)
		}
	}
	return far, math.Sqrt(reach)
}

// holds reports whether a ball contains all points of an element.
func (e *element) holds(c spatial.Vec3, radius float64) bool {
	d := e.ball.Center.Sub(c).Norm()
	if d+e.ball.Radius <= radius {
		return true
	}
	if d > radius {
		return false
	}
	r2 := radius * radius
	for _, p := range e.points {
		if v := p.Sub(c); v.Dot(v) > r2 {
			return false
		}
	}
	return true
}

// nearness measures distances to the surface of a body.
type nearness struct {
	surface *geometry.Shape
	point   *geometry.Shape
	query   geometry.Query
}

// distance returns the distance of a point from the surface.
func (n *nearness) distance(p spatial.Vec3) float64 {
	at, origin := spatial.Translation(p), spatial.IdentityPose()
	c, err := n.query.Distance(n.point, &at, n.surface, &origin, nil)
	if err != nil { // the points of a body are finite and within the limit, as are the cells around them
		panic(err)
	}
	return max(c.Distance, 0)
}
