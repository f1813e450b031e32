package scenario_test

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

const robotText = `{"robot": "arm", "active_joints": ["turn"], "vamp_sampling_bounds": [[-1, 1]], "vamp_resolution_per_unit": 32,
"links": [{"name": "base", "spheres": [[0, 0, 0, 0.1]]},
 {"name": "hand", "spheres": [[1, 0, 0, 0.1]], "joint": {"name": "turn", "type": "revolute", "parent": "base", "origin_xyz": [0, 0, 1],
  "origin_quat_xyzw": [0, 0, 0, 1], "axis": [0, 0, 1], "active": true}}],
"self_collision_link_pairs": [["base", "hand"]]}`

const problemsText = `{"robot": "arm", "set": "one", "joints": ["turn"], "problems": [{"index": 3, "start": [-1], "goal": [1],
 "obstacles": [{"name": "a", "type": "box", "half_extents": [0.1, 0.1, 0.1], "position": [1, 0, 1], "quat_xyzw": [0, 0, 0, 1]},
  {"name": "a", "type": "cylinder", "radius": 0.1, "length": 1, "position": [2, 0, 1], "quat_xyzw": [0, 0, 0, 1]}]}]}`

func TestReadersRefuseBadFiles(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"not JSON", `{"robot"`, `"robot"`, "line 1: "},
		{"joint without bounds", `[[-1, 1]]`, `[]`, "1 active joints and 0 bounds"},
		{"reversed bounds", `[[-1, 1]]`, `[[1, -1]]`, `bounds 1 and -1 of joint "turn"`},
		{"negative radius", `[1, 0, 0, 0.1]`, `[1, 0, 0, -0.1]`, `sphere 1 of link "hand"`},
		{"quaternion of zero", `"origin_quat_xyzw": [0, 0, 0, 1]`, `"origin_quat_xyzw": [0, 0, 0, 0]`, "has length 0"},
		{"unknown kind of joint", `"revolute"`, `"spherical"`, `of type "spherical"`},
		{"unknown parent", `"parent": "base"`, `"parent": "bas"`, "bas"},
		{"resolution of zero", `"vamp_resolution_per_unit": 32`, `"vamp_resolution_per_unit": 0`, "vamp_resolution_per_unit is 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(robotText, c.from, c.to, 1)
			if _, err := scenario.ReadRobot([]byte(text)); text == robotText || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"start too short", `"start": [-1]`, `"start": []`, "problem 3: start has 0 values"},
		{"unknown kind of obstacle", `"box"`, `"bix"`, `obstacle "a": its type is "bix"`},
		{"negative size", `[0.1, 0.1, 0.1]`, `[0.1, -0.1, 0.1]`, "size y is -0.2"},
		{"value of another type", `"index": 3`, `"index": "x"`, "line 1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(problemsText, c.from, c.to, 1)
			if _, err := scenario.ReadProblems([]byte(text)); text == problemsText || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestObstaclesOfOneNameAreNumbered(t *testing.T) {
	set, err := scenario.ReadProblems([]byte(problemsText))
	if err != nil {
		t.Fatal(err)
	}
	if o := set.Problems[0].Objects; o[0].Name != "a" || o[1].Name != "a (2)" {
		t.Errorf("names %q and %q", o[0].Name, o[1].Name)
	}
}

// FuzzReaders checks that the readers return an error or something that a scene accepts or refuses with an error.
func FuzzReaders(f *testing.F) {
	f.Add([]byte(robotText))
	f.Add([]byte(problemsText))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := scenario.ReadRobot(text); err == nil {
			_, _ = scene.New(r.Scene) // a robot without spheres is refused
		}
		set, err := scenario.ReadProblems(text)
		if err != nil {
			return
		}
		empty, err := scene.New()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range set.Problems {
			_, _ = empty.Add(p.Objects...) // a position beyond the limit, or no name, is refused
		}
	})
}
