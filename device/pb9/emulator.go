package pb9

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// period is the time from scan to scan.
const period = 100 * time.Millisecond

// View returns the distance in m that a scanner sees at an angle in rad at a time since its start; +Inf: nothing, NaN: no valid measurement.
type View func(angle float64, at time.Duration) float64

// Emulator is a scanner at the other end of a channel.
type Emulator struct {
	// Status is what it reports; 0: all is well.
	Status byte

	wire      wire.Wire
	view      View
	now, next time.Duration
	scans     bool
	number    uint16
	in, out   []byte
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a scanner on an open channel.
func NewEmulator(w wire.Wire, v View) *Emulator {
	return &Emulator{wire: w, view: v, in: make([]byte, 0, 8*frameBytes), out: make([]byte, 0, 16*frameBytes)}
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.now += dt
	if err := e.listen(); err != nil {
		e.in, e.out, e.scans, e.next = e.in[:0], e.out[:0], false, e.now
		return driver.AwaitDriver(e.wire, err)
	}
	for ; e.next <= e.now; e.next += period {
		if e.scans && len(e.out) < cap(e.out)/2 {
			e.scan()
		}
	}
	var err error
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// listen answers what has arrived.
func (e *Emulator) listen() error {
	for {
		n, err := e.wire.Read(e.in[len(e.in):cap(e.in)])
		if err != nil || n == 0 {
			return err
		}
		e.in = e.in[:len(e.in)+n]
		rest := e.in
		for {
			kind, data, used, err := next(rest)
			if used == 0 {
				break
			}
			rest = rest[used:]
			if err == nil && len(data) == 0 && len(e.out) < cap(e.out)/2 {
				e.answer(kind)
			}
		}
		e.in = e.in[:copy(e.in, rest)]
	}
}

// answer answers a request; others are dropped.
func (e *Emulator) answer(kind byte) {
	from := len(e.out)
	switch kind {
	case start:
		e.scans, e.number, e.next = true, 0, e.now
		e.out = append(begin(e.out, started, startedBytes), Sectors)
		e.out = binary.BigEndian.AppendUint16(e.out, aperture)
		e.out = end(binary.BigEndian.AppendUint16(e.out, reachMillimetres), from)
	case stop:
		e.scans = false
		e.out = end(begin(e.out, stopped, 0), from)
	}
}

// scan sends what the scanner sees.
func (e *Emulator) scan() {
	from := len(e.out)
	e.number++
	e.out = begin(e.out, scan, scanBytes)
	e.out = append(binary.BigEndian.AppendUint16(e.out, e.number), e.Status)
	first, step := Angles()
	for i := range Sectors {
		e.out = binary.BigEndian.AppendUint16(e.out, millimetres(e.view(first+float64(i)*step, e.now)))
	}
	e.out = end(e.out, from)
}

// millimetres returns a distance as it is sent.
func millimetres(x float64) uint16 {
	switch mm := math.Round(1000 * x); {
	case mm > reachMillimetres:
		return nothingSeen
	case mm >= 1:
		return uint16(mm)
	}
	return 0
}
