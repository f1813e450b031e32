package mesh

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	stlHeader   = 84 // bytes: a text of 80, the number of triangles
	stlTriangle = 50 // bytes: normal, three corners, an attribute
)

// readSTL reads a binary or a text STL. A file with the size of the binary form is binary, even if its header begins with "solid", as the headers
// of some programs do.
func readSTL(s *source) (*Surface, error) {
	if len(s.data) >= stlHeader {
		n := int(binary.LittleEndian.Uint32(s.data[80:]))
		if len(s.data) == stlHeader+n*stlTriangle {
			return readBinarySTL(s, n)
		}
	}
	if start := bytes.TrimLeft(s.data, " \t\r\n"); len(start) >= 5 && bytes.EqualFold(start[:5], []byte("solid")) && bytes.IndexByte(start[:min(len(start), stlHeader)], 0) < 0 {
		return readTextSTL(&words{source: s})
	}
	if len(s.data) < stlHeader {
		return nil, s.bytef(len(s.data), "the file ends in the header of %d bytes: it is truncated or no STL", stlHeader)
	}
	n := int(binary.LittleEndian.Uint32(s.data[80:]))
	if want := stlHeader + n*stlTriangle; len(s.data) < want {
		return nil, s.bytef(len(s.data), "the file ends before its %d triangles, at byte %d: it is truncated or no STL", n, want)
	}
	surface, err := readBinarySTL(s, n)
	if err == nil {
		surface.Notes = append(surface.Notes, s.bytef(stlHeader+n*stlTriangle, "%d bytes behind the last triangle are not read", len(s.data)-stlHeader-n*stlTriangle).Error())
	}
	return surface, err
}

func readBinarySTL(s *source, n int) (*Surface, error) {
	if n > MaxTriangles {
		return nil, s.bytef(80, "%d triangles are %w", n, errTooMany)
	}
	surface := &Surface{Points: make([]spatial.Vec3, 0, 3*n), Triangles: make([][3]int, n)}
	for i := range n {
		at := stlHeader + i*stlTriangle + 12
		for k := range 3 {
			var c [3]float64
			for axis := range c {
				c[axis] = float64(math.Float32frombits(binary.LittleEndian.Uint32(s.data[at+12*k+4*axis:])))
			}
			p := spatial.Vec3{X: c[0], Y: c[1], Z: c[2]}
			if problem := badPoint(p); problem != "" {
				return nil, s.bytef(at+12*k, "corner %d of triangle %d of %d: %s", k+1, i+1, n, problem)
			}
			surface.Points = append(surface.Points, p)
		}
		surface.Triangles[i] = [3]int{3 * i, 3*i + 1, 3*i + 2}
	}
	return surface, nil
}

// readTextSTL reads "solid NAME", facets, and "endsolid NAME"; a file may have several solids.
func readTextSTL(w *words) (*Surface, error) {
	s := &Surface{}
	w.word()
	w.endLine() // the name may have any words
	for open := true; ; {
		word, at := w.word()
		switch key := string(bytes.ToLower(word)); key {
		case "":
			if open {
				return nil, w.textf(at, "the file ends before endsolid: it is truncated")
			}
			return s, nil
		case "facet", "solid", "endsolid", "outer": // a normal, a name, "loop"
			w.endLine()
			open = key != "endsolid"
		case "endloop", "endfacet":
		case "vertex":
			p, err := w.point()
			if err != nil {
				return nil, err
			}
			s.Points = append(s.Points, p)
			n := len(s.Points)
			if n%3 != 0 {
				if next, at := w.word(); !bytes.EqualFold(next, []byte("vertex")) {
					return nil, w.textf(at, "corner %d of a facet is missing: here is %q", n%3+1, next)
				}
				w.next -= len("vertex")
				continue
			}
			if err := s.add(n-3, n-2, n-1); err != nil {
				return nil, w.textf(at, "%v", err)
			}
			if next, at := w.word(); !bytes.EqualFold(next, []byte("endloop")) {
				return nil, w.textf(at, "a facet has three corners and ends with endloop: here is %q", next)
			}
		default:
			return nil, w.textf(at, "%q is no word of an STL: want facet, vertex or endsolid", word)
		}
	}
}
