package description

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Tree returns the links, joints and gravity as the editable tree of package multibody. Friction comes with it; rotor inertia
// stays zero because URDF has no word for it. A mimic of a joint that is fixed itself is left out.
//
// If a joint of several coordinates has separate limits for each, the tree holds the bounds that contain them all: multibody
// has one set for a joint.
func (robot *Robot) Tree() multibody.Tree {
	tree := multibody.Tree{
		Name:    robot.Name,
		Links:   make([]multibody.Link, 0, len(robot.Links)),
		Joints:  make([]multibody.Joint, 0, len(robot.Joints)),
		Gravity: robot.Gravity,
	}
	for i := range robot.Links {
		l := &robot.Links[i]
		tree.Links = append(tree.Links, multibody.Link{Name: l.Name, Inertia: l.Inertial.Spatial()})
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		mimic := j.Mimic
		if j.Type == multibody.Fixed {
			mimic = nil
		}
		tree.Joints = append(tree.Joints, multibody.Joint{
			Name: j.Name, Type: j.Type, Parent: j.Parent, Child: j.Child,
			Placement: j.Origin.Pose(), Axis: j.Axis, Pitch: j.Pitch,
			Limits: widest(j.Limits), Mimic: mimic,
			Damping: j.Dynamics.Damping, Friction: j.Dynamics.Friction,
		})
	}
	return tree
}

// Model compiles the robot: multibody.NewModel of its [Robot.Tree]. The error is that of NewModel.
func (robot *Robot) Model(options ...multibody.Option) (*multibody.Model, error) {
	return multibody.NewModel(robot.Tree(), options...)
}

// widest returns the bounds that contain all of the limits, nil for none.
func widest(limits []multibody.Limits) *multibody.Limits {
	if len(limits) == 0 {
		return nil
	}
	w := limits[0]
	for _, l := range limits[1:] {
		w.Lower = math.Min(w.Lower, l.Lower)
		w.Upper = math.Max(w.Upper, l.Upper)
		w.Velocity = math.Max(w.Velocity, l.Velocity)
		w.Effort = math.Max(w.Effort, l.Effort)
	}
	return &w
}
