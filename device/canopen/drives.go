package canopen

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Options are the figures of drives that their objects do not have. Zero values stand for the defaults.
type Options struct {
	Increments  float64 // of position in a turn of the joint, and of velocity in a turn per second; default 65536
	MaxVelocity float64 // rad/s; default 2π
}

// withDefaults returns the options with the defaults for those that are 0.
func (o Options) withDefaults() Options {
	if o.Increments == 0 {
		o.Increments = 65536
	}
	if o.MaxVelocity == 0 {
		o.MaxVelocity = 2 * math.Pi
	}
	return o
}

// Check checks the options.
func (o Options) Check() error {
	o = o.withDefaults()
	if !(o.Increments >= 1 && o.Increments <= 1<<30) {
		return fmt.Errorf("increments %v: expected 1 to %d in a turn of the joint", o.Increments, 1<<30)
	}
	if !(o.MaxVelocity > 0 && o.MaxVelocity <= 1e6) {
		return fmt.Errorf("greatest velocity %v: expected more than 0 and at most 1e6 rad/s", o.MaxVelocity)
	}
	return nil
}

// Drives is drives of CiA 402 on one bus.
type Drives struct {
	chain
	options Options
	drives  []Drive
}

// Drive is one of [Drives], with its facets.
type Drive struct {
	chain *Drives
	link  *link

	modes                                     uint32
	greatestTorque, ratedCurrent, ratedTorque uint32 // ‰ of rated torque; mA; mN m
	leastPosition, greatestPosition           uint32
	status                                    uint16
	shows                                     Mode
	control                                   uint16
	position, velocity, torque, current       float64
	mode                                      Mode
	goalPosition, goalVelocity, goalTorque    float64
	fault                                     FaultError
}

// FaultError is a drive in the state [Fault].
type FaultError struct {
	Node      byte   // 1 to 126
	Emergency uint16 // code of its last emergency; 0: it has sent none
}

// Error implements error.
func (e *FaultError) Error() string {
	if e.Emergency == 0 {
		return fmt.Sprintf("drive %d is in fault, and has sent no emergency", e.Node)
	}
	return fmt.Sprintf("drive %d is in fault; its last emergency is %04Xh (%s)", e.Node, e.Emergency, emergencyText(e.Emergency))
}

// ErrMode is a command in a mode that the drive does not support (object 6502h).
var ErrMode = errors.New("canopen: the drive does not support the cyclic mode of this command (object 6502h)")

var (
	_ device.Device                = (*Drives)(nil)
	_ device.AxisController        = (*Drives)(nil)
	_ device.JointPositionSensor   = (*Drive)(nil)
	_ device.JointVelocitySensor   = (*Drive)(nil)
	_ device.JointTorqueSensor     = (*Drive)(nil)
	_ device.CurrentSensor         = (*Drive)(nil)
	_ device.JointPositionActuator = (*Drive)(nil)
	_ device.JointVelocityActuator = (*Drive)(nil)
	_ device.JointTorqueActuator   = (*Drive)(nil)
)

// New returns the drives with the given numbers on the bus with an address, closed: can://can0. It fails as [CheckNodes],
// [Options.Check] and [wire.New] do.
func New(address string, o Options, ids ...int) (*Drives, error) {
	if err := CheckNodes(ids); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	w, err := wire.New(address, wire.Frames)
	if err != nil {
		return nil, err
	}
	return On(w, o, ids...), nil
}

// On returns the drives with the given numbers at the other end of a channel of frames, closed.
func On(w wire.Wire, o Options, ids ...int) *Drives {
	c := &Drives{options: o.withDefaults(), drives: make([]Drive, len(ids))}
	c.connect("CANopen drives", w, ids, func(i int, l *link) profile {
		c.drives[i] = Drive{chain: c, link: l}
		return &c.drives[i]
	})
	return c
}

// Axes returns the number of drives.
func (c *Drives) Axes() int { return len(c.drives) }

// AxisPart returns drive i, in the order of their numbers given to [New].
func (c *Drives) AxisPart(i int) any { return &c.drives[i] }

// Drive returns drive i, in the order of their numbers given to [New].
func (c *Drives) Drive(i int) *Drive { return &c.drives[i] }

// State returns the state of the drive at the last Step.
func (d *Drive) State() DriveState {
	s, _ := StateOf(d.status)
	return s
}

// JointPosition returns the position in rad; NaN while the drives are not running.
func (d *Drive) JointPosition() float64 { return d.position }

// JointVelocity returns the velocity in rad/s; NaN while the drives are not running.
func (d *Drive) JointVelocity() float64 { return d.velocity }

// JointTorque returns the torque in N m; NaN while the drives are not running, and if the drive does not have its rated torque (object 6076h).
func (d *Drive) JointTorque() float64 { return d.torque }

// Current returns the current in A; NaN while the drives are not running, and if the drive does not have its rated current (object 6075h).
func (d *Drive) Current() float64 { return d.current }

// increment returns the angle of an increment, rad.
func (d *Drive) increment() float64 { return 2 * math.Pi / d.chain.options.Increments }

// JointRange returns the limits of the drive (object 607Dh), ±Inf if it has none.
func (d *Drive) JointRange() (lower, upper float64) {
	if least, greatest := int32(d.leastPosition), int32(d.greatestPosition); least < greatest {
		return float64(least) * d.increment(), float64(greatest) * d.increment()
	}
	return math.Inf(-1), math.Inf(1)
}

// MaxJointVelocity returns what the [Options] say.
func (d *Drive) MaxJointVelocity() float64 { return d.chain.options.MaxVelocity }

// MaxJointTorque returns the limit of the drive (objects 6072h and 6076h), 0 while it is not known.
func (d *Drive) MaxJointTorque() float64 {
	return float64(d.greatestTorque) / 1000 * float64(d.ratedTorque) / 1000
}

// set commands a mode and its goal. While the drives are not running it has no effect.
func (d *Drive) set(m Mode, goal *float64, value, lower, upper float64) error {
	if !d.chain.known {
		return nil
	}
	if d.modes>>(m-1)&1 == 0 {
		return ErrMode
	}
	d.mode, *goal = m, min(max(value, lower), upper)
	return nil
}

// SetJointPosition commands a position in rad in the mode cyclic synchronous position, and gives the drive power. It returns [ErrMode] if the drive
// does not have this mode. While the drives are not running it has no effect.
func (d *Drive) SetJointPosition(position float64) error {
	if position-position != 0 {
		return device.ErrNotFinite
	}
	lower, upper := d.JointRange()
	return d.set(CyclicPosition, &d.goalPosition, position, lower, upper)
}

// SetJointVelocity commands a velocity in rad/s in the mode cyclic synchronous velocity, as [Drive.SetJointPosition].
func (d *Drive) SetJointVelocity(velocity float64) error {
	if velocity-velocity != 0 {
		d.goalVelocity = 0
		return device.ErrNotFinite
	}
	most := d.MaxJointVelocity()
	return d.set(CyclicVelocity, &d.goalVelocity, velocity, -most, most)
}

// SetJointTorque commands a torque in N m in the mode cyclic synchronous torque, as [Drive.SetJointPosition].
func (d *Drive) SetJointTorque(torque float64) error {
	if torque-torque != 0 {
		d.goalTorque = 0
		return device.ErrNotFinite
	}
	most := d.MaxJointTorque()
	return d.set(CyclicTorque, &d.goalTorque, torque, -most, most)
}
