// Package servo is the blocks of a servo system of N joints, after the components of Santini and Lages (2011): N comes
// from the configuration alone.
//
//	                    Generator ─► BridgeRef ─────────┐            references, planned ahead
//	                                                     ▼
//	Sampler ─ sample ─► Joint… ─► SensorNMux ─► ControllerNPID ─► ActuatorNDemux ─ acted ─► Joint…
//	                     │ ▲                      │ ▲                                       │
//	                   Card…                     PID…                                     Card…
//
// A cycle begins with the Sampler's event. Every Joint reads its sensor; SensorNMux, the controller and ActuatorNDemux are armed
// by it and wait for data. SensorNMux collects positions and displacements, the controller writes each joint's reference and
// position to its PID and collects the commands, and ActuatorNDemux gives them to the joints with one event, so that all act
// together. A Joint knows its hardware only as a block with the operations of a [Card], its peer: simulated and real cards are
// exchanged by one line of configuration.
//
// ControllerNPIDFF is the controller with feedforward: behind its ports in_model and out_model, [InverseDynamics] gives the
// torques that the planned motion needs, [MotorInverse] the voltages for them.
//
// [Sensor], [Controller] and [Actuator] are the base models with this sampling policy: a type of one's own embeds one of them and
// replaces SampleNow, ControllerNow or ActNow.
//
// [PoseSequence] is a Generator that moves from pose to pose. Robots whose joints are commanded torques have blocks of their own
// in package parts/torque.
//
// [Program] executes programs of moves.
//
// # Goroutines
//
// A started Program owns one, which compiles programs: Start starts it, Close ends it.
package servo
