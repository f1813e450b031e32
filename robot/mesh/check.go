package mesh

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Quality counts what is wrong with a surface. A body's surface has none of it and a positive volume.
type Quality struct {
	Flat   int     // triangles without area
	Open   int     // edges of one triangle: the surface has a hole
	Shared int     // edges of more than two triangles
	Turned int     // edges whose two triangles have different outsides
	Volume float64 // m³; negative for a closed surface that is inside out, without meaning for an open one
}

// Closed reports whether the surface encloses a volume.
func (q Quality) Closed() bool { return q.Open == 0 && q.Shared == 0 && q.Turned == 0 }

// String lists what is wrong, "closed" if nothing is.
func (q Quality) String() string {
	var list []string
	for _, c := range []struct {
		n    int
		text string
	}{
		{q.Open, "open edges"}, {q.Shared, "edges of more than two triangles"}, {q.Turned, "edges between an outside and an inside"},
		{q.Flat, "triangles without area"},
	} {
		if c.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", c.n, c.text))
		}
	}
	if q.Closed() && q.Volume < 0 {
		list = append(list, "inside out")
	}
	if len(list) == 0 {
		return "closed"
	}
	return strings.Join(list, ", ")
}

// edge is an edge between two points, the lesser index first.
type edge struct{ a, b int }

// edgeUse counts the triangles along an edge in its direction and against it.
type edgeUse struct{ along, against int32 }

// Check counts what is wrong with the surface. Triangles without area are left out of the edges.
func (s *Surface) Check() Quality {
	var q Quality
	uses := make(map[edge]edgeUse, 3*len(s.Triangles)/2)
	for _, t := range s.Triangles {
		a, b, c := s.Points[t[0]], s.Points[t[1]], s.Points[t[2]]
		if b.Sub(a).Cross(c.Sub(a)) == (spatial.Vec3{}) {
			q.Flat++
		}
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			continue
		}
		q.Volume += a.Dot(b.Cross(c)) / 6
		for k := range 3 {
			from, to := t[k], t[(k+1)%3]
			if from < to {
				u := uses[edge{from, to}]
				u.along++
				uses[edge{from, to}] = u
			} else {
				u := uses[edge{to, from}]
				u.against++
				uses[edge{to, from}] = u
			}
		}
	}
	for _, u := range uses {
		switch {
		case u.along+u.against == 1:
			q.Open++
		case u.along+u.against > 2:
			q.Shared++
		case u.along != u.against:
			q.Turned++
		}
	}
	return q
}
