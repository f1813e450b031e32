package rdt

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Emulator is a force-torque sensor at the other end of a channel.
type Emulator struct {
	// Load is what acts on it, N and N m.
	Load [6]float64
	// Status is what it reports; bit 31: an error.
	Status uint32

	wire      wire.Wire
	o         Options
	period    time.Duration
	now, next time.Duration
	sends     bool
	remain    uint32 // records; 0: without end
	sequence  uint32 // since the start of the stream
	measured  uint32 // since the sensor was switched on
	zero      [6]float64
	buffer    [64]byte
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a sensor on an open channel that sends a record each period, which is more than 0.
func NewEmulator(w wire.Wire, o Options, period time.Duration) *Emulator {
	if period <= 0 {
		panic("rdt: the period of an emulator must be more than 0")
	}
	return &Emulator{wire: w, o: o.complete(), period: period}
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.now += dt
	for {
		n, err := e.wire.Read(e.buffer[:])
		if err != nil {
			e.sends = false
			e.next = e.now
			return driver.AwaitDriver(e.wire, err)
		}
		if n == 0 {
			break
		}
		e.answer(e.buffer[:n])
	}
	for ; e.next <= e.now; e.next += e.period {
		e.measured++
		if !e.sends {
			continue
		}
		e.sequence++
		if _, err := e.wire.Write(e.record()); err != nil {
			return driver.AwaitDriver(e.wire, err)
		}
		if e.remain > 0 {
			e.remain--
			e.sends = e.remain > 0
		}
	}
	return nil
}

// answer takes a request; others are dropped.
func (e *Emulator) answer(b []byte) {
	if len(b) != requestBytes || binary.BigEndian.Uint16(b) != mark {
		return
	}
	switch binary.BigEndian.Uint16(b[2:]) {
	case stop:
		e.sends = false
	case uint16(e.o.start()):
		e.sends, e.sequence, e.remain = true, 0, binary.BigEndian.Uint32(b[4:])
	case setZero:
		e.zero = e.Load
	}
}

// record makes a record of the present load.
func (e *Emulator) record() []byte {
	b := binary.BigEndian.AppendUint32(e.buffer[:0], e.sequence)
	b = binary.BigEndian.AppendUint32(b, e.measured)
	b = binary.BigEndian.AppendUint32(b, e.Status)
	for i, x := range e.Load {
		counts := e.o.CountsPerForce
		if i >= 3 {
			counts = e.o.CountsPerTorque
		}
		b = binary.BigEndian.AppendUint32(b, uint32(int32(min(max(math.Round((x-e.zero[i])*counts), math.MinInt32), math.MaxInt32))))
	}
	return b
}
