package janus

import "time"

// Bus is a model of the CAN bus of the paper, at 1 Mbit/s: a transfer keeps its caller waiting for as long as its frames take on the wire. The
// zero value takes no time.
type Bus struct {
	Rate float64 // bit/s; 0: no bus
}

// Bits of frames in the base format of CAN 2.0 without stuffed bits: 44 beside the data, and 3 between frames (ISO 11898-1).
const frameBits = 47

// Transfer waits for frames of the given numbers of data bytes.
func (b *Bus) Transfer(frames ...int) {
	if b.Rate == 0 {
		return
	}
	bits := 0
	for _, data := range frames {
		bits += frameBits + 8*data
	}
	for end := time.Now().Add(time.Duration(float64(bits) / b.Rate * float64(time.Second))); time.Now().Before(end); {
	}
}

// Read waits for a request without data and an answer with a count of four bytes.
func (b *Bus) Read() { b.Transfer(0, 4) }

// Write waits for a command with a voltage of four bytes.
func (b *Bus) Write() { b.Transfer(4) }
