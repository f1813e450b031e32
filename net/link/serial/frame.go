package serial

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	maxDatagram = 600 // bytes: a heartbeat of 13 ends fits, and takes a tenth of a second at 57,600 bit/s
	sumBytes    = 4
	frameBytes  = sumBytes + 3 // more than the datagram, at least: a zero at each end and the first length
	maxBody     = maxDatagram + sumBytes
	maxStuffed  = maxBody + maxBody/254 + 1
	maxFrame    = maxStuffed + 2 // with a zero at each end
)

// appendFrame appends a datagram as it goes over the line. body has room for maxBody bytes.
func appendFrame(to, datagram, body []byte) []byte {
	body = append(body[:0], datagram...)
	body = binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(datagram))
	return append(stuff(append(to, 0), body), 0)
}

// stuff appends data without zeros, by COBS: each block of up to 254 bytes other than zero follows its length plus one, and a block of
// less than 254 stands for itself and a zero, except the last one.
func stuff(to, data []byte) []byte {
	length := len(to) // the place of the block's length
	to = append(to, 1)
	for i, b := range data {
		if b == 0 {
			length = len(to)
			to = append(to, 1)
			continue
		}
		to = append(to, b)
		if to[length]++; to[length] == 0xff && i < len(data)-1 {
			length = len(to)
			to = append(to, 1)
		}
	}
	return to
}

// unstuff replaces stuffed data by the data, in place. ok is false if no data are stuffed that way.
func unstuff(b []byte) (data []byte, ok bool) {
	data = b[:0]
	for len(b) > 0 {
		n := int(b[0])
		if n == 0 || n > len(b) {
			return nil, false
		}
		data = append(data, b[1:n]...)
		if b = b[n:]; n < 0xff && len(b) > 0 {
			data = append(data, 0)
		}
	}
	return data, true
}

// open takes a datagram out of what stood between two zeros, in place; ok is false if it is damaged.
func open(b []byte) (datagram []byte, ok bool) {
	body, ok := unstuff(b)
	if !ok || len(body) < sumBytes {
		return nil, false
	}
	datagram = body[:len(body)-sumBytes]
	return datagram, binary.LittleEndian.Uint32(body[len(datagram):]) == crc32.ChecksumIEEE(datagram)
}

// deframer finds the datagrams in the bytes of a line.
type deframer struct {
	frame [maxStuffed]byte
	n     int
	long  bool // more bytes than a frame has have come without a zero
}

// feed takes bytes, and passes each datagram to take, or nil for each frame that is damaged. take must not keep the datagram.
func (d *deframer) feed(bytes []byte, take func(datagram []byte)) {
	for _, b := range bytes {
		switch {
		case b != 0 && d.n < len(d.frame):
			d.frame[d.n] = b
			d.n++
		case b != 0:
			d.long = true
		case d.n > 0:
			datagram, ok := open(d.frame[:d.n])
			if !ok || d.long {
				datagram = nil
			}
			d.n, d.long = 0, false
			take(datagram)
		}
	}
}
