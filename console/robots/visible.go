package robots

import (
	"slices"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// makeVisible lets a robot without visuals look like its collision geometry, draws visuals as the collision shapes of one without, as planning checks
// them, and draws capsules, which browsers' loaders of URDF do not know, as a cylinder with two balls. Visuals keep their numbers.
func makeVisible(d *description.Robot) {
	solid, _ := d.Solid()
	d.Links = solid.Links
	bare := true
	for i := range d.Links {
		bare = bare && len(d.Links[i].Visuals) == 0
	}
	for i := range d.Links {
		l := &d.Links[i]
		l.Visuals = slices.Clone(l.Visuals)
		if bare {
			for _, c := range l.Collisions {
				l.Visuals = append(l.Visuals, description.Visual{Name: c.Name, Origin: c.Origin, Geometry: c.Geometry})
			}
		}
		for k := range l.Visuals {
			v := &l.Visuals[k]
			for _, end := range capsuleEnds(&v.Geometry, v.Origin) {
				l.Visuals = append(l.Visuals, description.Visual{Origin: end.Origin, Geometry: end.Geometry, Material: v.Material})
			}
		}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			for _, end := range capsuleEnds(&c.Geometry, c.Origin) {
				l.Collisions = append(l.Collisions, description.Collision{Origin: end.Origin, Geometry: end.Geometry})
			}
		}
	}
}

// capsuleEnds makes a cylinder of a capsule and returns its two balls; none of another geometry.
func capsuleEnds(g *description.Geometry, at description.Origin) (ends []description.Collision) {
	c, ok := (*g).(description.Capsule)
	if !ok {
		return nil
	}
	*g = description.Cylinder(c)
	for _, side := range []float64{-1, 1} {
		end := description.Collision{Origin: at, Geometry: description.Sphere{Radius: c.Radius}}
		end.Origin.XYZ = at.Pose().Apply(spatial.Vec3{Z: side * c.Length / 2})
		ends = append(ends, end)
	}
	return ends
}
