package description

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// readURDFText reads a URDF document that is given as text.
func readURDFText(text string) (*Robot, error) {
	return ReadURDF(fstest.MapFS{"robot.urdf": {Data: []byte(text)}}, "robot.urdf", Options{})
}

func TestReadURDFKeepsEveryElement(t *testing.T) {
	robot, err := readURDFText(`<?xml version="1.0"?>
<!DOCTYPE robot>
<robot name="arm" xmlns:x="http://example.org/x">
  <material name="blue"><color rgba="0 0 1 0.5"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.5" rpy="0 0 1.5"/><mass value="2"/>
      <inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
    <visual name="skin"><geometry><mesh filename="package://arm/upper.stl" scale="0.001 0.001 0.001"/></geometry><material name="blue"/></visual>
    <visual><geometry><sphere radius="0.1"/></geometry><material name=""><texture filename="wood.png"/></material></visual>
    <collision><origin xyz="1 2 3"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision>
    <collision><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>
    <x:anything/>
  </link>
  <link name="fore"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1" quat_xyzw="0 0 1 0"/>
    <axis xyz="0 0 -1"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/>
    <dynamics damping="0.5" friction="0.25"/>
    <safety_controller k_velocity="10" k_position="15" soft_lower_limit="-0.9" soft_upper_limit="1.9"/>
    <calibration rising="0.0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><limit velocity="1" effort="2"/><mimic joint="shoulder" offset="0.5"/>
  </joint>
  <transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
    <actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <gazebo/>
</robot>`)
	if err != nil {
		t.Fatal(err)
	}
	upper := robot.Links[1]
	if got, want := upper.Inertial.Inertia, (spatial.Sym3{XX: 1, XY: 0.1, YY: 2, ZZ: 2.5}); got != want {
		t.Errorf("inertia %v, expected %v", got, want)
	}
	if got, want := upper.Visuals[0].Geometry, (Mesh{"package://arm/upper.stl", spatial.Vec3{X: 0.001, Y: 0.001, Z: 0.001}}); got != want {
		t.Errorf("visual %v, expected %v", got, want)
	}
	if upper.Visuals[1].Material.Texture != "wood.png" || *robot.Materials[0].Color != (Color{0, 0, 1, 0.5}) {
		t.Errorf("materials %v, %v", upper.Visuals[1].Material, robot.Materials[0])
	}
	for i, want := range []Geometry{Capsule{0.1, 0.4}, Box{spatial.Vec3{X: 1, Y: 2, Z: 3}}, Cylinder{0.1, 0.4}} {
		if got := upper.Collisions[i].Geometry; got != want {
			t.Errorf("collision %d is %v, expected %v", i, got, want)
		}
	}
	shoulder := robot.Joints[0]
	if want := (multibody.Limits{Lower: -1, Upper: 2, Velocity: 3, Effort: 4}); shoulder.Limits[0] != want {
		t.Errorf("limits %v, expected %v", shoulder.Limits[0], want)
	}
	if r := shoulder.Origin.Pose().R; r[0][0] > -1+1e-12 || r[2][2] < 1-1e-12 {
		t.Errorf("quat_xyzw of half a turn about z became %v", r)
	}
	if shoulder.Dynamics != (Dynamics{0.5, 0.25}) || shoulder.Safety.KVelocity != 10 || shoulder.Safety.SoftUpper != 1.9 {
		t.Errorf("dynamics %v, safety %v", shoulder.Dynamics, shoulder.Safety)
	}
	if shoulder.Calibration.Rising == nil || shoulder.Calibration.Falling != nil {
		t.Errorf("calibration %v", shoulder.Calibration)
	}
	if want := (multibody.Mimic{Joint: "shoulder", Multiplier: 1, Offset: 0.5}); *robot.Joints[1].Mimic != want {
		t.Errorf("mimic %v, expected %v", *robot.Joints[1].Mimic, want)
	}
	if tr := robot.Transmissions[0]; tr.Actuators[0].MechanicalReduction != 50 || tr.Joints[0].Interfaces[0] != "EffortJointInterface" {
		t.Errorf("transmission %+v", tr)
	}
	if at := shoulder.Position.String(); at != "robot.urdf:17:3" {
		t.Errorf("the joint stands at %s, expected robot.urdf:17:3", at)
	}
	if len(robot.Suspects) != 0 {
		t.Errorf("suspects: %v", robot.Suspects)
	}
}

func TestReadURDFReportsAllProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"all at once", `<robot name="r">
  <link name="a"/>
  <link name="a"/>
  <link name="b"><inertial><mass value="-1"/><inertia ixx="1" ixy="0" ixz="0" iyy="nan" iyz="0" izz="1e999"/></inertial></link>
  <joint name="j" type="revolut"><parent link="a"/><child link="bb"/></joint>
  <joint name="k" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint>
  <joint name="k" type="fixed"><parent/><origin xyz="0 0" rpy="0 0 x"/></joint>
</robot>`, []string{
			`robot.urdf:3:3: link "a" is defined twice; the first is at robot.urdf:2:3`,
			`robot.urdf:4:41: the mass of link "b" is negative: -1 kg`,
			`robot.urdf:4:84: iyy of <inertia>: "nan" is not a finite number`,
			`robot.urdf:4:102: izz of <inertia>: "1e999" is too large for a number`,
			`robot.urdf:5:3: the child "bb" of joint "j" is no link; did you mean "b"?`,
			`robot.urdf:5:25: joint "j" is of the unknown type "revolut"; did you mean "revolute"?`,
			`robot.urdf:6:3: joint "k" is revolute and has no limits: add <limit lower upper velocity effort>, or make the joint continuous`,
			`robot.urdf:6:70: the axis of joint "k" has length zero`,
			`robot.urdf:7:3: joint "k" has no <child link="…"/>`,
			`robot.urdf:7:3: joint "k" is defined twice`,
			`robot.urdf:7:32: <parent> needs the attribute link`,
			`robot.urdf:7:54: xyz of <origin> needs 3 numbers separated by spaces, it has 2: "0 0"`,
			`robot.urdf:7:64: rpy of <origin>: "x" is not a number`,
		}},
		{"loop", `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="ac" type="fixed"><parent link="a"/><child link="c"/></joint>
<joint name="bc" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`, []string{
			`robot.urdf:4:1: link "c" is the child of joint "ac" already, joint "bc" closes a loop`}},
		{"circle", `<robot name="r"><link name="o"/><link name="a"/><link name="b"/>
<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="ba" type="fixed"><parent link="b"/><child link="a"/></joint></robot>`, []string{
			`robot.urdf:2:1: the joints ab, ba form a circle`}},
		{"two roots", `<robot name="r"><link name="a"/>
<link name="b"/></robot>`, []string{`robot.urdf:2:1: link "b" is a second root beside "a"`}},
		{"no link", `<robot name="r"/>`, []string{`robot.urdf:1:1: the robot has no link`}},
		{"another file", `<sdf/>`, []string{`robot.urdf:1:1: the root element of a URDF file is <robot>, here it is <sdf>`}},
		{"misspelt attribute", `<robot name="r"><link nmae="a"/></robot>`, []string{
			`robot.urdf:1:17: <link> needs the attribute name (there is nmae)`}},
		{"geometry", `<robot name="r"><link name="a">
<visual><geometry><spere radius="1"/></geometry></visual>
<visual><geometry><sphere radius="0"/></geometry></visual>
<visual><geometry/></visual>
<visual/></link></robot>`, []string{
			`robot.urdf:2:19: <spere> is no shape; did you mean "sphere"?`,
			`robot.urdf:4:9: <geometry> is empty`,
			`robot.urdf:5:1: <visual> has no <geometry>`}},
		{"expression", `<robot name="r"><link name="a"><inertial><mass value="${m}"/><inertia ixx="0,1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>`, []string{
			`robot.urdf:1:55: value of <mass>: "${m}" is a xacro expression`,
			`robot.urdf:1:76: ixx of <inertia>: "0,1" is not a number: the decimal mark is a point`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readURDFText(test.text)
			wantProblems(t, err, test.want...)
		})
	}
}

func TestDoublePendulumHasTwoDegreesOfFreedom(t *testing.T) {
	robot, err := Read(os.DirFS("testdata"), "double_pendulum.urdf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	if model.NV() != 2 || len(robot.Links) != 3 {
		t.Errorf("%d degrees of freedom and %d links, expected 2 and 3", model.NV(), len(robot.Links))
	}
	sameAfterWriting(t, robot)
}

// TestReadURDFAcceptsWhatFilesInUseContain reads what other readers take and what robots in use have in their files.
func TestReadURDFAcceptsWhatFilesInUseContain(t *testing.T) {
	robot, err := readURDFText("<robot name=\"r\"><!-- ---- head \xe9 ---- --><link name=\"a\">" + `
<visual><origin/><origin xyz="1 0 0"/><geometry><sphere radius="0"/><convex/></geometry>
<material name=""><color rgba="0 0 1"/><texture filename=""/></material></visual></link>
<transmission><joint>j</joint><actuator/><mechanicalReduction/></transmission></robot>`)
	if err != nil {
		t.Fatal(err)
	}
	if len(robot.Suspects) != 4 || robot.Transmissions[0].Joints[0].Name != "j" {
		t.Errorf("suspects %v, transmissions %v", robot.Suspects, robot.Transmissions)
	}
}

func TestReadURDFSuspectsMisspelledElements(t *testing.T) {
	robot, err := readURDFText(`<robot name="r"><link name="a"><inertal/><sensor/></link></robot>`)
	if err != nil {
		t.Fatal(err)
	}
	if len(robot.Suspects) != 1 || !strings.Contains(robot.Suspects[0].Message, "did you mean <inertial>?") {
		t.Errorf("suspects: %v", robot.Suspects)
	}
}
