package canopen

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// CardRobot is a robot that cards drive: device/sim.Robot, for example.
type CardRobot interface {
	device.Device
	device.AxisController
}

// cardAxis is an axis with the facets that a card needs.
type cardAxis interface {
	device.Encoder
	device.VoltageDrive
	device.MotorPower
	device.Brake
	Held() bool
}

// CardEmulator is the actuator cards of a robot at the other end of a channel of frames, a node for each axis, of device type 0:
//
//	2100h  voltage       mV, 32 bits, signed; written, or mapped to an RPDO
//	2101h  switches      bit 0 amplifier on, bit 1 brake applied; 8 bits, as the voltage
//	2110h  counts        of the encoder, 32 bits, modulo 2³²; read, or mapped to a TPDO, as the next ones
//	2111h  index         counts at the latest index mark, 32 bits
//	2112h  marks         index marks passed, 8 bits, modulo 2⁸
//	2113h  state         bit 1 brake applied, 8 bits
//	2120h  supply        greatest voltage, mV, 32 bits; read
//
// Without the heartbeat of their master the cards switch the amplifier off and apply the brake.
type CardEmulator struct {
	rack
	robot CardRobot
	cards []emulatedCard
}

var _ driver.Emulator = (*CardEmulator)(nil)

type emulatedCard struct {
	axis                        cardAxis
	node                        *Node
	objects                     Dictionary
	voltage, switches           *Object
	counts, index, marks, state *Object
}

// NewCardEmulator returns the cards of the axes of a robot on an open channel of frames, with numbers from 1 on, and starts the robot; if
// that fails, each Step returns the error. It panics if an axis lacks voltage, encoder, power or brake.
func NewCardEmulator(w wire.Wire, robot CardRobot) *CardEmulator {
	e := &CardEmulator{robot: robot, cards: make([]emulatedCard, robot.Axes())}
	e.rack = rack{bus: wire.OnBus(w), take: e.takeFrame, elapse: e.pass}
	for i := range e.cards {
		axis, ok := robot.AxisPart(i).(cardAxis)
		if !ok {
			panic(fmt.Sprintf("canopen: axis %d of the robot has no voltage, encoder, power and brake: a card cannot drive it", i+1))
		}
		e.cards[i].create(byte(i+1), axis, &e.out)
	}
	if e.problem = robot.Open(); e.problem == nil {
		e.problem = robot.Start()
	}
	return e
}

func (c *emulatedCard) create(id byte, axis cardAxis, out *outbox) {
	const command, sensed = Readable | Writable | Mappable, Readable | Mappable
	d := &c.objects
	c.axis = axis
	c.voltage = d.Number(cardVoltage, 0, 4, command, 0)
	c.switches = d.Number(cardSwitches, 0, 1, command, switchBrake)
	c.counts = d.Number(cardCounts, 0, 4, sensed, 0)
	c.index = d.Number(cardIndex, 0, 4, sensed, 0)
	c.marks = d.Number(cardMarks, 0, 1, sensed, 0)
	c.state = d.Number(cardState, 0, 1, sensed, switchBrake)
	d.Number(cardSupply, 0, 4, Readable, int32(math.Round(1000*axis.MaxVoltage())))
	c.node = newNode(id, profileCard, "emulated actuator card", d, out)
}

func (e *CardEmulator) takeFrame(f *wire.Frame) {
	for i := range e.cards {
		c := &e.cards[i]
		c.node.Take(f)
		if s := c.node.State(); s == Initializing || s == Stopped || c.node.Abandoned() {
			c.release()
		}
	}
}

// release is the safe state.
func (c *emulatedCard) release() {
	c.voltage.Set(0)
	c.switches.Set(switchBrake)
}

// pass lets time pass for the robot and the nodes.
func (e *CardEmulator) pass(dt time.Duration) {
	for i := range e.cards {
		c := &e.cards[i]
		if c.node.Abandoned() {
			c.release()
		}
		on := c.switches.Uint()
		_ = c.axis.SetVoltage(float64(c.voltage.Int()) / 1000) // a whole number is finite
		c.axis.SetPower(on&switchPower != 0)
		c.axis.SetBrake(on&switchBrake != 0)
	}
	if e.problem == nil {
		e.problem = e.robot.Step(dt)
	}
	for i := range e.cards {
		c := &e.cards[i]
		index, marked := c.axis.Index()
		c.counts.Set(int32(c.axis.Counts()))
		c.index.Set(int32(index))
		if marked {
			c.marks.Set(c.marks.Int() + 1)
		}
		c.state.Set(0)
		if c.axis.Held() {
			c.state.Set(switchBrake)
		}
		c.node.Elapse(dt)
	}
}
