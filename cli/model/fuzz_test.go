package model

import (
	"math"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// solo is a quadruped with a floating base.
func solo(f *testing.F) (*description.Robot, *multibody.Model) {
	f.Helper()
	robot, err := description.Read(os.DirFS("../../robot/multibody/testdata"), "solo12.urdf", description.Options{})
	if err != nil {
		f.Fatal(err)
	}
	m, err := robot.Model(multibody.FloatingBase())
	if err != nil {
		f.Fatal(err)
	}
	return robot, m
}

// FuzzStates passes files of states to eval: every file that is accepted can be evaluated.
func FuzzStates(f *testing.F) {
	robot, m := solo(f)
	for _, text := range []string{
		`{"states": [{"q": [0,0,0, 0,0,0,1, 0,0,0, 0,0,0, 0,0,0, 0,0,0]}]}`,
		`{"joints": ["FL_HAA"], "states": [{"q": [NaN, 1e999, null, "x"], "v": 7, "a": null}]}`,
		`{"joints": [{"name": "root_joint"}, {}, 3], "states": [{}, []]}`,
		`{"states": [{"q": [-Infinity, "NaN \"`, "", "[", `{"states": null}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := parseStates("fuzz.json", text)
		if err != nil {
			return
		}
		e, err := newEvaluator(robot, m, "FL_FOOT")
		if err != nil {
			t.Fatal(err)
		}
		if e.order(file, "fuzz.json") != nil {
			return
		}
		for i := range *file.States {
			if n := len(e.evaluate(&(*file.States)[i]).Gravity); n != m.NV() {
				t.Fatalf("%d numbers", n)
			}
		}
	})
}

// FuzzVector parses values of --q: every accepted value is finite.
func FuzzVector(f *testing.F) {
	_, m := solo(f)
	for _, text := range []string{"", "FL_HAA=1", "root_joint=0:0:1:0:0:0:1,FL_HAA=-2", "1,2", "FL_HAA=NaN", "=", "a=b=c,,", "root_joint=::::::"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := m.Neutral()
		if readVector("--q", text, m, true, q) != nil {
			return
		}
		for _, x := range q {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%q gives %v", text, q)
			}
		}
	})
}
