package canopen

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
)

// The objects of an actuator card: ours, in the range of the manufacturer, as CiA 402 has no mode for voltages.
const (
	cardVoltage  = 0x2100 // commanded, mV (signed, 32 bits)
	cardSwitches = 0x2101 // commanded: bit 0 amplifier on, bit 1 brake applied
	cardCounts   = 0x2110 // of the encoder, modulo 2³²
	cardIndex    = 0x2111 // counts at the latest index mark
	cardMarks    = 0x2112 // index marks passed, modulo 2⁸
	cardState    = 0x2113 // bit 1: the brake is applied
	cardSupply   = 0x2120 // greatest voltage, mV

	switchPower = 1 << 0
	switchBrake = 1 << 1
	profileCard = 0 // the lower half of a device type: no profile of CiA
)

// Cards is actuator cards on one bus, each with amplifier, encoder and brake of one axis. Their objects are those of [CardEmulator].
type Cards struct {
	chain
	cards []Card
}

// Card is one of [Cards], with its facets.
type Card struct {
	chain *Cards
	link  *link

	supply        uint32 // mV
	raw           uint32 // last count
	marks         byte
	seen          [2]bool // TPDOs since the connection began
	counts, index int64
	latched       uint32
	marked        bool
	held          bool

	volts        float64
	power, brake bool
}

var (
	_ device.Device         = (*Cards)(nil)
	_ device.AxisController = (*Cards)(nil)
	_ device.Encoder        = (*Card)(nil)
	_ device.VoltageDrive   = (*Card)(nil)
	_ device.MotorPower     = (*Card)(nil)
	_ device.Brake          = (*Card)(nil)
)

// NewCards returns the cards with the given numbers on the bus with an address, closed: can://can0.
func NewCards(address string, ids ...int) (*Cards, error) {
	if err := CheckNodes(ids); err != nil {
		return nil, err
	}
	w, err := wire.New(address, wire.Frames)
	if err != nil {
		return nil, err
	}
	return CardsOn(w, ids...), nil
}

// CardsOn returns the cards with the given numbers at the other end of a channel of frames, closed.
func CardsOn(w wire.Wire, ids ...int) *Cards {
	c := &Cards{cards: make([]Card, len(ids))}
	c.connect("CANopen actuator cards", w, ids, func(i int, l *link) profile {
		c.cards[i] = Card{chain: c, link: l}
		return &c.cards[i]
	})
	return c
}

// Axes returns the number of cards.
func (c *Cards) Axes() int { return len(c.cards) }

// AxisPart returns card i, in the order of their numbers given to [NewCards].
func (c *Cards) AxisPart(i int) any { return &c.cards[i] }

// Card returns card i, in the order of their numbers given to [NewCards].
func (c *Cards) Card(i int) *Card { return &c.cards[i] }

// Counts returns the count of the encoder since the connection began.
func (c *Card) Counts() int64 { return c.counts }

// Index reports whether an index mark was passed between the last two answers, and returns the count at the latest one.
func (c *Card) Index() (counts int64, seen bool) { return c.index, c.marked }

// Held reports whether the brake is applied.
func (c *Card) Held() bool { return c.held }

// SetVoltage commands a voltage in V from the next Step on.
func (c *Card) SetVoltage(volts float64) error {
	if volts-volts != 0 {
		c.volts = 0
		return device.ErrNotFinite
	}
	c.volts = volts
	return nil
}

// MaxVoltage returns the voltage of the card's supply, 0 while the cards are not running.
func (c *Card) MaxVoltage() float64 { return float64(c.supply) / 1000 }

// SetPower switches the amplifier from the next Step on.
func (c *Card) SetPower(on bool) { c.power = on }

// SetBrake commands the brake from the next Step on.
func (c *Card) SetBrake(applied bool) { c.brake = applied }

// profile implements the interface of that name, as the next methods.
func (c *Card) profile() uint16 { return profileCard }

func (c *Card) settings(l *link) []setting {
	return slices.Concat([]setting{read(&c.supply, false, cardSupply, 0)},
		l.mapped(rpdoParameters, rpdoMapping, 1, rpdo, cardVoltage<<16|32, cardSwitches<<16|8),
		l.mapped(tpdoParameters, tpdoMapping, 1, tpdo, cardCounts<<16|32, cardIndex<<16|32),
		l.mapped(tpdoParameters, tpdoMapping, 2, tpdo, cardMarks<<16|8, cardState<<16|8))
}

func (c *Card) reset() { *c = Card{chain: c.chain, link: c.link, brake: true, held: true} }

func (c *Card) ready() bool { return true }

func (c *Card) failed() error { return nil }

func (c *Card) take(number int, f *wire.Frame) bool {
	b := f.Bytes()
	switch {
	case number == 1 && len(b) == 8:
		raw := binary.LittleEndian.Uint32(b)
		if c.seen[0] {
			c.counts += int64(int32(raw - c.raw))
		}
		c.raw, c.latched, c.seen[0] = raw, binary.LittleEndian.Uint32(b[4:]), true
		return true
	case number == 2 && len(b) == 2 && c.seen[0]: // it follows the first
		c.marked = c.seen[1] && b[0] != c.marks
		if c.marked {
			c.index = c.counts - int64(int32(c.raw-c.latched))
		}
		c.marks, c.held, c.seen[1] = b[0], b[1]&switchBrake != 0, true
		return true
	}
	return false
}

func (c *Card) command() {
	volts := min(max(c.volts, -c.MaxVoltage()), c.MaxVoltage())
	c.send(int32(math.Round(1000*volts)), c.power, c.brake)
}

func (c *Card) release() { c.send(0, false, true) }

func (c *Card) send(millivolts int32, power, brake bool) {
	var b [5]byte
	binary.LittleEndian.PutUint32(b[:], uint32(millivolts))
	if power {
		b[4] |= switchPower
	}
	if brake {
		b[4] |= switchBrake
	}
	c.chain.master.Send(c.link.remote.id, 1, b[:])
}
