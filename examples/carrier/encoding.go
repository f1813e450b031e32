package main

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Encoding returns the encoding single: a float64 travels as the nearest float32, in half of its bytes.
func Encoding() link.Encoding {
	return link.Encoding{Name: "single", Doc: "One float64 as float32.", New: newSingle}
}

// single is both halves of the encoding.
type single struct{ tooLarge error }

func newSingle(layout *schema.Layout, options map[string]string) (link.Codec, error) {
	switch {
	case layout.Type().Kind() != schema.Float64:
		return nil, errors.New("wants a float64, not " + layout.Type().Name())
	case len(options) > 0:
		return nil, errors.New("takes no options")
	}
	return &single{errors.New("a number beyond ±3.4e38 was sent as infinite")}, nil
}

const cdrHead = 4 // before each value in CDR: 00 01 00 00

// Size implements link.Codec.
func (*single) Size() int { return 4 }

// Encode implements link.Codec.
func (s *single) Encode(into, packet []byte) (n int, err error) {
	x := math.Float64frombits(binary.LittleEndian.Uint64(packet[cdrHead:]))
	f := float32(x)
	if math.IsInf(float64(f), 0) && !math.IsInf(x, 0) {
		err = s.tooLarge
	}
	binary.LittleEndian.PutUint32(into, math.Float32bits(f))
	return 4, err
}

// Decode implements link.Codec.
func (*single) Decode(into, encoded []byte) (n int, ok bool) {
	if len(encoded) != 4 {
		return 0, false
	}
	copy(into, "\x00\x01\x00\x00")
	x := float64(math.Float32frombits(binary.LittleEndian.Uint32(encoded)))
	binary.LittleEndian.PutUint64(into[cdrHead:], math.Float64bits(x))
	return cdrHead + 8, true
}
