package planning

import "github.com/sinew-robotics/sinew/robot/planning/space"

// Path is a polyline of points of a space.
type Path struct {
	dim    int
	points []float64
}

// NewPath returns a path without points in a space of dim values a point.
func NewPath(dim int) *Path { return &Path{dim: dim} }

// Reset removes all points and keeps their memory.
func (p *Path) Reset() { p.points = p.points[:0] }

// Len returns the number of points.
func (p *Path) Len() int {
	if p.dim == 0 {
		return 0
	}
	return len(p.points) / p.dim
}

// At returns point i, 0 to Len()-1, in the coordinates of its space; it panics for another i. The slice is part of the path.
func (p *Path) At(i int) []float64 { return p.points[i*p.dim : (i+1)*p.dim : (i+1)*p.dim] }

// Length returns the sum of the lengths of the edges.
func (p *Path) Length(s space.Space) (length float64) {
	for i := 1; i < p.Len(); i++ {
		length += s.Distance(p.At(i-1), p.At(i))
	}
	return length
}

// Add appends a copy of a point, which has as many values as the space.
func (p *Path) Add(point []float64) { p.points = append(p.points, point...) }

// remove removes the points from i up to, not including, j.
func (p *Path) remove(i, j int) {
	if i < j {
		p.points = append(p.points[:i*p.dim], p.points[j*p.dim:]...)
	}
}

// insert makes room for a point before point i and returns it.
func (p *Path) insert(i int) []float64 {
	n := len(p.points)
	p.points = append(p.points, p.points[n-p.dim:]...)
	copy(p.points[(i+1)*p.dim:], p.points[i*p.dim:n])
	return p.At(i)
}

// reverse reverses the points from i to the end.
func (p *Path) reverse(i int) {
	for j := p.Len() - 1; i < j; i, j = i+1, j-1 {
		a, b := p.At(i), p.At(j)
		for k := range a {
			a[k], b[k] = b[k], a[k]
		}
	}
}
