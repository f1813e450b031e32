package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestIKSolutionsBringTheLinkToItsTarget uses the poses of a robot in random configurations as targets.
func TestIKSolutionsBringTheLinkToItsTarget(t *testing.T) {
	const dir = "../../robot/multibody/testdata/"
	for _, c := range []struct {
		file, frame string
		turned      bool // the target has a rotation
		method      string
	}{
		{"panda.urdf", "panda_hand", true, "closed form, offset wrist"},
		{"panda.urdf", "panda_hand", false, "search, Levenberg–Marquardt"},
		{"solo12.urdf", "FL_FOOT", false, "search, Levenberg–Marquardt"},
	} {
		t.Run(fmt.Sprint(c.file, c.turned), func(t *testing.T) {
			robot, err := description.Read(os.DirFS(dir), c.file, description.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := robot.Model()
			if err != nil {
				t.Fatal(err)
			}
			link, err := m.Link(c.frame)
			if err != nil {
				t.Fatal(err)
			}
			d, q, r := multibody.NewData(m), m.Neutral(), rand.New(rand.NewPCG(3, 4))
			for range 20 {
				m.Random(r, q)
				multibody.FK(d, q)
				want := d.Pose(link)
				args := []string{"model", "ik", dir + c.file, "--frame", c.frame, "--json",
					"--to", fmt.Sprintf("%.17g,%.17g,%.17g", want.P.X, want.P.Y, want.P.Z)}
				if c.turned {
					x := want.R.Quat()
					args = append(args, "--quat", fmt.Sprintf("%.17g,%.17g,%.17g,%.17g", x.X, x.Y, x.Z, x.W))
				}
				got := solveIK(t, args)
				if got.Method != c.method || len(got.Solutions) == 0 {
					t.Fatalf("%v: %d solutions by %s", args, len(got.Solutions), got.Method)
				}
				for _, s := range got.Solutions {
					multibody.FK(d, s.Q)
					e := want.InvMul(d.Pose(link))
					if !c.turned {
						e.R = spatial.IdentityPose().R
					}
					if off := e.Log(); !(math.Hypot(off.Linear.Norm(), off.Angular.Norm()) < 1e-6) {
						t.Fatalf("%v: solution %v misses by %v", args, s.Q, off)
					}
				}
			}
		})
	}
}

type ikAnswer struct {
	Method    string
	Solutions []struct{ Q []float64 }
}

func solveIK(t *testing.T, args []string) (got ikAnswer) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Execute(args, &stdout, &stderr); code != 0 {
		t.Fatalf("%v: exit code %d: %s%s", args, code, stdout.String(), stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}
