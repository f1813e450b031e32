package mesh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// plyFile is a PLY file: elements, such as vertices and faces, with properties.
type plyFile struct {
	*source
	order    binary.ByteOrder // nil: text
	elements []plyElement
	body     int // offset behind the header
}

type plyElement struct {
	name       string
	count      int
	properties []plyProperty
}

type plyProperty struct {
	name        string
	kind, count string // of the values, and of their number in a list; count is "" for one value
}

// plySizes are the sizes of types in bytes.
var plySizes = map[string]int{
	"char": 1, "int8": 1, "uchar": 1, "uint8": 1, "short": 2, "int16": 2, "ushort": 2, "uint16": 2,
	"int": 4, "int32": 4, "uint": 4, "uint32": 4, "float": 4, "float32": 4, "double": 8, "float64": 8,
}

// readPLY reads the vertices and faces of a PLY file.
func readPLY(src *source) (*Surface, error) {
	p, err := plyHeader(src)
	if err != nil {
		return nil, err
	}
	s := &Surface{}
	if err := p.each(func(element string, at int, values []float64, lists [][]float64) error {
		switch element {
		case "vertex":
			point, problem := plyPoint(values)
			if problem != "" {
				return p.fail(at, "vertex %d: %s", len(s.Points), problem)
			}
			s.Points = append(s.Points, point)
		case "face":
			corners, err := p.face(at, lists, len(s.Points))
			if err != nil {
				return err
			}
			if err := s.polygon(corners); err != nil {
				return p.fail(at, "%w", err)
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if len(s.Triangles) == 0 {
		return nil, fmt.Errorf("%s: the file has %d points and no faces: it is a point cloud, not a surface", src.file, len(s.Points))
	}
	return s, nil
}

// plyPoint returns the point of a vertex.
func plyPoint(values []float64) (spatial.Vec3, string) {
	p := spatial.Vec3{X: values[0], Y: values[1], Z: values[2]}
	return p, badPoint(p)
}

// face returns the corners of a face.
func (p *plyFile) face(at int, lists [][]float64, points int) ([]int, error) {
	if len(lists) == 0 {
		return nil, p.fail(at, "the face has no list of corners: want vertex_indices or vertex_index")
	}
	var corners []int
	for _, x := range lists[0] {
		i := int(x)
		if i < 0 || i >= points || float64(i) != x {
			return nil, p.fail(at, "the face names vertex %g: there are %d, counted from 0", x, points)
		}
		corners = append(corners, i)
	}
	return corners, nil
}

// fail returns an error at an offset of the body.
func (p *plyFile) fail(at int, format string, args ...any) error {
	if p.order == nil {
		return p.textf(at, "%v", fmt.Errorf(format, args...))
	}
	return p.bytef(at, format, args...)
}

// plyHeader reads the header.
func plyHeader(src *source) (*plyFile, error) {
	p := &plyFile{source: src}
	w := &words{source: src, line: true}
	if word, at := w.word(); string(word) != "ply" {
		return nil, w.textf(at, "the file does not begin with %q", "ply")
	}
	format := ""
	for w.endLine() {
		word, at := w.word()
		switch string(word) {
		case "format":
			kind, at := w.word()
			switch format = string(kind); format {
			case "ascii":
			case "binary_little_endian":
				p.order = binary.LittleEndian
			case "binary_big_endian":
				p.order = binary.BigEndian
			default:
				return nil, w.textf(at, "the format is %q: want ascii, binary_little_endian or binary_big_endian", format)
			}
		case "element":
			name, _ := w.word()
			number, at := w.word()
			n, err := strconv.Atoi(string(number))
			if err != nil || n < 0 || n > 3*MaxTriangles {
				return nil, w.textf(at, "%q is no number of elements: want 0 to %d", number, 3*MaxTriangles)
			}
			p.elements = append(p.elements, plyElement{name: string(name), count: n})
		case "property":
			if err := p.property(w, at); err != nil {
				return nil, err
			}
		case "end_header":
			if format == "" {
				return nil, w.textf(at, "the header has no format")
			}
			w.endLine()
			p.body = min(w.next, len(src.data))
			return p, p.check(at)
		}
	}
	return nil, w.textf(len(src.data), "the file ends before end_header")
}

// property reads a line "property TYPE NAME" or "property list TYPE TYPE NAME".
func (p *plyFile) property(w *words, at int) error {
	if len(p.elements) == 0 {
		return w.textf(at, "a property stands before the first element")
	}
	var made plyProperty
	kind, at := w.word()
	if string(kind) == "list" {
		var count []byte
		if count, at = w.word(); plySizes[string(count)] == 0 {
			return w.textf(at, "%q is no type of a property", count)
		}
		made.count = string(count)
		kind, at = w.word()
	}
	if plySizes[string(kind)] == 0 {
		return w.textf(at, "%q is no type of a property", kind)
	}
	made.kind = string(kind)
	name, _ := w.word()
	made.name = string(name)
	e := &p.elements[len(p.elements)-1]
	e.properties = append(e.properties, made)
	return nil
}

// check refuses headers without coordinates and elements of many triangles that are no faces.
func (p *plyFile) check(at int) error {
	for i := range p.elements {
		e := &p.elements[i]
		if e.name == "tristrips" && e.count > 0 {
			return p.textf(at, "the element tristrips is not read: export faces")
		}
		if len(e.properties) == 0 && e.count > 0 {
			return p.textf(at, "the element %q has no property", e.name)
		}
		if e.name != "vertex" {
			continue
		}
		for _, axis := range []string{"x", "y", "z"} {
			if !slices.ContainsFunc(e.properties, func(p plyProperty) bool { return p.name == axis && p.count == "" }) {
				return p.textf(at, "the element vertex has no property %s", axis)
			}
		}
	}
	return nil
}

// each calls do for each element with its offset: of a vertex the values x, y, z, of a face the lists of corners.
func (p *plyFile) each(do func(element string, at int, values []float64, lists [][]float64) error) error {
	r := &plyReader{plyFile: p, words: &words{source: p.source, next: p.body}}
	var xyz [3]float64
	var list []float64
	for i := range p.elements {
		e := &p.elements[i]
		for range e.count {
			at := r.words.next
			var lists [][]float64
			for _, property := range e.properties {
				if property.count == "" {
					x, err := r.value(property.kind)
					if err != nil {
						return err
					}
					if len(property.name) == 1 {
						if axis := bytes.IndexByte([]byte("xyz"), property.name[0]); axis >= 0 {
							xyz[axis] = x
						}
					}
					continue
				}
				n, err := r.value(property.count)
				if err != nil {
					return err
				}
				if !(n >= 0 && n <= float64(len(p.data))) {
					return p.fail(at, "a list of %g values", n)
				}
				list = list[:0]
				for range int(n) {
					x, err := r.value(property.kind)
					if err != nil {
						return err
					}
					list = append(list, x)
				}
				if property.name == "vertex_indices" || property.name == "vertex_index" {
					lists = append(lists, slices.Clone(list))
				}
			}
			if err := do(e.name, at, xyz[:], lists); err != nil {
				return err
			}
		}
	}
	return nil
}

// plyReader reads the values of the body in turn.
type plyReader struct {
	*plyFile
	words *words
}

// value reads one value.
func (r *plyReader) value(kind string) (float64, error) {
	if r.order == nil {
		word, at := r.words.word()
		x, err := strconv.ParseFloat(string(word), 64)
		if len(word) == 0 {
			return 0, r.textf(at, "the file ends before its last element: it is truncated")
		}
		if err != nil && !math.IsInf(x, 0) {
			return 0, r.textf(at, "%q is not a number", word)
		}
		return x, nil
	}
	at, size := r.words.next, plySizes[kind]
	if at+size > len(r.data) {
		return 0, r.bytef(at, "the file ends before its last element: it is truncated")
	}
	r.words.next += size
	b := r.data[at:]
	switch kind {
	case "char", "int8":
		return float64(int8(b[0])), nil
	case "uchar", "uint8":
		return float64(b[0]), nil
	case "short", "int16":
		return float64(int16(r.order.Uint16(b))), nil
	case "ushort", "uint16":
		return float64(r.order.Uint16(b)), nil
	case "int", "int32":
		return float64(int32(r.order.Uint32(b))), nil
	case "uint", "uint32":
		return float64(r.order.Uint32(b)), nil
	case "float", "float32":
		return float64(math.Float32frombits(r.order.Uint32(b))), nil
	}
	return math.Float64frombits(r.order.Uint64(b)), nil
}
