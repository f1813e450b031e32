package robots

import (
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// makeVisible lets a robot without visuals look like its collision geometry, and draws capsules, which browsers' loaders of URDF do not know,
// as a cylinder with two balls. Visuals keep their numbers.
func makeVisible(d *description.Robot) {
	bare := true
	for i := range d.Links {
		bare = bare && len(d.Links[i].Visuals) == 0
	}
	for i := range d.Links {
		l := &d.Links[i]
		if bare {
			for _, c := range l.Collisions {
				l.Visuals = append(l.Visuals, description.Visual{Name: c.Name, Origin: c.Origin, Geometry: c.Geometry})
			}
		}
		for k := range l.Visuals {
			v := &l.Visuals[k]
			c, ok := v.Geometry.(description.Capsule)
			if !ok {
				continue
			}
			v.Geometry = description.Cylinder(c)
			for _, side := range []float64{-1, 1} {
				end := *v
				end.Name, end.Geometry = "", description.Sphere{Radius: c.Radius}
				end.Origin.XYZ = v.Origin.Pose().Apply(spatial.Vec3{Z: side * c.Length / 2})
				l.Visuals = append(l.Visuals, end)
			}
		}
	}
}
