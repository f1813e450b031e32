package arm

import (
	"math"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The flange of the UR5e is where the vendor's DH parameters put it (Universal Robots, "DH parameters for calculations of kinematics and dynamics"):
// a turn θ about z, a way d along it, a way a along the new x, and a turn α about that, joint by joint. Its frame of the base is turned by π from base_link.
func TestUR5eHasThePublishedKinematics(t *testing.T) {
	file, err := description.Read(os.DirFS("../../models/ur5e"), "ur5e.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := file.Model()
	if err != nil {
		t.Fatal(err)
	}
	tool, err := model.Link("tool0")
	if err != nil {
		t.Fatal(err)
	}
	a := [6]float64{0, -0.425, -0.3922}
	d := [6]float64{0.1625, 0, 0, 0.1333, 0.0997, 0.0996}
	alpha := [6]float64{math.Pi / 2, 0, 0, math.Pi / 2, -math.Pi / 2}
	data, random := multibody.NewData(model), testkit.Rand(t)
	q := make([]float64, 6)
	for range 100 {
		at := spatial.Pose{R: spatial.RPY(0, 0, math.Pi)}
		for i := range q {
			q[i] = 2 * math.Pi * (2*random.Float64() - 1)
			at = at.Mul(spatial.Pose{R: spatial.RPY(0, 0, q[i]), P: spatial.Vec3{Z: d[i]}}).Mul(spatial.Pose{R: spatial.RPY(alpha[i], 0, 0), P: spatial.Vec3{X: a[i]}})
		}
		multibody.FK(data, q)
		got := data.Pose(tool)
		if far, turned := got.P.Sub(at.P).Norm(), got.R.T().Mul(at.R).Log().Norm(); far > 1e-8 || turned > 1e-8 {
			t.Fatalf("at %v the flange is %g m and %g rad from the published pose", q, far, turned)
		}
	}
}
