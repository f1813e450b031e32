package ik_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// A straight line of a tool beyond the last link, converted to joint motions, stays a straight line of the tool.
func TestFollowKeepsTheToolOnItsPath(t *testing.T) {
	for _, method := range methods[:3] {
		m, _ := arm(t, "panda")
		hand, s, d := link(t, m, "tool"), ik.NewSolver(m), multibody.NewData(m)
		s.Method = method
		start := []float64{0, -0.5, 0, -2, 0, 1.6, 0.7}
		offset := spatial.Translation(spatial.Vec3{X: 0.05, Z: 0.1})
		multibody.FK(d, start)
		from := d.Pose(hand).Mul(offset)
		to := spatial.Translation(spatial.Vec3{X: 0.05, Y: 0.3, Z: 0.1}).Mul(from)
		path := trajectory.NewToolPath(from)
		path.LineTo(to)
		joints, err := trajectory.JointPath(path, s.Follow(hand, offset), trajectory.JointPathOptions{Start: start})
		if err != nil {
			t.Fatalf("%v: %v", method, err)
		}
		_, length := path.Domain()
		q := make([]float64, m.NQ())
		for k := range 101 {
			x := length * float64(k) / 100
			for i := range q {
				q[i] = joints[i].At(x, 0)
			}
			multibody.FK(d, q)
			got, want := d.Pose(hand).Mul(offset), path.Pose(x)
			testkit.Near(t, "position on the line", got.P.Sub(want.P).Norm(), 0, 1e-5)
			testkit.Near(t, "orientation on the line", want.R.Mul(got.R.T()).Log().Norm(), 0, 1e-5)
		}
	}
}
