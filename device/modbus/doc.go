// Package modbus is Modbus over serial lines (RTU) and TCP, for drivers and emulators: a [Client] that asks without waiting, and a [Server].
//
// Protocols: Modbus Application Protocol Specification V1.1b3; Modbus over Serial Line V1.02; Modbus Messaging on TCP/IP V1.0b. An RTU frame is
// the unit, function and data, and a CRC of 16 bits, its low byte first; a TCP frame has a header with a transaction number and length instead
// of the CRC:
//
//	RTU   unit  function  data…  CRC low  CRC high
//	TCP   transaction (2)  0 0  length (2)  unit  function  data…
//
// Functions: 3 and 4 (read registers), 6 and 16 (write), 23 (write and read).
package modbus

import (
	"errors"
	"fmt"
	"strings"
)

// Framing is how frames are separated.
type Framing uint8

// The framings.
const (
	RTU Framing = iota
	TCP
)

// FramingOf returns the framing that is usual for a channel: TCP for addresses of TCP, RTU for serial lines.
func FramingOf(address string) Framing {
	if strings.HasPrefix(address, "tcp") {
		return TCP
	}
	return RTU
}

// The functions.
const (
	ReadHolding       = 3
	ReadInput         = 4
	WriteOne          = 6
	WriteMultiple     = 16
	WriteReadMultiple = 23
)

// MaxRegisters is how many registers one request can read.
const MaxRegisters = 125

const (
	maxWritten = 121 // registers that a request can write in all functions
	maxFrame   = 260
	headerTCP  = 7 // with the unit
)

// The errors of an answer. Test for them with errors.Is.
var (
	ErrCRC  = errors.New("wrong CRC")
	ErrForm = errors.New("not an answer of Modbus to what was asked")
)

// ExceptionError is a request that the other end refuses.
type ExceptionError struct{ Function, Code byte }

// Error implements error.
func (e *ExceptionError) Error() string {
	meaning := map[byte]string{1: "illegal function", 2: "illegal address", 3: "illegal value", 4: "device failure", 6: "device busy"}[e.Code]
	if meaning == "" {
		meaning = "unknown"
	}
	return fmt.Sprintf("Modbus function %d is refused with exception %d (%s)", e.Function, e.Code, meaning)
}

// crc returns the CRC of an RTU frame, polynomial A001h.
func crc(frame []byte) uint16 {
	sum := uint16(0xffff)
	for _, b := range frame {
		sum ^= uint16(b)
		for range 8 {
			low := sum & 1
			sum >>= 1
			if low != 0 {
				sum ^= 0xa001
			}
		}
	}
	return sum
}

// begin appends what stands before the function.
func (f Framing) begin(b []byte, transaction uint16, unit byte) []byte {
	if f == TCP {
		b = append(b, byte(transaction>>8), byte(transaction), 0, 0, 0, 0)
	}
	return append(b, unit)
}

// end completes a frame.
func (f Framing) end(b []byte) []byte {
	if f == TCP {
		n := len(b) - headerTCP + 1
		b[4], b[5] = byte(n>>8), byte(n)
		return b
	}
	sum := crc(b)
	return append(b, byte(sum), byte(sum>>8))
}
