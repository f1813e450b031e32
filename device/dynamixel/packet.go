package dynamixel

import "encoding/binary"

const (
	headerBytes = 7
	maxLength   = 1024 // of instruction, parameters and CRC
)

// crc returns the CRC of a packet, polynomial 8005h, the highest bit first.
func crc(packet []byte) uint16 {
	sum := uint16(0)
	for _, b := range packet {
		sum ^= uint16(b) << 8
		for range 8 {
			high := sum & 0x8000
			sum <<= 1
			if high != 0 {
				sum ^= 0x8005
			}
		}
	}
	return sum
}

// begin appends the beginning of a packet.
func begin(b []byte, id, instruction byte) []byte {
	return append(b, 0xff, 0xff, 0xfd, 0, id, 0, 0, instruction)
}

// end completes the packet that begins at from: bytes are stuffed, length and CRC are set.
func end(b []byte, from int) []byte {
	for i := from + headerBytes + 2; i < len(b); i++ {
		if b[i] == 0xfd && b[i-1] == 0xff && b[i-2] == 0xff {
			b = append(b, 0)
			copy(b[i+1:], b[i:])
			b[i+1] = 0xfd
			i++
		}
	}
	binary.LittleEndian.PutUint16(b[from+5:], uint16(len(b)-from-headerBytes+2))
	return binary.LittleEndian.AppendUint16(b, crc(b[from:]))
}

// next finds the first packet in what has arrived. used is how many bytes are done with, 0 if more must come; body is instruction and parameters without stuffing, in the memory of
// in; it is nil where bytes are no packet, and err describes what is wrong with them.
func next(in []byte) (id byte, body []byte, used int, err error) {
	start := 0
	for start+3 < len(in) && !(in[start] == 0xff && in[start+1] == 0xff && in[start+2] == 0xfd && in[start+3] == 0) {
		start++
	}
	if start > 0 {
		return 0, nil, start, ErrForm
	}
	if len(in) < headerBytes {
		return 0, nil, 0, nil
	}
	length := int(binary.LittleEndian.Uint16(in[5:]))
	if length < 3 || length > maxLength {
		return 0, nil, 4, ErrForm
	}
	used = headerBytes + length
	if len(in) < used {
		return 0, nil, 0, nil
	}
	if crc(in[:used-2]) != binary.LittleEndian.Uint16(in[used-2:]) {
		return 0, nil, 4, ErrCRC // a packet may begin within it
	}
	body = in[headerBytes : used-2]
	if in[4] == broadcast && body[0] == status { // the answer to a fast sync read
		return in[4], body, used, nil
	}
	n, stuffed := 0, false
	for _, x := range body {
		if stuffed {
			stuffed = false
			if x == 0xfd {
				continue
			}
		}
		body[n] = x
		n++
		stuffed = x == 0xfd && n >= 3 && body[n-2] == 0xff && body[n-3] == 0xff
	}
	return in[4], body[:n], used, nil
}
