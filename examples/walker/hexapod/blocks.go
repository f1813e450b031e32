package hexapod

import "github.com/sinew-robotics/sinew/net/block"

// Blocks returns the block types of this package.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Robot]("a six-legged walking machine, simulated on flat ground"),
		block.Of[Servos]("the three servos of a leg, kept within their limits"),
		block.Of[Kinematics]("foot position and joint angles of a leg"),
		block.Of[Stepper]("stance and swing of one foot"),
		block.Of[Coordinator]("passes the body's commands to six legs"),
		block.Of[Posture]("controls height and tilt of the body"),
		block.Of[Gait]("decides which legs swing: tripod, tetrapod, wave"),
		block.Of[Locomotion]("executes the operator's commands: stand up, walk, lie down"),
	}
}
