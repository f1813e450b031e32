package description

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Select returns the joints that names stand for, in their order: each name is that of a joint, or of a group of the SRDF file, which
// stands for those of its joints that move on their own. semantic may be nil: then there are no groups. It returns an error for each
// name of neither kind, for a joint that is fixed, locked or follows another, for a group without a joint that moves, and for a joint
// that is named twice.
func (robot *Robot) Select(semantic *Semantic, names ...string) ([]string, error) {
	var selected, known []string
	joints := map[string]*Joint{}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		joints[j.Name] = j
		if j.moves() {
			known = append(known, j.Name)
		}
	}
	var groups []string
	if semantic != nil {
		for _, g := range semantic.Groups {
			groups = append(groups, g.Name)
		}
	}
	var errs []error
	add := func(name string) {
		if slices.Contains(selected, name) {
			errs = append(errs, fmt.Errorf("joint %q is named twice", name))
			return
		}
		selected = append(selected, name)
	}
	for _, name := range names {
		switch j := joints[name]; {
		case j != nil && j.moves():
			add(name)
		case j != nil && j.Mimic != nil:
			errs = append(errs, fmt.Errorf("joint %q follows joint %q: name that one", name, j.Mimic.Joint))
		case j != nil:
			errs = append(errs, fmt.Errorf("joint %q is fixed or locked: it cannot move", name))
		case slices.Contains(groups, name):
			of, err := semantic.Joints(robot, name)
			of = slices.DeleteFunc(of, func(joint string) bool { return joints[joint] == nil || !joints[joint].moves() })
			if err == nil && len(of) == 0 {
				err = fmt.Errorf("group %q has no joint that moves", name)
			}
			errs = append(errs, err)
			for _, joint := range of {
				add(joint)
			}
		case semantic == nil:
			errs = append(errs, fmt.Errorf("the robot has no joint %q%s", name, nearest.Hint(name, known)))
		default:
			errs = append(errs, fmt.Errorf("the robot has no joint %q, and its SRDF file no group of that name%s", name, nearest.Hint(name, append(groups, known...))))
		}
	}
	return selected, errors.Join(errs...)
}

// moves reports whether the joint has coordinates of its own.
func (j *Joint) moves() bool { return j.Type != multibody.Fixed && j.Mimic == nil }
