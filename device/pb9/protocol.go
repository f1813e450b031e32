package pb9

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The scanner.
const (
	Sectors = 91
	Reach   = 4.0 // m

	reachMillimetres = 4000
	aperture         = 1620   // 0.1°
	nothingSeen      = 0xffff // a distance: nothing within the reach
)

// Angles returns the angle of the first distance and that from one to the next, rad.
func Angles() (first, step float64) { return -81 * math.Pi / 180, 1.8 * math.Pi / 180 }

// The types of messages.
const (
	start    = 0x01
	stop     = 0x02
	started  = 0x81
	stopped  = 0x82
	scan     = 0x83
	overhead = 6 // bytes of a frame beside its data

	startedBytes = 5
	scanBytes    = 3 + 2*Sectors
	frameBytes   = overhead + 255 // of the longest frame
)

// The errors of data that arrive. Test for them with errors.Is.
var (
	ErrForm     = errors.New("not a frame of pb9")
	ErrCRC      = errors.New("wrong CRC")
	ErrDistance = errors.New("a distance is beyond the reach of 4 m")
	ErrScanner  = errors.New("the device does not describe itself as a PB9-11: 91 sectors over 162°, to 4 m")
)

// StatusError is an error that the scanner reports.
type StatusError struct {
	Status byte // 1: the motor does not reach its speed, 2: the laser fails, 3: the window is dirty; others are unknown
}

// Error implements error.
func (e *StatusError) Error() string {
	meaning := map[byte]string{1: "the motor does not reach its speed", 2: "the laser fails", 3: "the window is dirty"}[e.Status]
	if meaning == "" {
		meaning = "unknown"
	}
	return fmt.Sprintf("the scanner reports status %d (%s)", e.Status, meaning)
}

// crc returns the CRC-16/CCITT-FALSE of bytes.
func crc(b []byte) uint16 {
	sum := uint16(0xffff)
	for _, x := range b {
		sum ^= uint16(x) << 8
		for range 8 {
			high := sum & 0x8000
			sum <<= 1
			if high != 0 {
				sum ^= 0x1021
			}
		}
	}
	return sum
}

// begin appends the beginning of a frame with n bytes of data.
func begin(b []byte, kind byte, n int) []byte { return append(b, 'P', 'B', kind, byte(n)) }

// end completes the frame that begins at from.
func end(b []byte, from int) []byte { return binary.BigEndian.AppendUint16(b, crc(b[from+2:])) }

// next finds the first frame in what has arrived. used is how many bytes are done with, 0 if more must come; where they are no frame, err describes what is wrong with them.
func next(in []byte) (kind byte, data []byte, used int, err error) {
	skip := 0
	for skip < len(in) && !(in[skip] == 'P' && (skip+1 == len(in) || in[skip+1] == 'B')) {
		skip++
	}
	if skip > 0 {
		return 0, nil, skip, ErrForm
	}
	if len(in) < 4 {
		return 0, nil, 0, nil
	}
	n := int(in[3])
	if len(in) < overhead+n {
		return 0, nil, 0, nil
	}
	if crc(in[2:4+n]) != binary.BigEndian.Uint16(in[4+n:]) {
		return 0, nil, 1, ErrCRC
	}
	return in[2], in[4 : 4+n], overhead + n, nil
}

// metres returns a distance as device.Scan has it; ok is false for a value that is not sent.
func metres(mm uint16) (distance float64, ok bool) {
	switch {
	case mm == 0:
		return math.NaN(), true
	case mm == nothingSeen:
		return math.Inf(1), true
	}
	return float64(mm) / 1000, mm <= reachMillimetres
}
