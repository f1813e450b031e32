package geometry

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// NewDistanceField returns the union of the balls around the occupied cubes, with the squared distance to the nearest occupied middle stored at the middle
// of every cube. It covers all that is in the cubes. A hit of a ball takes one look at eight of these numbers, however many cubes are occupied; all other
// queries descend a tree, as for a cloud.
//
// Let S(p) be the squared distance from p to the nearest occupied middle. S(p) - |p|² is the least of functions that are linear in p, and so concave.
// The trilinear interpolation of S between the middles c with weights w is then at most S(p) + Σ w |c - p|², and
//
//	Σ w S(c) - h² Σ t (1 - t) ≤ S(p)
//
// where h is the edge of a cube and t, from 0 to 1, are the coordinates of p between the middles. [Query.Hit] uses the root of the left side: a
// distance that is never too great. It is exact where one middle is nearest to all eight, and too small by at most √3 h elsewhere between middles. Outside
// of them it is that of a nearer point, but not smaller than the distance to their box.
//
// It fails for what [Voxels.Check] rejects, and if no cube is occupied.
func NewDistanceField(v Voxels, occupied func(cube int) bool) (*Shape, error) {
	if err := v.Check(); err != nil {
		return nil, fmt.Errorf("make a distance field: %w", err)
	}
	var points []spatial.Vec3
	g := &distanceGrid{voxels: v, first: v.Center(0), squares: make([]float32, v.Len())}
	for i := range g.squares {
		g.squares[i] = farSquare
		if occupied(i) {
			g.squares[i] = 0
			points = append(points, v.Center(i))
		}
	}
	if len(points) == 0 {
		return nil, errors.New("make a distance field: no cube is occupied; want at least one")
	}
	if len(points) > maxDots {
		return nil, fmt.Errorf("make a distance field: %d cubes are occupied: want at most %d", len(points), maxDots)
	}
	g.transform()
	s := newCloud(DistanceField, points, []float64{v.Radius()})
	s.tree.edt = g
	return s, nil
}

// distanceGrid is the squared distances of a field, in edges of a cube.
type distanceGrid struct {
	voxels  Voxels
	first   spatial.Vec3 // middle of the first cube
	squares []float32
}

// farSquare is more than any squared distance in a box of [maxVoxelsLine] cubes along each axis.
const farSquare = 1 << 24

// transform replaces 0 at occupied cubes and farSquare at others by the exact squared distances, along one axis after the other (Felzenszwalb and Huttenlocher
// 2012, "Distance Transforms of Sampled Functions", section 2).
func (g *distanceGrid) transform() {
	n := g.voxels.Counts
	longest := max(n[0], n[1], n[2])
	e := envelope{
		line: make([]float32, longest), at: make([]int32, longest), from: make([]float64, longest+1),
	}
	for z := range n[2] {
		for y := range n[1] {
			e.transform(g.squares, n[0]*(y+n[1]*z), 1, n[0])
		}
	}
	for z := range n[2] {
		for x := range n[0] {
			e.transform(g.squares, x+n[0]*n[1]*z, n[0], n[1])
		}
	}
	for y := range n[1] {
		for x := range n[0] {
			e.transform(g.squares, x+n[0]*y, n[0]*n[1], n[2])
		}
	}
}

// envelope is the workspace of one line: parabolas, of which each is the lowest from some place on.
type envelope struct {
	line []float32
	at   []int32   // where the parabolas have their vertices
	from []float64 // where each begins to be the lowest
}

// transform replaces the values f(x) of a line by the least f(u) + (x - u)².
func (e *envelope) transform(values []float32, first, stride, n int) {
	line := e.line[:n]
	k := -1
	for q := range n {
		f := values[first+q*stride]
		line[q] = f
		if f >= farSquare {
			continue // it is not below a parabola of this line, if there is one
		}
		s := math.Inf(-1)
		for k >= 0 {
			u := float64(e.at[k])
			s = ((float64(f) + float64(q)*float64(q)) - (float64(line[e.at[k]]) + u*u)) / (2 * (float64(q) - u))
			if s > e.from[k] {
				break
			}
			k--
			s = math.Inf(-1)
		}
		k++
		e.at[k], e.from[k] = int32(q), s
	}
	if k < 0 {
		return
	}
	e.from[k+1] = math.Inf(1)
	for q, j := 0, 0; q < n; q++ {
		for e.from[j+1] < float64(q) {
			j++
		}
		d := float32(q) - float32(e.at[j])
		values[first+q*stride] = d*d + line[e.at[j]]
	}
}

// bound returns a lower bound of the distance (m) from p to the nearest occupied middle. Outside of the box of middles, the squared distance to it adds to
// that of its nearest point, because the box is convex.
func (g *distanceGrid) bound(p spatial.Vec3) float64 {
	n := &g.voxels.Counts
	k := 1 / g.voxels.Size
	ix, tx, ox, sx := cell((p.X-g.first.X)*k, n[0], 1)
	iy, ty, oy, sy := cell((p.Y-g.first.Y)*k, n[1], n[0])
	iz, tz, oz, sz := cell((p.Z-g.first.Z)*k, n[2], n[0]*n[1])
	at := ix + iy + iz
	s := g.squares
	a, b := mix(s[at], s[at+sx], tx), mix(s[at+sy], s[at+sy+sx], tx)
	c, d := mix(s[at+sz], s[at+sz+sx], tx), mix(s[at+sz+sy], s[at+sz+sy+sx], tx)
	a += ty * (b - a)
	c += ty * (d - c)
	a += tz*(c-a) - tx*(1-tx) - ty*(1-ty) - tz*(1-tz)
	return g.voxels.Size * math.Sqrt(max(a, 0)+ox*ox+oy*oy+oz*oz)
}

// cell returns where the coordinate x lies among n middles: the offset of the one before it, the part t of the way to the next one, how far
// it is outside, and the offset to the next one.
func cell(x float64, n, stride int) (at int, t, outside float64, next int) {
	last := float64(n - 1)
	if x < 0 {
		x, outside = 0, -x
	} else if x > last {
		x, outside = last, x-last
	}
	i := int(x)
	if i == n-1 {
		return i * stride, 0, outside, 0
	}
	return i * stride, x - float64(i), outside, stride
}

func mix(a, b float32, t float64) float64 { return float64(a) + t*(float64(b)-float64(a)) }
