// Package device is the contract between a program and hardware: one life cycle for all devices, and small
// interfaces, facets, for the senses and actuators of a device or a part of it.
//
// A driver is a Go type that implements [Device] and provides its facets, on itself or on parts such as the axes of a
// robot. It passes the conformance suite in package devicetest.
//
// # Facets
//
// A facet is found by type assertion, on a device or on a part of it:
//
//	if s, ok := part.(device.JointVelocitySensor); ok { … s.JointVelocity() … }
//
//	joints        [Encoder], [JointPositionSensor], [JointVelocitySensor], [JointTorqueSensor], [CurrentSensor];
//	              [JointPositionActuator], [JointVelocityActuator], [JointTorqueActuator], [CurrentDrive], [VoltageDrive];
//	              [MotorPower], [Brake]; [AxisController] has several of them
//	tools         [Gripper], [ForceTorqueSensor]
//	surroundings  [RangeSensor], [Scanner], [Camera]
//	motion        [IMU], [Odometer]
//	signals       [DigitalInputs], [DigitalOutputs], [AnalogInputs], [AnalogOutputs]
//
// Package device/sim simulates all of them.
//
// # Cyclic exchange
//
// A device has no thread of its own. Its owner calls Step once per control cycle, and only Step exchanges data with
// the hardware: it sends the commands given to the facets since the last Step and reads new values. Facets only read
// and write memory, so a controller sees one consistent set of readings in a cycle, and all its commands are sent
// together.
//
// Facets and Step are called from one goroutine, or one at a time. Neither allocates: both belong to the control cycle.
//
// # Safe state
//
// A device that is not started is safe: motors without power, brakes applied. Start begins the exchange but powers
// nothing; each actuator must be powered explicitly. Stop, Close and a failed step return to the safe state.
package device
