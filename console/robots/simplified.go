package robots

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// Simplified is what the collision geometry of a robot was before it was simplified.
type Simplified struct {
	Source *description.Robot // with the same links
	Links  []simplify.Link    // what became of each
}

// AddSimplified adds a robot that belongs to no system, with simplified collision geometry, in an empty world. It is drawn so that the geometry before and
// after can be compared: its visuals are the collision geometry of the source. AddSimplified fails for a description without a model and for a name in
// use.
func (r *Robots) AddSimplified(name string, d *description.Robot, s Simplified) error {
	x, err := newRobot(NoSystem, name, d, s.Source)
	if err != nil {
		return err
	}
	x.simplified = s.Links
	return r.addAlone(x)
}

// addAlone adds a robot that belongs to no system.
func (r *Robots) addAlone(x *robot) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.alone, func(o *robot) bool { return o.block == x.block }) {
		return fmt.Errorf("add robot %q to the console: it has a robot of that name", x.block)
	}
	r.alone = append(r.alone, x)
	return nil
}

// listAlone returns the robots that belong to no system.
func (r *Robots) listAlone() *List {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := &List{Robots: []Robot{}, Notes: []string{}}
	for _, x := range r.alone {
		all.Robots = append(all.Robots, Robot{
			Name: x.block, URDF: address(NoSystem, x.block, "robot.urdf"), Joints: x.jointNames(), Links: x.model.Links(),
			Ports: Ports{Position: []string{}, Desired: []string{}, Contacts: []string{}}, Simplified: x.simplified,
		})
	}
	return all
}

// drawSource draws the collision geometry of another description as the visuals of the links.
func (r *robot) drawSource(systemName string, d, source *description.Robot) {
	solid, _ := source.Solid()
	makeVisible(solid)
	r.addressMeshes(systemName, solid)
	for i := range d.Links {
		l := &d.Links[i]
		l.Visuals = nil
		k := slices.IndexFunc(solid.Links, func(o description.Link) bool { return o.Name == l.Name })
		if k < 0 {
			continue
		}
		for _, c := range solid.Links[k].Collisions {
			l.Visuals = append(l.Visuals, description.Visual{Name: c.Name, Origin: c.Origin, Geometry: c.Geometry})
		}
	}
}
