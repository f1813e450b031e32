package mesh

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// maxConcave is the greatest number of corners of a polygon that is not convex.
const maxConcave = 2000

// polygon appends a polygon as triangles.
func (s *Surface) polygon(corners []int) error {
	triangles, err := Triangulate(s.Points, corners)
	if err != nil {
		return err
	}
	for _, t := range triangles {
		if err := s.add(t[0], t[1], t[2]); err != nil {
			return err
		}
	}
	return nil
}

// Triangulate splits a simple polygon, given by the indices of its corners, into triangles of the same orientation: a convex one into
// a fan, others by cutting off ears (Meisters 1975). Its corners should lie in a plane; the normal is that of Newell. It fails for fewer than three corners,
// and for a polygon of more than 2,000 corners that is not convex.
func Triangulate(points []spatial.Vec3, corners []int) ([][3]int, error) {
	n := len(corners)
	switch {
	case n < 3:
		return nil, fmt.Errorf("a polygon has %d corners: want at least three", n)
	case n == 3:
		return [][3]int{{corners[0], corners[1], corners[2]}}, nil
	}
	flat := flatten(points, corners)
	if isConvex(flat) {
		list := make([][3]int, 0, n-2)
		for i := 1; i < n-1; i++ {
			list = append(list, [3]int{corners[0], corners[i], corners[i+1]})
		}
		return list, nil
	}
	if n > maxConcave {
		return nil, fmt.Errorf("a polygon that is not convex has %d corners: want at most %d; export triangles", n, maxConcave)
	}
	return cutEars(flat, corners), nil
}

// plane2 is a corner in the plane of its polygon.
type plane2 struct{ x, y float64 }

func turn(a, b, c plane2) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// flatten projects a polygon along the greatest component of its normal, so that it runs counter-clockwise.
func flatten(points []spatial.Vec3, corners []int) []plane2 {
	var normal spatial.Vec3
	for i, at := range corners {
		a, b := points[at], points[corners[(i+1)%len(corners)]]
		normal.X += (a.Y - b.Y) * (a.Z + b.Z)
		normal.Y += (a.Z - b.Z) * (a.X + b.X)
		normal.Z += (a.X - b.X) * (a.Y + b.Y)
	}
	x, y, z := math.Abs(normal.X), math.Abs(normal.Y), math.Abs(normal.Z)
	flat := make([]plane2, len(corners))
	for i, at := range corners {
		p := points[at]
		switch {
		case x >= y && x >= z:
			flat[i] = plane2{p.Y * math.Copysign(1, normal.X), p.Z}
		case y >= z:
			flat[i] = plane2{p.Z * math.Copysign(1, normal.Y), p.X}
		default:
			flat[i] = plane2{p.X * math.Copysign(1, normal.Z), p.Y}
		}
	}
	return flat
}

// isConvex reports whether no corner turns to the right and the polygon turns once.
func isConvex(flat []plane2) bool {
	n := len(flat)
	changes := 0 // of the direction along x
	for i := range flat {
		a, b, c := flat[i], flat[(i+1)%n], flat[(i+2)%n]
		if turn(a, b, c) < 0 {
			return false
		}
		if (b.x-a.x)*(c.x-b.x) < 0 {
			changes++
		}
	}
	return changes <= 2
}

// cutEars cuts off a corner whose triangle has no other corner in it, until three are left. A polygon that crosses itself has no ear at some
// time; the next corner is cut off then, so that all area is covered.
func cutEars(flat []plane2, corners []int) (list [][3]int) {
	left := make([]int, len(flat))
	for i := range left {
		left[i] = i
	}
	for at, failed := 0, 0; len(left) > 3; {
		n := len(left)
		i, j, k := left[at%n], left[(at+1)%n], left[(at+2)%n]
		if isEar(flat, left, i, j, k) || failed > n {
			list = append(list, [3]int{corners[i], corners[j], corners[k]})
			gone := (at + 1) % n
			left = append(left[:gone], left[gone+1:]...)
			failed = 0
			continue
		}
		at, failed = (at+1)%n, failed+1
	}
	return append(list, [3]int{corners[left[0]], corners[left[1]], corners[left[2]]})
}

func isEar(flat []plane2, left []int, i, j, k int) bool {
	a, b, c := flat[i], flat[j], flat[k]
	if turn(a, b, c) <= 0 {
		return false
	}
	for _, m := range left {
		p := flat[m]
		if p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}
