// Package sim is a simulated robot as a device: volts go in, the counts of encoders come out, and in between are the
// robot's dynamics, its motors, gears, friction, brakes and stops (package robot/sim), the steps of the amplifier's
// converter and those of the encoder.
//
// A [Robot] is loaded from a description, which holds links and joints, and a file of drives, which holds the rest; see
// [ReadDrives] for its format. Each axis has the facets of an actuator card: encoder, voltage, power, brake; and its true position, velocity
// and current.
//
// [Joints] are ideal joints, which follow positions, velocities, torques or currents. [Instruments] have all other facets: their sensors
// measure a [World] that the program sets.
//
// Time advances in Step alone, by exactly its dt. A voltage commanded between two steps acts during the whole of the
// second one, as a sample-and-hold amplifier's does. The same commands give the same readings bit for bit.
package sim
