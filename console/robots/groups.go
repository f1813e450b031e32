package robots

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Group is some of a robot's joints: those that blocks command by their constant joints, and the groups of the SRDF files that blocks name.
type Group struct {
	Name   string   `json:"name"`           // as the blocks name it: a group of the SRDF file, or joints
	Joints []string `json:"joints"`         // in the order of the blocks' vectors
	Move   string   `json:"move,omitempty"` // operation that moves these joints to positions in a time
}

// part is a group of the robot that a file describes.
type part struct {
	file  string
	group Group
}

// partOf returns the group of joints that a block commands; ok is false for a block of the whole robot.
func (r *robot) partOf(b admin.Block, shows *shown, file string, dirs func() []string) (p part, ok bool, err error) {
	joints, err := r.selected(b, dirs)
	if err != nil || len(joints) == 0 || len(joints) >= len(r.jointNames()) {
		return part{}, false, err
	}
	p = part{file, Group{Name: strings.Join(namesOf(b, "joints"), ", "), Joints: joints}}
	if shows.tags.move != "" {
		p.group.Move = b.Name + "." + shows.tags.move
	}
	return p, true, nil
}

// groupsOf returns the groups of the SRDF file that a block names, each with its moving joints. Groups of no or all joints are left out.
func (r *robot) groupsOf(b admin.Block, file string, dirs func() []string) (parts []part) {
	semantic := semanticOf(b, dirs)
	if semantic == nil {
		return nil
	}
	moving := r.jointNames()
	for _, g := range semantic.Groups {
		joints, err := semantic.Joints(r.about, g.Name)
		joints = slices.DeleteFunc(joints, func(name string) bool { return !slices.Contains(moving, name) })
		if err == nil && len(joints) > 0 && len(joints) < len(moving) {
			parts = append(parts, part{file, Group{Name: g.Name, Joints: joints}})
		}
	}
	return parts
}

// addParts adds the groups of its description to a robot, each once.
func (robot *Robot) addParts(parts []part) {
	for _, p := range parts {
		if p.file != robot.file {
			continue
		}
		i := slices.IndexFunc(robot.Groups, func(g Group) bool { return slices.Equal(g.Joints, p.group.Joints) })
		if i < 0 {
			robot.Groups = append(robot.Groups, p.group)
		} else if robot.Groups[i].Move == "" {
			robot.Groups[i].Move = p.group.Move
		}
	}
}
