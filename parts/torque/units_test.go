package torque

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// lift is a controller of each kind around a robot of one joint that slides; wrong names the block that is left in rad.
func lift(wrong string) *diagram.Diagram {
	m := func(name string) (unit block.Const[string]) {
		if name == wrong {
			return unit
		}
		return block.NewConst("m")
	}
	urdf, files := block.NewConst("lift.urdf"), fstest.MapFS{"lift.urdf": {Data: []byte(`<robot name="lift"><link name="foot"/><link name="cabin">
<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="lift" type="prismatic"><parent link="foot"/><child link="cabin"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="50" velocity="1"/></joint></robot>`)}}
	d := diagram.New("lift")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	add := func(name string, b block.Block, links ...string) {
		d.Add(name, b, diagram.Place{Thread: "main", Given: port.Given{Files: files}})
		for _, l := range links {
			d.Link(l)
		}
	}
	measured := func(name string) []string {
		return []string{"robot.position -> " + name + ".position", "robot.velocity -> " + name + ".velocity"}
	}
	add("robot", &Robot{URDF: urdf, Coordinate: m("robot")})
	add("model", &RobotModel{URDF: urdf, Coordinate: m("model")}, "robot.position -> model.position")
	add("pid", &PID{URDF: urdf, Coordinate: m("pid")}, append(measured("pid"), "model.gravity -> pid.gravity", "robot.position -> pid.desired")...)
	add("impedance", &Impedance{URDF: urdf, Coordinate: m("impedance")},
		append(measured("impedance"), "model.gravity -> impedance.gravity", "model.inertia -> impedance.inertia", "robot.position -> impedance.desired")...)
	add("computed", &ComputedTorque{URDF: urdf, Coordinate: m("computed")}, append(measured("computed"), "impedance.target -> computed.desired")...)
	add("drives", &Drives{Coordinate: m("drives")},
		"robot.position -> drives.measured_position", "robot.velocity -> drives.measured_velocity", "computed.torque -> drives.command")
	d.Join(diagram.Link{From: diagram.End{Block: "drives", Port: "torque"}, To: diagram.End{Block: "robot", Port: "torque"}, Delay: true})
	return d
}

func TestBlocksOfARobotThatSlidesHaveForces(t *testing.T) {
	net, err := lift("").Build()
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]string{}
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			units[b.Name+"."+p.Name] = p.Unit
		}
		for _, p := range b.Params {
			units[b.Name+"."+p.Name] = p.Unit
		}
	}
	for name, want := range map[string]string{
		"robot.torque": "N", "robot.velocity": "m/s", "robot.cut": "N", "robot.initial": "m", "model.inertia": "kg", "model.gravity": "N",
		"pid.kp": "N/m", "pid.ki": "N/(m s)", "pid.kd": "N s/m", "pid.ka": "kg", "pid.limit": "N", "pid.error": "m",
		"impedance.stiffness": "N/m", "impedance.offset": "m", "impedance.speed": "m/s", "impedance.desired_acceleration": "m/s²",
		"computed.torque": "N", "computed.bandwidth": "rad/s", "computed.speed": "m/s", "drives.damping": "N s/m", "drives.command": "N",
	} {
		if units[name] != want {
			t.Errorf("%s is in %q, expected %q", name, units[name], want)
		}
	}
	for wrong, end := range map[string]string{
		"robot":     "robot.position is in rad, but model.position is in m",
		"model":     "model.inertia is in kg m², but impedance.inertia is in kg",
		"pid":       "model.gravity is in N, but pid.gravity is in N m",
		"impedance": "impedance.target is in rad, but computed.desired is in m",
		"computed":  "computed.torque is in N m, but drives.command is in N",
		"drives":    "drives.torque is in N m, but robot.torque is in N",
	} {
		if _, err := lift(wrong).Build(); err == nil || !strings.Contains(err.Error(), end) {
			t.Errorf("%s in rad: %v; expected %q", wrong, err, end)
		}
	}
}

// A robot in which any joint turns has rad: m is an error that names the joint.
func TestUnitThatTheDescriptionContradictsIsAnError(t *testing.T) {
	m, urdf := block.NewConst("m"), block.NewConst("panda/panda.urdf")
	for name, b := range map[string]block.Block{
		"Robot":          &Robot{URDF: urdf, Coordinate: m},
		"RobotModel":     &RobotModel{URDF: urdf, Coordinate: m},
		"PID":            &PID{URDF: urdf, Coordinate: m},
		"Impedance":      &Impedance{URDF: urdf, Coordinate: m},
		"ComputedTorque": &ComputedTorque{URDF: urdf, Coordinate: m},
	} {
		_, err := build(t, b)
		if want := `coordinate is m, but the positions of joint "panda_joint1" are in rad: write coordinate: rad`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", name, err, want)
		}
	}
}
