package scenario

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// sceneText reads a .scene file word by word. Objects begin with a line "* NAME" and the file ends with a point. Since MoveIt 1.1 the pose of
// the object follows its name and subframes follow its shapes; before, the number of shapes follows the name.
type sceneText struct {
	file  string
	lines [][]byte
	line  int      // of the next word, from 0
	rest  [][]byte // words of this line that were not read
}

func readSceneText(file string, text []byte) (*World, error) {
	t := &sceneText{file: file, lines: bytes.Split(text, []byte("\n")), line: 1} // the first line is the name of the scene
	w := &World{}
	for t.line < len(t.lines) {
		line := strings.TrimSpace(string(t.lines[t.line]))
		switch {
		case line == "":
			t.line++
		case line == ".":
			if len(w.Objects) == 0 {
				return nil, fmt.Errorf("%s: the scene has no objects", file)
			}
			return w, nil
		case line[0] == '*':
			t.line++
			o, err := t.object(strings.TrimSpace(line[1:]))
			if err != nil {
				return nil, err
			}
			w.Objects = append(w.Objects, o)
		default:
			return nil, t.fail("%q: want an object, * NAME, or a point at the end", document.Clip(line))
		}
	}
	return nil, t.fail("the file ends without a point: it is truncated")
}

func (t *sceneText) fail(format string, args ...any) error {
	return document.Problem{Position: document.Position{File: t.file, Line: t.line + 1, Column: 1}, Message: fmt.Sprintf(format, args...)}
}

// word returns the next word, "" at the end.
func (t *sceneText) word() string {
	for len(t.rest) == 0 {
		if t.line >= len(t.lines) {
			return ""
		}
		t.rest = bytes.Fields(t.lines[t.line])
		t.line++
	}
	w := string(t.rest[0])
	t.rest = t.rest[1:]
	return w
}

// numbers reads n numbers.
func (t *sceneText) numbers(n int) ([]float64, error) {
	list := make([]float64, 0, min(n, 1000))
	for range n {
		word := t.word()
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || x-x != 0 {
			t.line--
			return nil, t.fail("%q is no finite number", document.Clip(word))
		}
		list = append(list, x)
	}
	return list, nil
}

// whole reads a number from 0 to most.
func (t *sceneText) whole(of string, most int) (int, error) {
	word := t.word()
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > most {
		t.line--
		return 0, t.fail("the number of %s is %q: want 0 to %d", of, document.Clip(word), most)
	}
	return n, nil
}

// pose reads a position and a quaternion x, y, z, w.
func (t *sceneText) pose() (spatial.Pose, error) {
	x, err := t.numbers(7)
	if err != nil {
		return spatial.Pose{}, err
	}
	p, err := pose([3]float64(x[:3]), [4]float64(x[3:]))
	if err != nil {
		t.line--
		return p, t.fail("%v", err)
	}
	return p, nil
}

// object reads an object behind its name.
func (t *sceneText) object(name string) (o scene.Object, err error) {
	o.Name = name
	withPose := t.line < len(t.lines) && len(bytes.Fields(t.lines[t.line])) > 1
	if withPose {
		if o.Pose, err = t.pose(); err != nil {
			return o, err
		}
	}
	shapes, err := t.whole("shapes", 10_000)
	if err != nil {
		return o, err
	}
	for range shapes {
		shape, inside, err := t.shape()
		if err != nil {
			return o, err
		}
		at, err := t.pose()
		if err != nil {
			return o, err
		}
		if _, err = t.numbers(4); err != nil { // a colour
			return o, err
		}
		o.Parts = append(o.Parts, geometry.Part{Shape: shape, Pose: at.Mul(inside)})
	}
	if !withPose {
		return atItsShape(o), nil
	}
	frames, err := t.whole("subframes", 10_000)
	for i := 0; i < frames && err == nil; i++ {
		t.line, t.rest = t.line+1, nil // a name, which may have spaces
		_, err = t.pose()
	}
	return o, err
}

// shape reads a shape, its kind and its sizes, and its pose within its place. Cylinders and cones give the radius before the length.
func (t *sceneText) shape() (shape *geometry.Shape, at spatial.Pose, err error) {
	at = spatial.IdentityPose()
	sizes := map[string]int{"sphere": 1, "box": 3, "cylinder": 2, "cone": 2, "plane": 4, "mesh": 0}
	kind := t.word()
	n, ok := sizes[kind]
	if !ok {
		t.line--
		return nil, at, t.fail("%q is no shape: want sphere, box, cylinder, cone, plane or mesh", document.Clip(kind))
	}
	if kind == "mesh" {
		shape, err = t.mesh()
		return shape, at, err
	}
	x, err := t.numbers(n)
	if err != nil {
		return nil, at, err
	}
	switch kind {
	case "sphere":
		shape, err = geometry.NewSphere(x[0])
	case "box":
		shape, err = geometry.NewBox(spatial.Vec3{X: x[0], Y: x[1], Z: x[2]})
	case "cylinder":
		shape, err = geometry.NewCylinder(x[0], x[1])
	case "cone":
		shape, err = geometry.NewCone(x[0], x[1])
	case "plane":
		shape, at, err = plane(x)
	}
	if err != nil {
		t.line--
		return nil, at, t.fail("%v", err)
	}
	return shape, at, nil
}

// mesh reads the points and triangles of a surface.
func (t *sceneText) mesh() (*geometry.Shape, error) {
	points, err := t.whole("points", mesh.MaxTriangles)
	if err != nil {
		return nil, err
	}
	triangles, err := t.whole("triangles", mesh.MaxTriangles)
	if err != nil {
		return nil, err
	}
	s := &mesh.Surface{}
	for range points {
		x, err := t.numbers(3)
		if err != nil {
			return nil, err
		}
		s.Points = append(s.Points, spatial.Vec3{X: x[0], Y: x[1], Z: x[2]})
	}
	for range triangles {
		var c [3]int
		for k := range c {
			if c[k], err = t.whole("a point of a triangle", points-1); err != nil {
				return nil, err
			}
		}
		s.Triangles = append(s.Triangles, c)
	}
	if len(s.Triangles) == 0 {
		return nil, t.fail("the mesh has no triangles")
	}
	shape, err := s.Shape()
	if err != nil {
		return nil, t.fail("%v", err)
	}
	return shape, nil
}
