package mesh

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// vrmlShape is the geometry of a Shape node: one of a surface, a box (its size), or a sphere, cylinder or cone.
type vrmlShape struct {
	node    *vrmlNode
	surface *Surface
	size    spatial.Vec3 // of a box
	radius  float64
	height  float64 // along y, of a cylinder or a cone
}

// number returns a field of one number.
func (n *vrmlNode) number(name string, fallback float64) float64 {
	if f := n.field(name); len(f.numbers) > 0 {
		return f.numbers[0]
	}
	return fallback
}

// vector returns a field of three numbers.
func (n *vrmlNode) vector(name string, fallback spatial.Vec3) (spatial.Vec3, error) {
	f := n.field(name)
	switch {
	case f.numbers == nil:
		return fallback, nil
	case len(f.numbers) != 3:
		return fallback, n.src.textf(f.offset, "%s has %d numbers, want 3", name, len(f.numbers))
	}
	return spatial.Vec3{X: f.numbers[0], Y: f.numbers[1], Z: f.numbers[2]}, nil
}

// rotation returns a field of an axis and an angle (rad).
func (n *vrmlNode) rotation(name string) (spatial.Mat3, error) {
	f := n.field(name)
	if f.numbers == nil {
		return spatial.Identity(), nil
	}
	if len(f.numbers) != 4 {
		return spatial.Identity(), n.src.textf(f.offset, "%s has %d numbers, want 4: an axis and an angle", name, len(f.numbers))
	}
	axis := spatial.Vec3{X: f.numbers[0], Y: f.numbers[1], Z: f.numbers[2]}
	if axis.Norm() == 0 {
		if f.numbers[3] != 0 {
			return spatial.Identity(), n.src.textf(f.offset, "%s turns about an axis of length zero", name)
		}
		return spatial.Identity(), nil
	}
	return spatial.AngleAxis(f.numbers[3], axis.Unit()), nil
}

// transform returns the map of a Transform (ISO/IEC 14772-1, 6.52): T C R SR S SR⁻¹ C⁻¹.
func (n *vrmlNode) transform() (*affine, error) {
	translation, err := n.vector("translation", spatial.Vec3{})
	if err != nil {
		return nil, err
	}
	center, err := n.vector("center", spatial.Vec3{})
	if err != nil {
		return nil, err
	}
	scale, err := n.vector("scale", spatial.Vec3{X: 1, Y: 1, Z: 1})
	if err != nil {
		return nil, err
	}
	turn, err := n.rotation("rotation")
	if err != nil {
		return nil, err
	}
	along, err := n.rotation("scaleOrientation")
	if err != nil {
		return nil, err
	}
	m := turn.Mul(along).Mul(spatial.Mat3{{scale.X, 0, 0}, {0, scale.Y, 0}, {0, 0, scale.Z}}).Mul(along.T())
	return &affine{m, translation.Add(center).Sub(m.MulVec(center))}, nil
}

// shape returns the geometry of a Shape; a note instead of it if that has no surface.
func (n *vrmlNode) shape() (*vrmlShape, string, error) {
	list := n.field("geometry").nodes
	if len(list) == 0 {
		return nil, "", nil
	}
	g := list[0]
	s := &vrmlShape{node: g}
	var err error
	switch g.kind {
	case "Box":
		s.size, err = g.vector("size", spatial.Vec3{X: 2, Y: 2, Z: 2})
	case "Sphere":
		s.radius = g.number("radius", 1)
	case "Cylinder":
		s.radius, s.height = g.number("radius", 1), g.number("height", 2)
	case "Cone":
		s.radius, s.height = g.number("bottomRadius", 1), g.number("height", 2)
	case "IndexedFaceSet":
		s.surface, err = g.faceSet()
	case "ElevationGrid":
		s.surface, err = g.elevationGrid()
	case "IndexedLineSet", "PointSet", "Text":
		return nil, g.kind + " has no surface", nil
	default:
		return nil, "", g.fail("it is no geometry that is read: want Box, Sphere, Cylinder, Cone, IndexedFaceSet or ElevationGrid")
	}
	if s.surface != nil && len(s.surface.Triangles) == 0 {
		return nil, g.kind + " has no faces", err
	}
	return s, "", err
}

// faceSet returns the surface of an IndexedFaceSet.
func (n *vrmlNode) faceSet() (*Surface, error) {
	s := &Surface{}
	coord := n.field("coord").nodes
	if len(coord) == 0 {
		return s, nil
	}
	points := coord[0].field("point")
	if len(points.numbers)%3 != 0 {
		return nil, coord[0].fail("point has %d numbers: want a multiple of three", len(points.numbers))
	}
	for i := 0; i < len(points.numbers); i += 3 {
		p := spatial.Vec3{X: points.numbers[i], Y: points.numbers[i+1], Z: points.numbers[i+2]}
		if problem := badPoint(p); problem != "" {
			return nil, coord[0].fail("point %d: %s", i/3, problem)
		}
		s.Points = append(s.Points, p)
	}
	index := n.field("coordIndex")
	var face []int
	for i := 0; i <= len(index.numbers); i++ {
		if i == len(index.numbers) || index.numbers[i] < 0 {
			if len(face) > 0 {
				if err := s.polygon(face); err != nil {
					return nil, n.src.textf(index.offset, "coordIndex %d: %v", i, err)
				}
			}
			face = nil
			continue
		}
		x := index.numbers[i]
		if x >= float64(len(s.Points)) || x != float64(int(x)) {
			return nil, n.src.textf(index.offset, "coordIndex %d is %g: want 0 to %d", i, x, len(s.Points)-1)
		}
		face = append(face, int(x))
	}
	if n.field("ccw").word == "FALSE" {
		for i, t := range s.Triangles {
			s.Triangles[i] = [3]int{t[0], t[2], t[1]}
		}
	}
	s.weld()
	return s, nil
}

// elevationGrid returns the surface of heights along y over a grid in x and z.
func (n *vrmlNode) elevationGrid() (*Surface, error) {
	columns, rows := n.number("xDimension", 0), n.number("zDimension", 0)
	dx, dz, heights := n.number("xSpacing", 1), n.number("zSpacing", 1), n.field("height").numbers
	if columns < 2 || rows < 2 || columns*rows != float64(len(heights)) {
		return nil, n.fail("%g by %g heights, %d are given: want at least 2 by 2, and a height for each", columns, rows, len(heights))
	}
	s := &Surface{}
	w := int(columns)
	for i, h := range heights {
		p := spatial.Vec3{X: float64(i%w) * dx, Y: h, Z: float64(i/w) * dz}
		if problem := badPoint(p); problem != "" {
			return nil, n.fail("height %d: %s", i, problem)
		}
		s.Points = append(s.Points, p)
	}
	for i := range heights {
		if i%w == w-1 || i/w == len(heights)/w-1 {
			continue
		}
		for _, t := range [2][3]int{{i, i + w, i + w + 1}, {i, i + w + 1, i + 1}} {
			if err := s.add(t[0], t[1], t[2]); err != nil {
				return nil, n.fail("%v", err)
			}
		}
	}
	return s, nil
}

// toY turns the z axis, along which cylinders and cones of package geometry lie, to y.
var toY = spatial.Mat3{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}

// part returns the shape as a part of a body; at takes its frame to that of the body.
func (s *vrmlShape) part(at *affine) (geometry.Part, error) {
	shape, pose, err := s.placed(at)
	if err != nil {
		return geometry.Part{}, s.node.fail("%v", err)
	}
	return geometry.Part{Shape: shape, Pose: pose}, nil
}

func (s *vrmlShape) placed(at *affine) (shape *geometry.Shape, pose spatial.Pose, err error) {
	scale, pose, uneven := at.rigid()
	identity := spatial.IdentityPose()
	switch {
	case s.surface != nil:
		moved := &Surface{Points: append([]spatial.Vec3(nil), s.surface.Points...), Triangles: append([][3]int(nil), s.surface.Triangles...)}
		moved.Transform(at.m, at.t)
		shape, err = moved.Shape()
		return shape, identity, err
	case s.node.kind == "Box" && uneven != nil:
		var corners []spatial.Vec3
		for i := range 8 {
			c := spatial.Vec3{X: s.size.X / 2, Y: s.size.Y / 2, Z: s.size.Z / 2}
			if i&1 == 0 {
				c.X = -c.X
			}
			if i&2 == 0 {
				c.Y = -c.Y
			}
			if i&4 == 0 {
				c.Z = -c.Z
			}
			corners = append(corners, at.apply(c))
		}
		shape, err = geometry.NewHull(corners)
		return shape, identity, err
	case uneven != nil:
		return nil, pose, fmt.Errorf("%w: round shapes cannot be scaled so; export faces", uneven)
	}
	switch s.node.kind {
	case "Box":
		shape, err = geometry.NewBox(s.size.Scale(scale))
	case "Sphere":
		shape, err = geometry.NewSphere(scale * s.radius)
	case "Cylinder":
		shape, err = geometry.NewCylinder(scale*s.radius, scale*s.height)
		pose.R = pose.R.Mul(toY)
	case "Cone":
		shape, err = geometry.NewCone(scale*s.radius, scale*s.height)
		pose.R = pose.R.Mul(toY)
	}
	return shape, pose, err
}
