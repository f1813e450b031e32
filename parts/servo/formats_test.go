package servo

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// kinematicsFile returns the Denavit–Hartenberg kinematics of a Puma 560 as the Robotics Library has it, without masses, and drives for it.
func kinematicsFile(t *testing.T) fstest.MapFS {
	data, err := os.ReadFile(filepath.Join(testkit.Root(t), "robot/description/testdata/puma560.rlkin.xml"))
	if err != nil {
		t.Fatal(err)
	}
	drives := "robot: Puma 560\ndrives:\n"
	for i := range 6 {
		drives += fmt.Sprintf("  joint%d:\n    motor: {resistance: 1, torque_constant: 0.1, rotor_inertia: 0.001, reversed: false}\n"+
			"    gear: {ratio: 1, efficiency: 1}\n    friction: {viscous: 0, coulomb: 0, static: 0, stribeck_velocity: 0.02}\n"+
			"    encoder: {lines: 500, reversed: false}\n    amplifier: {supply: 24, bits: 12}\n    brake: {torque: 10}\n", i)
	}
	return fstest.MapFS{"puma.xml": {Data: data}, "drives.yaml": {Data: []byte(drives)}}
}

func TestKinematicsOfTheRoboticsLibraryAreRobotsWithoutMass(t *testing.T) {
	m, robot := &InverseDynamics{URDF: block.NewConst("puma.xml")}, &SimRobot{URDF: block.NewConst("puma.xml"), Drives: block.NewConst("drives.yaml")}
	r := newRig(t)
	r.files = kinematicsFile(t)
	r.add("model", m)
	r.add("robot", robot)
	r.run(5, func(k int) {
		m.Reference.Feed(slices.Repeat([]float64{1}, 18))
		for axis := int64(1); k == 0 && axis <= 6; axis++ {
			_, _ = robot.with(axis, func(a *sim.Axis) { a.SetBrake(false); a.SetPower(true) })
		}
		_, _ = robot.with(2, func(a *sim.Axis) { _ = a.SetVoltage(1) })
	}, func(int) {
		testkit.AllNear(t, "torques", m.Tau.Value(), make([]float64, 6), 1e-12)
	})
	// 1 V at 1 Ω and 0.1 N m/A turns a rotor of 0.001 kg m², which its own voltage slows down with a time constant of 0.1 s.
	const seconds = 0.05
	turned := 10 * (seconds - 0.1*(1-math.Exp(-seconds/0.1)))
	if q := robot.Position.Value(); len(q) != 6 || math.Abs(q[1]-turned) > 0.3*turned || q[0] != 0 {
		t.Errorf("the joints are at %v, expected the second at %v", q, turned)
	}
}

func TestDrivesOfAnotherRobotAreNamedForEveryDescription(t *testing.T) {
	r := newRig(t)
	files := kinematicsFile(t)
	files["drives.yaml"].Data = bytes.Replace(files["drives.yaml"].Data, []byte("Puma 560"), []byte("puma"), 1)
	r.files = files
	r.add("robot", &SimRobot{URDF: block.NewConst("puma.xml"), Drives: block.NewConst("drives.yaml")})
	_, err := r.d.Build()
	if want := `drives.yaml:1:1: the drives are those of robot "puma", but the description is of "Puma 560": write robot: Puma 560`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
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
