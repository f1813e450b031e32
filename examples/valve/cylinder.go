package main

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Cylinder is a hydraulic cylinder that moves a slide against viscous friction. A spindle with an encoder measures where the slide is.
//
//	mass · dv/dt = area · pressure - friction · v
//
//	            ┌──────────┐
//	pressure ─► │ Cylinder ├─► counts, position
//	   power ─► └──────────┘
//
// Without power its valve is closed and the slide stands. Each step advances the speed by the implicit Euler rule, which is stable for any period.
type Cylinder struct {
	Area     block.Const[float64] `unit:"m²" default:"1e-4" min:"1e-9" doc:"cross section of the piston"`
	Mass     block.Const[float64] `unit:"kg" default:"2" min:"1e-6" doc:"of slide and piston"`
	Friction block.Const[float64] `unit:"N s/m" default:"400" min:"1e-6" doc:"force against the slide at 1 m/s"`
	Pitch    block.Const[float64] `unit:"m" default:"0.005" min:"1e-6" doc:"movement of the slide in a turn of the spindle"`
	Lines    block.Const[int]     `default:"2000" min:"1" doc:"counts of the encoder in a turn of the spindle"`

	Pressure block.In[float64]  `part:"control" unit:"Pa" doc:"difference between the chambers of the cylinder; a positive one pushes the slide forward"`
	Power    block.In[bool]     `part:"control" doc:"the valve may open"`
	Counts   block.Out[int64]   `part:"sense" doc:"of the encoder"`
	Position block.Out[float64] `part:"sense" unit:"m" watch:"yes" doc:"where the slide is, the truth"`

	position, speed float64
}

// Sense writes the counts.
func (c *Cylinder) Sense(clock.Tick) error {
	c.Counts.Write(int64(math.Floor(c.position / c.Pitch.Value() * float64(c.Lines.Value()))))
	c.Position.Write(c.position)
	return nil
}

// Control advances the slide by one step.
func (c *Cylinder) Control(t clock.Tick) error {
	pressure, _ := c.Pressure.Read()
	if open, _ := c.Power.Read(); !open {
		c.speed = 0
		return nil
	}
	dt, mass := t.Seconds(), c.Mass.Value()
	c.speed = (c.speed + dt*c.Area.Value()*pressure/mass) / (1 + dt*c.Friction.Value()/mass)
	c.position += dt * c.speed
	return nil
}
