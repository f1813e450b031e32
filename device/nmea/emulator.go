package nmea

import (
	"math"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Emulator is a satellite receiver at the other end of a channel. It sends GSA, GST, RMC and GGA for each solution.
type Emulator struct {
	// Fix is what it finds; sequence and time are its own. NaN: not measured.
	Fix device.Fix

	// Talker is the sender of its sentences, two letters such as "GP"; [NewEmulator] sets "GN".
	Talker string

	wire      wire.Wire
	period    time.Duration
	now, next time.Duration
	out       []byte
	scratch   [64]byte
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a receiver on an open channel that sends a solution each period, which is more than 0. It has talker GN and no fix.
func NewEmulator(w wire.Wire, period time.Duration) *Emulator {
	if period <= 0 {
		panic("nmea: the period of an emulator must be more than 0")
	}
	return &Emulator{Fix: noFix(), Talker: "GN", wire: w, period: period, out: make([]byte, 0, 4096)}
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.now += dt
	for {
		n, err := e.wire.Read(e.scratch[:])
		if err != nil {
			e.out, e.next = e.out[:0], e.now
			return driver.AwaitDriver(e.wire, err)
		}
		if n == 0 {
			break
		}
	}
	for ; e.next <= e.now; e.next += e.period {
		if len(e.out) < cap(e.out)/2 {
			e.solve()
		}
	}
	var err error
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// solve appends the sentences of a solution.
func (e *Emulator) solve() {
	f := &e.Fix
	has := f.Quality != device.NoFix
	dimension := 1
	if has {
		dimension = 2
		if f.Height == f.Height {
			dimension = 3
		}
	}
	from := e.begin("GSA")
	e.text("A")
	e.number(float64(dimension), 0)
	for range 12 + 3 { // the satellites and the dilutions
		e.text("")
	}
	e.end(from)
	from = e.begin("GST")
	e.clock()
	for range 4 { // residuals and the ellipse
		e.text("")
	}
	for _, x := range f.Deviation {
		e.number(x, 3)
	}
	e.end(from)

	from = e.begin("RMC")
	e.clock()
	speed, course := math.Hypot(f.North, f.East)/knot, math.Atan2(f.East, f.North)*180/math.Pi
	if course < 0 {
		course += 360
	}
	e.text(either(has, "A", "V"))
	e.angles(has)
	e.number(speed, 4)
	e.number(course, 4)
	e.text("") // it knows no date
	e.text("")
	e.text("")
	e.end(from)

	from = e.begin("GGA")
	e.clock()
	e.angles(has)
	e.number(float64(f.Quality), 0)
	e.number(float64(f.Satellites), 0)
	e.text("")
	e.number(f.Height, 3)
	e.text("M")
	e.text("")
	e.text("M")
	e.text("")
	e.text("")
	e.end(from)
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// begin appends the beginning of a sentence, and returns where it is.
func (e *Emulator) begin(kind string) int {
	from := len(e.out)
	e.out = append(append(append(e.out, '$'), e.Talker...), kind...)
	return from
}

// end appends the checksum of the sentence that begins at from, and the end of its line.
func (e *Emulator) end(from int) {
	const digits = "0123456789ABCDEF"
	sum := checksum(e.out[from+1:])
	e.out = append(e.out, '*', digits[sum>>4], digits[sum&15], '\r', '\n')
}

// text appends a field.
func (e *Emulator) text(text string) { e.out = append(append(e.out, ','), text...) }

// number appends a field with a number; it is empty for NaN.
func (e *Emulator) number(x float64, places int) {
	e.out = append(e.out, ',')
	if x == x {
		e.out = strconv.AppendFloat(e.out, x, 'f', places, 64)
	}
}

// padded appends a whole number with at least the given number of digits.
func (e *Emulator) padded(n int64, digits int) {
	text := strconv.AppendInt(e.scratch[:0], n, 10)
	for range digits - len(text) {
		e.out = append(e.out, '0')
	}
	e.out = append(e.out, text...)
}

// clock appends the time of the day.
func (e *Emulator) clock() {
	ms := e.next.Milliseconds() % (24 * 3600 * 1000)
	e.out = append(e.out, ',')
	e.padded(ms/3600000, 2)
	e.padded(ms/60000%60, 2)
	e.padded(ms/1000%60, 2)
	e.out = append(e.out, '.')
	e.padded(ms%1000, 3)
}

// angles appends latitude and longitude, each with its letter; they are empty without a fix.
func (e *Emulator) angles(has bool) {
	if !has {
		e.out = append(e.out, ",,,,"...)
		return
	}
	e.angle(e.Fix.Latitude, 2, "N", "S")
	e.angle(e.Fix.Longitude, 3, "E", "W")
}

// angle appends degrees and minutes to a ten-millionth, and the letter.
func (e *Emulator) angle(x float64, digits int, positive, negative string) {
	const unit = 1e7
	total := int64(math.Round(math.Abs(x) * 180 / math.Pi * 60 * unit))
	e.out = append(e.out, ',')
	e.padded(total/(60*unit), digits)
	e.padded(total%(60*unit)/unit, 2)
	e.out = append(e.out, '.')
	e.padded(total%unit, 7)
	e.text(either(math.Signbit(x), negative, positive))
}
