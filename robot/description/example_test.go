package description_test

import (
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Read a robot and calculate where its tool is. A real program opens a directory: os.DirFS("models").
func ExampleReadURDF() {
	files := fstest.MapFS{"arm.urdf": {Data: []byte(`<robot name="arm">
  <link name="base"/>
  <link name="tool"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="lift" type="prismatic">
    <parent link="base"/><child link="tool"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.5" velocity="0.2" effort="100"/>
  </joint>
</robot>`)}}

	robot, err := description.ReadURDF(files, "arm.urdf", description.Options{})
	if err != nil {
		log.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		log.Fatal(err)
	}
	tool, err := model.Link("tool")
	if err != nil {
		log.Fatal(err)
	}
	data := multibody.NewData(model)
	multibody.FK(data, []float64{0.25})
	fmt.Println(data.Pose(tool).P)
	// Output: {0 0 0.25}
}

// All that is wrong with a file comes at once.
func ExampleProblems() {
	files := fstest.MapFS{"arm.urdf": {Data: []byte(`<robot name="arm">
  <link name="base"/>
  <link name="tool"><inertial><mass value="-2"/></inertial></link>
  <joint name="lift" type="prismatc">
    <parent link="bas"/><child link="tool"/>
  </joint>
</robot>`)}}
	_, err := description.ReadURDF(files, "arm.urdf", description.Options{})
	fmt.Println(err)
	// Output:
	// arm.urdf:3:21: the inertial of link "tool" has no <inertia ixx ixy ixz iyy iyz izz/>
	// arm.urdf:3:44: the mass of link "tool" is negative: -2 kg
	// arm.urdf:4:3: the parent "bas" of joint "lift" is no link; did you mean "base"?
	// arm.urdf:4:28: joint "lift" is of the unknown type "prismatc"; did you mean "prismatic"?
}

// A xacro file is expanded and read in one go; its arguments come from the caller.
func ExampleReadURDF_xacro() {
	files := fstest.MapFS{"snake.urdf.xacro": {Data: []byte(`<robot name="snake" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="n" default="2"/>
  <xacro:property name="length" value="${1.2 / $(arg n)}"/>
  <link name="link0"/>
  <xacro:macro name="segment" params="i">
    <link name="link${i}"/>
    <joint name="joint${i}" type="continuous">
      <parent link="link${i-1}"/><child link="link${i}"/><origin xyz="${length} 0 0"/>
    </joint>
    <xacro:if value="${i &lt; $(arg n)}"><xacro:segment i="${i+1}"/></xacro:if>
  </xacro:macro>
  <xacro:segment i="1"/>
</robot>`)}}
	robot, err := description.ReadURDF(files, "snake.urdf.xacro", description.Options{Arguments: map[string]string{"n": "3"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range robot.Joints {
		fmt.Println(j.Name, j.Parent, j.Child, j.Origin.XYZ.X)
	}
	// Output:
	// joint1 link0 link1 0.39999999999999997
	// joint2 link1 link2 0.39999999999999997
	// joint3 link2 link3 0.39999999999999997
}

// A file that could be read may still describe no robot.
func ExampleLint() {
	files := fstest.MapFS{"arm.urdf": {Data: []byte(`<robot name="arm">
  <link name="base"/>
  <link name="tool"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial></link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="tool"/><axis xyz="0 0 1"/>
    <limit lower="-90" upper="90" velocity="1" effort="10"/>
  </joint>
</robot>`)}}
	robot, err := description.ReadURDF(files, "arm.urdf", description.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range description.Lint(robot) {
		fmt.Println(finding)
	}
	// Output:
	// arm.urdf:3:21: impossible: link "tool": principal moments 1, 1, 3 kg m² violate the triangle inequality (inertia)
	// arm.urdf:4:3: suspicious: the limits of joint "turn" are -90 and 90 rad: are they in degrees? (units)
}

// A model of the Robotics Library becomes URDF.
func ExampleWriteURDF() {
	files := fstest.MapFS{"slider.xml": {Data: []byte(`<rlmdl><model>
  <name>slider</name>
  <world id="world"><g><z>9.81</z></g></world>
  <body id="carriage"><m>1.5</m></body>
  <prismatic id="rail"><frame><a idref="world"/><b idref="carriage"/></frame><max>2</max><min>0</min><speed>1</speed></prismatic>
</model></rlmdl>`)}}
	robot, err := description.ReadRL(files, "slider.xml")
	if err != nil {
		log.Fatal(err)
	}
	if err := description.WriteURDF(os.Stdout, robot); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0"?>
	// <robot name="slider">
	//   <link name="world">
	//   </link>
	//   <link name="carriage">
	//     <inertial>
	//       <mass value="1.5"/>
	//       <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
	//     </inertial>
	//   </link>
	//   <joint name="rail" type="prismatic">
	//     <parent link="world"/>
	//     <child link="carriage"/>
	//     <axis xyz="0 0 1"/>
	//     <limit lower="0" upper="2" velocity="1" effort="1.7976931348623157e+308"/>
	//   </joint>
	// </robot>
}
