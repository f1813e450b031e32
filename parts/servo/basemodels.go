package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Arming is the flag by which a [Sensor], a [Controller] or an [Actuator] remembers that the Sampler has begun a cycle.
type Arming struct {
	cycle Cycle
	armed bool
}

// Arm sets the flag for a cycle.
func (a *Arming) Arm(c Cycle) { a.cycle, a.armed = c, true }

// Armed reports whether the flag is set.
func (a *Arming) Armed() bool { return a.armed }

// Disarm clears the flag, and returns the cycle for which it was set last.
func (a *Arming) Disarm() Cycle {
	a.armed = false
	return a.cycle
}

// sampled calls SampleNow for each event that waits.
func sampled(events *block.Handler[Cycle], model sensorModel) error {
	for c, ok := events.Take(); ok; c, ok = events.Take() {
		if err := model.SampleNow(c); err != nil {
			return err
		}
	}
	return nil
}

var errNoSetup = errors.New("the Setup of the embedded base model was not called: call it in Setup")

// sensorModel, actuatorModel and controllerModel are blocks with the functions that their base models call.
type (
	sensorModel   interface{ SampleNow(Cycle) error }
	actuatorModel interface {
		sensorModel
		ActNow(act []float64) error
	}
	controllerModel interface {
		sensorModel
		ControllerNow() error
	}
)

// modelOf returns the block that is set up, whose functions replace those of its base model.
func modelOf[M any](s *block.Setup) (M, error) {
	m, ok := s.Block().(M)
	if !ok {
		return m, fmt.Errorf("%T replaces a method of its base model with another signature: wants SampleNow(servo.Cycle) error, "+
			"ControllerNow() error, ActNow([]float64) error", s.Block())
	}
	return m, nil
}

// Sensor is the base model of blocks that measure the state of a robot of N joints (Santini and Lages 2011, section 3). Equation 4
// of the paper has velocities in the second half, its SensorNMux (section 3.2) displacements: these are taken.
//
//	sensor = [q1 … qN  Δq1 … ΔqN]
//
//	           ┌────────┐
//	 sample ─► │ Sensor ├─► sensor
//	           └────────┘
//
// It calls SampleNow for each event of the [Sampler]. A type of one's own embeds Sensor and has a SampleNow that reads its
// hardware and writes State. Blocks of type Sensor alone write nothing.
type Sensor struct {
	N          block.Const[int]    `default:"1" min:"1" max:"1000" doc:"number of joints"`
	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`

	Sample block.Handler[Cycle] `required:"yes" trigger:"yes" doc:"a cycle begins: the sensors are read"`
	State  block.Out[[]float64] `name:"sensor" unit:"{Coordinate}" doc:"positions, then displacements in the cycle"`

	Arming
	model sensorModel
}

// Setup fixes the length of the output to 2N.
func (m *Sensor) Setup(s *block.Setup) (err error) {
	s.Len(2*m.N.Value(), &m.State)
	m.model, err = modelOf[sensorModel](s)
	return err
}

// SampleNow sets the flag. The embedding type replaces it to read its sensors.
func (m *Sensor) SampleNow(c Cycle) error {
	m.Arm(c)
	return nil
}

// Step calls SampleNow for each event of the Sampler.
func (m *Sensor) Step(clock.Tick) error {
	if m.model == nil {
		return errNoSetup
	}
	return sampled(&m.Sample, m.model)
}

// Stop clears the flag.
func (m *Sensor) Stop() error {
	m.Disarm()
	return nil
}

// Actuator is the base model of blocks that drive the N joints of a robot (Santini and Lages 2011, section 3).
//
//	act = [u1 … uN]
//
//	 sample ─► ┌──────────┐
//	    act ─► │ Actuator │
//	           └──────────┘
//
// An event of the [Sampler] calls SampleNow, which sets the flag and causes nothing else. A write to act calls ActNow. A type
// of one's own embeds Actuator and has an ActNow that drives its hardware; where it acts once in a cycle it asks Armed.
type Actuator struct {
	N       block.Const[int]    `default:"1" min:"1" max:"1000" doc:"number of joints"`
	Command block.Const[string] `default:"V" doc:"unit of the commands"`

	Sample block.Handler[Cycle] `required:"yes" doc:"a cycle begins"`
	Act    block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Command}" doc:"commands of all joints"`

	Arming
	model actuatorModel
}

// Setup fixes the length of the input to N.
func (m *Actuator) Setup(s *block.Setup) (err error) {
	s.Len(m.N.Value(), &m.Act)
	m.model, err = modelOf[actuatorModel](s)
	return err
}

// SampleNow sets the flag.
func (m *Actuator) SampleNow(c Cycle) error {
	m.Arm(c)
	return nil
}

// ActNow does nothing. The embedding type replaces it to apply the commands; the slice is valid within the call.
func (m *Actuator) ActNow([]float64) error { return nil }

// Step calls SampleNow for each event of the Sampler, and ActNow where a command has come.
func (m *Actuator) Step(clock.Tick) error {
	if m.model == nil {
		return errNoSetup
	}
	if err := sampled(&m.Sample, m.model); err != nil {
		return err
	}
	act, status := m.Act.Read()
	if status != block.NewData {
		return nil
	}
	return m.model.ActNow(act)
}

// Stop clears the flag.
func (m *Actuator) Stop() error {
	m.Disarm()
	return nil
}

// Controller is the base model of control laws of a robot of N joints (Santini and Lages 2011, section 3).
//
//	reference = [q1 … qN  q1' … qN'  q1'' … qN'']  as planned,  sensor = [q1 … qN  Δq1 … ΔqN]  as measured
//
//	   sample ─► ┌────────────┐
//	reference ─► │ Controller ├─► act
//	   sensor ─► └────────────┘
//
// An event of the [Sampler] calls SampleNow, which sets the flag and causes nothing else. The first write to sensor after it
// calls ControllerNow, once; further ones before the next event are ignored. A type of one's own embeds Controller and has a
// ControllerNow that reads Reference and Sensor and writes Act.
type Controller struct {
	N          block.Const[int]    `default:"1" min:"1" max:"1000" doc:"number of joints"`
	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`
	Command    block.Const[string] `default:"V" doc:"unit of the commands"`

	Sample    block.Handler[Cycle] `required:"yes" part:"sense" doc:"a cycle begins: the next measurement is controlled"`
	Reference block.In[[]float64]  `required:"yes" part:"sense" doc:"planned positions, velocities and accelerations [{Coordinate}, {Coordinate}/s, {Coordinate}/s²]"`
	Sensor    block.In[[]float64]  `required:"yes" part:"sense" trigger:"yes" unit:"{Coordinate}" doc:"measured positions, and displacements in the cycle"`
	Act       block.Out[[]float64] `part:"control" unit:"{Command}" safe:"0" doc:"commands of all joints"`

	Arming
	model controllerModel
}

// Setup fixes the lengths: 3N of the reference, 2N of the measurement, N of the commands.
func (m *Controller) Setup(s *block.Setup) (err error) {
	n := m.N.Value()
	s.Len(3*n, &m.Reference)
	s.Len(2*n, &m.Sensor)
	s.Len(n, &m.Act)
	m.model, err = modelOf[controllerModel](s)
	return err
}

// SampleNow sets the flag.
func (m *Controller) SampleNow(c Cycle) error {
	m.Arm(c)
	return nil
}

// ControllerNow does nothing. The embedding type replaces it to calculate the commands.
func (m *Controller) ControllerNow() error { return nil }

// Sense calls SampleNow for each event of the Sampler, and ControllerNow at the first measurement after one.
func (m *Controller) Sense(clock.Tick) error {
	if m.model == nil {
		return errNoSetup
	}
	if err := sampled(&m.Sample, m.model); err != nil {
		return err
	}
	if _, status := m.Sensor.Read(); status != block.NewData || !m.Armed() {
		return nil
	}
	m.Disarm()
	return m.model.ControllerNow()
}

// Control does nothing. An embedding type whose commands come from other blocks replaces it to collect them.
func (m *Controller) Control(clock.Tick) error { return nil }

// Stop clears the flag.
func (m *Controller) Stop() error {
	m.Disarm()
	return nil
}

// came returns the value of an input and whether it is new, or was given by hand.
func came(in *block.In[float64]) (v float64, ok bool) {
	v, status := in.Read()
	return v, status == block.NewData || status == block.OldData && in.ByHand()
}
