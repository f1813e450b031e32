// Package torque is the blocks of robots whose joints are commanded torques, after the two-handed humanoid of Ott et al.
// (2006):
//
//	servo.PoseSequence ─► Impedance… ─► torque ─► (Drives…) ────► Robot
//	                        ▲    ▲                                  │
//	                        │    └── gravity, inertia ─ RobotModel ◄┤
//	                        └──────── position, velocity ◄──────────┘
//
// [ComputedTorque] and [PID] are other controllers, with the same ports for what is measured, desired and commanded.
//
// [Robot] is the simulated robot (package robot/sim); hardware takes its place by a block with the same ports. An
// [Impedance] for each limb makes its joints springs with dampers; a [RobotModel] of the whole robot gives it gravity and
// inertia.
// Where robot and controller are on different hosts, [Drives] stand between them, limb by limb.
package torque

import (
	"embed"

	"github.com/sinew-robotics/sinew/net/block"
)

//go:embed computedtorque.go doc.go drives.go impedance.go pid.go robot.go robotmodel.go target.go tree.go
var sources embed.FS // for the doc comments of the blocks

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Robot]("a simulated robot whose joints are commanded torques"),
		block.Of[RobotModel]("robot model: gravity and inertia at each joint where the robot is"),
		block.Of[Drives]("the drives of one limb, between a robot and a controller on another host"),
		block.Of[Impedance]("joint impedance control with gravity compensation"),
		block.Of[ComputedTorque]("follows a motion by the robot's model: inverse dynamics control"),
		block.Of[PID]("PID of each joint, with gravity compensation"),
	)
}
