package torque

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// commanded are the joints of a robot that a block commands: the numbers of their coordinates, in the order of the block's elements.
type commanded struct {
	robot int // coordinates of the whole robot
	at    []int
}

// pick copies the elements of the commanded joints from those of the whole robot.
func (c commanded) pick(whole, part []float64) {
	for i, k := range c.at {
		part[i] = whole[k]
	}
}

// allOf returns n joints of a robot that has no others.
func allOf(n int) commanded {
	c := commanded{robot: n, at: make([]int, n)}
	for i := range c.at {
		c.at[i] = i
	}
	return c
}

// readModel reads a robot as [readTree] does, and which of its joints are commanded: those that the constant joints selects, or all.
func readModel(s *block.Setup, c robotfile.Constants) (*multibody.Model, commanded, error) {
	tree, names, err := readTree(s, c)
	if err != nil {
		return nil, commanded{}, err
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		return nil, commanded{}, fmt.Errorf("%s: %w", c.URDF, err)
	}
	if len(names) == 0 {
		return model, allOf(model.NV()), nil
	}
	of := commanded{robot: model.NV()}
	for _, name := range names {
		j, err := model.Joint(name)
		if err != nil {
			return nil, commanded{}, fmt.Errorf("%s: %w", c.URDF, err)
		}
		of.at = append(of.at, j.V)
	}
	return model, of, nil
}

// countJoints returns the joints that a block commands which needs no model: those of the robot where one is given, else n.
func countJoints(s *block.Setup, c robotfile.Constants, n int) (commanded, error) {
	if given, err := c.Given(); !given {
		return allOf(n), err
	}
	_, of, err := readModel(s, c)
	return of, err
}

// readTree reads a robot as [robotfile.Read] does, and adds, where srdf names a file, the rotors of its motors (rotor_params): each makes its joint
// heavier to turn by the square of its gear ratio. It returns the names of the joints that the constant joints selects. It fails as well for
// rotors of joints that do not exist, and for joints with several coordinates.
func readTree(s *block.Setup, c robotfile.Constants) (multibody.Tree, []string, error) {
	robot, err := robotfile.Read(s, c)
	if err != nil {
		return multibody.Tree{}, nil, err
	}
	tree := robot.Tree()
	return tree, robot.Joints, errors.Join(checkCoordinates(tree, c.URDF), addRotors(tree, robot.Semantic, c))
}

// checkCoordinates rejects joints with several coordinates.
func checkCoordinates(tree multibody.Tree, urdf string) error {
	var errs []error
	for i := range tree.Joints {
		if j := &tree.Joints[i]; j.Type.NV() > 1 {
			errs = append(errs, fmt.Errorf("%s: joint %q is %v: a servo system turns or shifts one coordinate a joint", urdf, j.Name, j.Type))
		}
	}
	return errors.Join(errs...)
}

// addRotors adds the rotors of an SRDF file, if there is one, to the joints.
func addRotors(tree multibody.Tree, semantic *description.Semantic, c robotfile.Constants) error {
	if semantic == nil {
		return nil
	}
	joints := map[string]*multibody.Joint{}
	for i := range tree.Joints {
		joints[tree.Joints[i].Name] = &tree.Joints[i]
	}
	var errs []error
	for _, r := range semantic.Rotors {
		switch j := joints[r.Joint]; {
		case j == nil:
			errs = append(errs, fmt.Errorf("%s has a rotor for joint %q, which %s does not have", c.SRDF, r.Joint, c.URDF))
		case !(r.Inertia >= 0):
			errs = append(errs, fmt.Errorf("%s: the inertia of the rotor of joint %q is %v: wants at least 0", c.SRDF, r.Joint, r.Inertia))
		default:
			j.Armature += r.Inertia * r.GearRatio * r.GearRatio
		}
	}
	return errors.Join(errs...)
}
