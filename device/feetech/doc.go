// Package feetech drives chains of Feetech servos of the STS series, and emulates them.
//
// Protocol: Feetech, Communication Protocol User Manual (magnetic encoder servos), and the memory table of the STS3215. A packet is a header, the number of the servo, the length of what
// follows, an instruction or the error of an answer, parameters, and a checksum, the complement of the sum behind the header. Numbers of two bytes have the low byte first; a negative one is its
// magnitude with bit 15:
//
//	FF FF  id  length  instruction  parameters…  checksum
//
// Each exchange writes the goals of all servos by one sync write, and asks all for position, speed, load and current by one sync read, which each answers in turn. A servo has no torque until it is
// commanded, and when the driver is stopped.
package feetech

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// The instructions.
const (
	ping      = 0x01
	read      = 0x02
	write     = 0x03
	syncRead  = 0x82
	syncWrite = 0x83
	broadcast = 0xfe
)

// The items of the memory table: address and bytes.
const (
	torqueAddress  = 40
	torqueBytes    = 1
	goalAddress    = 42
	goalBytes      = 2
	presentAddress = 56
	presentBytes   = 15 // position (2), speed (2), load (2), voltage, temperature, flag, status, moving, two unused, current (2)
	currentOffset  = 13
	voltageAddress = 62
	tableBytes     = 71
)

// Units of the STS series.
const (
	stepsPerTurn = 4096
	middle       = 2048 // position of 0 rad
	step         = 2 * math.Pi / stepsPerTurn
	currentUnit  = 6.5e-3 // A
)

// MaxServos is how many servos a chain can have; their numbers are 0 to 253.
const MaxServos = 32

// The errors of data that arrive. Test for them with errors.Is.
var (
	ErrChecksum = errors.New("wrong checksum")
	ErrForm     = errors.New("not a packet of Feetech servos")
)

// StatusError is an error that a servo reports.
type StatusError struct {
	ID   byte // number of the servo, 0 to 253
	Code byte // bits: 0 voltage, 1 encoder, 2 temperature, 3 current, 5 overload; not 0
}

// Error implements error.
func (e *StatusError) Error() string {
	var list []string
	for i, name := range [...]string{"voltage", "encoder", "temperature", "current", "", "overload"} {
		if e.Code&(1<<i) != 0 && name != "" {
			list = append(list, name)
		}
	}
	if list == nil {
		list = []string{"unknown"}
	}
	return fmt.Sprintf("servo %d reports error %02Xh (%s)", e.ID, e.Code, strings.Join(list, ", "))
}

// AbsentError is a servo that does not answer while others do.
type AbsentError struct{ ID byte }

// Error implements error.
func (e *AbsentError) Error() string { return fmt.Sprintf("servo %d does not answer", e.ID) }

// CheckIDs checks the numbers of the servos of a chain: 1 to [MaxServos] of them, from 0 to 253, each once. The error names the first that is
// wrong.
func CheckIDs(ids []int) error {
	if len(ids) == 0 || len(ids) > MaxServos {
		return fmt.Errorf("%d servos: expected 1 to %d", len(ids), MaxServos)
	}
	seen := map[int]bool{}
	for _, id := range ids {
		if id < 0 || id > 253 || seen[id] {
			return fmt.Errorf("servo %d: expected a number from 0 to 253, each once", id)
		}
		seen[id] = true
	}
	return nil
}
