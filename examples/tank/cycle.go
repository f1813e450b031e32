package main

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/robot/control"
)

// The three base models of package servo, each with the one function that the tank needs. n is 1: one level, one pump.

// LevelSensor is the [servo.Sensor] that measures one level.
//
//	sensor = [level, change since the sample before]
//
//	sample, level ─► ┌─────────────┐
//	                 │ LevelSensor ├─► sensor
//	                 └─────────────┘
type LevelSensor struct {
	servo.Sensor

	Level block.In[float64] `required:"yes" unit:"m" doc:"the level to measure"`

	before  float64
	sampled bool
}

// SampleNow reads the level.
func (s *LevelSensor) SampleNow(servo.Cycle) error {
	level, status := s.Level.Read()
	if status == block.NoData {
		return nil
	}
	if !s.sampled {
		s.before, s.sampled = level, true
	}
	state := *s.State.Slot()
	state[0], state[1] = level, level-s.before
	s.State.Commit()
	s.before = level
	return nil
}

// LevelController is the [servo.Controller] that holds a level by a PI law.
//
//	e[k] = wanted - measured level
//	u[k] = sat( u[k-1] + kp (e[k]-e[k-1]) + ki e[k] )
//
//	   sample ─► ┌─────────────────┐
//	reference ─► │ LevelController ├─► act
//	   sensor ─► └─────────────────┘
type LevelController struct {
	servo.Controller

	Kp  block.Param[float64] `unit:"V/m" default:"200" min:"0" doc:"proportional gain"`
	Ki  block.Param[float64] `unit:"V/m" default:"3" min:"0" doc:"integral gain for a sample"`
	Max block.Param[float64] `unit:"V" default:"12" min:"0.1" doc:"greatest command; the least is 0"`

	law control.PID
}

var errLevel = errors.New("the wanted or the measured level is not a finite number")

// Setup checks the first gains.
func (c *LevelController) Setup(s *block.Setup) error {
	if err := c.Controller.Setup(s); err != nil {
		return err
	}
	return c.CheckParams()
}

// CheckParams copies the parameters into the law.
func (c *LevelController) CheckParams() error {
	c.law.Kp, c.law.Ki, c.law.UMax = c.Kp.Value(), c.Ki.Value(), c.Max.Value()
	return nil
}

// Stop resets the law.
func (c *LevelController) Stop() error {
	c.law.Reset()
	return c.Controller.Stop()
}

// ControllerNow calculates the command, once a reference has come.
func (c *LevelController) ControllerNow() error {
	wanted, status := c.Reference.Read()
	if status == block.NoData {
		return nil
	}
	u, ok := c.law.Step(wanted[0] - c.Sensor.Value()[0])
	if !ok {
		return errLevel
	}
	act := *c.Act.Slot()
	act[0] = u
	c.Act.Commit()
	return nil
}

// Pump is the [servo.Actuator] that fills the tank.
//
//	flow = gain · act
//
//	     act ─► ┌──────┐
//	  sample ─► │ Pump ├─► flow
//	            └──────┘
type Pump struct {
	servo.Actuator

	Gain block.Const[float64] `unit:"m³/(s V)" default:"3.3e-6" min:"0" doc:"flow for a volt"`
	Flow block.Out[float64]   `unit:"m³/s" safe:"0" watch:"yes" doc:"into the tank"`
}

// ActNow writes the flow.
func (p *Pump) ActNow(act []float64) error {
	p.Flow.Write(p.Gain.Value() * act[0])
	return nil
}
