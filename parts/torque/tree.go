package torque

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// readTree reads a robot, locks joints of it, and adds, where srdf names a file, the rotors of its motors (rotor_params): each makes its joint
// heavier to turn by the square of its gear ratio. It fails for files with mistakes, rotors of joints that do not exist,
// and joints with several coordinates.
func readTree(s *block.Setup, urdf, srdf string, locked []string) (multibody.Tree, error) {
	robot, err := description.Read(s.Files(), urdf, description.Options{Notice: s.Notice})
	if err != nil {
		return multibody.Tree{}, err
	}
	if err := robot.Lock(locked...); err != nil {
		return multibody.Tree{}, fmt.Errorf("%s: locked: %w", urdf, err)
	}
	tree := robot.Tree()
	joints := map[string]*multibody.Joint{}
	var errs []error
	for i := range tree.Joints {
		j := &tree.Joints[i]
		joints[j.Name] = j
		if j.Type.NV() > 1 {
			errs = append(errs, fmt.Errorf("%s: joint %q is %v: a servo system turns or shifts one coordinate a joint", urdf, j.Name, j.Type))
		}
	}
	if srdf != "" {
		semantic, err := description.ReadSRDF(s.Files(), srdf, description.Options{Notice: s.Notice})
		if err != nil {
			return multibody.Tree{}, err
		}
		for _, r := range semantic.Rotors {
			switch j := joints[r.Joint]; {
			case j == nil:
				errs = append(errs, fmt.Errorf("%s has a rotor for joint %q, which %s does not have", srdf, r.Joint, urdf))
			case !(r.Inertia >= 0):
				errs = append(errs, fmt.Errorf("%s: the inertia of the rotor of joint %q is %v: wants at least 0", srdf, r.Joint, r.Inertia))
			default:
				j.Armature += r.Inertia * r.GearRatio * r.GearRatio
			}
		}
	}
	return tree, errors.Join(errs...)
}
