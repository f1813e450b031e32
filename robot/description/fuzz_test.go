package description

import (
	"bytes"
	"testing"
)

// FuzzURDF checks that no document upsets the reader, and that what it accepts can be linted, written and read again.
func FuzzURDF(f *testing.F) {
	f.Add(armURDF)
	f.Add(`<robot name="r"><link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link></robot>`)
	f.Add(`<robot name="r"><link name="a"/><joint name="j" type="floating"><parent link="a"/><child link="a"/><mimic joint="j"/></joint></robot>`)
	f.Fuzz(func(t *testing.T, text string) {
		robot, err := readURDFText(text)
		if err != nil {
			_ = err.Error()
			return
		}
		Lint(robot)
		var b bytes.Buffer
		if err := WriteURDF(&b, robot); err != nil {
			t.Fatal(err)
		}
		again, err := readURDFText(b.String())
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, b.String())
		}
		var c bytes.Buffer
		if err := WriteURDF(&c, again); err != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
			t.Fatalf("writing again gave another file (%v):\n%s\n%s", err, b.String(), c.String())
		}
	})
}

// FuzzSRDF checks that no document upsets the reader.
func FuzzSRDF(f *testing.F) {
	f.Add(`<robot name="arm"><group name="g"><chain base_link="a" tip_link="d"/><group name="g"/></group><group_state name="s" group="g"><joint name="ab" value="1 2"/></group_state></robot>`)
	f.Add(`<robot name="arm"><virtual_joint name="w" type="planar" parent_frame="o" child_link="a"/><disable_collisions link1="a" link2="b"/></robot>`)
	robot, err := readURDFText(armURDF)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readSRDFText(text)
		if err != nil {
			return
		}
		LintSemantic(s, robot)
		for _, g := range s.Groups {
			_, _ = s.Joints(robot, g.Name)
		}
	})
}

// FuzzRLModel checks that no model upsets the reader.
func FuzzRLModel(f *testing.F) {
	f.Add(`<rlmdl><model><world id="w"><g><z>9.81</z></g></world><body id="b"><m>1</m><i><xx>1</xx></i></body><revolute id="j">` + rlPair + `<max>90</max><wraparound/><offset>1</offset></revolute></model></rlmdl>`)
	f.Add(`<rl><mdl><xi:include href="m.xml"/></mdl></rl>`)
	f.Fuzz(fuzzRL)
}

// FuzzRLKinematics checks that no kinematics upsets the reader.
func FuzzRLKinematics(f *testing.F) {
	f.Add(`<rlkin><kinematics><world id="w"/><link id="b"/><prismatic id="j">` + rlPair + `<dh><d>1</d><theta>90</theta><a>1</a><alpha>-90</alpha></dh><max>1</max><min>0</min></prismatic></kinematics></rlkin>`)
	f.Fuzz(fuzzRL)
}

func fuzzRL(t *testing.T, text string) {
	if robot, err := readRLText(text); err == nil {
		Lint(robot)
		_, _ = robot.Model()
	}
}
