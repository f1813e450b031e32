package description

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func readSRDFText(text string) (*Semantic, error) {
	return ReadSRDF(fstest.MapFS{"robot.srdf": {Data: []byte(text)}}, "robot.srdf", Options{})
}

const armURDF = `<robot name="arm"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="ab" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="bc" type="revolute"><parent link="b"/><child link="c"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
<joint name="cd" type="fixed"><parent link="c"/><child link="d"/></joint></robot>`

func TestReadSRDFKeepsEveryElement(t *testing.T) {
	s, err := readSRDFText(`<robot name="arm">
<virtual_joint name="world" type="floating" parent_frame="odom" child_link="a"/>
<group name="arm"><chain base_link="a" tip_link="d"/></group>
<group name="all"><group name="arm"/><joint name="ab"/><link name="c"/></group>
<group name="circle"><group name="circle"/></group>
<group_state name="up" group="arm"><joint name="ab" value="0.5"/><joint name="world" value="0 0 1 0 0 0 1"/></group_state>
<end_effector name="hand" group="all" parent_link="d" parent_group="arm"/>
<passive_joint name="cd"/>
<disable_collisions link1="a" link2="b" reason="Adjacent"/>
<disable_default_collisions link="c"/><enable_collisions link1="c" link2="a"/>
<rotor_params><joint name="ab" mass="1e-5" gear_ratio="100"/></rotor_params>
</robot>`)
	if err != nil {
		t.Fatal(err)
	}
	robot, err := readURDFText(armURDF)
	if err != nil {
		t.Fatal(err)
	}
	if f := LintSemantic(s, robot); len(f) != 0 {
		t.Errorf("findings: %v", f)
	}
	for group, want := range map[string]string{"arm": "ab bc cd", "all": "ab bc cd", "circle": ""} {
		joints, err := s.Joints(robot, group)
		if group == "all" {
			slices.Sort(joints)
		}
		if got := strings.Join(joints, " "); err != nil || got != want {
			t.Errorf("group %s has %q (%v), expected %q", group, got, err, want)
		}
	}
	if _, err := s.Joints(robot, "none"); err == nil || err.Error() != `joints of group "none": there is no group "none"` {
		t.Errorf("got %v", err)
	}
	if up := s.States[0].Joints; up[0].Values[0] != 0.5 || len(up[1].Values) != 7 {
		t.Errorf("state %v", up)
	}
	if s.Rotors[0] != (RotorParams{"ab", 1e-5, 100}) || s.Disabled[0].Reason != "Adjacent" || s.EndEffectors[0].ParentGroup != "arm" {
		t.Errorf("got %+v", s)
	}
}

func TestReadSRDFReportsAllProblems(t *testing.T) {
	_, err := readSRDFText(`<robot name="arm">
<group><chain base_link="a"/></group>
<group_state name="up" group="arm"><joint name="ab" value="up"/></group_state>
<virtual_joint name="w" type="flying" parent_frame="o" child_link="a"/>
<disable_collisions link1="a" lnk2="b"/></robot>`)
	wantProblems(t, err,
		`robot.srdf:2:1: <group> needs the attribute name`,
		`robot.srdf:2:8: <chain> needs the attribute tip_link`,
		`robot.srdf:3:60: value of <joint>: "up" is not a number`,
		`robot.srdf:4:31: virtual joint "w" is of the unknown type "flying": it is fixed, planar or floating`,
		`robot.srdf:5:1: <disable_collisions> needs the attribute link2 (there is lnk2)`)
}

func TestLintSemanticFindsWhatTheRobotLacks(t *testing.T) {
	s, err := readSRDFText(`<robot name="leg"><group name="arm"><joint name="ba"/><chain base_link="a" tip_link="dd"/></group>
<group_state name="up" group="amr"><joint name="bc" value="2"/><joint name="ab" value="1 2"/></group_state></robot>`)
	if err != nil {
		t.Fatal(err)
	}
	robot, err := readURDFText(armURDF)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`robot.srdf:1:1: suspicious: the file is for robot "leg", this one is "arm" (name)`,
		`robot.srdf:1:19: suspicious: "ba" is no joint of the robot; did you mean "bc"? (name)`,
		`robot.srdf:1:19: suspicious: "dd" is no link of the robot; did you mean "d"? (name)`,
		`robot.srdf:2:1: suspicious: "amr" is no group of the file; did you mean "arm"? (name)`,
		`robot.srdf:2:1: suspicious: state "up" puts joint "bc" at 2, outside its limits -1 to 1 (state)`,
		`robot.srdf:2:1: suspicious: state "up" gives 2 values for joint "ab", which has 1 (state)`,
	}
	for i, f := range LintSemantic(s, robot) {
		if i >= len(want) || f.String() != want[i] {
			t.Errorf("got %s", f)
		}
	}
}
