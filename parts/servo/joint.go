package servo

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Joint is one joint of a robot in the joint's own units: it hides sign, gear and resolution of the sensor, and the
// sign of the actuator, behind a card.
//
//	position = initial_pos + sensor_sign · 2π · counts / (resolution · gear_ratio)
//
//	                        ┌───────┐
//	      sample, counts ─► │ sense ├─► position, velocity, displacement, index
//	                        ├───────┤
//	        act, voltage ─► │control├─► voltage_actuator
//	                        └───────┘
//	                          ⇅ peer: motorOn, motorSet, sensorRead, brakeApply, …
//
// On sample it asks its peer to read the sensor. The counts come with the answer or, where the card's outputs are
// linked to displacement_sensor and index_sensor, through these ports. The velocity is the filtered difference of
// positions ([control.Differentiator]), 0 until two samples have come. On act it sends the voltage.
//
// The motor is on from start to stop. A voltage that is not finite, or a card that fails, puts the joint in error: 0 V,
// brake applied, motor off. So it stays, also after a reset, until motorOn is called.
type Joint struct {
	PeerName block.Const[string]  `doc:"name of the block that is the joint's card"`
	Sampler  block.Const[string]  `doc:"name of the block whose event sample makes the joint read; for the reader of the file: the link says it"`
	Cutoff   block.Const[float64] `unit:"Hz" default:"20" min:"0.001" doc:"of the filter behind the velocity"`

	Brake        block.Param[bool]    `doc:"hold the joint by its brake while the motor is on; while it is off, the brake holds anyhow"`
	ActuatorSign block.Param[float64] `default:"1" min:"-1" max:"1" doc:"-1 where a positive voltage moves the joint in its negative sense"`
	SensorSign   block.Param[float64] `default:"1" min:"-1" max:"1" doc:"-1 where the counts fall in the joint's positive sense"`
	GearRatio    block.Param[float64] `default:"1" min:"0.001" doc:"turns of the motor in a turn of the joint"`
	Resolution   block.Param[float64] `default:"2000" min:"1" doc:"counts in a turn of the motor: lines times 4"`
	InitialPos   block.Param[float64] `unit:"rad" doc:"position at 0 counts"`

	Sample             block.Handler[Cycle] `part:"sense" trigger:"yes" doc:"makes the joint read"`
	DisplacementSensor block.In[int64]      `part:"sense" trigger:"yes" doc:"counts, from the card"`
	IndexSensor        block.In[int64]      `part:"sense" trigger:"yes" doc:"counts at the index mark, from the card"`
	Displacement       block.Out[float64]   `part:"sense" unit:"rad" doc:"movement since 0 counts"`
	Position           block.Out[float64]   `part:"sense" unit:"rad" doc:"position of the joint"`
	Velocity           block.Out[float64]   `part:"sense" unit:"rad/s" doc:"velocity of the joint, filtered"`
	Index              block.Out[float64]   `part:"sense" unit:"rad" doc:"position of the latest index mark"`

	Act             block.Handler[Cycle] `part:"control" trigger:"yes" doc:"makes the joint act"`
	Voltage         block.In[float64]    `part:"control" unit:"V" doc:"command, in the joint's sense"`
	VoltageActuator block.Out[float64]   `part:"control" unit:"V" safe:"0" doc:"command, as the card got it"`

	MotorOn      block.Operation[block.None, block.None] `doc:"switch the motor on at 0 V, then release the brake"`
	MotorOff     block.Operation[block.None, block.None] `doc:"apply the brake, then switch the motor off"`
	MotorSet     block.Operation[float64, block.None]    `doc:"voltage in the joint's sense, V"`
	SensorRead   block.Operation[block.None, Reading]    `doc:"read the sensor"`
	BrakeApply   block.Operation[block.None, block.None] `doc:"hold the joint"`
	BrakeRelease block.Operation[block.None, block.None] `doc:"let the joint move"`

	card    cardCalls
	powered bool
	held    bool                   // by the brake, as commanded last
	speed   control.Differentiator // made at the first sample that tells the period
	rated   bool
}

// cardCalls are the operations of a joint's peer.
type cardCalls struct {
	motorOn, motorOff, brakeApply, brakeRelease block.Caller[block.None, block.None]
	motorSet                                    block.Caller[float64, block.None]
	sensorRead                                  block.Caller[block.None, Reading]
}

var (
	errVoltage = errors.New("voltage is not a finite number")
	errSign    = errors.New("actuator_sign and sensor_sign are 1 or -1")
)

// Setup binds the peer's operations and offers them as the joint's own.
func (j *Joint) Setup(s *block.Setup) error {
	peer := j.PeerName.Value()
	if peer == "" {
		return fmt.Errorf("peer_name is not given: it names the block that is the joint's card")
	}
	j.card.bind(s, peer)
	j.MotorOn.Handle(func(block.None) (block.None, error) { return block.None{}, j.motorOn() })
	j.MotorOff.Handle(func(block.None) (block.None, error) { return block.None{}, j.Stop() })
	j.MotorSet.Handle(func(v float64) (block.None, error) { return block.None{}, j.send(v) })
	j.SensorRead.Handle(j.card.sensorRead.Call)
	j.BrakeApply.Handle(j.card.brakeApply.Call)
	j.BrakeRelease.Handle(j.card.brakeRelease.Call)
	return j.CheckParams()
}

func (c *cardCalls) bind(s *block.Setup, peer string) {
	block.Bind(s, &c.motorOn, peer, "motorOn")
	block.Bind(s, &c.motorOff, peer, "motorOff")
	block.Bind(s, &c.brakeApply, peer, "brakeApply")
	block.Bind(s, &c.brakeRelease, peer, "brakeRelease")
	block.Bind(s, &c.motorSet, peer, "motorSet")
	block.Bind(s, &c.sensorRead, peer, "sensorRead")
}

// CheckParams refuses signs that are neither 1 nor -1.
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

// motorOn lets the motor hold the joint before the brake lets it go.
func (j *Joint) motorOn() error {
	if _, err := j.card.motorSet.Call(0); err != nil {
		return err
	}
	if _, err := j.card.motorOn.Call(block.None{}); err != nil {
		return err
	}
	j.powered = true
	return j.hold(j.Brake.Value())
}

func (j *Joint) hold(on bool) error {
	op := &j.card.brakeRelease
	if on {
		op = &j.card.brakeApply
	}
	_, err := op.Call(block.None{})
	j.held = on
	return err
}

// Sense reads the sensor when a cycle has begun, and tells position and velocity.
func (j *Joint) Sense(t clock.Tick) error {
	sampled := false
	for _, ok := j.Sample.Take(); ok; _, ok = j.Sample.Take() {
		sampled = true
	}
	var counts int64
	if sampled {
		r, err := j.card.sensorRead.Call(block.None{})
		if err != nil {
			return err
		}
		counts = r.Counts
		if r.Marked {
			j.Index.Write(j.position(r.Index))
		}
	}
	if v, status := j.DisplacementSensor.Read(); status == block.NewData {
		counts = v
	} else if !sampled {
		return nil
	}
	if v, status := j.IndexSensor.Read(); status == block.NewData {
		j.Index.Write(j.position(v))
	}
	q := j.position(counts)
	j.Displacement.Write(q - j.InitialPos.Value())
	j.Position.Write(q)
	j.Velocity.Write(j.velocity(q, t.Seconds()))
	return nil
}

// velocity filters the differences of positions that come every h seconds.
func (j *Joint) velocity(q, h float64) float64 {
	if !j.rated {
		if h <= 0 {
			return 0 // the first sample of a triggered thread, which may come at time 0
		}
		j.speed, j.rated = control.NewDifferentiator(j.Cutoff.Value(), h), true
	}
	v, _ := j.speed.Step(q)
	return v
}

func (j *Joint) position(counts int64) float64 {
	return control.EncoderScale{
		CountsPerTurn: j.Resolution.Value(), Gear: j.GearRatio.Value(), Sign: j.SensorSign.Value(), Offset: j.InitialPos.Value(),
	}.Position(counts)
}

// Control sends the voltage when all joints are to act.
func (j *Joint) Control(clock.Tick) error {
	for _, ok := j.Act.Take(); ok; _, ok = j.Act.Take() {
	}
	if on := j.Brake.Value(); j.powered && on != j.held {
		if err := j.hold(on); err != nil {
			return err
		}
	}
	v, status := j.Voltage.Read()
	if status == block.NoData {
		return nil
	}
	return j.send(v)
}

func (j *Joint) send(volts float64) error {
	if math.IsNaN(volts) || math.IsInf(volts, 0) {
		return errVoltage
	}
	volts *= j.ActuatorSign.Value()
	_, err := j.card.motorSet.Call(volts)
	if err == nil {
		j.VoltageActuator.Write(volts)
	}
	return err
}

// Stop brings the joint to rest: 0 V, brake applied, motor off. It goes on where one of them fails.
func (j *Joint) Stop() error {
	j.powered = false
	_, setErr := j.card.motorSet.Call(0)
	brakeErr := j.hold(true)
	_, offErr := j.card.motorOff.Call(block.None{})
	return errors.Join(setErr, brakeErr, offErr)
}
