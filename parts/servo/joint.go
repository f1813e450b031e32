package servo

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Joint is one joint of a robot in the joint's own units (Santini and Lages 2011, section 3.1): behind it, its peer is the card
// that drives the motor and reads the sensor.
//
//	moved    = sensor_sign · per_turn · counts / (resolution · gear_ratio)
//	position = initial_pos + moved,  displacement = moved - moved at the reading before
//
//	                        ┌───────┐
//	      sample, counts ─► │ sense ├─► position, displacement, velocity, index
//	                        ├───────┤
//	        act, voltage ─► │control├─► voltage_actuator, power
//	                        └───────┘
//	                          ⇅ peer: actuatorOn, actuatorOff, actuatorSet, sensorRead, brakeApply, brakeRelease
//
// Without peer_name the joint works through ports alone, and its card may be a program of any language: the counts come through
// displacement_sensor, the voltage leaves by voltage_actuator, and power switches motor and brake. On sample it takes the newest
// counts; older than max_age, they put it in error. Until the first ones come it waits, with its outputs at rest and a warning.
//
// On sample it asks its peer to read the sensor. The counts come with the answer or, where the card's outputs are
// linked to displacement_sensor and index_sensor, through these ports. The position is the sum of initial_pos and all
// displacements. The velocity is the filtered difference of positions ([control.Differentiator]), 0 until two samples have
// come. On act it sends the voltage. With sampler false it has none of the inputs sample, act and
// voltage: its operations and displacement_sensor run it.
//
// Its own operations are those of the peer in the joint's units and directions. With brake false it has no brakeApply and no
// brakeRelease, and its peer needs none. motorOn sets 0 V and, beyond the published mapping, releases the brake; motorOff
// applies it first.
//
// With resume the joint begins where an earlier run has left it, and not at initial_pos: its angle and that of the latest index mark outlive
// the run. The counts of the first reading belong to that angle, whether or not the encoder has lost them. The first index mark shows
// whether the joint has moved meanwhile: where it is farther than a tenth of index_every from where marks were, the joint goes into error,
// with its position corrected to the nearest mark. A movement by a whole multiple of index_every is not seen.
//
// resolution, velocity, resume and the missing input voltage without a sampler go beyond the published joint.
//
// The motor is on from start to stop. A voltage that is not finite, a card that fails, or one that reports an applied brake while
// brake is false puts the joint in error: 0 V, brake applied, motor off. It remains so after a reset, until motorOn is called.
type Joint struct {
	PeerName   block.Const[string]  `doc:"name of the block that is the joint's card; default: none, the card is behind the joint's ports"`
	Brake      block.Const[bool]    `default:"true" doc:"the joint has a brake"`
	Sampler    block.Const[bool]    `default:"true" doc:"the joint reads on sample and acts on act; false: it has neither of them, nor voltage"`
	Coordinate block.Const[string]  `default:"rad" doc:"unit of the positions"`
	Command    block.Const[string]  `default:"V" doc:"unit of the commands"`
	Resume     block.Const[bool]    `doc:"the joint begins at the angle that an earlier run has left; false: at initial_pos"`
	Cutoff     block.Const[float64] `unit:"Hz" default:"20" min:"0.001" doc:"cutoff frequency of the velocity's filter"`

	ActuatorSign block.Param[float64] `default:"1" min:"-1" max:"1" doc:"1, or -1 where a positive voltage moves the joint in its negative direction"`
	SensorSign   block.Param[float64] `default:"1" min:"-1" max:"1" doc:"1, or -1 where the counts fall while the joint moves in its positive direction"`
	GearRatio    block.Param[float64] `default:"1" min:"0.001" doc:"turns of the motor per turn of the joint"`
	Resolution   block.Param[float64] `default:"2000" min:"1" doc:"counts per turn of the motor: lines times 4"`
	PerTurn      block.Param[float64] `unit:"{Coordinate}" default:"6.283185307179586" min:"1e-9" doc:"movement of the joint in a turn of its gear; default: 2π, for a joint that turns"`
	InitialPos   block.Param[float64] `unit:"{Coordinate}" doc:"position at 0 counts"`
	IndexEvery   block.Param[float64] `unit:"{Coordinate}" min:"0" doc:"movement of the joint from one index mark to the next; default: that of a turn of the motor"`
	MaxAge       block.Param[float64] `unit:"s" default:"0.1" min:"0.001" doc:"greatest age of the counts where the card is behind the joint's ports"`

	Sample             block.Handler[Cycle] `required:"yes" part:"sense" trigger:"yes" doc:"a cycle begins: the joint reads its sensor"`
	DisplacementSensor block.In[int64]      `part:"sense" trigger:"yes" doc:"counts, from the card; without a link they are what sensorRead of the card returns"`
	IndexSensor        block.In[int64]      `part:"sense" trigger:"yes" doc:"counts at the index mark, from the card; without a link those that sensorRead of the card returns"`
	Displacement       block.Out[float64]   `part:"sense" unit:"{Coordinate}" doc:"movement since the reading before; the first: since 0 counts"`
	Position           block.Out[float64]   `part:"sense" unit:"{Coordinate}" doc:"position of the joint"`
	Velocity           block.Out[float64]   `part:"sense" unit:"{Coordinate}/s" doc:"velocity of the joint, filtered"`
	Index              block.Out[float64]   `part:"sense" unit:"{Coordinate}" doc:"position of the latest index mark"`

	Act             block.Handler[Cycle] `required:"yes" part:"control" trigger:"yes" doc:"all commands are written: the joint applies its voltage"`
	Voltage         block.In[float64]    `required:"yes" part:"control" unit:"{Command}" doc:"command; a positive one moves the joint in its positive direction"`
	VoltageActuator block.Out[float64]   `part:"control" unit:"{Command}" safe:"0" doc:"command as sent to the card"`
	Power           block.Out[bool]      `part:"control" safe:"false" doc:"the motor is on and its brake released; only without peer_name"`

	MotorOn      block.Operation[block.None, block.None] `doc:"set 0 {Command}, switch the motor on and release the brake"`
	MotorOff     block.Operation[block.None, block.None] `doc:"set 0 {Command}, apply the brake and switch the motor off"`
	MotorSet     block.Operation[float64, block.None]    `unit:"{Command}" doc:"apply a command; a positive one moves the joint in its positive direction"`
	SensorRead   block.Operation[block.None, float64]    `unit:"{Coordinate}" doc:"read the sensor and return the displacement since the reading before"`
	BrakeApply   block.Operation[block.None, block.None] `doc:"apply the brake; only with brake: true"`
	BrakeRelease block.Operation[block.None, block.None] `doc:"release the brake; only with brake: true"`

	place   jointPlace `persist:"yes" doc:"where the joint is, and its latest index mark"`
	offset  float64    // of the position from that by counts: what resuming adds
	resumes bool       // the first reading belongs to the angle in place
	checks  bool       // the first index mark must be where marks were
	card    cardCalls
	ports   bool                   // the card is behind the joint's ports
	on      bool                   // the motor, which power then switches
	waiting bool                   // for the first counts
	moved   float64                // since 0 counts, at the latest reading
	speed   control.Differentiator // made at the first sample, which gives the period
	rated   bool
}

// jointPlace is what a joint keeps of where it is.
type jointPlace struct {
	Angle  float64 `doc:"position of the joint"`
	Known  bool    `doc:"there was a reading"`
	Mark   float64 `doc:"position of the latest index mark"`
	Marked bool    `doc:"there was an index mark"`
}

// markTolerance is how far an index mark may be from where marks were, as a part of the distance between two.
const markTolerance = 0.1

// cardCalls are the operations of a joint's peer.
type cardCalls struct {
	actuatorOn, actuatorOff, brakeApply, brakeRelease block.Caller[block.None, block.None]
	actuatorSet                                       block.Caller[float64, block.None]
	sensorRead                                        block.Caller[block.None, Reading]
}

var (
	errVoltage  = errors.New("voltage is not a finite number")
	errHeld     = errors.New("the card reports an applied brake, which a joint with brake false does not release: set its parameter brake to true")
	errSign     = errors.New("actuator_sign and sensor_sign are 1 or -1")
	errStale    = errors.New("the counts in displacement_sensor are older than max_age: look whether the card runs and is linked")
	errNoSample = errors.New("sampler is false and peer_name is not given: without the event sample a card that is silent is not noticed. Give the name of a card, or leave sampler true")
	errMoved    = errors.New("the first index mark is not where marks were in the run before: the joint has moved since. Its position is corrected to the nearest mark: look where the joint is, then reset the block and call motorOn")
	errOff      = errors.New("the motor is off: call motorOn first")
	noCounts    = &block.Trouble{Why: errors.New("no counts have come in displacement_sensor: the joint waits for its card")}
)

// fullTurn is the movement of a joint that turns in a turn of its gear, rad.
const fullTurn = 2 * math.Pi

// Setup binds the peer's operations and offers the joint's own.
func (j *Joint) Setup(s *block.Setup) error {
	if j.ports = j.PeerName.Value() == ""; j.ports {
		why := "its parameter peer_name is not given"
		if !j.Sampler.Value() {
			return errNoSample
		}
		s.Require(&j.DisplacementSensor)
		s.Omit(why, &j.SensorRead, &j.BrakeApply, &j.BrakeRelease)
	} else {
		j.bind(s)
	}
	j.MotorOn.Handle(func(block.None) (block.None, error) { return block.None{}, j.motorOn() })
	j.MotorOff.Handle(func(block.None) (block.None, error) { return block.None{}, j.Stop() })
	j.MotorSet.Handle(func(v float64) (block.None, error) { return block.None{}, j.motorSet(v) })
	if !j.Sampler.Value() {
		s.Omit("its parameter sampler is false", &j.Sample, &j.Act, &j.Voltage)
	}
	if !j.Resume.Value() {
		s.DoNotKeep("its parameter resume is false", &j.place)
	}
	j.resumes = j.Resume.Value() && j.place.Known
	j.checks = j.resumes && j.place.Marked
	if unit := j.Coordinate.Value(); unit != "rad" && j.PerTurn.Value() == fullTurn {
		return &port.ParamError{Param: "per_turn", Err: fmt.Errorf("coordinate is %s, but per_turn is 2π: give the movement of the joint in a turn of its gear, in %s", unit, unit)}
	}
	return j.CheckParams()
}

// bind binds the peer's operations and offers what needs them.
func (j *Joint) bind(s *block.Setup) {
	peer := j.PeerName.Value()
	block.Bind(s, &j.card.actuatorOn, peer, "actuatorOn")
	block.Bind(s, &j.card.actuatorOff, peer, "actuatorOff")
	block.Bind(s, &j.card.actuatorSet, peer, "actuatorSet")
	block.Bind(s, &j.card.sensorRead, peer, "sensorRead")
	j.SensorRead.Handle(func(block.None) (float64, error) { return j.read() })
	s.Omit("its parameter peer_name is given: the card has operations", &j.Power)
	if !j.Brake.Value() {
		s.Omit("its parameter brake is false", &j.BrakeApply, &j.BrakeRelease)
		return
	}
	block.Bind(s, &j.card.brakeApply, peer, "brakeApply")
	block.Bind(s, &j.card.brakeRelease, peer, "brakeRelease")
	j.BrakeApply.Handle(j.card.brakeApply.Call)
	j.BrakeRelease.Handle(j.card.brakeRelease.Call)
}

// CheckParams rejects signs that are neither 1 nor -1.
func (j *Joint) CheckParams() error {
	if math.Abs(j.ActuatorSign.Value()) != 1 || math.Abs(j.SensorSign.Value()) != 1 {
		return errSign
	}
	return nil
}

// Start switches the motor on.
func (j *Joint) Start() error {
	if err := j.motorOn(); err != nil {
		return fmt.Errorf("switch the motor on through %q: %w", j.PeerName.Value(), err)
	}
	return nil
}

// motorOn lets the motor hold the joint before the brake releases it.
func (j *Joint) motorOn() error {
	if j.on = true; j.ports {
		return nil // power follows with the next command
	}
	if _, err := j.card.actuatorSet.Call(0); err != nil {
		return err
	}
	if _, err := j.card.actuatorOn.Call(block.None{}); err != nil {
		return err
	}
	if !j.Brake.Value() {
		return nil
	}
	_, err := j.card.brakeRelease.Call(block.None{})
	return err
}

// Sense reads the sensor when a cycle has begun, or takes what the card has written.
func (j *Joint) Sense(t clock.Tick) error {
	sampled := false
	for _, ok := j.Sample.Take(); ok; _, ok = j.Sample.Take() {
		sampled = true
	}
	switch {
	case j.ports && !sampled:
		return nil
	case j.ports:
		if err := j.takeCounts(); err != nil {
			return err
		}
	case sampled:
		if _, err := j.read(); err != nil {
			return err
		}
	case j.DisplacementSensor.New():
		if _, err := j.update(Reading{}); err != nil {
			return err
		}
	default:
		return j.takeIndex()
	}
	j.Velocity.Write(j.velocity(j.Position.Value(), t.Seconds()))
	return nil
}

// takeCounts takes the newest counts that have come through the port, and rejects those that are too old.
func (j *Joint) takeCounts() error {
	counts, status := j.DisplacementSensor.Read()
	if j.waiting = status == block.NoData; j.waiting {
		return noCounts
	}
	if j.DisplacementSensor.Age().Seconds() > j.MaxAge.Value() && !j.DisplacementSensor.ByHand() {
		return errStale
	}
	_, err := j.update(Reading{Counts: counts})
	return err
}

// read makes the card read its sensor, and returns the displacement.
func (j *Joint) read() (float64, error) {
	r, err := j.card.sensorRead.Call(block.None{})
	if err != nil {
		return 0, err
	}
	if r.Held && !j.Brake.Value() {
		return 0, errHeld
	}
	return j.update(r)
}

// update writes what the sensor has read: r or, where they are linked, what came through the ports.
func (j *Joint) update(r Reading) (displacement float64, err error) {
	if v, status := j.DisplacementSensor.Read(); status == block.NewData {
		r.Counts = v
	}
	moved := j.turned(r.Counts)
	if j.resumes {
		j.offset, j.resumes = j.place.Angle-j.InitialPos.Value()-moved, false
	}
	if r.Marked {
		err = j.atMark(r.Index)
	}
	if e := j.takeIndex(); e != nil {
		err = e
	}
	displacement, j.moved = moved-j.moved, moved
	j.Displacement.Write(displacement)
	j.place.Angle, j.place.Known = j.position(r.Counts), true
	j.Position.Write(j.place.Angle)
	return displacement, err
}

// position returns the position of the joint at a number of counts.
func (j *Joint) position(counts int64) float64 {
	return j.InitialPos.Value() + j.offset + j.turned(counts)
}

// takeIndex takes the counts at an index mark that have come through the port.
func (j *Joint) takeIndex() error {
	if v, status := j.IndexSensor.Read(); status == block.NewData {
		return j.atMark(v)
	}
	return nil
}

// atMark writes the position of an index mark, given by its counts. The first one of a resumed run is compared with that of the run before.
func (j *Joint) atMark(counts int64) (err error) {
	if j.resumes { // before the first reading nothing is known of the joint
		return nil
	}
	if j.checks {
		j.checks = false
		every := j.IndexEvery.Value()
		if every == 0 {
			every = j.PerTurn.Value() / j.GearRatio.Value()
		}
		if off := math.Remainder(j.position(counts)-j.place.Mark, every); math.Abs(off) > markTolerance*every {
			j.offset -= off
			err = errMoved
		}
	}
	j.place.Mark, j.place.Marked = j.position(counts), true
	j.Index.Write(j.place.Mark)
	return err
}

// velocity filters the differences of positions that come every h seconds.
func (j *Joint) velocity(q, h float64) float64 {
	if !j.rated {
		if h <= 0 {
			return 0 // the first sample of a triggered thread, which may come at time 0
		}
		j.speed, j.rated = control.NewDifferentiator(j.Cutoff.Value()), true
	}
	v, _ := j.speed.Step(q, h)
	return v
}

// turned returns the angle of the joint for a number of counts.
func (j *Joint) turned(counts int64) float64 {
	return j.PerTurn.Value() / fullTurn * control.EncoderScale{
		CountsPerTurn: j.Resolution.Value(), Gear: j.GearRatio.Value(), Sign: j.SensorSign.Value(),
	}.Position(counts)
}

// Control sends the voltage when all joints act.
func (j *Joint) Control(clock.Tick) error {
	act := false
	for _, ok := j.Act.Take(); ok; _, ok = j.Act.Take() {
		act = true
	}
	v, status := j.Voltage.Read()
	switch {
	case !act || status == block.NoData || j.waiting:
		return nil
	case j.ports && !j.on:
		v = 0
	}
	return j.send(v)
}

// motorSet applies a voltage for an operator.
func (j *Joint) motorSet(volts float64) error {
	switch {
	case j.ports && j.waiting:
		return noCounts
	case j.ports && !j.on:
		return errOff
	}
	return j.send(volts)
}

func (j *Joint) send(volts float64) error {
	if math.IsNaN(volts) || math.IsInf(volts, 0) {
		return errVoltage
	}
	volts *= j.ActuatorSign.Value()
	if j.ports {
		j.Power.Write(j.on)
	} else if _, err := j.card.actuatorSet.Call(volts); err != nil {
		return err
	}
	j.VoltageActuator.Write(volts)
	return nil
}

// Stop brings the joint to rest: 0 V, brake applied, motor off. It continues where one of them fails.
func (j *Joint) Stop() error {
	if j.on = false; j.ports {
		j.VoltageActuator.Write(0)
		j.Power.Write(false)
		return nil
	}
	_, setErr := j.card.actuatorSet.Call(0)
	var brakeErr error
	if j.Brake.Value() {
		_, brakeErr = j.card.brakeApply.Call(block.None{})
	}
	_, offErr := j.card.actuatorOff.Call(block.None{})
	return errors.Join(setErr, brakeErr, offErr)
}
