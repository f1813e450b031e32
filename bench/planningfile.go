package main

import (
	"bytes"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// file returns the problems and edges as bench/peers/vamp.cpp reads them.
func (a *arm) file() []byte {
	var file bytes.Buffer
	writePlans(&file, a.joints.Dim(), a.problems)
	number(&file, float64(len(a.edges)))
	for _, e := range a.edges {
		number(&file, float64(e.problem))
		writeNumbers(&file, e.from...)
		writeNumbers(&file, e.step...)
	}
	return file.Bytes()
}

// writePlans writes the problems of a robot with n joints.
func writePlans(file *bytes.Buffer, n int, problems []scenario.Problem) {
	writeNumbers(file, float64(n), float64(len(problems)))
	for _, p := range problems {
		writeNumbers(file, p.Start...)
		writeNumbers(file, p.Goal...)
		number(file, float64(len(p.Objects)))
		for _, o := range p.Objects {
			at := o.Pose
			writeShape(file, o.Parts[0].Shape)
			writePose(file, &at)
		}
	}
}

// writeShape writes a sphere, capsule, box, cylinder or mesh as bench/peers/shapes.h reads it.
func writeShape(file *bytes.Buffer, s *geometry.Shape) {
	at := spatial.IdentityPose()
	bounds := s.Bounds(&at)
	size, r := bounds.Max.Sub(bounds.Min), s.Radius()
	switch s.Kind() {
	case geometry.Sphere:
		writeNumbers(file, 0, 0, r, 0, 0)
	case geometry.Capsule:
		writeNumbers(file, 1, 0, r, size.Z-2*r, 0)
	case geometry.Box:
		writeNumbers(file, 2, 0, size.X, size.Y, size.Z)
	case geometry.Cylinder:
		writeNumbers(file, 3, 0, size.X/2, size.Z, 0)
	default:
		points, triangles := s.Surface()
		writeNumbers(file, 7, 0, float64(len(points)))
		for _, p := range points {
			writeNumbers(file, p.X, p.Y, p.Z)
		}
		number(file, float64(len(triangles)))
		for _, t := range triangles {
			writeNumbers(file, float64(t[0]), float64(t[1]), float64(t[2]))
		}
	}
}

// robotFile returns a robot of turning joints as bench/peers/ompl.cpp reads it; joints that are not planned for stay at hold, where the others are zero.
func robotFile(s *scene.Scene, joints *space.Joints, hold []float64, checks float64) ([]byte, error) {
	var file bytes.Buffer
	parts := partsOf(s)
	number(&file, float64(len(parts)))
	for _, p := range parts {
		writeShape(&file, p.shape)
	}
	f, err := newFrames(s.Models()[0].Model, joints, hold)
	if err != nil {
		return nil, err
	}
	f.write(&file)
	number(&file, float64(len(parts)))
	var pairs []float64
	for i, p := range parts {
		link := s.Bodies()[p.body].Link
		frame := f.of(link)
		at := f.zero[frame].InvMul(f.data.Pose(link)).Mul(p.pose)
		writeNumbers(&file, float64(frame), float64(i))
		writePose(&file, &at)
		for j := range i {
			if s.Checked(parts[j].body, p.body) {
				pairs = append(pairs, float64(j), float64(i))
			}
		}
	}
	number(&file, float64(len(pairs)/2))
	writeNumbers(&file, pairs...)
	number(&file, float64(joints.Dim()))
	for i := range joints.Dim() {
		writeNumbers(&file, joints.Lower[i], joints.Upper[i])
	}
	number(&file, checks)
	return file.Bytes(), nil
}

// bodyPart is a shape of a link.
type bodyPart struct {
	body  int
	shape *geometry.Shape
	pose  spatial.Pose // in the frame of the link
}

func partsOf(s *scene.Scene) (parts []bodyPart) {
	for i, b := range s.Bodies() {
		for _, p := range b.Parts {
			parts = append(parts, bodyPart{i, p.Shape, b.Pose.Mul(p.Pose)})
		}
	}
	return parts
}

// frames are the world, and after it the child frame of each joint that is planned for, parents first.
type frames struct {
	model  *multibody.Model
	data   *multibody.Data // with the joints at zero
	bodies []multibody.Body
	frame  map[int]int // by the body
	parent []int
	axis   []spatial.Vec3
	zero   []spatial.Pose // in the world with the joints at zero
}

func newFrames(m *multibody.Model, joints *space.Joints, hold []float64) (*frames, error) {
	f := &frames{
		model: m, data: multibody.NewData(m), frame: map[int]int{0: 0}, parent: []int{-1}, axis: make([]spatial.Vec3, 1), zero: []spatial.Pose{spatial.IdentityPose()},
	}
	f.bodies, _ = m.Tree()
	multibody.FK(f.data, hold)
	for _, name := range joints.Names {
		j, err := m.Joint(name)
		if err != nil {
			return nil, err
		}
		child, err := m.Link(j.Child)
		if err != nil {
			return nil, err
		}
		parent, err := m.Link(j.Parent)
		if err != nil {
			return nil, err
		}
		body, _ := m.LinkFrame(child)
		f.parent, f.axis, f.zero = append(f.parent, f.of(parent)), append(f.axis, j.Axis.Unit()), append(f.zero, f.data.Pose(child))
		f.frame[body] = len(f.zero) - 1
	}
	return f, nil
}

// of returns the frame that carries a link.
func (f *frames) of(link int) int {
	body, _ := f.model.LinkFrame(link)
	for {
		if frame, ok := f.frame[body]; ok {
			return frame
		}
		body = f.bodies[body].Parent
	}
}

// write writes the frames.
func (f *frames) write(file *bytes.Buffer) {
	number(file, float64(len(f.zero)))
	for i, parent := range f.parent {
		at := f.zero[i]
		if parent >= 0 {
			at = f.zero[parent].InvMul(at)
		}
		writeNumbers(file, float64(parent), float64(i-1))
		writePose(file, &at)
		writeNumbers(file, f.axis[i].X, f.axis[i].Y, f.axis[i].Z)
	}
}

func writeNumbers(file *bytes.Buffer, numbers ...float64) {
	for _, x := range numbers {
		number(file, x)
	}
}
