package mobile

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/mobile"
)

// Mecanum is a vehicle with four mecanum wheels, whose rollers are at 45° and form an X seen from above: it moves in all directions ([mobile.Mecanum]).
//
//	forward = radius/4 (a + b + c + d)                             a  front left,  b  front right
//	to the left = radius/4 (-a + b + c - d)                        c  rear left,   d  rear right
//	turn    = radius/4 (-a + b - c + d)/(length/2 + width/2)
//
//	              ┌───────┐ ─► pose, sigma, covariance, velocity
//	    wheels ─► │ Sense │ ─► bias, rejected
//	gyro, compass ┤       │
//	              └───────┘
//	              ┌───────┐
//	   command ─► │Control├─► speeds
//	              └───────┘
//
// The pose, its covariance and what is left out are those of [Differential].
type Mecanum struct {
	Radius block.Param[float64] `unit:"m" default:"0.05" min:"0.001" max:"1000" doc:"radius of the wheels"`
	Length block.Param[float64] `unit:"m" default:"0.4" min:"0.001" max:"1000" doc:"distance of the axles"`
	Width  block.Param[float64] `unit:"m" default:"0.3" min:"0.001" max:"1000" doc:"distance of the wheels of an axle"`
	Noise  block.Param[float64] `unit:"m" default:"0.001" min:"0" max:"10" doc:"variance of a wheel's way for each metre of it"`

	Wheels  block.In[[]float64]  `part:"sense" required:"yes" unit:"rad" doc:"angles of the wheels: front left, front right, rear left, rear right"`
	Command block.In[[]float64]  `part:"control" doc:"wanted speed forward and to the left [m/s] and rate of turn [rad/s]"`
	Speeds  block.Out[[]float64] `part:"control" unit:"rad/s" safe:"0" doc:"speeds of the wheels, in the same order"`

	reckoning
}

// Setup makes the ports.
func (v *Mecanum) Setup(s *block.Setup) error {
	s.Len(4, &v.Wheels, &v.Speeds)
	s.Len(3, &v.Command)
	return v.setup(s, 4)
}

// Start begins at the initial pose.
func (v *Mecanum) Start() error { return v.start() }

func (v *Mecanum) vehicle() mobile.Mecanum {
	return mobile.Mecanum{Radius: v.Radius.Value(), Length: v.Length.Value(), Width: v.Width.Value(), Noise: v.Noise.Value()}
}

// Sense counts the wheels and writes the pose.
func (v *Mecanum) Sense(t clock.Tick) error {
	if m, ok := v.turned(t, &v.Wheels); ok {
		v.reckon(v.vehicle().Step(m[0], m[1], m[2], m[3]))
	}
	v.publish()
	return nil
}

// Control writes the speeds of the wheels.
func (v *Mecanum) Control(clock.Tick) error {
	if c, status := v.Command.Read(); status != block.NoData {
		speeds := *v.Speeds.Slot()
		speeds[0], speeds[1], speeds[2], speeds[3] = v.vehicle().Wheels(mobile.Displacement{Forward: finite(c[0]), Left: finite(c[1]), Turn: finite(c[2])})
		v.Speeds.Commit()
	}
	return nil
}
