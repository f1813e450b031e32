package servo

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// readModel reads a robot, and returns the names of the joints that the constant joints selects, or of all that move. It fails as [robotfile.Read]
// does, and for joints with several coordinates.
func readModel(s *block.Setup, c robotfile.Constants) (*multibody.Model, []string, error) {
	robot, err := robotfile.Read(s, c)
	if err != nil {
		return nil, nil, err
	}
	names := robot.Joints
	model, err := robot.Model()
	if err != nil {
		return nil, nil, err
	}
	if model.NQ() != model.NV() {
		return nil, nil, fmt.Errorf("%s has joints of more than one coordinate: a servo system turns or shifts one coordinate a joint", c.URDF)
	}
	if len(names) == 0 {
		for _, j := range model.Joints() {
			if j.Mimic == nil && j.Type.NV() == 1 {
				names = append(names, j.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("%s has no joint that moves", c.URDF)
	}
	return model, names, nil
}
