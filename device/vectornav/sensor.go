package vectornav

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Sensor is an inertial measurement unit.
type Sensor struct {
	driver.Session
	wire     wire.Wire
	commands [2][]byte // with the ends of their lines
	stop     []byte
	patience time.Duration

	stage   int // the command that is sent, then len(commands): messages come
	sent    int // bytes of the command
	buffer  [1024]byte
	lines   lines
	problem SensorError
	damaged uint64

	velocity, acceleration spatial.Vec3
}

var (
	_ device.Device = (*Sensor)(nil)
	_ device.IMU    = (*Sensor)(nil)
)

// New returns the sensor with an address, closed, such as serial:///dev/ttyUSB0?baud=115200, that sends as many messages in a
// second. It fails as [CheckRate] and [wire.New] do.
func New(address string, rate int) (*Sensor, error) {
	if err := CheckRate(rate); err != nil {
		return nil, err
	}
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w, rate), nil
}

// On returns the sensor at the other end of a channel of bytes, closed.
func On(w wire.Wire, rate int) *Sensor {
	s := &Sensor{wire: w, patience: max(300*time.Millisecond, 5*time.Second/2/time.Duration(rate))}
	s.commands[0] = end([]byte("$VNWRG,06,14"), 0)
	s.commands[1] = end(strconv.AppendInt([]byte("$VNWRG,07,"), int64(rate), 10), 0)
	s.stop = end([]byte("$VNWRG,06,0"), 0)
	s.Session = driver.NewSession("VectorNav IMU", w, (*conversation)(s))
	return s
}

// AngularVelocity returns the latest angular velocity, rad/s, in the sensor's frame; NaN while the sensor is not running.
func (s *Sensor) AngularVelocity() spatial.Vec3 { return s.velocity }

// Acceleration returns the latest specific force, m/s², in the sensor's frame; NaN while the sensor is not running.
func (s *Sensor) Acceleration() spatial.Vec3 { return s.acceleration }

// Damaged returns how many messages were not understood since the sensor was made.
func (s *Sensor) Damaged() uint64 { return s.damaged }

// conversation is the protocol of a [Sensor].
type conversation Sensor

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	nan := math.NaN()
	c.velocity = spatial.Vec3{X: nan, Y: nan, Z: nan}
	c.acceleration = c.velocity
	c.stage, c.sent, c.lines.n = 0, 0, 0
}

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration { return c.patience }

// End implements [driver.Conversation]: the sensor sends nothing more.
func (c *conversation) End() { _, _ = c.wire.Write(c.stop) }

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(time.Duration) (progress driver.Progress, err error) {
	if c.stage < len(c.commands) && c.sent < len(c.commands[c.stage]) {
		n, err := c.wire.Write(c.commands[c.stage][c.sent:])
		if err != nil {
			return driver.Nothing, err
		}
		c.sent += n
	}
	damage := error(nil)
	for range 4 { // to 4 kB
		n, err := c.wire.Read(c.buffer[:])
		if err != nil {
			return driver.Nothing, err
		}
		if n == 0 {
			break
		}
		for _, b := range c.buffer[:n] {
			line, ok := c.lines.next(b)
			if !ok {
				continue
			}
			p, err := c.take(line)
			if p == driver.Damaged {
				c.damaged++
				damage = err
				continue
			}
			if err != nil {
				return driver.Nothing, err
			}
			progress = max(progress, p)
		}
	}
	if progress == driver.Nothing && damage != nil {
		return driver.Damaged, damage
	}
	return progress, nil
}

// take takes a message. Those that are not expected are dropped.
func (c *conversation) take(line []byte) (driver.Progress, error) {
	body, err := parse(line)
	if err != nil {
		return driver.Damaged, err
	}
	switch {
	case bytes.HasPrefix(body, []byte("VNERR,")):
		c.problem.Code = decodeHex(body[6:])
		return driver.Nothing, &c.problem
	case c.stage < len(c.commands):
		if command := c.commands[c.stage]; bytes.Equal(line, command[:len(command)-2]) {
			c.stage, c.sent = c.stage+1, 0
			return driver.Answered, nil
		}
	case bytes.HasPrefix(body, []byte("VNYMR,")):
		x, ok := list(body[6:])
		if !ok {
			return driver.Damaged, ErrNumber
		}
		c.acceleration = spatial.Vec3{X: x[6], Y: x[7], Z: x[8]}
		c.velocity = spatial.Vec3{X: x[9], Y: x[10], Z: x[11]}
		return driver.Complete, nil
	}
	return driver.Nothing, nil
}

// decodeHex returns the number of an error, two hexadecimal digits.
func decodeHex(b []byte) (code byte) {
	for _, c := range b {
		code = code<<4 | byte(max(strings.IndexByte(digits, c), 0))
	}
	return code
}
