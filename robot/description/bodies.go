package description

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/cover"
)

// SolidBodies returns the collision geometry of the links by their names, as bodies to be covered by spheres; links without it are left out. It fails
// for negative sizes and for meshes that cannot be read; the error joins all of them.
func (robot *Robot) SolidBodies() (map[string]*cover.Body, error) {
	bodies := map[string]*cover.Body{}
	var wrong []error
	for i := range robot.Links {
		l := &robot.Links[i]
		b := &cover.Body{}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			if err := robot.addTo(b, c); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: collision geometry of link %q: %w", c.Position, l.Name, err))
			}
		}
		if !b.Empty() {
			bodies[l.Name] = b
		}
	}
	return bodies, errors.Join(wrong...)
}

// addTo adds a geometry to a body.
func (robot *Robot) addTo(b *cover.Body, c *Collision) error {
	at := c.Origin.Pose()
	if m, ok := c.Geometry.(Mesh); ok {
		s, err := robot.Surface(m)
		if err == nil {
			b.AddSurface(at, s.Points, s.Triangles)
		}
		return err
	}
	if _, err := robot.shape(c.Geometry, nil); err != nil { // a size is wrong
		return err
	}
	switch g := c.Geometry.(type) {
	case Box:
		b.AddBox(at, g.Size)
	case Cylinder:
		b.AddCylinder(at, g.Radius, g.Length)
	case Capsule:
		b.AddCapsule(at, g.Radius, g.Length)
	case Sphere:
		b.AddBall(at.P, g.Radius)
	}
	return nil
}

// OfSpheres returns a copy of the robot whose collision geometry is spheres: those of each link by its name, in the frame of the link.
func (robot *Robot) OfSpheres(spheres map[string][]scene.Ball) *Robot {
	c := *robot
	c.Links = append([]Link(nil), robot.Links...)
	for i := range c.Links {
		l := &c.Links[i]
		l.Collisions = nil
		for _, s := range spheres[l.Name] {
			l.Collisions = append(l.Collisions, Collision{Origin: Origin{XYZ: s.Center}, Geometry: Sphere{Radius: s.Radius}, Position: l.Position})
		}
	}
	return &c
}
