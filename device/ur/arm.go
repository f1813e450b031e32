package ur

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Arm is an arm of Universal Robots. It stands still until a joint is commanded; the others then hold where they were.
type Arm struct {
	driver.Session
	wire  wire.Wire
	stage byte // the package whose answer is awaited; dataPackage: running

	out     []byte // what the channel has not taken yet
	in      []byte
	inputs  byte // number of the recipe
	outputs byte
	odd     StatusError

	commanded bool
	known     bool
	time      float64
	missed    uint64
	joints    [Joints]Joint
	force     spatial.Force
	mode      int32
	safety    int32
}

// Joint is a joint of an [Arm], with its facets.
type Joint struct {
	arm                         *Arm
	position, velocity, current float64
	command                     float64
}

var (
	_ device.Device                = (*Arm)(nil)
	_ device.AxisController        = (*Arm)(nil)
	_ device.ForceTorqueSensor     = (*Arm)(nil)
	_ device.JointPositionSensor   = (*Joint)(nil)
	_ device.JointVelocitySensor   = (*Joint)(nil)
	_ device.CurrentSensor         = (*Joint)(nil)
	_ device.JointPositionActuator = (*Joint)(nil)
)

// New returns the arm with an address, closed: tcp://192.168.0.10:30004. It fails as [wire.New] does.
func New(address string) (*Arm, error) {
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w), nil
}

// On returns the arm at the other end of a channel of bytes, closed.
func On(w wire.Wire) *Arm {
	a := &Arm{wire: w, out: make([]byte, 0, 4*maxPackage), in: make([]byte, 0, 32*maxPackage)}
	for i := range a.joints {
		a.joints[i].arm = a
	}
	a.Session = driver.NewSession("UR arm", w, (*conversation)(a))
	return a
}

// Axes returns 6.
func (a *Arm) Axes() int { return Joints }

// AxisPart returns joint i, from the base.
func (a *Arm) AxisPart(i int) any { return &a.joints[i] }

// Joint returns joint i, from the base.
func (a *Arm) Joint(i int) *Joint { return &a.joints[i] }

// ForceTorque returns what acts on the tool as the robot estimates it, in the directions of its base; NaN while the arm is not running.
func (a *Arm) ForceTorque() spatial.Force { return a.force }

// Missed returns how many packages of the robot have not come since the arm was made, by their time stamps.
func (a *Arm) Missed() uint64 { return a.missed }

// Modes returns the robot's mode (7: running) and its safety mode (1: normal, 3: protective stop), as the guide numbers them.
func (a *Arm) Modes() (robot, safety int32) { return a.mode, a.safety }

// JointPosition returns the position in rad; NaN while the arm is not running.
func (j *Joint) JointPosition() float64 { return j.position }

// JointVelocity returns the velocity in rad/s; NaN while the arm is not running.
func (j *Joint) JointVelocity() float64 { return j.velocity }

// Current returns the current of the motor in A; NaN while the arm is not running.
func (j *Joint) Current() float64 { return j.current }

// JointRange returns two turns in either direction.
func (j *Joint) JointRange() (lower, upper float64) { return -2 * math.Pi, 2 * math.Pi }

// SetJointPosition commands a position in rad. While the arm is not running it has no effect: how the others would hold is not known.
func (j *Joint) SetJointPosition(position float64) error {
	if position-position != 0 {
		return device.ErrNotFinite
	}
	if !j.arm.known {
		return nil
	}
	j.arm.commanded = true
	lower, upper := j.JointRange()
	j.command = min(max(position, lower), upper)
	return nil
}

// conversation is the protocol of an [Arm].
type conversation Arm

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.in, c.out, c.known, c.commanded = c.in[:0], c.out[:0], false, false
	nan := math.NaN()
	for i := range c.joints {
		j := &c.joints[i]
		j.position, j.velocity, j.current, j.command = nan, nan, nan, nan
	}
	v := spatial.Vec3{X: nan, Y: nan, Z: nan}
	c.force, c.mode, c.safety = spatial.Force{Linear: v, Angular: v}, 0, 0
	c.begin(requestVersion)
	c.out = binary.BigEndian.AppendUint16(c.out, version)
	c.end()
}

// begin begins a package.
func (c *conversation) begin(kind byte) {
	c.stage = kind
	c.out = append(c.out[:0], 0, 0, kind)
}

// end completes it.
func (c *conversation) end() { binary.BigEndian.PutUint16(c.out, uint16(len(c.out))) }

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration {
	if c.stage == dataPackage {
		return 100 * time.Millisecond
	}
	return 300 * time.Millisecond
}

// End implements [driver.Conversation]: the program on the robot stops it.
func (c *conversation) End() {
	if c.stage == dataPackage && len(c.out) == 0 {
		c.commanded = false
		c.write()
		_ = c.flush()
	}
}

// write makes a package of the commands; a joint without one holds where it was.
func (c *conversation) write() {
	c.begin(dataPackage)
	c.out = append(c.out, c.inputs)
	enable := uint32(0)
	if c.commanded {
		enable = 1
	}
	c.out = binary.BigEndian.AppendUint32(c.out, enable)
	for i := range c.joints {
		j := &c.joints[i]
		if math.IsNaN(j.command) {
			j.command = j.position
		}
		c.out = binary.BigEndian.AppendUint64(c.out, math.Float64bits(j.command))
	}
	c.end()
}

func (c *conversation) flush() (err error) {
	c.out, err = driver.Send(c.wire, c.out)
	return err
}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(time.Duration) (progress driver.Progress, err error) {
	if c.stage == dataPackage && c.known && len(c.out) == 0 && c.commanded {
		c.write()
	}
	if err := c.flush(); err != nil {
		return driver.Nothing, err
	}
	if c.in, err = driver.Receive(c.wire, c.in); err != nil {
		return driver.Nothing, err
	}
	rest := c.in
	for len(rest) >= header {
		n := int(binary.BigEndian.Uint16(rest))
		if n < header || n > maxPackage {
			return driver.Nothing, ErrForm
		}
		if len(rest) < n {
			break
		}
		p, err := c.take(rest[2], rest[header:n])
		if err != nil {
			return driver.Nothing, err
		}
		progress = max(progress, p)
		rest = rest[n:]
	}
	c.in = c.in[:copy(c.in, rest)]
	return progress, c.flush()
}

// take takes a package.
func (c *conversation) take(kind byte, data []byte) (driver.Progress, error) {
	if kind == textMessage || kind == dataPackage && c.stage != dataPackage { // of an exchange that has not ended yet
		return driver.Nothing, nil
	}
	if kind != c.stage {
		c.odd.Type = kind
		return driver.Nothing, &c.odd
	}
	if len(data) < 1 {
		return driver.Nothing, ErrForm
	}
	switch kind {
	case requestVersion:
		if data[0] != 1 {
			return driver.Nothing, ErrVersion
		}
		c.begin(setupOutputs)
		c.out = binary.BigEndian.AppendUint64(c.out, math.Float64bits(rate))
		c.out = append(c.out, outputNames...)
	case setupOutputs:
		if string(data[1:]) != outputTypes || data[0] == 0 {
			return driver.Nothing, ErrNotFound
		}
		c.outputs = data[0]
		c.begin(setupInputs)
		c.out = append(c.out, inputNames...)
	case setupInputs:
		if string(data[1:]) != inputTypes || data[0] == 0 {
			return driver.Nothing, ErrInUse
		}
		c.inputs = data[0]
		c.begin(startPackage)
	case startPackage:
		if data[0] != 1 {
			return driver.Nothing, ErrRefused
		}
		c.stage = dataPackage
		return driver.Answered, nil
	case dataPackage:
		return c.outputsOf(data)
	}
	c.end()
	return driver.Answered, nil
}

// outputsOf takes what the robot measures.
func (c *conversation) outputsOf(data []byte) (driver.Progress, error) {
	if len(data) != 1+outputBytes || data[0] != c.outputs {
		return driver.Nothing, ErrForm
	}
	data = data[1:]
	number := func() float64 {
		x := math.Float64frombits(binary.BigEndian.Uint64(data))
		data = data[8:]
		return x
	}
	now := number()
	if gap := math.Round((now - c.time) * rate); c.known && gap > 1 && gap < 1e9 {
		c.missed += uint64(gap) - 1
	}
	c.time, c.known = now, true
	for i := range c.joints {
		c.joints[i].position = number()
	}
	for i := range c.joints {
		c.joints[i].velocity = number()
	}
	for i := range c.joints {
		c.joints[i].current = number()
	}
	c.force.Linear = spatial.Vec3{X: number(), Y: number(), Z: number()}
	c.force.Angular = spatial.Vec3{X: number(), Y: number(), Z: number()}
	c.mode, c.safety = int32(binary.BigEndian.Uint32(data)), int32(binary.BigEndian.Uint32(data[4:]))
	return driver.Complete, nil
}
