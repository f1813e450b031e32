package description

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestReadURDFExpandsXacro(t *testing.T) {
	fsys := fstest.MapFS{"arm.urdf.xacro": {Data: []byte(`<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="n" default="2"/>
  <xacro:macro name="segment" params="i">
    <link name="link${i}"><inertial><mass value="${i and 2.0 or -1}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <xacro:if value="${i > 0}">
      <joint name="joint${i}" type="continuous"><parent link="link${i-1}"/><child link="link${i}"/></joint>
    </xacro:if>
    <xacro:if value="${i &lt; $(arg n)}"><xacro:segment i="${i+1}"/></xacro:if>
  </xacro:macro>
  <xacro:segment i="$(arg first)"/>
</robot>`)}}
	_, err := ReadURDF(fsys, "arm.urdf.xacro", Options{Arguments: map[string]string{"first": "0"}})
	wantProblems(t, err, `arm.urdf.xacro:1:1: argument "first" is given, but the file has no <xacro:arg name="first"/>`)
	fsys["arm.urdf.xacro"].Data = []byte(strings.Replace(string(fsys["arm.urdf.xacro"].Data), "$(arg first)", "0", 1))
	_, err = ReadURDF(fsys, "arm.urdf.xacro", Options{})
	wantProblems(t, err, `arm.urdf.xacro:4:50: the mass of link "link0" is negative: -1 kg (in macro segment, called at arm.urdf.xacro:10:3)`)
	fsys["arm.urdf.xacro"].Data = []byte(strings.Replace(string(fsys["arm.urdf.xacro"].Data), "or -1", "or 1", 1))
	robot, err := ReadURDF(fsys, "arm.urdf.xacro", Options{Arguments: map[string]string{"n": "4"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(robot.Links) != 5 || len(robot.Joints) != 4 || robot.Joints[3].Child != "link4" {
		t.Errorf("%d links and %d joints, expected 5 and 4", len(robot.Links), len(robot.Joints))
	}
}
