package ik_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
)

// TestArmsInFilesAreRecognized recognizes arms in files of their makers and users, and sweeps them.
func TestArmsInFilesAreRecognized(t *testing.T) {
	data := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skipf("SKIPPED: reference data not present: %v", err)
	}
	const models = "models/example-robot-data/robots/"
	for _, f := range []struct {
		file, tool string
		class      ik.Class
		says       string // part of the error if the arm has no closed form
	}{
		{models + "ur_description/urdf/ur5_robot.urdf", "tool0", ik.ThreeParallel, ""},
		{models + "panda_description/urdf/panda.urdf", "panda_hand_tcp", ik.OffsetWrist, ""},
		{"rl/rlmdl/unimation-puma560.xml", "", ik.SphericalWrist, ""},
		{"rl/rlmdl/mitsubishi-rv6sl.xml", "", ik.SphericalWrist, ""},
		{"rl/rlmdl/comau-smart5-nj4-220-27.xml", "", 0, "do not meet in a point"}, // a hollow wrist
		{"rl/rlkin/unimation-puma560.xml", "tcp", ik.SphericalWrist, ""},
		{"rl/rlkin/mitsubishi-rv6sl.xml", "tcp", ik.SphericalWrist, ""},
		{"rl/rlkin/staeubli-tx60l.xml", "tcp", ik.SphericalWrist, ""},
		{models + "kinova_description/robots/kinova.urdf", "j2s6s200_end_effector", ik.SphericalWrist, ""},
		{"reference/baxter.urdf", "left_gripper", 0, "do not meet in a point"},
		{"reference/solo12.urdf", "FL_FOOT", 0, "moved by 3"},
	} {
		robot, err := description.Read(os.DirFS(data), f.file, description.Options{})
		if err != nil {
			t.Errorf("%s: %v", f.file, err)
			continue
		}
		m, err := robot.Model()
		if err != nil {
			t.Errorf("%s: %v", f.file, err)
			continue
		}
		links := m.Links()
		tool := len(links) - 1
		if f.tool != "" {
			if tool, err = m.Link(f.tool); err != nil {
				t.Errorf("%s: %v; links are %v", f.file, err, links)
				continue
			}
		}
		a, err := ik.NewAnalytic(m, tool)
		switch {
		case f.says != "" && (err == nil || !strings.Contains(err.Error(), f.says)):
			t.Errorf("%s: got error %v, want %s", f.file, err, f.says)
		case f.says != "":
			t.Logf("%s: %v", f.file, err)
		case err != nil:
			t.Errorf("%s: %v", f.file, err)
		case a.Class() != f.class:
			t.Errorf("%s: %v, want %v", f.file, a.Class(), f.class)
		default:
			sweepLink(t, m, a, tool, 3, 300)
		}
	}
}
