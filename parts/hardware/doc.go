// Package hardware is devices as blocks: each facet of package device is a block, whose parameter driver names what is behind it. From
// simulation to hardware it is one line in the system file:
//
//	laser: {type: hardware.Scanner, thread: main, params: {driver: sim, address: "serial:///dev/ttyACM0"}}
//	                                                       driver: scip
//
// A device that is absent, unplugged or silent puts nothing into error: the outputs of its block take their safe values, the operator reads
// a warning that names device, port and reason, and the block works again when the device does.
package hardware

import (
	"embed"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

//go:embed doc.go forcetorque.go gnss.go gripper.go imu.go joints.go scanner.go
var sources embed.FS // for the doc comments of the blocks

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Scanner]("a laser scanner, simulated or real"),
		block.Of[Joints]("joints of an arm or a chain of servos that are commanded positions, simulated or real"),
		block.Of[ForceTorque]("a force-torque sensor, simulated or real"),
		block.Of[GNSS]("a satellite receiver, simulated or real"),
		block.Of[IMU]("an inertial measurement unit, simulated or real"),
		block.Of[Gripper]("a gripper with two fingers, simulated or real"),
	)
}

// unknownDriver returns the error of a driver that a block does not have.
func unknownDriver(name string, known ...string) error {
	return &port.ParamError{Param: "driver", Err: fmt.Errorf("driver %q: expected %s%s", name, strings.Join(known, ", "), nearest.Hint(name, known))}
}

// badAddress returns the error of an address that a driver does not take.
func badAddress(err error) error { return &port.ParamError{Param: "address", Err: err} }

// life is the life of a block's device.
type life struct {
	device  device.Device
	trouble block.Trouble
}

// Start opens and starts the device. That it is absent, its first step reports.
func (l *life) Start() error {
	if err := l.device.Open(); err != nil {
		return err
	}
	return l.device.Start()
}

// step steps the device. ok reports whether it has readings; without them and without an error it is connecting.
func (l *life) step(t clock.Tick) (ok bool, err error) {
	err = l.device.Step(t.Dt)
	if err == nil {
		return true, nil
	}
	if f, is := err.(*device.Fault); is && f.Why == device.ErrConnecting { // errors.Is would allocate
		return false, nil
	}
	l.trouble.Why = err
	return false, &l.trouble
}

// Stop brings the device into its safe state.
func (l *life) Stop() error { return l.device.Stop() }

// Close releases the device.
func (l *life) Close() error { return l.device.Close() }
