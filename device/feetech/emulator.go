package feetech

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// The emulated servo: an STS3215, 45 turns a minute.
const (
	modelNumber = 777
	maxSpeed    = 45 * stepsPerTurn / 60.0 // steps a second
)

// Emulator is servos at the other end of a channel. It knows ping, read, write, sync read and sync write; goals are followed at full speed.
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
	alert    byte    // the error of its answers
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns servos with the given numbers on an open channel, in their middle and without torque.
func NewEmulator(w wire.Wire, ids ...int) *Emulator {
	e := &Emulator{wire: w, in: make([]byte, 0, 4096), out: make([]byte, 0, 1<<14)}
	for _, id := range ids {
		s := emulated{id: byte(id), position: middle}
		binary.LittleEndian.PutUint16(s.table[3:], modelNumber)
		s.table[5] = byte(id)
		s.table[voltageAddress], s.table[voltageAddress+1] = 121, 30 // 12.1 V, 30 °C
		binary.LittleEndian.PutUint16(s.table[goalAddress:], middle)
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
		most := maxSpeed * dt.Seconds()
		s.position = min(max(signed(s.table[goalAddress:]), before-most), before+most)
	}
	speed := 0.0
	if dt > 0 {
		speed = (s.position - before) / dt.Seconds()
	}
	present := appendSigned(s.table[presentAddress:presentAddress], int(math.Round(s.position)))
	appendSigned(present, int(math.Round(speed)))
}

func (e *Emulator) find(id byte) *emulated {
	if i := slices.IndexFunc(e.servos, func(s emulated) bool { return s.id == id }); i >= 0 {
		return &e.servos[i]
	}
	return nil
}

// reply sends the answer of a servo.
func (e *Emulator) reply(s *emulated, data []byte) {
	from := len(e.out)
	e.out = end(append(begin(e.out, s.id, s.alert), data...), from)
}

// answer answers a request; others, and those whose parameters make no sense, are dropped, as servos do.
func (e *Emulator) answer(id, instruction byte, p []byte) {
	s := e.find(id)
	switch {
	case instruction == ping && s != nil:
		e.reply(s, nil)
	case instruction == ping && id == broadcast && len(e.servos) == 1: // several would answer at once
		e.reply(&e.servos[0], nil)
	case instruction == read && s != nil && len(p) == 2:
		e.send(s, p)
	case instruction == write && s != nil && len(p) > 1:
		s.write(p[0], p[1:])
		e.reply(s, nil)
	case instruction == write && id == broadcast && len(p) > 1:
		for i := range e.servos {
			e.servos[i].write(p[0], p[1:])
		}
	case instruction == syncRead && len(p) > 2:
		for _, id := range p[2:] {
			if s := e.find(id); s != nil {
				e.send(s, p[:2])
			}
		}
	case instruction == syncWrite && len(p) > 2:
		n := int(p[1])
		for rest := p[2:]; len(rest) >= 1+n; rest = rest[1+n:] {
			if s := e.find(rest[0]); s != nil {
				s.write(p[0], rest[1:1+n])
			}
		}
	}
}

// send answers a read: address and number of bytes.
func (e *Emulator) send(s *emulated, p []byte) {
	if at, n := int(p[0]), int(p[1]); at+n <= tableBytes {
		e.reply(s, s.table[at:at+n])
	}
}

// write writes the memory table: torque, goal, and with it time and speed; the rest is read only.
func (s *emulated) write(at byte, data []byte) {
	for i, x := range data {
		if k := int(at) + i; k >= torqueAddress && k < goalAddress+6 {
			s.table[k] = x
		}
	}
}
