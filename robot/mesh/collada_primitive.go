package mesh

import (
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// primitives adds the triangles of an element of a mesh, whose points begin at first.
func (c *collada) primitives(e *document.Element, first int) error {
	switch e.Name {
	case "triangles", "tristrips", "trifans", "polylist", "polygons":
	case "lines", "linestrips":
		c.left[e.Name]++
		return nil
	default:
		return nil
	}
	offset, stride, err := inputs(e)
	if err != nil {
		return err
	}
	switch e.Name {
	case "polylist":
		return c.polylist(e, offset, stride, first)
	case "polygons":
		for _, h := range e.Children("ph") {
			return fail(h, "polygons with holes, <ph>, are not read: export triangles")
		}
	}
	for _, p := range e.Children("p") {
		corners, err := c.corners(p, offset, stride, first)
		if err != nil {
			return err
		}
		switch e.Name {
		case "polygons":
			err = c.polygon(p, corners)
		case "triangles":
			if len(corners)%3 != 0 {
				return fail(p, "<p> has %d corners of triangles: want a multiple of three", len(corners))
			}
			for i := 0; i+2 < len(corners) && err == nil; i += 3 {
				err = c.surface.add(corners[i], corners[i+1], corners[i+2])
			}
		case "tristrips":
			err = c.surface.strip(corners)
		case "trifans":
			err = c.surface.fan(corners)
		}
		if err != nil {
			return fail(p, "%v", err)
		}
	}
	return nil
}

// strip adds triangles of which each shares an edge with the one before; every second runs backwards.
func (s *Surface) strip(corners []int) error {
	for i := 0; i+2 < len(corners); i++ {
		a, b := corners[i], corners[i+1]
		if i%2 == 1 {
			a, b = b, a
		}
		if err := s.add(a, b, corners[i+2]); err != nil {
			return err
		}
	}
	return nil
}

// fan adds triangles that share the first corner.
func (s *Surface) fan(corners []int) error {
	for i := 1; i+1 < len(corners); i++ {
		if err := s.add(corners[0], corners[i], corners[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// polylist adds polygons whose numbers of corners <vcount> lists.
func (c *collada) polylist(e *document.Element, offset, stride, first int) error {
	counts, p := e.Child("vcount"), e.Child("p")
	if counts == nil || p == nil {
		if n, err := whole(e, "count", 0, 0, MaxTriangles); err == nil && n == 0 {
			return nil
		}
		return fail(e, "<polylist> needs <vcount> and <p>")
	}
	corners, err := c.corners(p, offset, stride, first)
	if err != nil {
		return err
	}
	for word := range strings.FieldsSeq(counts.Text()) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 3 || n > len(corners) {
			return fail(counts, "a polygon has %s corners, with %d left: want at least three", document.Clip(word), len(corners))
		}
		if err := c.polygon(p, corners[:n]); err != nil {
			return err
		}
		corners = corners[n:]
	}
	if len(corners) > 0 {
		return fail(p, "%d corners are left after the last polygon", len(corners))
	}
	return nil
}

func (c *collada) polygon(at *document.Element, corners []int) error {
	if err := c.surface.polygon(corners); err != nil {
		return fail(at, "%v", err)
	}
	return nil
}

// inputs returns the offset of the index of a vertex, and the number of indices of a corner.
func inputs(e *document.Element) (offset, stride int, err error) {
	offset = -1
	for _, input := range e.Children("input") {
		at, err := whole(input, "offset", 0, 0, 1000)
		if err != nil {
			return 0, 0, err
		}
		stride = max(stride, at+1)
		if input.Optional("semantic") == "VERTEX" {
			offset = at
		}
	}
	if offset < 0 {
		return 0, 0, fail(e, "<%s> has no <input> of the semantic VERTEX", e.Name)
	}
	return offset, stride, nil
}

// corners returns the indices of points in <p>.
func (c *collada) corners(p *document.Element, offset, stride, first int) ([]int, error) {
	var corners []int
	points := len(c.surface.Points) - first
	at := 0
	for word := range strings.FieldsSeq(p.Text()) {
		if at%stride == offset {
			i, err := strconv.Atoi(word)
			if err != nil || i < 0 || i >= points {
				return nil, fail(p, "index %d of <p> is %q: want 0 to %d", at+1, document.Clip(word), points-1)
			}
			corners = append(corners, first+i)
		}
		at++
	}
	if at%stride != 0 {
		return nil, fail(p, "<p> has %d indices: want a multiple of %d", at, stride)
	}
	return corners, nil
}
