package plan

import (
	"testing"

	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// FuzzToolFlags reads any text as pose, size and constraint of a tool: what is accepted has finite poses, sizes of at least zero, and a constraint with something to keep.
func FuzzToolFlags(f *testing.F) {
	for _, text := range []string{"0.3,0.3,0.5", "1,2,3,0.1,0.2,0.3", "upright,plane:z", "line:x", "orientation", "plane:", "plane:xy", ",", "NaN,1,2", "1e400,0,0", "-1,0,0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if pose, _, err := readPose("--goal-pose", text); err == nil && (pose.P.Norm() != pose.P.Norm() || pose.R != (spatial.Mat3{}) && !pose.R.IsRotation(1e-6)) {
			t.Errorf("%q is read as %v", text, pose)
		}
		var r taskspace.Region
		if err := readSize(text, &r); err == nil && !(r.Position.X >= 0 && r.Position.Y >= 0 && r.Position.Z >= 0 && r.Rotation.X >= 0) {
			t.Errorf("%q is read as %v", text, r)
		}
		if c, err := constraint(text, spatial.IdentityPose()); err == nil {
			keeps := false
			for _, size := range []float64{c.Position.X, c.Position.Y, c.Position.Z, c.Rotation.X, c.Rotation.Y, c.Rotation.Z} {
				keeps = keeps || size == 0
			}
			if !keeps {
				t.Errorf("%q keeps nothing", text)
			}
		}
	})
}
