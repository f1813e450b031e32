// Package nmea reads satellite receivers that speak NMEA 0183, and emulates them.
//
// Protocol: NMEA 0183, as the receivers' manuals and Raymond, "NMEA Revealed" (gpsd.io), describe it. A receiver sends sentences of ASCII without being asked:
//
//	$ talker (2 letters) type (3 letters) , field , … * checksum \r\n
//
// The checksum is the exclusive or of the characters between $ and *, as two hexadecimal digits; a sentence without one is refused. The talker is ignored: GP, GN, GA and all others
// mean the same. The driver reads
//
//	GGA  time, position, quality, satellites, height: each one is a solution
//	RMC  course and speed over ground
//	GSA  whether the height is measured (3D) or assumed (2D)
//	GST  standard deviations
//
// and needs GGA. Other sentences are ignored. The driver sends nothing.
package nmea

import (
	"errors"
	"fmt"
)

// The errors of data that arrive. Test for them with errors.Is.
var (
	ErrForm     = errors.New("not a sentence of NMEA 0183")
	ErrChecksum = errors.New("wrong checksum")
	ErrNoGGA    = errors.New("the receiver sends no GGA sentences: switch them on")
)

// FieldError is a field of a sentence that cannot be read.
type FieldError struct {
	Type  [3]byte
	Field int // from 1, the first one behind the type
}

// Error implements error.
func (e *FieldError) Error() string {
	return fmt.Sprintf("field %d of a %s sentence cannot be read", e.Field, e.Type[:])
}
