package servo

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// ControllerNPID lets N PIDs control N joints independently.
//
//	reference ─► ┌───────┐ ─► ref1 … N, sen1 … N     to the PIDs
//	   sensor ─► │ sense │ ─► error1 … N
//	             ├───────┤
//	  u1 … N  ─► │control│ ─► act
//	             └───────┘
//
//	reference = [q1 … qN  q1' … qN'  q1'' … qN'']  as planned,  sensor = [q1 … qN  q1' … qN']  as measured
//
// Before the first reference comes, the measured position is the reference: the joints stay where they are.
type ControllerNPID struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of joints"`

	Reference block.In[[]float64]  `part:"sense" doc:"planned positions, velocities and accelerations [rad, rad/s, rad/s²]"`
	Sensor    block.In[[]float64]  `part:"sense" trigger:"yes" doc:"measured positions and velocities [rad, rad/s]"`
	Ref       []block.Out[float64] `part:"sense" unit:"rad" doc:"desired position, to a PID"`
	Sen       []block.Out[float64] `part:"sense" unit:"rad" doc:"measured position, to a PID"`
	Error     []block.Out[float64] `part:"sense" unit:"rad" doc:"desired minus measured position"`

	U   []block.In[float64]  `part:"control" trigger:"yes" unit:"V" doc:"command of a PID"`
	Act block.Out[[]float64] `part:"control" unit:"V" safe:"0" doc:"commands of all joints"`

	start []float64 // positions at the first measurement
}

// Setup makes the ports.
func (c *ControllerNPID) Setup(s *block.Setup) error {
	n := c.N.Value()
	c.Ref, c.Sen, c.Error = make([]block.Out[float64], n), make([]block.Out[float64], n), make([]block.Out[float64], n)
	c.U = make([]block.In[float64], n)
	s.Len(3*n, &c.Reference)
	s.Len(2*n, &c.Sensor)
	s.Len(n, &c.Act)
	return nil
}

// Start makes room for the first positions.
func (c *ControllerNPID) Start() error {
	c.start = make([]float64, 0, c.N.Value())
	return nil
}

// Sense splits reference and measurement.
func (c *ControllerNPID) Sense(clock.Tick) error {
	sensor, _ := c.Sensor.Read()
	n := len(c.Ref)
	if len(c.start) == 0 {
		c.start = append(c.start, sensor[:n]...)
	}
	desired, status := c.Reference.Read()
	if status == block.NoData {
		desired = c.start
	}
	for i := range n {
		c.Ref[i].Write(desired[i])
		c.Sen[i].Write(sensor[i])
		c.Error[i].Write(desired[i] - sensor[i])
	}
	return nil
}

// Control collects the commands.
func (c *ControllerNPID) Control(clock.Tick) error {
	c.collect(*c.Act.Slot())
	c.Act.Commit()
	return nil
}

func (c *ControllerNPID) collect(act []float64) {
	for i := range c.U {
		act[i], _ = c.U[i].Read()
	}
}

// ControllerNPIDFF is [ControllerNPID] with a feedforward: what the robot's model says the planned motion needs is
// added to the PIDs' commands, which are left with what the model does not know.
//
//	act = sat( u + feedforward )
type ControllerNPIDFF struct {
	ControllerNPID

	Feedforward block.In[[]float64]  `part:"control" unit:"V" doc:"voltages that the planned motion needs"`
	Limit       block.Param[float64] `unit:"V" default:"24" min:"0" doc:"greatest command, in either sense"`
}

// Setup makes the ports.
func (c *ControllerNPIDFF) Setup(s *block.Setup) error {
	s.Len(c.N.Value(), &c.Feedforward)
	return c.ControllerNPID.Setup(s)
}

// Control collects the commands and adds the feedforward.
func (c *ControllerNPIDFF) Control(clock.Tick) error {
	act := *c.Act.Slot()
	c.collect(act)
	if ff, status := c.Feedforward.Read(); status != block.NoData {
		limit := c.Limit.Value()
		for i := range act {
			act[i] = math.Min(math.Max(act[i]+ff[i], -limit), limit)
		}
	}
	c.Act.Commit()
	return nil
}
