package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// World is the obstacles of a MoveIt scene.
type World struct {
	Frame   string // of their poses: the name of a link, "world", or "" if the file has none
	Objects []scene.Object
}

// ReadMoveIt reads the obstacles of a MoveIt scene: a .scene file, or the YAML of a planning scene, as MotionBenchMaker writes it. Boxes, cylinders,
// spheres, cones, planes and meshes are read. An object of one shape without a pose of its own has that of its shape, as in MoveIt. A plane ax + by + cz + d = 0 becomes the half-space on the side away from its normal (a, b, c). The error
// joins everything that is wrong, with line and column.
func ReadMoveIt(fsys fs.FS, file string) (*World, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(path.Ext(file), ".scene") {
		return readSceneText(file, text)
	}
	return readSceneYAML(file, text)
}

// moveitYAML is the part of a moveit_msgs/PlanningScene that is read.
type moveitYAML struct {
	World struct {
		Objects []moveitObject `yaml:"collision_objects"`
	} `yaml:"world"`
	State struct {
		Attached []yaml.Node `yaml:"attached_collision_objects"`
	} `yaml:"robot_state"`
}

// moveitObject is a moveit_msgs/CollisionObject with its place in the file.
type moveitObject struct {
	moveitFields
	line, column int
}

type moveitFields struct {
	ID     string `yaml:"id"`
	Header struct {
		Frame string `yaml:"frame_id"`
	} `yaml:"header"`
	Pose       *moveitPose `yaml:"pose"`
	Primitives []struct {
		Type       string    `yaml:"type"`
		Dimensions []float64 `yaml:"dimensions"`
	} `yaml:"primitives"`
	Poses  []moveitPose `yaml:"primitive_poses"`
	Meshes []struct {
		Points    []coordinates `yaml:"vertices"`
		Triangles []struct {
			Corners []int `yaml:"vertex_indices"`
		} `yaml:"triangles"`
	} `yaml:"meshes"`
	MeshPoses []moveitPose `yaml:"mesh_poses"`
	Planes    []struct {
		Coefficients []float64 `yaml:"coef"`
	} `yaml:"planes"`
	PlanePoses []moveitPose `yaml:"plane_poses"`
}

type moveitPose struct {
	Position    coordinates `yaml:"position"`
	Orientation coordinates `yaml:"orientation"`
}

// coordinates is a list of numbers, or a map with the keys x, y, z, w.
type coordinates []float64

// UnmarshalYAML reads either form.
func (c *coordinates) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return n.Decode((*[]float64)(c))
	}
	of := map[string]float64{}
	if err := n.Decode(&of); err != nil {
		return err
	}
	for _, axis := range []string{"x", "y", "z", "w"} {
		if x, ok := of[axis]; ok {
			*c = append(*c, x)
		}
	}
	return nil
}

// UnmarshalYAML reads an object and its place.
func (o *moveitObject) UnmarshalYAML(n *yaml.Node) error {
	o.line, o.column = n.Line, n.Column
	return n.Decode(&o.moveitFields)
}

func readSceneYAML(file string, text []byte) (*World, error) {
	var f moveitYAML
	if err := yamlfault.Read(file, text, &f); err != nil {
		return nil, err
	}
	w := &World{}
	var wrong []error
	for i := range f.World.Objects {
		o := &f.World.Objects[i]
		object, err := o.object()
		if frame := o.Header.Frame; err == nil && i > 0 && frame != w.Frame {
			err = fmt.Errorf("its frame is %q, that of the first object %q: want one frame for all", frame, w.Frame)
		}
		if err != nil {
			at := document.Position{File: file, Line: o.line, Column: o.column}
			wrong = append(wrong, fmt.Errorf("%s: object %q: %w", at, o.ID, err))
			continue
		}
		w.Frame = o.Header.Frame
		w.Objects = append(w.Objects, object)
	}
	for _, n := range f.State.Attached {
		wrong = append(wrong, fmt.Errorf("%s: attached objects are not read: attach them in a program, by scene.Attach", document.Position{File: file, Line: n.Line, Column: n.Column}))
	}
	if len(f.World.Objects) == 0 {
		wrong = append(wrong, fmt.Errorf("%s: the scene has no objects: want world, collision_objects", file))
	}
	return w, errors.Join(wrong...)
}

// object returns a collision object as an object of a scene.
func (o *moveitObject) object() (s scene.Object, err error) {
	s.Name = o.ID
	if len(o.Primitives)+len(o.Meshes)+len(o.Planes) == 0 {
		return s, errors.New("it has no primitives, meshes or planes")
	}
	if o.Pose != nil {
		if s.Pose, err = o.Pose.pose(); err != nil {
			return s, err
		}
	}
	add := func(kind string, n int, poses []moveitPose, shape func(i int) (*geometry.Shape, spatial.Pose, error)) error {
		if len(poses) != n {
			return fmt.Errorf("it has %d of kind %s and %d %s_poses: want one for each", n, kind, len(poses), kind)
		}
		for i := range n {
			of, inside, err := shape(i)
			if err != nil {
				return err
			}
			at, err := poses[i].pose()
			if err != nil {
				return err
			}
			s.Parts = append(s.Parts, geometry.Part{Shape: of, Pose: at.Mul(inside)})
		}
		return nil
	}
	err = errors.Join(
		add("primitive", len(o.Primitives), o.Poses, func(i int) (*geometry.Shape, spatial.Pose, error) {
			of, err := moveitShape(o.Primitives[i].Type, o.Primitives[i].Dimensions)
			return of, spatial.IdentityPose(), err
		}),
		add("mesh", len(o.Meshes), o.MeshPoses, func(i int) (*geometry.Shape, spatial.Pose, error) {
			of, err := o.surface(i)
			return of, spatial.IdentityPose(), err
		}),
		add("plane", len(o.Planes), o.PlanePoses, func(i int) (*geometry.Shape, spatial.Pose, error) { return plane(o.Planes[i].Coefficients) }),
	)
	if o.Pose == nil {
		s = atItsShape(s)
	}
	return s, err
}

// atItsShape returns an object of one shape with the pose of that shape, and any other as it is.
func atItsShape(o scene.Object) scene.Object {
	if len(o.Parts) == 1 {
		o.Pose, o.Parts[0].Pose = o.Parts[0].Pose, spatial.IdentityPose()
	}
	return o
}

// surface returns the shape of a mesh, a shape_msgs/Mesh.
func (o *moveitObject) surface(i int) (*geometry.Shape, error) {
	s := &mesh.Surface{}
	for k, p := range o.Meshes[i].Points {
		if len(p) != 3 {
			return nil, fmt.Errorf("vertex %d of mesh %d has %d numbers, want x, y, z", k, i, len(p))
		}
		s.Points = append(s.Points, spatial.Vec3{X: p[0], Y: p[1], Z: p[2]})
	}
	for k, t := range o.Meshes[i].Triangles {
		if len(t.Corners) != 3 {
			return nil, fmt.Errorf("triangle %d of mesh %d has %d vertex_indices, want 3", k, i, len(t.Corners))
		}
		for _, c := range t.Corners {
			if c < 0 || c >= len(s.Points) {
				return nil, fmt.Errorf("triangle %d of mesh %d names vertex %d: it has %d vertices", k, i, c, len(s.Points))
			}
		}
		s.Triangles = append(s.Triangles, [3]int(t.Corners))
	}
	if len(s.Triangles) == 0 {
		return nil, fmt.Errorf("mesh %d has no triangles", i)
	}
	return s.Shape()
}

// plane returns the half-space on the side of a plane ax + by + cz + d = 0 that its normal points away from, and its pose.
func plane(x []float64) (*geometry.Shape, spatial.Pose, error) {
	if len(x) != 4 {
		return nil, spatial.Pose{}, fmt.Errorf("a plane has %d coefficients, want a, b, c, d", len(x))
	}
	normal := spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
	length := normal.Norm()
	if !(length > 1e-9) || length-length != 0 || x[3]-x[3] != 0 {
		return nil, spatial.Pose{}, fmt.Errorf("the plane %v has no normal", x)
	}
	n := normal.Scale(1 / length)
	turn := [4]float64{1, 0, 0, 0} // from the z axis to n
	if w := 2 + 2*n.Z; w > 1e-12 {
		turn = [4]float64{-n.Y / math.Sqrt(w), n.X / math.Sqrt(w), 0, math.Sqrt(w) / 2}
	}
	at := n.Scale(-x[3] / length)
	p, err := pose([3]float64{at.X, at.Y, at.Z}, turn)
	return geometry.NewPlane(), p, err
}

// moveitShape returns a shape_msgs/SolidPrimitive, by its name or its number. Cylinders and cones give the height before the radius.
func moveitShape(kind string, d []float64) (*geometry.Shape, error) {
	names := []string{"", "box", "sphere", "cylinder", "cone"}
	sizes := map[string]int{"box": 3, "sphere": 1, "cylinder": 2, "cone": 2}
	kind = strings.ToLower(kind)
	if len(kind) == 1 && kind[0] >= '1' && kind[0] <= '4' {
		kind = names[kind[0]-'0']
	}
	if n, ok := sizes[kind]; !ok || !slices.Contains(names, kind) {
		return nil, fmt.Errorf("its type is %q: want box, sphere, cylinder or cone", kind)
	} else if len(d) != n {
		return nil, fmt.Errorf("a %s has %d dimensions, want %d", kind, len(d), n)
	}
	switch kind {
	case "box":
		return geometry.NewBox(spatial.Vec3{X: d[0], Y: d[1], Z: d[2]})
	case "sphere":
		return geometry.NewSphere(d[0])
	case "cylinder":
		return geometry.NewCylinder(d[1], d[0])
	}
	return geometry.NewCone(d[1], d[0])
}

// pose returns the pose; a part that is missing is zero.
func (p *moveitPose) pose() (spatial.Pose, error) {
	at, turn := [3]float64{}, [4]float64{0, 0, 0, 1}
	if n := len(p.Position); n != 0 && n != 3 {
		return spatial.Pose{}, fmt.Errorf("a position has %d numbers, want x, y, z", n)
	}
	if n := len(p.Orientation); n != 0 && n != 4 {
		return spatial.Pose{}, fmt.Errorf("an orientation has %d numbers, want x, y, z, w", n)
	}
	copy(at[:], p.Position)
	copy(turn[:], p.Orientation)
	return pose(at, turn)
}
