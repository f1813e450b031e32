package description

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// armXRDF has every part of version 1.0 of the format, for armURDF. The layout is that of the files which NVIDIA publishes for cuMotion.
const armXRDF = `format: xrdf
format_version: 1.0

modifiers:
  - set_base_frame: "a"
  - add_frame:
      frame_name: "attached_object"
      parent_frame_name: "b"
      joint_name: "attach_joint"
      joint_type: FIXED
      fixed_transform:
        position: [0.0, 0.0, 0.1]
        orientation: {w: 0.0, xyz: [1.0, 0.0, 0.0]}

default_joint_positions:
  ab: 0.25

cspace:
  joint_names: ["ab"]
  acceleration_limits: [15.0]
  jerk_limits: [500.0]

tool_frames: ["b"]

collision:
  geometry: "arm_spheres"
  buffer_distance:
    a: 0.004
    attached_object: 0.004

self_collision:
  geometry: "arm_spheres"
  buffer_distance:
    a: 0.1
  ignore:
    a: ["b"]
    b:
      - "attached_object"

geometry:
  arm_spheres:
    spheres:
      a:
        - center: [0.0, 0.0, 0.085]
          radius: 0.03
        - center: [-0.1, 0.0, 1e-05]
          radius: 0.06
      b:
        - {center: [0, 0, 1], radius: 0.05}
      attached_object:
        - center: [0.0, 0.0, 0.0]
          radius: -10.0
`

const twoLinks = `<robot name="two"><link name="a"/><link name="b"/><joint name="ab" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="2"/></joint></robot>`

func readXRDFText(text string) (*XRDF, error) {
	return ReadXRDF(fstest.MapFS{"arm.xrdf": {Data: []byte(text)}}, "arm.xrdf")
}

func TestXRDFAddsSpheresFramesAndLimitsToARobot(t *testing.T) {
	x, err := readXRDFText(armXRDF)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]scene.Ball{
		"a": {{Center: spatial.Vec3{Z: 0.085}, Radius: 0.034}, {Center: spatial.Vec3{X: -0.1, Z: 1e-5}, Radius: 0.064}},
		"b": {{Center: spatial.Vec3{Z: 1}, Radius: 0.05}},
	}
	if !reflect.DeepEqual(x.Spheres, want) {
		t.Errorf("spheres %v, want %v: with the buffer distance of collision, without the empty one", x.Spheres, want)
	}
	if len(x.Joints) != 1 || x.Accelerations[0] != 15 || x.Jerks[0] != 500 || x.Positions["ab"] != 0.25 || len(x.Tools) != 1 || len(x.Ignored) != 2 {
		t.Errorf("%+v", x)
	}
	if len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "arm.xrdf:34:5: the buffer_distance of self_collision is not used") {
		t.Errorf("notes %q", x.Notes)
	}
	robot, err := readURDFText(twoLinks)
	if err != nil {
		t.Fatal(err)
	}
	applied, _, err := x.Apply(robot)
	if err != nil {
		t.Fatal(err)
	}
	m, err := applied.Model()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Link("attached_object"); err != nil || len(applied.Links[0].Collisions) != 2 || len(robot.Links) != 2 {
		t.Errorf("the frame is missing (%v), or link a has %d spheres, or the robot changed", err, len(applied.Links[0].Collisions))
	}
}

func TestWrittenXRDFReadsBackEqual(t *testing.T) {
	x, err := readXRDFText(armXRDF)
	if err != nil {
		t.Fatal(err)
	}
	var b, c bytes.Buffer
	if err := WriteXRDF(&b, x); err != nil {
		t.Fatal(err)
	}
	again, err := readXRDFText(b.String())
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, b.String())
	}
	if !reflect.DeepEqual(again.Spheres, x.Spheres) || !reflect.DeepEqual(again.Positions, x.Positions) || len(again.Notes) != 0 {
		t.Errorf("read back %+v, wrote %+v", again, x)
	}
	if err := WriteXRDF(&c, again); err != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
		t.Errorf("writing again gave another file: %v\n%s\n%s", err, b.String(), c.String())
	}
}

func TestXRDFRefusesBadFiles(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"other format", "format: xrdf", "format: srdf", `arm.xrdf:1:9: the format is "srdf": want xrdf`},
		{"tab", "format: xrdf", "\tformat: xrdf", "arm.xrdf:1:1: not YAML: a tab indents this line"},
		{"open brace", "format: xrdf", "format: {xrdf", "arm.xrdf:1:9: not YAML: the { that opens here is not closed"},
		{"missing part", "cspace:", "space:", "the file needs cspace"},
		{"missing limit", "  jerk_limits: [500.0]\n", "", "cspace needs jerk_limits"},
		{"too few limits", "[15.0]", "[]", "acceleration_limits has 0 values for 1 joint_names"},
		{"limit of zero", "[15.0]", "[0]", "acceleration_limits has 0: want more than 0"},
		{"radius that is no number", "radius: 0.03", "radius: wide", `arm.xrdf:45:19: radius is "wide": want a number`},
		{"radius of NaN", "radius: 0.03", "radius: .nan", `radius is ".nan"`},
		{"sphere without radius", "          radius: 0.03\n", "", "a sphere needs radius"},
		{"center of two numbers", "[0.0, 0.0, 0.085]", "[0.0, 0.085]", "center has 2 numbers: want x, y and z"},
		{"unknown group", "  arm_spheres:", "  arm_sphere:", `has no group "arm_spheres", which collision names; did you mean "arm_sphere"?`},
		{"two groups", "self_collision:\n  geometry: \"arm_spheres\"", "self_collision:\n  geometry: \"other\"", "only one geometry for both is read"},
		{"capsules", "    spheres:", "    capsules:", "the geometry capsules is not read: want spheres"},
		{"unknown modifier", "set_base_frame", "set_base", "the modifier set_base is not read"},
		{"frame that moves", "FIXED", "REVOLUTE", "only FIXED is read"},
		{"quaternion of zero", "xyz: [1.0,", "xyz: [0.0,", "the quaternion has length 0"},
		{"key twice", "tool_frames: [\"b\"]", "tool_frames: [\"b\"]\ntool_frames: [\"a\"]", "arm.xrdf:24:1: the file has the key tool_frames twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(armXRDF, c.from, c.to, 1)
			if _, err := readXRDFText(text); text == armXRDF || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	x, err := readXRDFText(strings.Replace(armXRDF, "tool_frames", "tool_frame", 1))
	if err != nil || !strings.Contains(strings.Join(x.Notes, "\n"), `the key tool_frame of the file is not read; did you mean "tool_frames"?`) {
		t.Errorf("a misspelled key: %v, %+v", err, x)
	}
	if _, err := ReadXRDF(fstest.MapFS{}, "arm.xrdf"); err == nil || !strings.Contains(err.Error(), fs.ErrNotExist.Error()) {
		t.Errorf("missing file: %v", err)
	}
}

func TestXRDFOfAnotherRobotIsRefused(t *testing.T) {
	robot, err := readURDFText(twoLinks)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"link", "      b:\n", "      bb:\n", `geometry names the link "bb", which the robot does not have`},
		{"joint", `joint_names: ["ab"]`, `joint_names: ["abc"]`, `cspace names the joint "abc"`},
		{"parent of a frame", `parent_frame_name: "b"`, `parent_frame_name: "c"`, `hangs on the link "c"`},
		{"frame that exists", `frame_name: "attached_object"`, `frame_name: "b"`, `already has a link "b"`},
		{"pair", `a: ["b"]`, `a: ["d"]`, `self_collision names the link "d"`},
		{"base", `set_base_frame: "a"`, `set_base_frame: "base"`, `set_base_frame names the link "base"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := readXRDFText(strings.Replace(armXRDF, c.from, c.to, 1))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := x.Apply(robot); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// FuzzXRDF checks that no document upsets the reader, and that what is read can be written and read again.
func FuzzXRDF(f *testing.F) {
	f.Add(armXRDF)
	f.Add("format: xrdf\nformat_version: 2.0\ncspace: {joint_names: [a], acceleration_limits: [1], jerk_limits: [&x 1]}\nworld_collision: {geometry: g}\ngeometry: {g: {spheres: {a: [{center: [1,2,3], radius: 1}]}}}")
	robot, err := readURDFText(twoLinks)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := readXRDFText(text)
		if err != nil {
			return
		}
		_, _, _ = x.Apply(robot)
		var b bytes.Buffer
		if err := WriteXRDF(&b, x); err != nil {
			t.Fatal(err)
		}
		again, err := readXRDFText(b.String())
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, b.String())
		}
		if !reflect.DeepEqual(again.Spheres, x.Spheres) || !reflect.DeepEqual(again.Joints, x.Joints) {
			t.Errorf("read back %+v, wrote %+v", again, x)
		}
	})
}
