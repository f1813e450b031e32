package torque

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// files are the parameters by which a block reads its robot.
type files struct {
	urdf, srdf     string
	locked, joints []string
}

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

// readModel reads a robot as [readTree] does, and which of its joints are commanded: those of files.joints, or all.
func readModel(s *block.Setup, f files) (*multibody.Model, commanded, error) {
	tree, names, err := readTree(s, f)
	if err != nil {
		return nil, commanded{}, err
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		return nil, commanded{}, fmt.Errorf("%s: %w", f.urdf, err)
	}
	if len(names) == 0 {
		return model, allOf(model.NV()), nil
	}
	c := commanded{robot: model.NV()}
	for _, name := range names {
		j, err := model.Joint(name)
		if err != nil {
			return nil, commanded{}, fmt.Errorf("%s: %w", f.urdf, err)
		}
		c.at = append(c.at, j.V)
	}
	return model, c, nil
}

// countJoints returns the joints that a block commands which needs no model: those of the robot where one is given, else n.
func countJoints(s *block.Setup, f files, n int) (commanded, error) {
	if f.urdf == "" {
		if f.srdf != "" || len(f.locked)+len(f.joints) > 0 {
			return commanded{}, &port.ParamError{Param: "urdf", Err: errors.New("srdf, locked and joints are about a robot: give its urdf")}
		}
		return allOf(n), nil
	}
	_, c, err := readModel(s, f)
	return c, err
}

// readTree reads a robot, locks joints of it, and adds, where srdf names a file, the rotors of its motors (rotor_params): each makes its joint
// heavier to turn by the square of its gear ratio. It returns the names of the joints that f.joints selects. It fails for files with
// mistakes, rotors of joints that do not exist, joints with several coordinates, and names of joints that do not move.
func readTree(s *block.Setup, f files) (multibody.Tree, []string, error) {
	robot, err := description.Read(s.Files(), f.urdf, description.Options{Notice: s.Notice})
	if err != nil {
		return multibody.Tree{}, nil, err
	}
	var semantic *description.Semantic
	if f.srdf != "" {
		if semantic, err = description.ReadSRDF(s.Files(), f.srdf, description.Options{Notice: s.Notice}); err != nil {
			return multibody.Tree{}, nil, err
		}
	}
	if err := robot.Lock(f.locked...); err != nil {
		return multibody.Tree{}, nil, &port.ParamError{Param: "locked", Err: fmt.Errorf("%s: locked: %w", f.urdf, err)}
	}
	names, err := robot.Select(semantic, f.joints...)
	if err != nil {
		return multibody.Tree{}, nil, &port.ParamError{Param: "joints", Err: fmt.Errorf("%s: joints: %w", f.urdf, err)}
	}
	tree := robot.Tree()
	return tree, names, errors.Join(checkCoordinates(tree, f.urdf), addRotors(tree, semantic, f))
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
func addRotors(tree multibody.Tree, semantic *description.Semantic, f files) error {
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
			errs = append(errs, fmt.Errorf("%s has a rotor for joint %q, which %s does not have", f.srdf, r.Joint, f.urdf))
		case !(r.Inertia >= 0):
			errs = append(errs, fmt.Errorf("%s: the inertia of the rotor of joint %q is %v: wants at least 0", f.srdf, r.Joint, r.Inertia))
		default:
			j.Armature += r.Inertia * r.GearRatio * r.GearRatio
		}
	}
	return errors.Join(errs...)
}
