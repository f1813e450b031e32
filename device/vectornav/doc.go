// Package vectornav reads inertial measurement units of VectorNav (VN-100, VN-200, VN-300) over their ASCII protocol, and emulates them.
//
// Protocol: VectorNav, VN-100 User Manual UM001. A message begins with $VN and ends with the exclusive or of the characters between $ and *, as two hexadecimal digits:
//
//	driver                       sensor
//	$VNWRG,06,14*59 ───────────▶          send YMR
//	                ◀─────────── the same
//	$VNWRG,07,100*6C ──────────▶          100 times a second
//	                ◀─────────── the same
//	                ◀─────────── $VNYMR, yaw, pitch, roll, magnetic field (3), acceleration (3), angular velocity (3)
//	$VNWRG,06,0*6C  ───────────▶          Stop
//
// The frame is the sensor's: z points down when it lies flat, so that the acceleration at rest is -9.81 m/s² along z.
package vectornav

import (
	"errors"
	"fmt"
	"slices"
)

// The errors of data that arrive. Test for them with errors.Is.
var (
	ErrForm     = errors.New("not a message of VectorNav")
	ErrChecksum = errors.New("wrong checksum")
	ErrNumber   = errors.New("a number of a YMR message cannot be read")
)

// SensorError is an error that the sensor reports.
type SensorError struct{ Code byte }

// Error implements error.
func (e *SensorError) Error() string {
	meaning := map[byte]string{
		1: "hard fault", 2: "serial buffer overflow", 3: "invalid checksum", 4: "invalid command", 5: "not enough parameters", 6: "too many parameters",
		7: "invalid parameter", 8: "invalid register", 9: "unauthorized access", 10: "watchdog reset", 11: "output buffer overflow", 12: "insufficient baud rate",
	}[e.Code]
	if meaning == "" {
		meaning = "unknown"
	}
	return fmt.Sprintf("the sensor reports error %d (%s)", e.Code, meaning)
}

// CheckRate checks the number of messages that a sensor sends in a second.
func CheckRate(rate int) error {
	if known := []int{1, 2, 4, 5, 10, 20, 25, 40, 50, 100, 200}; !slices.Contains(known, rate) {
		return fmt.Errorf("%d messages in a second: expected one of %v", rate, known)
	}
	return nil
}
