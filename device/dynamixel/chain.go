package dynamixel

import (
	"encoding/binary"
	"fmt"
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
	// Fast lets all servos answer in one packet (fast sync read), which takes less time on the line; it is set before Open. Servos of the X series need firmware 45 for it, those of the
	// X330 series 46. While one of them is absent, the others are not understood.
	Fast bool

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

// New returns the servos with the given numbers at an address, closed: serial:///dev/ttyUSB0?baud=57600. It fails as [CheckIDs] and [wire.New] do.
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

// CheckIDs checks the numbers of the servos of a chain: 1 to [MaxServos] of them, from 0 to 252, each once. The error names the first that is wrong.
func CheckIDs(ids []int) error {
	if len(ids) == 0 || len(ids) > MaxServos {
		return fmt.Errorf("%d servos: expected 1 to %d", len(ids), MaxServos)
	}
	seen := map[int]bool{}
	for _, id := range ids {
		if id < 0 || id > 252 || seen[id] {
			return fmt.Errorf("servo %d: expected a number from 0 to 252, each once", id)
		}
		seen[id] = true
	}
	return nil
}

// On returns the servos with the given numbers at the other end of a channel of bytes, closed.
func On(w wire.Wire, ids ...int) *Chain {
	c := &Chain{wire: w, servos: make([]Servo, len(ids)), out: make([]byte, 0, 2048), in: make([]byte, 0, 4096)}
	for i, id := range ids {
		c.servos[i] = Servo{chain: c, id: byte(id)}
	}
	c.Session = driver.NewSession("Dynamixel servos", w, (*conversation)(c))
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

// JointRange returns half a turn in either direction.
func (s *Servo) JointRange() (lower, upper float64) {
	return -math.Pi, math.Pi * (stepsPerTurn/2 - 1) / (stepsPerTurn / 2)
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
	c.out = append(begin(c.out, broadcast, syncWrite), torqueAddress, 0, torqueBytes, 0)
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
		c.out = append(begin(c.out, broadcast, syncWrite), goalAddress, 0, goalBytes, 0)
		for i := range c.servos {
			s := &c.servos[i]
			if !s.commanded {
				s.goal, s.commanded = s.position, true
			}
			c.out = append(c.out, s.id)
			c.out = binary.LittleEndian.AppendUint32(c.out, uint32(int32(math.Round(s.goal*stepsPerTurn/(2*math.Pi))+middle)))
		}
		c.out = end(c.out, 0)
		if !c.powers {
			c.torque(1)
			c.powers = true
		}
	}
	from, instruction := len(c.out), byte(syncRead)
	if c.Fast {
		instruction = fastSyncRead
	}
	c.out = append(begin(c.out, broadcast, instruction), presentAddress, 0, presentBytes, 0)
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

// take takes a packet.
func (c *conversation) take(id byte, body []byte) error {
	if body[0] != status || len(body) < 2 {
		return nil // the echo of what was sent, on adapters that have one
	}
	if id != broadcast {
		return c.takeAnswer(id, body[1], body[2:])
	}
	const block = 4 + presentBytes // error, number, data, CRC; the packet's own CRC is that of the last
	for rest := body[1:]; len(rest) >= block-2; rest = rest[min(block, len(rest)):] {
		if err := c.takeAnswer(rest[1], rest[0], rest[2:2+presentBytes]); err != nil {
			return err
		}
	}
	return nil
}

// takeAnswer takes the answer of a servo.
func (c *conversation) takeAnswer(id, code byte, measured []byte) error {
	if code != 0 {
		c.status = StatusError{id, code}
		return &c.status
	}
	if len(measured) != presentBytes {
		return nil
	}
	for i := range c.servos {
		if s := &c.servos[i]; s.id == id {
			s.current = currentUnit * float64(int16(binary.LittleEndian.Uint16(measured)))
			s.velocity = velocityUnit * float64(int32(binary.LittleEndian.Uint32(measured[2:])))
			s.position = float64(int32(binary.LittleEndian.Uint32(measured[6:]))-middle) * 2 * math.Pi / stepsPerTurn
			s.answered = true
		}
	}
	return nil
}
