package servo

import "github.com/sinew-robotics/sinew/net/block"

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Sampler]("emits the event that begins a control cycle"),
		block.Of[SimRobot]("a simulated robot: motors, gears, friction, encoders and the dynamics of its links"),
		block.Of[Card]("the actuator card of one axis of a SimRobot"),
		block.Of[Joint]("one joint: sensor, actuator and brake behind a card, in units of the joint"),
		block.Of[SensorNMux]("collects positions and velocities of N joints into one vector"),
		block.Of[ActuatorNDemux]("gives N commands to N joints, which act together"),
		block.Of[PID]("incremental PID with output limits"),
		block.Of[ControllerNPID]("hands the errors of N joints to N PIDs and collects their commands"),
		block.Of[ControllerNPIDFF]("ControllerNPID that adds a feedforward"),
		block.Of[InverseDynamics]("robot model: the joint torques that a planned motion needs"),
		block.Of[MotorInverse]("the motor voltages for planned torques and velocities"),
		block.Of[Generator]("moves N axes to given positions in a given time, without a jump"),
		block.Of[BridgeRef]("passes the generator's motion on as the controller's reference"),
		block.Of[Tour]("moves N axes from pose to pose, round and round"),
		block.Of[TorqueRobot]("a simulated robot whose joints are commanded torques"),
		block.Of[RobotModel]("robot model: gravity and inertia at each joint where the robot is"),
		block.Of[Drives]("the drives of one limb, between a robot and a controller on another host"),
		block.Of[Impedance]("joint impedance control with gravity compensation"),
	}
}
