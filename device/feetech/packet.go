package feetech

import "encoding/binary"

const (
	headerBytes = 4
	maxLength   = 250 // of instruction, parameters and checksum
	negative    = 1 << 15
)

// checksum returns the complement of the sum of bytes.
func checksum(b []byte) (sum byte) {
	for _, x := range b {
		sum += x
	}
	return ^sum
}

// begin appends the beginning of a packet.
func begin(b []byte, id, instruction byte) []byte {
	return append(b, 0xff, 0xff, id, 0, instruction)
}

// end completes the packet that begins at from.
func end(b []byte, from int) []byte {
	b[from+3] = byte(len(b) - from - headerBytes + 1)
	return append(b, checksum(b[from+2:]))
}

// next finds the first packet in what has arrived. used is how many bytes are done with, 0 if more must come; body is the instruction, or the error of an answer, and parameters; it is nil
// where bytes are no packet, and err describes what is wrong with them.
func next(in []byte) (id byte, body []byte, used int, err error) {
	skip := 0
	for skip < len(in) && (in[skip] != 0xff || skip+1 < len(in) && in[skip+1] != 0xff || skip+2 < len(in) && in[skip+2] == 0xff) {
		skip++
	}
	if skip > 0 {
		return 0, nil, skip, ErrForm
	}
	if len(in) < headerBytes {
		return 0, nil, 0, nil
	}
	length := int(in[3])
	if length < 2 || length > maxLength {
		return 0, nil, 1, ErrForm
	}
	used = headerBytes + length
	if len(in) < used {
		return 0, nil, 0, nil
	}
	if checksum(in[2:used-1]) != in[used-1] {
		return 0, nil, 1, ErrChecksum // a packet may begin within it
	}
	return in[2], in[headerBytes : used-1], used, nil
}

// signed returns a number as the servos have it.
func signed(b []byte) float64 {
	x := binary.LittleEndian.Uint16(b)
	if x&negative != 0 {
		return -float64(x &^ negative)
	}
	return float64(x)
}

// appendSigned appends a number as the servos have it.
func appendSigned(b []byte, x int) []byte {
	if x < 0 {
		return binary.LittleEndian.AppendUint16(b, uint16(min(-x, negative-1))|negative)
	}
	return binary.LittleEndian.AppendUint16(b, uint16(min(x, negative-1)))
}
