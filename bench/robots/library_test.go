package robots

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/robot/description"
)

// inRoot makes the root of the repository the current folder, as for bench.
func inRoot(t *testing.T) { t.Chdir("../..") }

// pandaResults are those that bench/peers/rlmdl.cpp printed with the Robotics Library at 91df9f2.
var pandaResults = map[string]float64{
	"tau.panda_joint1": 3.97779453442, "a.panda_joint1": -4.7215394352, "M.panda_joint1": 2.60994258405,
	"tau.panda_joint2": -45.783678027, "a.panda_joint2": 25.8302549581, "M.panda_joint2": 2.86549303306,
	"tau.panda_joint3": 2.67730372363, "a.panda_joint3": 17.4335553253, "M.panda_joint3": 0.444727822749,
	"tau.panda_joint4": 16.0324617618, "a.panda_joint4": 17.339517902, "M.panda_joint4": 0.601044333673,
	"tau.panda_joint5": -0.594566424912, "a.panda_joint5": -32.8050501666, "M.panda_joint5": 0.032317929667,
	"tau.panda_joint6": -1.87211584912, "a.panda_joint6": -8.21907716037, "M.panda_joint6": 0.0540098229994,
	"tau.panda_joint7": 0.0530739133106, "a.panda_joint7": 74.2851472898, "M.panda_joint7": 0.00668415196736,
}

func TestTheRoboticsLibraryHasTheSamePanda(t *testing.T) {
	inRoot(t)
	m, err := All()[0].Model()
	if err != nil {
		t.Fatal(err)
	}
	if err := Agrees(m, pandaResults); err != nil {
		t.Error(err)
	}
	for name := range pandaResults {
		other := maps.Clone(pandaResults)
		other[name] *= 1.0001
		if Agrees(m, other) == nil {
			t.Errorf("another %s is accepted", name)
		}
		delete(other, name)
		if Agrees(m, other) == nil {
			t.Errorf("results without %s are accepted", name)
		}
	}
}

// The file of the chain must end at the tool and have every joint above it; that of the whole robot must have the same dynamics.
func TestFilesForTheRoboticsLibrary(t *testing.T) {
	inRoot(t)
	for _, r := range All() {
		dir := t.TempDir()
		whole, chain, err := r.ForLibrary(dir)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{whole, chain} {
			robot, err := description.ReadURDF(os.DirFS(dir), filepath.Base(path), description.Options{})
			if err != nil {
				t.Fatal(err)
			}
			written, err := robot.Model()
			if err != nil {
				t.Fatal(err)
			}
			if path == whole {
				if written.NV() != m.NV() {
					t.Errorf("%s: %d degrees of freedom, want %d", path, written.NV(), m.NV())
				}
				continue
			}
			parents := map[string]bool{}
			for _, j := range robot.Joints {
				parents[j.Parent] = true
			}
			for _, l := range robot.Links {
				if parents[l.Name] == (l.Name == r.Tool) {
					t.Errorf("%s: link %s is an end of the chain, or the tool is none", path, l.Name)
				}
			}
			if len(robot.Links) != len(robot.Joints)+1 || len(robot.Joints) == 0 {
				t.Errorf("%s: %d links and %d joints", path, len(robot.Links), len(robot.Joints))
			}
		}
	}
}
