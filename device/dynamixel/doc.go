// Package dynamixel drives chains of Dynamixel servos over protocol 2.0, and emulates them.
//
// Protocol: ROBOTIS e-Manual, DYNAMIXEL Protocol 2.0; control table of the X series (XM430 and its kin). A packet is a header, the number of the servo,
// its length, an instruction, parameters, and a CRC of 16 bits; FF FF FD within it is followed by another FD:
//
//	FF FF FD 00  id  length (2)  instruction  parameters…  CRC (2)
//
// In each exchange the driver writes the goals of all servos by one sync write, and asks all for current, velocity and position by one sync read, which
// each answers in turn, or by one fast sync read, which all answer in one packet without FD stuffing:
//
//	FF FF FD 00  FE  length (2)  55  error  id  data…  CRC (2)  error  id  data…  CRC (2)  …
//
// A servo has no torque until it is commanded, and when the driver is stopped.
package dynamixel

import (
	"errors"
	"fmt"
)

// The instructions.
const (
	ping         = 0x01
	read         = 0x02
	write        = 0x03
	status       = 0x55
	syncRead     = 0x82
	syncWrite    = 0x83
	fastSyncRead = 0x8a
	broadcast    = 0xfe
)

// The items of the control table of the X series: address and bytes.
const (
	torqueAddress  = 64
	torqueBytes    = 1
	goalAddress    = 116
	goalBytes      = 4
	presentAddress = 126 // current (2 bytes), velocity (4), position (4)
	presentBytes   = 10
	tableBytes     = 147
)

// Units of the X series.
const (
	stepsPerTurn = 4096
	middle       = 2048                              // position of 0 rad
	velocityUnit = 0.229 * 2 * 3.14159265358979 / 60 // rad/s
	currentUnit  = 2.69e-3                           // A
)

// MaxServos is how many servos a chain can have; their numbers are 0 to 252.
const MaxServos = 32

// The errors of data that arrive. Test for them with errors.Is.
var (
	ErrCRC  = errors.New("wrong CRC")
	ErrForm = errors.New("not a packet of Dynamixel protocol 2.0")
)

// StatusError is an error that a servo reports.
type StatusError struct{ ID, Code byte }

// Error implements error.
func (e *StatusError) Error() string {
	if e.Code&0x80 != 0 {
		return fmt.Sprintf("servo %d reports an alert: voltage, temperature, encoder, electric shock or overload; read its hardware error status, and restart it", e.ID)
	}
	meaning := map[byte]string{1: "failed", 2: "unknown instruction", 3: "CRC", 4: "data range", 5: "data length", 6: "data limit", 7: "access"}[e.Code]
	return fmt.Sprintf("servo %d reports error %d (%s)", e.ID, e.Code, meaning)
}

// AbsentError is a servo that does not answer while others do.
type AbsentError struct{ ID byte }

// Error implements error.
func (e *AbsentError) Error() string { return fmt.Sprintf("servo %d does not answer", e.ID) }
