package vectornav

import (
	"bytes"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Emulator is a sensor at the other end of a channel. It takes the commands that set its message, YMR or none, and its rate.
type Emulator struct {
	// Velocity and Acceleration are what it measures, rad/s and m/s².
	Velocity, Acceleration spatial.Vec3

	wire      wire.Wire
	sends     bool
	period    time.Duration
	now, next time.Duration
	lines     lines
	out       []byte
	buffer    [256]byte
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a sensor on an open channel that lies flat and at rest.
func NewEmulator(w wire.Wire) *Emulator {
	return &Emulator{Acceleration: spatial.Vec3{Z: -9.81}, wire: w, period: time.Second / 40, out: make([]byte, 0, 4096)}
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.now += dt
	for {
		n, err := e.wire.Read(e.buffer[:])
		if err != nil {
			e.out, e.sends, e.next, e.lines.n = e.out[:0], false, e.now, 0
			return driver.AwaitDriver(e.wire, err)
		}
		if n == 0 {
			break
		}
		for _, b := range e.buffer[:n] {
			if line, ok := e.lines.next(b); ok && len(e.out) < cap(e.out)/2 {
				e.answer(line)
			}
		}
	}
	for ; e.next <= e.now; e.next += e.period {
		if e.sends && len(e.out) < cap(e.out)/2 {
			e.measure()
		}
	}
	var err error
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// answer answers a command by its echo, or by an error.
func (e *Emulator) answer(line []byte) {
	body, err := parse(line)
	if err != nil {
		e.fail(3)
		return
	}
	value, ok := bytes.CutPrefix(body, []byte("VNWRG,"))
	if !ok {
		e.fail(4)
		return
	}
	register, value, _ := bytes.Cut(value, []byte(","))
	n, err := strconv.Atoi(string(value))
	switch {
	case string(register) != "06" && string(register) != "07":
		e.fail(8)
		return
	case err != nil, string(register) == "06" && n != 0 && n != 14, string(register) == "07" && CheckRate(n) != nil:
		e.fail(7)
		return
	case string(register) == "06":
		e.sends = n == 14
	default:
		e.period = time.Second / time.Duration(n)
	}
	e.out = append(append(e.out, line...), '\r', '\n')
}

// fail reports an error.
func (e *Emulator) fail(code byte) {
	from := len(e.out)
	e.out = end(append(e.out, '$', 'V', 'N', 'E', 'R', 'R', ',', '0', digits[code&15]), from)
}

// measure sends a YMR message; attitude and magnetic field are 0.
func (e *Emulator) measure() {
	from := len(e.out)
	e.out = append(e.out, "$VNYMR,+000.000,+000.000,+000.000,+00.0000,+00.0000,+00.0000"...)
	for _, x := range [...]float64{e.Acceleration.X, e.Acceleration.Y, e.Acceleration.Z} {
		e.number(x, 3)
	}
	for _, x := range [...]float64{e.Velocity.X, e.Velocity.Y, e.Velocity.Z} {
		e.number(x, 6)
	}
	e.out = end(e.out, from)
}

// number appends a number with a sign and two digits before the point.
func (e *Emulator) number(x float64, places int) {
	sign := byte('+')
	if x < 0 {
		sign, x = '-', -x
	}
	e.out = append(e.out, ',', sign)
	if x < 10 {
		e.out = append(e.out, '0')
	}
	e.out = strconv.AppendFloat(e.out, x, 'f', places, 64)
}
