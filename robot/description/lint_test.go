package description

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

func TestReadersGiveNoticeOfWhatLintFinds(t *testing.T) {
	files := fstest.MapFS{"robot.urdf": {Data: []byte(`<robot name="r"><link name="base"><visual><geometry><mesh filename="away.stl"/></geometry></visual></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="ja" type="revolute"><parent link="base"/><child link="a"/><limit lower="-90" upper="90" velocity="1" effort="1"/><calibraton/></joint></robot>`)}}
	var got []string
	if _, err := Read(files, "robot.urdf", Options{Notice: func(text string) { got = append(got, text) }}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`robot.urdf:1:35: suspicious: mesh "away.stl" of link "base" cannot be found: open away.stl: file does not exist (mesh)`,
		`robot.urdf:3:1: suspicious: the limits of joint "ja" are -90 and 90 rad: are they in degrees? (units)`,
		`robot.urdf:3:127: suspicious: <calibraton> in <joint> is not read; did you mean <calibration>? (name)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLintFindsEveryFlaw(t *testing.T) {
	robot, err := readURDFText(`<robot name="r"><material name="white"/><material name="red"><color rgba="255 0 0 1"/></material>
<link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="-1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial></link>
<link name="c"><visual><geometry><mesh filename="package://none/c.stl"/></geometry></visual><visual><geometry><mesh filename="package://none/d.stl"/></geometry></visual><collision><geometry><mesh filename="c.stl"/></geometry></collision></link>
<link name="d"><inertial><mass value="0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="e"><inertial><origin xyz="0 0 300"/><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="ja" type="revolute"><parent link="base"/><child link="a"/><limit lower="-90" upper="90" velocity="1" effort="1"/></joint>
<joint name="jb" type="revolute"><parent link="a"/><child link="b"/><limit lower="1" upper="-1" velocity="0" effort="0"/><dynamics damping="-1"/></joint>
<joint name="jc" type="prismatic"><parent link="b"/><child link="c"/><limit velocity="1" effort="1"/><axis xyz="0 0 2"/></joint>
<joint name="jd" type="continuous"><parent link="b"/><child link="d"/><mimic joint="je"/><origin rpy="90 0 0"/></joint>
<joint name="je" type="continuous"><parent link="b"/><child link="e"/><mimic joint="jd"/></joint>
<transmission name="t"><joint name="jx"/><actuator name="m"><mechanicalReduction>0</mechanicalReduction></actuator></transmission>
</robot>`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`robot.urdf:1:17: suspicious: material "white" is not defined (material)`,
		`robot.urdf:1:41: suspicious: the colour [255 0 0 1] of material "red" is outside 0 to 1: is it in 0 to 255? (material)`,
		`robot.urdf:3:16: impossible: link "a": rotational inertia is not positive semidefinite`,
		`robot.urdf:4:16: impossible: link "b": principal moments 1, 1, 3 kg m² violate the triangle inequality (inertia)`,
		`robot.urdf:5:16: suspicious: mesh "package://none/c.stl" of link "c" cannot be found: package "none" is not known and no directory of that name lies above robot.urdf; further shapes like it: 1 (mesh)`,
		`robot.urdf:5:170: suspicious: mesh "c.stl" of link "c" cannot be found: open c.stl: file does not exist (mesh)`,
		`robot.urdf:6:16: impossible: link "d" has rotational inertia but no mass (inertia)`,
		`robot.urdf:7:16: suspicious: link "e" has mass but no rotational inertia: a point (inertia)`,
		`robot.urdf:7:16: suspicious: the origin of the inertial of link e is 300 m away: is it in millimetres? (units)`,
		`robot.urdf:8:1: suspicious: the limits of joint "ja" are -90 and 90 rad: are they in degrees? (units)`,
		`robot.urdf:9:1: impossible: the limits of joint "jb" are reversed: lower 1, upper -1 (limits)`,
		`robot.urdf:9:1: suspicious: the velocity limit of joint "jb" is 0: it may not move (limits)`,
		`robot.urdf:9:1: suspicious: the effort limit of joint "jb" is 0: it may not push (limits)`,
		`robot.urdf:9:1: impossible: the friction of joint "jb" is negative: it would drive the joint (friction)`,
		`robot.urdf:10:1: suspicious: the axis of joint "jc" has length 2, not 1; only its direction counts (axis)`,
		`robot.urdf:10:1: suspicious: the limits of joint "jc" leave it no way to move: both are 0 (limits)`,
		`robot.urdf:10:1: impossible: joint "jc" moves no mass at all`,
		`robot.urdf:11:1: suspicious: the origin of joint jd is turned by 90 rad: is it in degrees? (units)`,
		`robot.urdf:11:1: impossible: the joints jd, je mimic each other in a circle: one must be independent (mimic)`,
		`robot.urdf:13:1: suspicious: transmission "t" drives "jx", which is no joint; did you mean "ja"? (transmission)`,
		`robot.urdf:13:1: impossible: the reduction of actuator "m" is 0 (transmission)`,
	}
	findings := Lint(robot)
	for i := range max(len(findings), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("unexpected: %s", findings[i])
		case i >= len(findings):
			t.Errorf("missing: %s", want[i])
		case !strings.HasPrefix(findings[i].String(), want[i]):
			t.Errorf("got      %s\nexpected %s", findings[i], want[i])
		}
	}
}

// TestLintReportsRobotsThatHaveNoModel checks a robot that no reader has checked.
func TestLintReportsRobotsThatHaveNoModel(t *testing.T) {
	robot := &Robot{
		Links:  []Link{{Name: "a"}, {Name: "b"}},
		Joints: []Joint{{Name: "j", Type: multibody.Spherical, Parent: "a", Child: "c"}},
	}
	findings := Lint(robot)
	if len(findings) != 1 || findings[0].Severity != Impossible || findings[0].Rule != "structure" {
		t.Errorf("findings: %v", findings)
	}
}
