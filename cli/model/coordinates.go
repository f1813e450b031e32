package model

import "github.com/sinew-robotics/sinew/robot/multibody"

// coordinate is one entry of a vector of the model: its name, and its unit of length or angle.
type coordinate struct{ name, unit string }

// positionCoordinates lists the entries of q in the order of the joints.
func positionCoordinates(joints []multibody.ModelJoint) []coordinate {
	return coordinates(joints, map[multibody.JointType][]coordinate{
		multibody.Cylindrical: {{".angle", "rad"}, {".distance", "m"}},
		multibody.Planar:      {{".x", "m"}, {".y", "m"}, {".angle", "rad"}},
		multibody.Universal:   {{".angle1", "rad"}, {".angle2", "rad"}},
		multibody.Spherical:   {{".qx", ""}, {".qy", ""}, {".qz", ""}, {".qw", ""}},
		multibody.Floating:    {{".x", "m"}, {".y", "m"}, {".z", "m"}, {".qx", ""}, {".qy", ""}, {".qz", ""}, {".qw", ""}},
	})
}

// velocityCoordinates lists the entries of v, a and tau.
func velocityCoordinates(joints []multibody.ModelJoint) []coordinate {
	return coordinates(joints, map[multibody.JointType][]coordinate{
		multibody.Cylindrical: {{".angle", "rad"}, {".distance", "m"}},
		multibody.Planar:      {{".x", "m"}, {".y", "m"}, {".angle", "rad"}},
		multibody.Universal:   {{".angle1", "rad"}, {".angle2", "rad"}},
		multibody.Spherical:   {{".rx", "rad"}, {".ry", "rad"}, {".rz", "rad"}},
		multibody.Floating:    {{".x", "m"}, {".y", "m"}, {".z", "m"}, {".rx", "rad"}, {".ry", "rad"}, {".rz", "rad"}},
	})
}

func coordinates(joints []multibody.ModelJoint, parts map[multibody.JointType][]coordinate) []coordinate {
	var list []coordinate
	for _, j := range joints {
		switch {
		case j.Mimic != nil: // has no coordinate of its own
		case parts[j.Type] != nil:
			for _, part := range parts[j.Type] {
				list = append(list, coordinate{j.Name + part.name, part.unit})
			}
		case j.Type == multibody.Prismatic:
			list = append(list, coordinate{j.Name, "m"})
		default:
			list = append(list, coordinate{j.Name, "rad"})
		}
	}
	return list
}

// force returns the unit of the force that belongs to a coordinate.
func (c coordinate) force() string {
	if c.unit == "m" {
		return "N"
	}
	return "N m"
}
