package mesh

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// collada reads one COLLADA document, versions 1.4 and 1.5.
type collada struct {
	*source
	report  document.Report
	byID    map[string]*document.Element
	surface *Surface
	arrays  map[*document.Element][]float64 // of the sources that were read
	left    map[string]int                  // primitives that are no triangles
	nodes   int                             // that were placed, for documents that multiply
}

// maxNodes bounds the nodes of a scene, counted with their repetitions.
const maxNodes = 100_000

// readCOLLADA reads the polygons of the scene of a COLLADA file with the transformations of its nodes, its unit and its upward axis. A file without
// a scene has all its geometries. Skins are refused, because their form depends on joints.
func readCOLLADA(src *source) (*Surface, error) {
	c := &collada{source: src, byID: map[string]*document.Element{}, surface: &Surface{}, arrays: map[*document.Element][]float64{}, left: map[string]int{}}
	root := document.Parse(src.data, src.file, &c.report)
	if root == nil {
		return nil, c.report.Err()
	}
	if root.Name != "COLLADA" {
		return nil, fail(root, "the root element is <%s>: want <COLLADA>", root.Name)
	}
	c.index(root)
	unit, axes, err := c.asset(root)
	if err != nil {
		return nil, err
	}
	if err := c.scene(root); err != nil {
		return nil, err
	}
	for i := range 3 {
		for k := range 3 {
			axes[i][k] *= unit
		}
	}
	c.surface.Transform(axes, spatial.Vec3{})
	for _, p := range c.surface.Points {
		if problem := badPoint(p); problem != "" {
			return nil, fail(root, "after the transformations of the scene %s", problem)
		}
	}
	for _, kind := range []string{"lines", "linestrips"} {
		if n := c.left[kind]; n > 0 {
			c.surface.Notes = append(c.surface.Notes, fmt.Sprintf("%s: %d <%s> are no part of the surface", src.file, n, kind))
		}
	}
	return c.surface, nil
}

// fail returns an error at an element.
func fail(e *document.Element, format string, args ...any) error {
	return document.Problem{Position: e.Pos, Message: fmt.Sprintf(format, args...)}
}

// index finds elements by their ids.
func (c *collada) index(e *document.Element) {
	if id := e.Optional("id"); id != "" {
		c.byID[id] = e
	}
	for _, child := range e.Children("") {
		c.index(child)
	}
}

// target returns the element that an attribute names as #ID.
func (c *collada) target(e *document.Element, attribute, name string) (*document.Element, error) {
	url := e.Optional(attribute)
	id, local := strings.CutPrefix(url, "#")
	to := c.byID[id]
	switch {
	case !local:
		return nil, fail(e, "%s of <%s> is %q: only elements of the same file, #ID, are read", attribute, e.Name, document.Clip(url))
	case to == nil:
		return nil, fail(e, "<%s> names %q, which is no id of the file", e.Name, document.Clip(url))
	case to.Name != name:
		return nil, fail(e, "<%s> names %q, a <%s>: want a <%s>", e.Name, document.Clip(url), to.Name, name)
	}
	return to, nil
}

// asset returns the length of the unit (m), and the rotation that turns the upward axis to z.
func (c *collada) asset(root *document.Element) (unit float64, axes spatial.Mat3, err error) {
	unit, axes = 1, yUp // unless the file states otherwise
	asset := root.Child("asset")
	if asset == nil {
		return unit, axes, nil
	}
	if e := asset.Child("unit"); e != nil {
		if a, ok := e.Attr("meter"); ok {
			x, problem := parseCoordinate([]byte(strings.TrimSpace(a.Value)))
			if problem != "" || !(x > 0) {
				return 0, axes, document.Problem{Position: a.Pos, Message: fmt.Sprintf("the unit is %q m: want a length above 0", document.Clip(a.Value))}
			}
			unit = x
		}
	}
	if e := asset.Child("up_axis"); e != nil {
		switch e.Text() {
		case "X_UP":
			// The right axis is then -y, the one into the picture z (COLLADA 1.4.1, 5-32).
			axes = spatial.Mat3{{0, -1, 0}, {0, 0, -1}, {1, 0, 0}}
		case "Y_UP":
		case "Z_UP":
			axes = spatial.Identity()
		default:
			return 0, axes, fail(e, "the upward axis is %q: want X_UP, Y_UP or Z_UP", document.Clip(e.Text()))
		}
	}
	return unit, axes, nil
}

// floats returns the numbers of an element of at least n.
func floats(e *document.Element, n int) ([]float64, error) {
	var list []float64
	for word := range strings.FieldsSeq(e.Text()) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || x-x != 0 {
			return nil, fail(e, "number %d of <%s> is %q: want a finite number", len(list)+1, e.Name, document.Clip(word))
		}
		list = append(list, x)
	}
	if len(list) < n {
		return nil, fail(e, "<%s> has %d numbers, want %d", e.Name, len(list), n)
	}
	return list, nil
}

// points returns the positions of a source: three values of each step of its array.
func (c *collada) points(src *document.Element) ([]spatial.Vec3, error) {
	array := src.Child("float_array")
	if array == nil {
		return nil, fail(src, "<source> has no <float_array>")
	}
	values, ok := c.arrays[array]
	if !ok {
		var err error
		if values, err = floats(array, 0); err != nil {
			return nil, err
		}
		c.arrays[array] = values
	}
	stride, offset, count := 3, 0, len(values)/3
	if common := src.Child("technique_common"); common != nil {
		if a := common.Child("accessor"); a != nil {
			var err error
			if stride, err = whole(a, "stride", 1, 1, len(values)+1); err != nil {
				return nil, err
			}
			if offset, err = whole(a, "offset", 0, 0, len(values)); err != nil {
				return nil, err
			}
			if count, err = whole(a, "count", len(values)/stride, 0, len(values)); err != nil {
				return nil, err
			}
			if stride < 3 || count > 0 && offset+(count-1)*stride+3 > len(values) {
				return nil, fail(a, "%d positions at a stride of %d do not fit into an array of %d numbers", count, stride, len(values))
			}
		}
	}
	list := make([]spatial.Vec3, count)
	for i := range list {
		at := offset + i*stride
		list[i] = spatial.Vec3{X: values[at], Y: values[at+1], Z: values[at+2]}
		if problem := badPoint(list[i]); problem != "" {
			return nil, fail(array, "number %d of <float_array>: %s", at+1, problem)
		}
	}
	return list, nil
}

// whole returns an attribute that is a whole number in a range.
func whole(e *document.Element, name string, fallback, least, most int) (int, error) {
	a, ok := e.Attr(name)
	if !ok {
		return fallback, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(a.Value))
	if err != nil || n < least || n > most {
		return 0, document.Problem{Position: a.Pos, Message: fmt.Sprintf("%s of <%s> is %q: want a whole number from %d to %d", name, e.Name, document.Clip(a.Value), least, most)}
	}
	return n, nil
}

// geometry adds a geometry that is placed by a transformation.
func (c *collada) geometry(e *document.Element, at *affine) error {
	mesh := e.Child("mesh")
	if mesh == nil {
		if mesh = e.Child("convex_mesh"); mesh == nil {
			return fail(e, "the geometry is no <mesh>: splines and boundary representations are not read; export polygons")
		}
		if len(mesh.Children("")) == 0 {
			return fail(mesh, "a <convex_mesh> of another geometry is not read: export polygons")
		}
	}
	vertices := mesh.Child("vertices")
	if vertices == nil {
		return fail(mesh, "<mesh> has no <vertices>")
	}
	first := len(c.surface.Points)
	for _, input := range vertices.Children("input") {
		if input.Optional("semantic") != "POSITION" {
			continue
		}
		src, err := c.target(input, "source", "source")
		if err != nil {
			return err
		}
		points, err := c.points(src)
		if err != nil {
			return err
		}
		if len(c.surface.Points)+len(points) > 3*MaxTriangles {
			return fail(e, "the scene has %v", errTooMany)
		}
		for _, p := range points {
			c.surface.Points = append(c.surface.Points, at.apply(p))
		}
	}
	begin := len(c.surface.Triangles)
	for _, child := range mesh.Children("") {
		if err := c.primitives(child, first); err != nil {
			return err
		}
	}
	if at.m.Det() < 0 {
		for i := begin; i < len(c.surface.Triangles); i++ {
			t := &c.surface.Triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	return nil
}
