package sim

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/device"
	robotsim "github.com/sinew-robotics/sinew/robot/sim"
)

// AxisDrive is a joint's drive as an actuator card sees it: motor, gear, friction and brake, with amplifier and encoder.
type AxisDrive struct {
	robotsim.Drive

	// Reversed reports whether a positive voltage at the motor's terminals moves the joint in its negative sense.
	Reversed bool

	// Bits is the resolution of the amplifier's converter: it can apply 2^Bits voltages, 2 Supply / 2^Bits apart. At most 32; 0
	// means any voltage.
	Bits int

	Encoder Encoder // on the motor's shaft
}

// Encoder is an incremental encoder on the motor's shaft with an index mark, which passes once per turn of the motor:
// where the joint is at 0 and at every multiple of 2π/Ratio from there.
type Encoder struct {
	Lines    int  // per turn of the motor; with quadrature decoding it counts four times as many
	Reversed bool // it counts down when the joint moves in its positive sense
}

func (d *AxisDrive) check() error {
	err := d.Drive.Check()
	if d.Supply == 0 {
		err = errors.Join(err, errors.New("field Supply = 0: must be positive"))
	}
	if d.Bits < 0 || d.Bits > 32 {
		err = errors.Join(err, fmt.Errorf("field Bits = %d: must be between 0 and 32", d.Bits))
	}
	if d.Encoder.Lines < 1 || d.Encoder.Lines > 1e8 {
		err = errors.Join(err, fmt.Errorf("field Encoder.Lines = %d: must be between 1 and 10⁸", d.Encoder.Lines))
	}
	return err
}

// Axis is one joint of a robot with its drive, as an actuator card sees it.
type Axis struct {
	name      string
	drive     AxisDrive
	simulator *robotsim.Simulator
	joint     int
	faults    Fault

	volts        float64 // commands
	power, brake bool

	origin   int64 // absolute count at Open
	absolute int64 // count from joint position 0
	turn     int64 // of the motor, from joint position 0, rounded down
	counts   int64 // readings
	latched  int64
	index    bool
	position float64
	velocity float64
	current  float64
}

var (
	_ device.Encoder             = (*Axis)(nil)
	_ device.JointPositionSensor = (*Axis)(nil)
	_ device.JointVelocitySensor = (*Axis)(nil)
	_ device.CurrentSensor       = (*Axis)(nil)
	_ device.VoltageDrive        = (*Axis)(nil)
	_ device.MotorPower          = (*Axis)(nil)
	_ device.Brake               = (*Axis)(nil)
)

// Name returns the name of the joint.
func (a *Axis) Name() string { return a.name }

// Drive returns the parameters of the drive.
func (a *Axis) Drive() AxisDrive { return a.drive }

// Counts returns the count of the encoder at the last Step, 0 at Open.
func (a *Axis) Counts() int64 { return a.counts }

// Index returns the count latched at the latest index pulse, and whether that came in the last Step. The two ends of a
// step are compared: a mark that is passed forth and back within one step goes unseen.
func (a *Axis) Index() (counts int64, seen bool) { return a.latched, a.index }

// JointPosition returns the true position of the joint in rad at the last Step, which no sensor of the real robot knows.
func (a *Axis) JointPosition() float64 { return a.position }

// JointVelocity returns the true velocity of the joint in rad/s at the last Step, which no sensor of the real robot knows.
func (a *Axis) JointVelocity() float64 { return a.velocity }

// Current returns the true current of the motor in A at the last Step; its sign is that of the torque at the joint.
func (a *Axis) Current() float64 { return a.current }

// MaxVoltage returns the supply's voltage.
func (a *Axis) MaxVoltage() float64 { return a.drive.Supply }

// SetVoltage commands the voltage at the motor's terminals in V. It is limited to ±MaxVoltage; NaN and infinities command 0 V and
// return [device.ErrNotFinite].
func (a *Axis) SetVoltage(volts float64) error {
	if volts-volts != 0 {
		a.volts = 0
		return device.ErrNotFinite
	}
	a.volts = volts
	return nil
}

// SetPower connects the motor to the amplifier or disconnects it.
func (a *Axis) SetPower(on bool) { a.power = on }

// SetBrake applies or releases the brake.
func (a *Axis) SetBrake(applied bool) { a.brake = applied }

// Held reports whether the brake is applied, on an axis that has one.
func (a *Axis) Held() bool { return a.brake && a.drive.Brake > 0 }

// Fault is a defect of an axis, for tests of controllers. Faults may be combined.
type Fault uint8

const (
	EncoderStuck Fault = 1 << iota // count and index stay as they are
	CircuitOpen                    // no current flows, whatever the voltage
)

// Break makes the given faults appear from the next Step on, and all others vanish.
func (a *Axis) Break(f Fault) { a.faults = f }

// safe commands the safe state.
func (a *Axis) safe() { a.volts, a.power, a.brake = 0, false, true }

// act passes the commands to the simulator.
func (a *Axis) act() {
	u := min(max(a.volts, -a.drive.Supply), a.drive.Supply)
	if a.drive.Bits > 0 {
		half := math.Ldexp(1, a.drive.Bits-1)
		u = a.drive.Supply / half * min(math.Round(u/a.drive.Supply*half), half-1)
	}
	if a.drive.Reversed {
		u = -u
	}
	a.simulator.SetVoltage(a.joint, u)
	a.simulator.SetPower(a.joint, a.power && a.faults&CircuitOpen == 0)
	a.simulator.SetBrake(a.joint, a.brake)
}

// sense takes the readings from the simulator.
func (a *Axis) sense() {
	turn, stuckAt := a.turn, a.absolute
	a.count()
	if a.faults&EncoderStuck != 0 {
		a.origin += a.absolute - stuckAt // it has missed these for good
		a.index = false
		return
	}
	a.counts = a.absolute - a.origin
	a.index = a.turn != turn
	if a.index {
		mark := a.turn // the latest of those passed: the lower end of this turn, or the upper one on the way down
		if a.turn < turn {
			mark++
		}
		a.latched = mark*a.countsPerTurn() - a.origin
	}
}

// count sets the absolute count, the turn and the true position.
func (a *Axis) count() {
	a.position, a.velocity = a.simulator.Position(a.joint), a.simulator.Velocity(a.joint)
	a.current = a.simulator.Current(a.joint)
	turns := a.position * a.drive.Gear.Ratio / (2 * math.Pi)
	if a.drive.Encoder.Reversed {
		turns = -turns
	}
	a.turn = int64(math.Floor(turns))
	a.absolute = int64(math.Floor(turns * float64(a.countsPerTurn())))
}

// zero makes the encoder count from here.
func (a *Axis) zero() {
	a.count()
	a.origin, a.counts, a.latched, a.index = a.absolute, 0, 0, false
}

func (a *Axis) countsPerTurn() int64 { return 4 * int64(a.drive.Encoder.Lines) }
