package torso

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

const folder = "../../models/torso"

var update = flag.Bool("update", false, "write models/torso/torso.urdf again")

// The URDF is the expansion of the xacro file.
func TestURDFIsExpanded(t *testing.T) {
	robot, err := description.Read(os.DirFS(folder), "torso.urdf.xacro", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := description.WriteURDF(&want, robot); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(folder+"/torso.urdf", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(folder + "/torso.urdf"); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("torso.urdf is not the expansion of the xacro file beside it (%v): run go test ./examples/torso -run URDF -update", err)
	}
}

// readModel reads the robot.
func readModel(t *testing.T) (*description.Robot, *multibody.Model) {
	t.Helper()
	robot, err := description.Read(os.DirFS(folder), "torso.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	return robot, model
}

// The files contain nothing impossible or suspicious, and the joints are those of the published machine.
func TestModelMatchesThePublishedMachine(t *testing.T) {
	robot, model := readModel(t)
	for _, f := range description.Lint(robot) {
		t.Error(f)
	}
	semantic, err := description.ReadSRDF(os.DirFS(folder), "torso.srdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range description.LintSemantic(semantic, robot) {
		t.Error(f)
	}
	if n := model.NV(); n != 43 || len(semantic.Rotors) != n {
		t.Errorf("the robot has %d joints and %d rotors: wants 43", n, len(semantic.Rotors))
	}
	for i, name := range map[int]string{0: "torso1", 3: "left_arm1", 10: "left_fore1", 16: "left_palm", 20: "left_thumb1",
		23: "right_arm1", 30: "right_fore1", 36: "right_palm", 42: "right_thumb3"} {
		if j, err := model.Joint(name); err != nil || j.V != i {
			t.Errorf("joint %q has the number %d (%v): the system file takes it for %d", name, j.V, err, i)
		}
	}
	if m := model.Mass(); m < 40 || m > 55 {
		t.Errorf("the moving links have %g kg: the published machine has 45", m)
	}
}
