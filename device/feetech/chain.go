package feetech

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// resendAfter is how long answers may take before all servos are asked again.
const resendAfter = 30 * time.Millisecond

// Chain is servos on one line.
type Chain struct {
	driver.Session
	wire   wire.Wire
	servos []Servo

	out    []byte // what the channel has not taken yet
	in     []byte
	asked  bool
	waited time.Duration
	known  bool
	powers bool // torque has been switched on
	status StatusError
	absent AbsentError
}

// Servo is one of the servos of a [Chain], with its facets.
type Servo struct {
	chain                       *Chain
	id                          byte
	answered                    bool
	position, velocity, current float64
	commanded                   bool
	goal                        float64
}

var (
	_ device.Device                = (*Chain)(nil)
	_ device.AxisController        = (*Chain)(nil)
	_ device.JointPositionSensor   = (*Servo)(nil)
	_ device.JointVelocitySensor   = (*Servo)(nil)
	_ device.CurrentSensor         = (*Servo)(nil)
	_ device.JointPositionActuator = (*Servo)(nil)
)

// New returns the servos with the given numbers at an address, closed: serial:///dev/ttyUSB0?baud=1000000. It fails as [CheckIDs] and [wire.New] do.
func New(address string, ids ...int) (*Chain, error) {
	if err := CheckIDs(ids); err != nil {
		return nil, err
	}
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w, ids...), nil
}

// On returns the servos with the given numbers at the other end of a channel of bytes, closed.
func On(w wire.Wire, ids ...int) *Chain {
	c := &Chain{wire: w, servos: make([]Servo, len(ids)), out: make([]byte, 0, 2048), in: make([]byte, 0, 4096)}
	for i, id := range ids {
		c.servos[i] = Servo{chain: c, id: byte(id)}
	}
	c.Session = driver.NewSession("Feetech servos", w, (*conversation)(c))
	return c
}

// Axes returns the number of servos.
func (c *Chain) Axes() int { return len(c.servos) }

// AxisPart returns servo i, in the order of their numbers given to [New].
func (c *Chain) AxisPart(i int) any { return &c.servos[i] }

// Servo returns servo i, in the order of their numbers given to [New].
func (c *Chain) Servo(i int) *Servo { return &c.servos[i] }

// JointPosition returns the position in rad, 0 in the middle; NaN while the chain is not running.
func (s *Servo) JointPosition() float64 { return s.position }

// JointVelocity returns the velocity in rad/s; NaN while the chain is not running.
func (s *Servo) JointVelocity() float64 { return s.velocity }

// Current returns the current in A; NaN while the chain is not running.
func (s *Servo) Current() float64 { return s.current }

// JointRange returns half a turn in either direction, rad: from -π to a step below π.
func (s *Servo) JointRange() (lower, upper float64) {
	return -math.Pi, (stepsPerTurn - 1 - middle) * step
}

// SetJointPosition commands a position in rad, and gives all servos torque: those that are not commanded hold where they are. While the chain is
// not running it has no effect.
func (s *Servo) SetJointPosition(position float64) error {
	if position-position != 0 {
		return device.ErrNotFinite
	}
	if s.chain.known {
		lower, upper := s.JointRange()
		s.goal, s.commanded = min(max(position, lower), upper), true
	}
	return nil
}

// conversation is the protocol of a [Chain].
type conversation Chain

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.out, c.in, c.asked, c.known, c.powers = c.out[:0], c.in[:0], false, false, false
	for i := range c.servos {
		s := &c.servos[i]
		nan := math.NaN()
		s.answered, s.commanded, s.position, s.velocity, s.current = false, false, nan, nan, nan
	}
}

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration { return 150 * time.Millisecond }

// End implements [driver.Conversation]: no servo has torque.
func (c *conversation) End() {
	if c.powers {
		c.out = c.out[:0]
		c.torque(0)
		_, _ = c.wire.Write(c.out)
	}
}

// torque appends the switch of all servos.
func (c *conversation) torque(on byte) {
	from := len(c.out)
	c.out = append(begin(c.out, broadcast, syncWrite), torqueAddress, torqueBytes)
	for i := range c.servos {
		c.out = append(c.out, c.servos[i].id, on)
	}
	c.out = end(c.out, from)
}

// ask writes what is commanded, and asks for what is measured.
func (c *conversation) ask() {
	c.out = c.out[:0]
	commanded := false
	for i := range c.servos {
		c.servos[i].answered = false
		commanded = commanded || c.servos[i].commanded
	}
	if commanded {
		c.out = append(begin(c.out, broadcast, syncWrite), goalAddress, goalBytes)
		for i := range c.servos {
			s := &c.servos[i]
			if !s.commanded {
				s.goal, s.commanded = s.position, true
			}
			c.out = appendSigned(append(c.out, s.id), int(math.Round(s.goal/step))+middle)
		}
		c.out = end(c.out, 0)
		if !c.powers {
			c.torque(1)
			c.powers = true
		}
	}
	from := len(c.out)
	c.out = append(begin(c.out, broadcast, syncRead), presentAddress, presentBytes)
	for i := range c.servos {
		c.out = append(c.out, c.servos[i].id)
	}
	c.out = end(c.out, from)
	c.asked, c.waited, c.in = true, 0, c.in[:0]
}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(dt time.Duration) (progress driver.Progress, err error) {
	if c.waited += dt; !c.asked || c.waited > resendAfter {
		progress, err = c.missing()
		c.ask()
	}
	var lost error
	if c.out, lost = driver.Send(c.wire, c.out); lost != nil {
		return driver.Nothing, lost
	}
	if c.in, lost = driver.Receive(c.wire, c.in); lost != nil {
		return driver.Nothing, lost
	}
	rest := c.in
	for {
		id, body, used, damage := next(rest)
		if used == 0 {
			break
		}
		rest = rest[used:]
		if damage != nil {
			progress, err = driver.Damaged, damage
		} else if err := c.take(id, body); err != nil {
			return driver.Nothing, err
		}
	}
	c.in = c.in[:copy(c.in, rest)]
	if !c.asked {
		return progress, err
	}
	for i := range c.servos {
		if !c.servos[i].answered {
			return progress, err
		}
	}
	c.asked, c.known = false, true
	return driver.Complete, nil
}

// missing names a servo that has not answered, where others have.
func (c *conversation) missing() (driver.Progress, error) {
	some := false
	for i := range c.servos {
		if s := &c.servos[i]; s.answered {
			some = true
		} else {
			c.absent.ID = s.id
		}
	}
	if c.asked && some {
		return driver.Damaged, &c.absent
	}
	return driver.Nothing, nil
}

// take takes a packet: of servos of the chain, what they measure. Others are dropped, such as the echo of what was sent, on adapters that have one.
func (c *conversation) take(id byte, body []byte) error {
	for i := range c.servos {
		s := &c.servos[i]
		if s.id != id {
			continue
		}
		if body[0] != 0 {
			c.status = StatusError{id, body[0]}
			return &c.status
		}
		if measured := body[1:]; len(measured) == presentBytes {
			s.position = (signed(measured) - middle) * step
			s.velocity = signed(measured[2:]) * step
			s.current = signed(measured[currentOffset:]) * currentUnit
			s.answered = true
		}
	}
	return nil
}
