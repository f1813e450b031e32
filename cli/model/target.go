package model

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// targetFlags describe the target pose of a link.
type targetFlags struct{ to, quat string }

func (f *targetFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.to, "to", "", "target position (and rotation) of the link in the world, m and rad: `x,y,z[,roll,pitch,yaw]`")
	cmd.Flags().StringVar(&f.quat, "quat", "", "target rotation, instead of the angles: `x,y,z,w`")
	_ = cmd.MarkFlagRequired("to")
}

// pose returns the target, and whether it includes a rotation.
func (f *targetFlags) pose() (target spatial.Pose, turned bool, err error) {
	p, err := numberList("--to", f.to)
	switch {
	case err != nil:
		return target, false, err
	case len(p) != 3 && len(p) != 6:
		return target, false, fmt.Errorf("--to has %d numbers, wants 3 or 6: x,y,z[,roll,pitch,yaw]", len(p))
	case len(p) == 6 && f.quat != "":
		return target, false, fmt.Errorf("--to gives roll, pitch and yaw, and --quat gives a rotation as well: use only one of them")
	}
	target = spatial.Translation(spatial.Vec3{X: p[0], Y: p[1], Z: p[2]})
	if len(p) == 6 {
		target.R = spatial.RPY(p[3], p[4], p[5])
		return target, true, nil
	}
	if f.quat == "" {
		return target, false, nil
	}
	x, err := numberList("--quat", f.quat)
	if err != nil {
		return target, false, err
	}
	if len(x) != 4 {
		return target, false, fmt.Errorf("--quat has %d numbers, wants 4: x,y,z,w", len(x))
	}
	quat := spatial.Quat{X: x[0], Y: x[1], Z: x[2], W: x[3]}
	if quat.Norm() < 1e-6 {
		return target, false, fmt.Errorf("--quat %s is not a rotation: its length is zero", f.quat)
	}
	target.R = quat.Mat3()
	return target, true, nil
}

// numberList parses numbers separated by commas.
func numberList(flag, text string) ([]float64, error) {
	var list []float64
	for _, item := range strings.Split(text, ",") {
		x, err := finiteNumber(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		list = append(list, x)
	}
	return list, nil
}
