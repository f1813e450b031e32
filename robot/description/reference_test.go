package description

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// TestTorquesOfReadRobotsMatchPinocchio reads the reference robots and compares the joint torques of their models with those that
// Pinocchio 3.7 gave for the same files.
func TestTorquesOfReadRobotsMatchPinocchio(t *testing.T) {
	excerpts := os.DirFS("../multibody/testdata")
	for _, name := range []string{"panda.json", "solo12.json"} {
		t.Run("excerpt/"+name, func(t *testing.T) { compareRNEA(t, excerpts, name) })
	}
	t.Run("shared", func(t *testing.T) {
		eachShared(t, 7, "reference", []string{".json"}, compareRNEA)
	})
}

func compareRNEA(t *testing.T, data fs.FS, name string) {
	text, err := fs.ReadFile(data, name)
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Base   string
		Joints []struct{ Name string }
		States []struct{ Q, V, A, RNEA []float64 }
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	robot, err := ReadURDF(data, strings.TrimSuffix(name, ".json")+".urdf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	options := []multibody.Option{multibody.IgnoreMimic()}
	if reference.Base == "floating" {
		options = append(options, multibody.FloatingBase())
	}
	model, err := robot.Model(options...)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range model.Joints() {
		if want := reference.Joints[i].Name; j.Name != want {
			t.Fatalf("joint %d is %q, expected %q", i, j.Name, want)
		}
	}
	workspace := multibody.NewData(model)
	tau := make([]float64, model.NV())
	for k, s := range reference.States[:min(5, len(reference.States))] {
		multibody.RNEA(workspace, s.Q, s.V, s.A, tau)
		largest := 1.
		for _, x := range s.RNEA {
			largest = math.Max(largest, math.Abs(x))
		}
		for i := range tau {
			if d := math.Abs(tau[i] - s.RNEA[i]); d > 1e-9*largest {
				t.Errorf("state %d: torque of %s is %.13g, expected %.13g", k, reference.Joints[i].Name, tau[i], s.RNEA[i])
			}
		}
	}
}
