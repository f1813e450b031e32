package servo

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// maxMissed is how many cycles a controller waits for a command before it is in error.
const maxMissed = 10

// ControllerNPID is the [Controller] that lets N PIDs control N joints independently.
//
//	   sample ─► ┌───────┐
//	reference ─► │ sense │ ─► ref1 … N, sen1 … N     to the PIDs
//	   sensor ─► │       │ ─► error1 … N
//	             ├───────┤
//	out1 … N  ─► │control│ ─► act
//	             └───────┘
//
// At the first measurement after a sample it writes reference and measurement to the PIDs and waits until all of them have
// answered: the commands in act always belong to one cycle, on whatever threads the PIDs run. Measurements that come while
// it waits are not controlled. When an answer is missing at the tenth of them, because a PID is not linked, disabled or in
// error, the controller is in error: 0 V for all joints.
//
// Before the first reference comes, the measured position is the reference: the joints stay where they are.
type ControllerNPID struct {
	Controller

	Ref   []block.Out[float64] `part:"sense" unit:"{Coordinate}" doc:"desired position, to a PID"`
	Sen   []block.Out[float64] `part:"sense" unit:"{Coordinate}" doc:"measured position, to a PID"`
	Error []block.Out[float64] `part:"sense" unit:"{Coordinate}" doc:"desired minus measured position"`
	Out   []block.In[float64]  `required:"yes" part:"control" trigger:"yes" unit:"{Command}" doc:"command of a PID"`

	start   []float64 // positions at the first measurement
	planned []float64 // the reference of this cycle, or start
	waiting bool      // for answers to what was written to the PIDs
	arrived []bool    // which have come
	missed  int       // cycles that began while it waited
	late    []error   // by output

	feed feedforward // of an extension; nil: none
}

// feedforward is an addition to the commands of the PIDs.
type feedforward interface {
	forget()           // what has come so far
	ready() error      // nil: it has come since
	add(act []float64) // adds it
}

// Setup makes the ports.
func (c *ControllerNPID) Setup(s *block.Setup) error {
	n := c.N.Value()
	c.Ref, c.Sen, c.Error = make([]block.Out[float64], n), make([]block.Out[float64], n), make([]block.Out[float64], n)
	c.Out = make([]block.In[float64], n)
	c.arrived, c.start, c.late = make([]bool, n), make([]float64, 0, n), make([]error, n)
	for i := range c.late {
		c.late[i] = noAnswer(fmt.Sprintf("out%d", i+1), "PID")
	}
	return c.Controller.Setup(s)
}

func noAnswer(port, from string) error {
	return fmt.Errorf("%s has not come in %d cycles: look whether its %s is linked, enabled and without error", port, maxMissed, from)
}

// Stop forgets the cycle under way and where the joints were at first.
func (c *ControllerNPID) Stop() error {
	c.waiting, c.missed, c.start = false, 0, c.start[:0]
	return c.Controller.Stop()
}

// ControllerNow splits reference and measurement, once the answers to the last ones have come.
func (c *ControllerNPID) ControllerNow() error {
	missing := c.collect()
	if missing != nil {
		if c.missed++; c.missed == maxMissed {
			return missing
		}
		return nil
	}
	c.missed, c.waiting = 0, true
	c.forget()
	sensor := c.Sensor.Value()
	if len(c.start) == 0 {
		c.start = append(c.start, sensor[:len(c.Ref)]...)
	}
	desired, status := c.Reference.Read()
	if status == block.NoData {
		desired = c.start
	}
	for i := range c.Ref {
		c.Ref[i].Write(desired[i])
		c.Sen[i].Write(sensor[i])
		c.Error[i].Write(desired[i] - sensor[i])
	}
	c.planned = desired
	return nil
}

// Control writes the commands when all have come.
func (c *ControllerNPID) Control(clock.Tick) error {
	c.collect()
	return nil
}

// forget makes what has come so far old.
func (c *ControllerNPID) forget() {
	for i := range c.Out {
		c.Out[i].Read()
	}
	clear(c.arrived)
	if c.feed != nil {
		c.feed.forget()
	}
}

// collect takes the answers and writes the commands when all have come. It returns what is missing; nil while it does not wait.
func (c *ControllerNPID) collect() (missing error) {
	if !c.waiting {
		return nil
	}
	for i := range c.Out {
		if _, ok := came(&c.Out[i]); ok {
			c.arrived[i] = true
		}
		if !c.arrived[i] && missing == nil {
			missing = c.late[i]
		}
	}
	if c.feed != nil {
		if err := c.feed.ready(); missing == nil {
			missing = err
		}
	}
	if missing != nil {
		return missing
	}
	c.waiting = false
	act := *c.Act.Slot()
	for i := range act {
		act[i] = c.Out[i].Value()
	}
	if c.feed != nil {
		c.feed.add(act)
	}
	c.Act.Commit()
	return nil
}

// ControllerNPIDFF is [ControllerNPID] with feedforward compensation: it adds the voltages that the planned motion needs, as
// computed from the robot's model, to the PIDs' commands. The PIDs only correct the errors of the model.
//
//	act = sat( out + out_model )
//
//	   sample ─► ┌───────┐
//	reference ─► │ sense │ ─► ref1 … N, sen1 … N, error1 … N
//	   sensor ─► │       │ ─► in_model               to the model
//	             ├───────┤
//	 out1 … N ─► │control│ ─► act
//	out_model ─► └───────┘
//
// The saturation and voltages instead of torques at out_model go beyond the paper (section 3.4.2). There the PIDs get their values
// when the model has answered; here model and PIDs get theirs at once and may run on different threads. The sum is the same.
// in_model is the reference; before the first one comes it is the first measured positions at rest. The controller waits for
// out_model as it does for the PIDs.
type ControllerNPIDFF struct {
	ControllerNPID

	InModel  block.Out[[]float64] `part:"sense" doc:"positions, velocities and accelerations, to the model [{Coordinate}, {Coordinate}/s, {Coordinate}/s²]"`
	OutModel block.In[[]float64]  `required:"yes" part:"control" trigger:"yes" unit:"{Command}" doc:"voltages that the planned motion needs, from the model"`
	Limit    block.Param[float64] `unit:"{Command}" default:"24" min:"0" doc:"greatest command, in either direction"`

	answered bool
}

var errNoModel = noAnswer("out_model", "model")

// Setup makes the ports.
func (c *ControllerNPIDFF) Setup(s *block.Setup) error {
	n := c.N.Value()
	s.Len(3*n, &c.InModel)
	s.Len(n, &c.OutModel)
	c.feed = (*modelFeed)(c)
	return c.ControllerNPID.Setup(s)
}

// ControllerNow writes to the model what it writes to the PIDs.
func (c *ControllerNPIDFF) ControllerNow() error {
	if err := c.ControllerNPID.ControllerNow(); err != nil || c.missed > 0 {
		return err
	}
	in := *c.InModel.Slot()
	clear(in)
	copy(in, c.planned)
	c.InModel.Commit()
	return nil
}

// modelFeed is the controller as its own feedforward.
type modelFeed ControllerNPIDFF

func (f *modelFeed) forget() {
	f.OutModel.Read()
	f.answered = false
}

func (f *modelFeed) ready() error {
	_, status := f.OutModel.Read()
	if status == block.NewData || status == block.OldData && f.OutModel.ByHand() {
		f.answered = true
	}
	if f.answered {
		return nil
	}
	return errNoModel
}

func (f *modelFeed) add(act []float64) {
	limit := f.Limit.Value()
	for i, u := range f.OutModel.Value() {
		act[i] = math.Min(math.Max(act[i]+u, -limit), limit)
	}
}
