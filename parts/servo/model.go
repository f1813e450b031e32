package servo

import (
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

// readModel reads a robot, locks joints of it, and returns the names of the joints that f.joints selects, or of all that move. It fails for
// files with mistakes, for names of joints that do not move, and for joints with several coordinates.
func readModel(s *block.Setup, f files) (*multibody.Model, []string, error) {
	robot, err := description.Read(s.Files(), f.urdf, description.Options{Notice: s.Notice})
	if err != nil {
		return nil, nil, err
	}
	var semantic *description.Semantic
	if f.srdf != "" {
		if semantic, err = description.ReadSRDF(s.Files(), f.srdf, description.Options{Notice: s.Notice}); err != nil {
			return nil, nil, err
		}
	}
	if err := robot.Lock(f.locked...); err != nil {
		return nil, nil, &port.ParamError{Param: "locked", Err: fmt.Errorf("%s: locked: %w", f.urdf, err)}
	}
	names, err := robot.Select(semantic, f.joints...)
	if err != nil {
		return nil, nil, &port.ParamError{Param: "joints", Err: fmt.Errorf("%s: joints: %w", f.urdf, err)}
	}
	model, err := robot.Model()
	if err != nil {
		return nil, nil, err
	}
	if model.NQ() != model.NV() {
		return nil, nil, fmt.Errorf("%s has joints of more than one coordinate: a servo system turns or shifts one coordinate a joint", f.urdf)
	}
	if len(names) == 0 {
		for _, j := range model.Joints() {
			if j.Mimic == nil && j.Type.NV() == 1 {
				names = append(names, j.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("%s has no joint that moves", f.urdf)
	}
	return model, names, nil
}
