package dynamixel

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// The emulated servo: an XM430-W210, 77 turns a minute.
const (
	modelNumber = 1030
	firmware    = 38
	maxSpeed    = 77 * stepsPerTurn / 60.0 // steps a second
)

// Emulator is servos at the other end of a channel. It knows ping, read, write, sync read, fast sync read and sync write.
type Emulator struct {
	wire    wire.Wire
	servos  []emulated
	in, out []byte
}

// emulated is one servo.
type emulated struct {
	id       byte
	table    [tableBytes]byte
	position float64 // steps
	alert    bool
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns servos with the given numbers on an open channel, in their middle and without torque.
func NewEmulator(w wire.Wire, ids ...int) *Emulator {
	e := &Emulator{wire: w, in: make([]byte, 0, 4096), out: make([]byte, 0, 1<<14)}
	for _, id := range ids {
		s := emulated{id: byte(id), position: middle}
		binary.LittleEndian.PutUint16(s.table[:], modelNumber)
		s.table[6], s.table[7] = firmware, byte(id)
		binary.LittleEndian.PutUint32(s.table[goalAddress:], middle)
		s.move(0)
		e.servos = append(e.servos, s)
	}
	return e
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	for i := range e.servos {
		e.servos[i].move(dt)
	}
	var err error
	if e.in, err = driver.Receive(e.wire, e.in); err != nil {
		e.in, e.out = e.in[:0], e.out[:0]
		return driver.AwaitDriver(e.wire, err)
	}
	rest := e.in
	for {
		id, body, used, err := next(rest)
		if used == 0 {
			break
		}
		rest = rest[used:]
		if err == nil && len(e.out) < cap(e.out)/2 {
			e.answer(id, body[0], body[1:])
		}
	}
	e.in = e.in[:copy(e.in, rest)]
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// move lets time pass for a servo.
func (s *emulated) move(dt time.Duration) {
	before := s.position
	if s.table[torqueAddress] != 0 {
		goal := float64(int32(binary.LittleEndian.Uint32(s.table[goalAddress:])))
		most := maxSpeed * dt.Seconds()
		s.position = min(max(goal, before-most), before+most)
	}
	speed := 0.0
	if dt > 0 {
		speed = (s.position - before) / dt.Seconds() / stepsPerTurn * 2 * math.Pi
	}
	binary.LittleEndian.PutUint32(s.table[presentAddress+2:], uint32(int32(math.Round(speed/velocityUnit))))
	binary.LittleEndian.PutUint32(s.table[presentAddress+6:], uint32(int32(math.Round(s.position))))
}

func (e *Emulator) find(id byte) *emulated {
	if i := slices.IndexFunc(e.servos, func(s emulated) bool { return s.id == id }); i >= 0 {
		return &e.servos[i]
	}
	return nil
}

// reply sends a status.
func (e *Emulator) reply(s *emulated, code byte, data []byte) {
	if s.alert {
		code |= 0x80
	}
	from := len(e.out)
	e.out = end(append(append(begin(e.out, s.id, status), code), data...), from)
}

func (e *Emulator) answer(id, instruction byte, p []byte) {
	switch instruction {
	case ping:
		for i := range e.servos {
			if s := &e.servos[i]; id == broadcast || id == s.id {
				e.reply(s, 0, []byte{modelNumber & 0xff, modelNumber >> 8, firmware})
			}
		}
	case read, write:
		if s := e.find(id); s != nil {
			e.access(s, instruction, p)
		}
	case syncRead:
		if len(p) < 4 {
			return
		}
		for _, id := range p[4:] {
			if s := e.find(id); s != nil {
				e.access(s, read, p[:4])
			}
		}
	case fastSyncRead:
		e.answerTogether(p)
	case syncWrite:
		if len(p) < 4 {
			return
		}
		n := int(binary.LittleEndian.Uint16(p[2:]))
		for rest := p[4:]; len(rest) >= 1+n; rest = rest[1+n:] {
			if s := e.find(rest[0]); s != nil {
				s.write(int(binary.LittleEndian.Uint16(p)), rest[1:1+n])
			}
		}
	default:
		if s := e.find(id); s != nil {
			e.reply(s, 2, nil)
		}
	}
}

// answerTogether answers a fast sync read: each servo continues the packet, with the CRC of all before. One that is not there breaks it off.
func (e *Emulator) answerTogether(p []byte) {
	if len(p) < 5 {
		return
	}
	at, n := int(binary.LittleEndian.Uint16(p)), int(binary.LittleEndian.Uint16(p[2:]))
	ids := p[4:]
	length := 1 + len(ids)*(n+4)
	if at+n > tableBytes || length > maxLength {
		return
	}
	from := len(e.out)
	for i, id := range ids {
		s := e.find(id)
		if s == nil {
			return
		}
		if i == 0 {
			e.out = begin(e.out, broadcast, status)
			binary.LittleEndian.PutUint16(e.out[from+5:], uint16(length))
		}
		code := byte(0)
		if s.alert {
			code = 0x80
		}
		e.out = append(append(e.out, code, id), s.table[at:at+n]...)
		e.out = binary.LittleEndian.AppendUint16(e.out, crc(e.out[from:]))
	}
}

// access answers read and write.
func (e *Emulator) access(s *emulated, instruction byte, p []byte) {
	if len(p) < 3 {
		e.reply(s, 5, nil)
		return
	}
	at := int(binary.LittleEndian.Uint16(p))
	if instruction == write {
		e.reply(s, s.write(at, p[2:]), nil)
		return
	}
	n := 0
	if len(p) == 4 {
		n = int(binary.LittleEndian.Uint16(p[2:]))
	}
	if n == 0 || at+n > tableBytes {
		e.reply(s, 7, nil)
		return
	}
	e.reply(s, 0, s.table[at:at+n])
}

// write writes the control table, and returns an error's code: only torque and goal can be written.
func (s *emulated) write(at int, data []byte) byte {
	switch {
	case at == torqueAddress && len(data) == torqueBytes && data[0] <= 1, at == goalAddress && len(data) == goalBytes:
		copy(s.table[at:], data)
		return 0
	case at == torqueAddress || at == goalAddress:
		return 5
	}
	return 7
}
