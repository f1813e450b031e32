package description

import (
	"bytes"
	"testing"
	"testing/fstest"
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

// FuzzXacro checks that no document upsets the expander or keeps it busy, and no YAML file that it loads.
func FuzzXacro(f *testing.F) {
	f.Add(`<robot name="r"><xacro:macro name="m" params="x y:=${x} *b **c d:=^|1"><xacro:insert_block name="b"/></xacro:macro><xacro:m x="1"><o/><p/></xacro:m></robot>`, "")
	f.Add(`<robot name="r"><xacro:property name="p" value="${q}"/><xacro:property name="q" value="$(arg a)"/><xacro:if value="${p}"><link name="${p}"/></xacro:if></robot>`, "")
	f.Add(`<robot name="r"><xacro:include filename="robot.xacro" ns="n"/><xacro:n.m/></robot>`, "")
	f.Add(`<robot name="r"><xacro:property name="c" value="${load_yaml('c.yaml')}"/><link name="${c.a[0]}"/></robot>`, "a: &a [1, !degrees 2*3, x]\nb: *a\n")
	f.Fuzz(func(t *testing.T, text, config string) {
		fsys := fstest.MapFS{"robot.xacro": {Data: []byte(text)}, "c.yaml": {Data: []byte(config)}}
		if _, err := ReadURDF(fsys, "robot.xacro", Options{Arguments: map[string]string{"a": "1"}}); err != nil {
			_ = err.Error()
		}
	})
}

// FuzzExpression checks that no expression upsets the parser or the evaluation.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"1+2*3", "'a' if x else [1,2][-1]", "not 1 < 2 in (3,) or sin(pi)**-2", "range(3)[1]//0", "x.y('}')", "d.k + d['k'] * s.split()[0].a"} {
		f.Add(s)
	}
	env := testNames{"x": 1.5, "s": "abc", "l": []value{int64(1), "b"}, "d": dict{"k": int64(1)}}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := evaluate(text, env); err == nil {
			_ = format(v)
		} else if e, ok := err.(*exprError); ok && (e.offset < 0 || e.offset > len(text)) {
			t.Fatalf("%q: the problem %q is at %d, outside the text", text, e.message, e.offset)
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
