// Package mobile is the blocks of vehicles on wheels and tracks:
//
//	             ┌─────────┐ speeds   ┌────────────────────────┐
//	command ───► │ Tracked ├────────► │ the vehicle, simulated │
//	             │         │◄──────── │ by SimSkidSteer, or    │
//	    pose ◄───┤         │◄──────── │ its drivers            │
//	             └─────────┘  wheels, └────────────────────────┘
//	                          gyro
//
// [Differential], [Tracked], [Ackermann] and [Mecanum] have two directions. Control turns a velocity of the vehicle into speeds of its wheels;
// Sense turns the angles of the wheels, and where there are any a gyroscope and a compass, into a pose with its uncertainty: dead reckoning, by
// package robot/mobile. [SimSkidSteer] is a vehicle whose wheels roll and skid by the forces of the ground. [Deviation] compares a pose with the
// truth. [Attitude] is the rotation in space of an IMU.
package mobile

import (
	"embed"

	"github.com/sinew-robotics/sinew/net/block"
)

//go:embed ackermann.go attitude.go blocks.go deviation.go differential.go mecanum.go reckoning.go simskidsteer.go
//go:embed tracked.go
var sources embed.FS // for the doc comments of the blocks

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Differential]("a vehicle with a wheel on each side: speeds of its wheels, and dead reckoning"),
		block.Of[Tracked]("a vehicle on tracks, or that turns by skidding: speeds of its tracks, and dead reckoning"),
		block.Of[Ackermann]("a vehicle that steers its front wheels: speed and steering angle, and dead reckoning"),
		block.Of[Mecanum]("a vehicle with four mecanum wheels: speeds of its wheels, and dead reckoning"),
		block.Of[Attitude]("the rotation of an IMU from gyroscope, accelerometer and magnetometer"),
		block.Of[Deviation]("how far an estimated pose is from the true one, and whether its covariance explains that"),
		block.Of[SimSkidSteer]("a simulated vehicle on wheels that turns by skidding, with encoders and a gyroscope"),
	)
}
