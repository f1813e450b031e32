package hexapod

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/parts/hierarchy"
)

// Machine is the walking machine built in Go: three parts with nested groups.
type Machine struct {
	Robot      Robot
	Posture    Posture
	Gait       Gait
	Locomotion Locomotion
}

// mount is the position of a leg on the body, and the resting place of its foot on the ground.
type mount struct{ x, y, yaw, restX, restY float64 }

const degree = 0.017453292519943295

// mounts are in the order of [Legs]. A foot rests 0.18 m from its coxa's axis, in the direction of the leg.
var mounts = [len(Legs)]mount{
	{0.16, 0.09, 50 * degree, 0.276, 0.228}, {0, 0.11, 90 * degree, 0, 0.29}, {-0.16, 0.09, 130 * degree, -0.276, 0.228},
	{0.16, -0.09, -50 * degree, 0.276, -0.228}, {0, -0.11, -90 * degree, 0, -0.29}, {-0.16, -0.09, -130 * degree, -0.276, -0.228},
}

// Write adds the machine to h, which has three levels. It reads the robot's description from files.
func (m *Machine) Write(h *hierarchy.Hierarchy, files fs.FS, urdf string) {
	machine := h.Part(0, diagram.Thread{Name: "machine", Period: 4 * time.Millisecond, Priority: 90}, 1)
	legs := h.Part(1, diagram.Thread{Name: "legs", Period: 4 * time.Millisecond, Priority: 80}, 2)
	body := h.Part(2, diagram.Thread{Name: "body", Period: 20 * time.Millisecond, Priority: 70}, 3)

	m.Robot.URDF = block.NewConst(urdf)
	robot := machine.Module(0, "robot", &m.Robot, diagram.Place{Given: port.Given{Files: files}})
	machine.Expose(robot.SensorOut())
	machine.Expose(robot.ControlIn())

	m.writeLegs(legs)
	m.writeBody(body)

	angles, loads := numbered("angle", 3*len(Legs)), numbered("load", len(Legs))
	h.Edge(machine.SensorOut().Pick(angles...), legs.SensorIn().Range(0, len(angles)))
	h.Edge(machine.SensorOut().Pick(loads...), legs.SensorIn().Range(len(angles), len(angles)+len(loads)))
	h.Edge(machine.SensorOut().Pick("roll", "pitch"), body.SensorIn().Pick("imu_roll", "imu_pitch"))
	h.Edge(legs.SensorOut(), body.SensorIn().Range(0, len(legs.SensorOut().Elements())))
	h.Edge(body.ControlOut(), legs.ControlIn())
	h.Edge(legs.ControlOut(), machine.ControlIn())
}

// writeLegs fills the part of the legs. Its sensor inputs are the angles of all joints, then the loads of all feet.
func (m *Machine) writeLegs(part *hierarchy.Group) {
	coordinator := part.Module(1, "coordinator", &Coordinator{}, diagram.Place{})
	shared := []string{"leg_vx", "leg_vy", "leg_yaw_rate", "leg_height", "leg_roll", "leg_pitch", "leg_swing_time", "leg_stance_time"}
	var all []*hierarchy.Group
	for i, name := range Legs {
		leg := part.Group(0, name, 3)
		writeLeg(leg, mounts[i])
		part.Edge(coordinator.ControlOut().Pick(append(shared, fmt.Sprintf("leg_swing%d", i+1))...),
			leg.ControlIn().Pick("vx", "vy", "yaw_rate", "height", "roll", "pitch", "swing_time", "stance_time", "swing"))
		part.Expose(leg.ControlOut(), prefixed(name, leg.ControlOut())...)
		all = append(all, leg)
	}
	for i, leg := range all {
		angles := leg.SensorIn().Range(0, 3)
		part.Expose(angles, prefixed(Legs[i], angles)...)
	}
	for i, leg := range all {
		part.Expose(leg.SensorIn().Pick("load"), Legs[i]+"_load")
	}
	for _, element := range []string{"foot_x", "foot_y", "foot_z", "contact"} {
		for i, leg := range all {
			part.Expose(leg.SensorOut().Pick(element), fmt.Sprintf("%s%d", element, i+1))
		}
	}
	part.Expose(coordinator.ControlIn())
}

// writeLeg fills the group of one leg.
func writeLeg(leg *hierarchy.Group, at mount) {
	servos := leg.Module(0, "servos", &Servos{}, diagram.Place{})
	kinematics := leg.Module(1, "kinematics", &Kinematics{
		X: block.NewConst(at.x), Y: block.NewConst(at.y), Yaw: block.NewConst(at.yaw),
	}, diagram.Place{})
	stepper := leg.Module(2, "stepper", &Stepper{RestX: block.NewConst(at.restX), RestY: block.NewConst(at.restY)}, diagram.Place{})
	leg.Edge(servos.SensorOut(), kinematics.SensorIn())
	leg.Edge(stepper.ControlOut(), kinematics.ControlIn())
	leg.Edge(kinematics.ControlOut(), servos.ControlIn())
	leg.Expose(servos.SensorIn())
	leg.Expose(stepper.SensorIn())
	leg.Expose(kinematics.SensorOut())
	leg.Expose(stepper.SensorOut())
	leg.Expose(stepper.ControlIn())
	leg.Expose(servos.ControlOut())
}

// writeBody fills the part of the body. Its control outputs are the inputs of the legs' coordinator.
func (m *Machine) writeBody(part *hierarchy.Group) {
	posture := part.Module(0, "posture", &m.Posture, diagram.Place{})
	gait := part.Module(1, "gait", &m.Gait, diagram.Place{})
	drive := part.Module(2, "drive", &m.Locomotion, diagram.Place{})
	part.Edge(posture.SensorOut().Pick("feet_down"), gait.SensorIn())
	part.Edge(posture.SensorOut().Pick("height", "roll", "pitch"), drive.SensorIn().Pick("height", "roll", "pitch"))
	part.Edge(gait.SensorOut(), drive.SensorIn().Pick("stepping"))
	part.Edge(drive.ControlOut().Range(0, 3), gait.ControlIn())
	part.Edge(drive.ControlOut().Range(3, 6), posture.ControlIn())
	part.Expose(posture.SensorIn())
	part.Expose(gait.ControlOut().Range(0, 3))
	part.Expose(posture.ControlOut())
	part.Expose(gait.ControlOut().Range(3, 6+len(Legs)))
}

// numbered returns name1, name2 and so on.
func numbered(name string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", name, i+1)
	}
	return names
}

// prefixed returns the names of a vector's elements with a prefix.
func prefixed(name string, v hierarchy.Vector) []string {
	names := []string{}
	for _, e := range v.Elements() {
		names = append(names, name+"_"+e.Name)
	}
	return names
}
