package nmea

import (
	"math"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// patience is how long a receiver may be silent, or send no solution: slow ones send one a second.
const patience = 2500 * time.Millisecond

// maxAge is how many solutions may follow until velocity, dimension and deviations of an earlier one are no longer valid.
const maxAge = 2

// knot is a speed in m/s.
const knot = 1852.0 / 3600

// Receiver is a satellite receiver. One that finds no position is running, with a fix of the quality [device.NoFix].
type Receiver struct {
	driver.Session
	wire   wire.Wire
	buffer [2048]byte
	lines  lines
	parsed sentence
	fault  FieldError

	fix       device.Fix
	sequence  uint64
	waited    time.Duration // since the last solution
	flat      bool          // the height is not measured
	north     float64
	east      float64
	deviation [3]float64
	ages      [3]int // solutions since the last RMC, GSA, GST
	damaged   uint64
}

var (
	_ device.Device            = (*Receiver)(nil)
	_ device.SatelliteReceiver = (*Receiver)(nil)
)

// New returns the receiver with an address, closed: serial:///dev/ttyACM0?baud=9600, tcp://192.168.0.30:10110, or udp+listen://:10110 for one that sends datagrams to this port.
// It fails as [wire.New] does.
func New(address string) (*Receiver, error) {
	w, err := wire.New(address, KindOf(address))
	if err != nil {
		return nil, err
	}
	return On(w), nil
}

// KindOf returns what a channel with an address carries: datagrams for UDP, else bytes.
func KindOf(address string) wire.Kind {
	if strings.HasPrefix(address, "udp") {
		return wire.Datagrams
	}
	return wire.Bytes
}

// On returns the receiver at the other end of a channel of bytes or datagrams, closed.
func On(w wire.Wire) *Receiver {
	r := &Receiver{wire: w}
	r.Session = driver.NewSession("NMEA receiver", w, (*conversation)(r))
	return r
}

// Fix returns the latest solution at the last Step; its sequence is 0 while the receiver is not running.
func (r *Receiver) Fix() device.Fix { return r.fix }

// Damaged returns how many sentences were not understood since the receiver was made.
func (r *Receiver) Damaged() uint64 { return r.damaged }

// conversation is the protocol of a [Receiver].
type conversation Receiver

// noFix returns a solution without a position.
func noFix() device.Fix {
	nan := math.NaN()
	return device.Fix{Latitude: nan, Longitude: nan, Height: nan, North: nan, East: nan, Deviation: [3]float64{nan, nan, nan}}
}

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.lines, c.fix, c.waited = lines{}, noFix(), 0
	c.ages = [3]int{maxAge, maxAge, maxAge}
}

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration { return patience }

// End implements [driver.Conversation].
func (c *conversation) End() {}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(dt time.Duration) (progress driver.Progress, err error) {
	damage := error(nil)
	for range 4 { // to 8 kB
		n, err := c.wire.Read(c.buffer[:])
		if err != nil {
			return driver.Nothing, err
		}
		if n == 0 {
			break
		}
		for _, b := range c.buffer[:n] {
			line, ok, err := c.lines.next(b)
			p := driver.Nothing
			if ok {
				p, err = c.take(line)
			}
			if err != nil {
				c.damaged++
				damage = err
			}
			progress = max(progress, p)
		}
	}
	if progress == driver.Complete {
		c.waited = 0
		return progress, nil
	}
	if c.waited += dt; progress == driver.Answered && c.waited > patience {
		return driver.Nothing, ErrNoGGA
	}
	if progress == driver.Nothing && damage != nil {
		return driver.Damaged, damage
	}
	return progress, nil
}

// take takes a sentence.
func (c *conversation) take(line []byte) (driver.Progress, error) {
	s := &c.parsed
	if err := s.parse(line); err != nil {
		return driver.Nothing, err
	}
	progress, fix := driver.Answered, noFix()
	switch string(s.kind[:]) {
	case "GGA":
		progress = driver.Complete
		s.position(&fix)
	case "RMC":
		c.takeVelocity()
	case "GSA":
		if mode := s.natural(2, 3); s.bad == 0 {
			c.flat, c.ages[1] = mode < 3, 0
		}
	case "GST":
		if d := [3]float64{s.number(6), s.number(7), s.number(8)}; s.bad == 0 {
			c.deviation, c.ages[2] = d, 0
		}
	}
	if s.bad > 0 {
		c.fault = FieldError{s.kind, s.bad}
		return driver.Nothing, &c.fault
	}
	if progress == driver.Complete {
		c.solved(fix)
	}
	return progress, nil
}

// position reads a GGA sentence.
func (s *sentence) position(fix *device.Fix) {
	fix.Time = s.clock(1)
	fix.Satellites = s.natural(7, 1000)
	if quality := device.FixQuality(s.natural(6, 8)); quality != device.NoFix {
		fix.Quality = quality
		fix.Latitude = s.angle(2, 90, 'N', 'S')
		fix.Longitude = s.angle(4, 180, 'E', 'W')
		fix.Height = s.number(9)
	}
}

// takeVelocity takes an RMC sentence. A receiver that stands has no course.
func (c *conversation) takeVelocity() {
	s := &c.parsed
	valid := s.letter(2, 'A', 'V') > 0
	speed, course := s.number(7), s.number(8)
	if speed == 0 && course != course {
		course = 0
	}
	if !valid {
		speed = math.NaN()
	}
	if s.bad == 0 {
		sin, cos := math.Sincos(course * math.Pi / 180)
		c.north, c.east, c.ages[0] = speed*knot*cos, speed*knot*sin, 0
	}
}

// solved makes a solution the fix, with the values of other sentences that belong to it.
func (c *conversation) solved(fix device.Fix) {
	if fix.Quality != device.NoFix {
		if c.ages[0] < maxAge {
			fix.North, fix.East = c.north, c.east
		}
		if c.ages[1] < maxAge && c.flat {
			fix.Height = math.NaN()
		}
		if c.ages[2] < maxAge {
			fix.Deviation = c.deviation
		}
	}
	for i := range c.ages {
		c.ages[i]++
	}
	c.sequence++
	fix.Sequence = c.sequence
	c.fix = fix
}
