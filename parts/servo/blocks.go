package servo

import (
	"embed"

	"github.com/sinew-robotics/sinew/net/block"
)

//go:embed actuator.go admittance.go axes.go basemodels.go blocks.go bridgeref.go canrobot.go card.go controller.go
//go:embed doc.go generator.go inversedynamics.go jerklimited.go joint.go kinematics.go model.go motorinverse.go pid.go program.go
//go:embed posesequence.go programcompile.go programpath.go sampler.go sensor.go simrobot.go spread.go
var sources embed.FS // for the doc comments of the blocks

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Sampler]("emits the event that begins a control cycle"),
		block.Of[SimRobot]("a simulated robot: motors, gears, friction, encoders and the dynamics of its links"),
		block.Of[CANRobot]("a robot with actuator cards on a CAN bus, CANopen nodes"),
		block.Of[Card]("the actuator card of one axis of a SimRobot or CANRobot"),
		block.Of[Joint]("one joint: sensor, actuator and brake behind a card, in units of the joint"),
		block.Of[SensorNMux]("collects positions and displacements of N joints into one vector"),
		block.Of[ActuatorNDemux]("gives N commands to N joints, which act together"),
		block.Of[PID]("incremental PID with output limits"),
		block.Of[ControllerNPID]("controls N joints by N PIDs and collects their commands"),
		block.Of[ControllerNPIDFF]("ControllerNPID with feedforward from the robot's model"),
		block.Of[InverseDynamics]("robot model: the joint torques that a planned motion needs"),
		block.Of[Kinematics]("direct and inverse kinematics of a robot: pose and Jacobian, joints for a pose"),
		block.Of[MotorInverse]("the motor voltages for planned torques and velocities"),
		block.Of[Generator]("moves N axes to given positions in a given time, without a jump"),
		block.Of[BridgeRef]("joins the generator's outputs to the controller's reference"),
		block.Of[JerkLimited]("moves the joints of a robot to goals within limits of velocity, acceleration and jerk"),
		block.Of[Program]("executes programs of moves: lines, arcs, paths of planners, with blends, pauses and any speed, within all limits"),
		block.Of[Admittance]("lets N position-controlled axes yield to measured forces, as springs with masses do"),
		block.Of[PoseSequence]("moves N axes from pose to pose, repeatedly"),
	)
}
