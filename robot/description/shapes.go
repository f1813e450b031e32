package description

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Shapes returns the collision geometry of the links by their names, each shape in the frame of its link. Meshes are read from their files, by
// package mesh; a closed convex one becomes a convex hull. It fails for negative sizes and for meshes that cannot be read; the error joins all of them.
func (robot *Robot) Shapes() (map[string][]geometry.Part, error) {
	shapes := map[string][]geometry.Part{}
	meshes := map[Mesh]*geometry.Shape{}
	var wrong []error
	for i := range robot.Links {
		l := &robot.Links[i]
		for k := range l.Collisions {
			c := &l.Collisions[k]
			shape, err := robot.shape(c.Geometry, meshes)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: collision geometry of link %q: %w", c.Position, l.Name, err))
				continue
			}
			shapes[l.Name] = append(shapes[l.Name], geometry.Part{Shape: shape, Pose: c.Origin.Pose()})
		}
	}
	return shapes, errors.Join(wrong...)
}

// Solid returns a copy of the robot whose visuals count for collisions where no link has collision geometry, and a note about it; "" where the
// robot has its own.
func (robot *Robot) Solid() (solid *Robot, note string) {
	c := *robot
	c.Links = slices.Clone(robot.Links)
	own := slices.ContainsFunc(robot.Links, func(l Link) bool { return len(l.Collisions) > 0 })
	for i := range c.Links {
		l := &c.Links[i]
		l.Collisions = slices.Clone(l.Collisions)
		if own {
			continue
		}
		for _, v := range l.Visuals {
			l.Collisions = append(l.Collisions, Collision{Name: v.Name, Origin: v.Origin, Geometry: v.Geometry, Position: v.Position})
			note = fmt.Sprintf("%s has no collision geometry: its visuals are used instead", robot.Name)
		}
	}
	return &c, note
}

// shape returns the shape of a geometry, and keeps those of meshes.
func (robot *Robot) shape(g Geometry, meshes map[Mesh]*geometry.Shape) (*geometry.Shape, error) {
	switch g := g.(type) {
	case Box:
		return geometry.NewBox(g.Size)
	case Cylinder:
		return geometry.NewCylinder(g.Radius, g.Length)
	case Sphere:
		return geometry.NewSphere(g.Radius)
	case Capsule:
		return geometry.NewCapsule(g.Radius, g.Length)
	case Mesh:
		if shape, ok := meshes[g]; ok {
			return shape, nil
		}
		surface, err := robot.Surface(g)
		if err != nil {
			return nil, err
		}
		meshes[g], err = surface.Shape()
		return meshes[g], err
	}
	return nil, errors.New("there is none; give a sphere, box, cylinder, capsule or mesh")
}

// Surface reads the surface of a mesh from its file, with its scale, in the frame of the geometry.
func (robot *Robot) Surface(m Mesh) (*mesh.Surface, error) {
	fsys, file, err := robot.Resources.Find(m.URI)
	if err != nil {
		return nil, fmt.Errorf("find the mesh: %w", err)
	}
	s, err := mesh.Read(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("read the mesh %s: %w", m.URI, err)
	}
	s.Transform(spatial.Mat3{{m.Scale.X, 0, 0}, {0, m.Scale.Y, 0}, {0, 0, m.Scale.Z}}, spatial.Vec3{})
	return s, nil
}

// Allowed returns the pairs of the robot's links that need no collision check: those that the file disables, and all pairs of a link that it
// disables by default, without those that it enables.
func (s *Semantic) Allowed(robot *Robot) (pairs []scene.Pair) {
	enabled := func(a, b string) bool {
		return slices.ContainsFunc(s.Enabled, func(p LinkPair) bool {
			return p.Link1 == a && p.Link2 == b || p.Link1 == b && p.Link2 == a
		})
	}
	for _, p := range s.Disabled {
		if !enabled(p.Link1, p.Link2) {
			pairs = append(pairs, scene.Pair{A: p.Link1, B: p.Link2})
		}
	}
	for _, link := range s.DisabledDefault {
		for i := range robot.Links {
			if other := robot.Links[i].Name; other != link && !enabled(link, other) {
				pairs = append(pairs, scene.Pair{A: link, B: other})
			}
		}
	}
	return pairs
}
