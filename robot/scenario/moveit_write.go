package scenario

import (
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The parts of a moveit_msgs/PlanningScene that are written, in the order of the file.
type (
	writtenScene struct {
		World writtenWorld `yaml:"world"`
	}
	writtenWorld struct {
		Objects []writtenObject `yaml:"collision_objects"`
	}
	writtenObject struct {
		ID     string `yaml:"id"`
		Header struct {
			Frame string `yaml:"frame_id"`
		} `yaml:"header"`
		Pose       writtenPose    `yaml:"pose"`
		Primitives []writtenShape `yaml:"primitives"`
		Poses      []writtenPose  `yaml:"primitive_poses"`
		Meshes     []writtenMesh  `yaml:"meshes,omitempty"`
		MeshPoses  []writtenPose  `yaml:"mesh_poses,omitempty"`
		Planes     []writtenPlane `yaml:"planes,omitempty"`
		PlanePoses []writtenPose  `yaml:"plane_poses,omitempty"`
	}
	writtenMesh struct {
		Triangles []writtenTriangle `yaml:"triangles"`
		Vertices  [][]float64       `yaml:"vertices,flow"`
	}
	writtenTriangle struct {
		Corners []int `yaml:"vertex_indices,flow"`
	}
	writtenPlane struct {
		Coefficients []float64 `yaml:"coef,flow"`
	}
	writtenShape struct {
		Type       string    `yaml:"type"`
		Dimensions []float64 `yaml:"dimensions,flow"`
	}
	writtenPose struct {
		Position    []float64 `yaml:"position,flow"`
		Orientation []float64 `yaml:"orientation,flow"`
	}
)

// WriteMoveIt writes obstacles as the YAML of a MoveIt planning scene, which [ReadMoveIt] reads. Capsules become a cylinder with two spheres, clouds and
// distance fields a sphere for each point, hulls meshes: the same space. A height field becomes the surface around it, which is hollow. The error joins all
// objects with shapes that MoveIt does not know: ellipsoids, and rounded edges.
func WriteMoveIt(to io.Writer, w *World) error {
	f := writtenScene{World: writtenWorld{Objects: []writtenObject{}}}
	var wrong []error
	for _, o := range w.Objects {
		out := writtenObject{ID: o.Name, Pose: written(o.Pose)}
		out.Header.Frame = w.Frame
		for i := range o.Parts {
			if err := out.add(o.Parts[i].Shape, identity(o.Parts[i].Pose)); err != nil {
				wrong = append(wrong, fmt.Errorf("write object %q: %w", o.Name, err))
			}
		}
		f.World.Objects = append(f.World.Objects, out)
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	text, err := yaml.Marshal(&f)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

// add appends a shape.
func (o *writtenObject) add(s *geometry.Shape, at spatial.Pose) error {
	here := spatial.IdentityPose()
	b := s.Bounds(&here)
	size, r := b.Max.Sub(b.Min), s.Radius()
	ball := func(center spatial.Vec3, radius float64) {
		o.primitive("sphere", at.Mul(spatial.Translation(center)), radius)
	}
	switch kind := s.Kind(); {
	case kind == geometry.Sphere:
		ball(spatial.Vec3{}, r)
	case kind == geometry.Capsule:
		length := size.Z - 2*r
		o.primitive("cylinder", at, length, r)
		ball(spatial.Vec3{Z: length / 2}, r)
		ball(spatial.Vec3{Z: -length / 2}, r)
	case kind == geometry.Cloud, kind == geometry.DistanceField:
		centers, radii := s.Balls()
		for i, c := range centers {
			ball(c, radii[i])
		}
	case kind == geometry.Compound:
		for _, p := range s.Parts() {
			if err := o.add(p.Shape, at.Mul(p.Pose)); err != nil {
				return err
			}
		}
	case r > 0:
		return fmt.Errorf("a %s with rounded edges is no shape of MoveIt", kind)
	case kind == geometry.Box:
		o.primitive("box", at, size.X, size.Y, size.Z)
	case kind == geometry.Cylinder, kind == geometry.Cone:
		o.primitive(kind.String(), at, size.Z, size.X/2)
	case kind == geometry.Plane:
		o.Planes, o.PlanePoses = append(o.Planes, writtenPlane{[]float64{0, 0, 1, 0}}), append(o.PlanePoses, written(at))
	case kind == geometry.Hull, kind == geometry.Mesh, kind == geometry.HeightField:
		o.Meshes, o.MeshPoses = append(o.Meshes, meshOf(s)), append(o.MeshPoses, written(at))
	default:
		return fmt.Errorf("a %s is no shape of MoveIt; use another one", kind)
	}
	return nil
}

// primitive appends a shape_msgs/SolidPrimitive.
func (o *writtenObject) primitive(kind string, at spatial.Pose, dimensions ...float64) {
	o.Primitives, o.Poses = append(o.Primitives, writtenShape{kind, dimensions}), append(o.Poses, written(at))
}

// meshOf returns the surface of a shape as a shape_msgs/Mesh.
func meshOf(s *geometry.Shape) (m writtenMesh) {
	points, triangles := s.Surface()
	for _, p := range points {
		m.Vertices = append(m.Vertices, []float64{p.X, p.Y, p.Z})
	}
	for _, t := range triangles {
		m.Triangles = append(m.Triangles, writtenTriangle{t[:]})
	}
	return m
}

// identity returns a pose whose zero value means the identity.
func identity(x spatial.Pose) spatial.Pose {
	if x.R == (spatial.Mat3{}) {
		x.R = spatial.Identity()
	}
	return x
}

// written returns the numbers of a pose; the zero value is the identity.
func written(x spatial.Pose) writtenPose {
	x = identity(x)
	q := x.R.Quat()
	return writtenPose{[]float64{x.P.X, x.P.Y, x.P.Z}, []float64{q.X, q.Y, q.Z, q.W}}
}
