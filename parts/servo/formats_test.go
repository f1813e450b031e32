package servo

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

// moonPendulum returns 2 kg at 0.5 m from a joint about y, under the gravity of the moon, with a weak motor.
func moonPendulum() fstest.MapFS {
	const rod = `<link name="world"/><link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="${m}"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="joint1" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>`
	return fstest.MapFS{
		"moon.xml": {Data: []byte(`<rlmdl><model><name>r</name>
<world id="world"><g><z>1.62</z></g></world>
<body id="rod"><cm><x>0.5</x></cm><i><xx>0</xx><yy>0</yy><zz>0</zz></i><m>2</m></body>
<revolute id="joint1"><frame><a idref="world"/><b idref="rod"/></frame><axis><x>0</x><y>1</y><z>0</z></axis></revolute>
</model></rlmdl>`)},
		"earth.xacro": {Data: []byte(`<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="m" value="2"/>` + rod)},
		"earth.urdf":  {Data: []byte(`<robot name="r">` + strings.ReplaceAll(rod, "${m}", "2"))},
		"drives.yaml": {Data: []byte("robot: r\ndrives:\n  joint1:\n    motor: {resistance: 1, torque_constant: 0.01, rotor_inertia: 0, reversed: false}\n" +
			"    gear: {ratio: 1, efficiency: 1}\n    friction: {viscous: 0, coulomb: 0, static: 0, stribeck_velocity: 0.02}\n" +
			"    encoder: {lines: 500, reversed: false}\n    amplifier: {supply: 24, bits: 12}\n    brake: {torque: 10}\n")},
	}
}

func TestInverseDynamicsReadsEveryDescription(t *testing.T) {
	for file, g := range map[string]float64{"moon.xml": 1.62, "earth.xacro": 9.81, "earth.urdf": 9.81} {
		m := &InverseDynamics{URDF: block.NewConst(file)}
		r := newRig(t)
		r.files = moonPendulum()
		r.add("model", m)
		r.run(1, func(int) { m.Reference.Feed([]float64{0, 0, 0}) }, func(int) {
			testkit.Near(t, "tau of "+file, m.Tau.Value()[0], -2*g*0.5, 1e-12)
		})
	}
}

func TestSimRobotReadsEveryDescription(t *testing.T) {
	for file, g := range map[string]float64{"moon.xml": 1.62, "earth.xacro": 9.81, "earth.urdf": 9.81} {
		robot := &SimRobot{URDF: block.NewConst(file), Drives: block.NewConst("drives.yaml")}
		r := newRig(t)
		r.files = moonPendulum()
		r.add("robot", robot)
		const n = 10
		r.run(n, func(k int) {
			if k == 0 {
				_, _ = robot.with(1, func(axis *sim.Axis) { axis.SetBrake(false) })
			}
		}, func(int) {})
		fallen := 0.5 * (g / 0.5) * (n * 0.01) * (n * 0.01)
		testkit.Near(t, "angle of "+file, robot.Position.Value()[0], fallen, 0.02*fallen)
	}
}
