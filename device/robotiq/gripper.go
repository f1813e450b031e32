package robotiq

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/modbus"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Gripper is a gripper of Robotiq. It stands still until it is commanded, and when it is stopped.
type Gripper struct {
	driver.Session
	model Model
	unit  byte
	bus   *modbus.Client

	commanded bool
	position  uint16 // commanded, 0 to 255
	force     uint16

	status struct {
		known          bool
		active         bool
		object         int
		fault          byte
		echo, position int
	}
	recover bool // the next exchange ends a major fault
	fault   FaultError
	out     [registers]uint16
}

var (
	_ device.Device  = (*Gripper)(nil)
	_ device.Gripper = (*Gripper)(nil)
)

// New returns the gripper with an address, closed: serial:///dev/ttyUSB0, or tcp://192.168.0.11:502 behind a gateway. It fails as [wire.New] does.
func New(address string, m Model) (*Gripper, error) {
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w, modbus.FramingOf(address), m), nil
}

// On returns the gripper at the other end of a channel of bytes, closed.
func On(w wire.Wire, f modbus.Framing, m Model) *Gripper {
	g := &Gripper{model: m, unit: DefaultUnit, bus: modbus.NewClient(w, f)}
	g.Session = driver.NewSession("Robotiq gripper", w, (*conversation)(g))
	return g
}

// MaxOpening returns the stroke in m.
func (g *Gripper) MaxOpening() float64 { return g.model.Stroke }

// SetGrip commands an opening in m and a force in N. The first command after Start activates a gripper that has just been switched on, which closes and opens it.
func (g *Gripper) SetGrip(opening, force float64) error {
	if opening-opening != 0 || force-force != 0 {
		return device.ErrNotFinite
	}
	share := func(x float64) uint16 { return uint16(math.Round(255 * min(max(x, 0), 1))) }
	g.position = share(1 - opening/g.model.Stroke)
	g.force = share((force - g.model.LeastForce) / (g.model.MaxForce - g.model.LeastForce))
	g.commanded = true
	return nil
}

// Grip returns the opening at the last Step, and whether an object keeps the fingers from the one that is commanded. The opening is NaN while the gripper is not running.
func (g *Gripper) Grip() (opening float64, holding bool) {
	if !g.status.known {
		return math.NaN(), false
	}
	return g.model.Stroke * float64(255-g.status.position) / 255, g.status.object == stoppedOpening || g.status.object == stoppedClosing
}

// conversation is the protocol of a [Gripper].
type conversation Gripper

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.bus.Reset()
	c.commanded = false
	c.status.known, c.status.active = false, false
}

// Patience implements [driver.Conversation]: three requests.
func (c *conversation) Patience() time.Duration { return 200 * time.Millisecond }

// End implements [driver.Conversation]: the fingers stop where they are.
func (c *conversation) End() {
	c.commanded = false
	c.ask()
	_, _ = c.bus.Step(0)
}

// ask begins an exchange.
func (c *conversation) ask() {
	action := uint16(activate)
	switch {
	case c.recover, !c.commanded && !c.status.active:
		action = 0
	case c.commanded && c.status.active:
		action |= goTo
	}
	c.out = [registers]uint16{action << 8, c.position, 0xff<<8 | c.force}
	if c.status.known || c.recover {
		c.bus.WriteRead(c.unit, commandAddress, c.out[:], statusAddress, registers)
	} else { // whether it is active must be known before anything is written: that would end it
		c.bus.Read(c.unit, modbus.ReadHolding, statusAddress, registers)
	}
}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(dt time.Duration) (driver.Progress, error) {
	if !c.bus.Asking() {
		c.ask()
	}
	p, err := c.bus.Step(dt)
	if p != driver.Complete {
		return p, err
	}
	in, s := c.bus.Registers(), &c.status
	bits := in[0] >> 8
	s.active = bits&activate != 0 && bits>>statusShift&3 == statusActive
	s.object = int(bits >> objectShift & 3)
	s.fault, s.echo = byte(in[1]>>8), int(in[1]&0xff)
	s.position = int(in[2] >> 8)
	if c.recover {
		c.recover = false
		return driver.Answered, nil
	}
	if code := s.fault & 0x0f; code >= majorFault {
		c.recover, c.fault.Code = true, code
		return driver.Nothing, &c.fault
	}
	if s.object != moving && (s.echo != int(c.position) || !s.active || !c.commanded) { // what it reports is not about this command
		s.object = moving
	}
	s.known = true
	return p, nil
}
