// Package servo is the blocks of a servo system of N joints, after the components of Santini and Lages (2011): N comes
// from the configuration alone.
//
//	                    Generator ─► BridgeRef ─────────┐            references, planned ahead
//	                                                     ▼
//	Sampler ─ sample ─► Joint… ─► SensorNMux ─► ControllerNPID ─► ActuatorNDemux ─ act ─► Joint…
//	                     │ ▲                      │ ▲                                     │
//	                   Card…                     PID…                                   Card…
//
// In a cycle the Sampler's event makes every Joint read its sensor, SensorNMux collects positions and velocities, the
// controller hands each joint's error to its PID and collects the commands, and ActuatorNDemux gives them to the
// joints with one event, so that all act together. A Joint knows its hardware only as a block with the operations
// of a [Card], its peer: simulated and real cards are exchanged by one line of configuration.
//
// ControllerNPIDFF is the controller with feedforward: [InverseDynamics] gives the torques that the planned motion
// needs, [MotorInverse] the voltages for them.
//
// Robots whose joints are commanded torques have a net of their own, after the two-handed humanoid of Ott et al. (2006):
//
//	Tour ─► Impedance… ─► torque ─► (Drives…) ─► TorqueRobot
//	          ▲    ▲                                  │
//	          │    └── gravity, inertia ─ RobotModel ◄┤
//	          └──────── position, velocity ◄──────────┘
package servo
