package mobile

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/mobile"
)

// Ackermann is a vehicle whose front wheels steer and whose rear wheels do not, such as a car ([mobile.Ackermann]).
//
//	forward = radius · angle of the rear wheels,   turn = forward · tan(steering)/wheelbase
//
//	              ┌───────┐ ─► pose, sigma, covariance, velocity
//	    wheels ─► │ Sense │ ─► bias, rejected
//	  steering ─► │       │
//	gyro, compass ┤       │
//	              └───────┘
//	              ┌───────┐
//	   command ─► │Control├─► speed, angle
//	              └───────┘
//
// The pose is that of the middle of the rear axle. A wheel in the middle of the front axle stands for both front ones; the steering angle is taken
// to be constant between two readings. The pose, its covariance and what is left out are those of [Differential].
type Ackermann struct {
	Radius        block.Param[float64] `unit:"m" default:"0.3" min:"0.001" max:"1000" doc:"radius of the rear wheels"`
	Wheelbase     block.Param[float64] `unit:"m" default:"2.7" min:"0.001" max:"1000" doc:"distance of the axles"`
	MaxSteering   block.Param[float64] `unit:"rad" default:"0.6" min:"0.001" max:"1.5" doc:"greatest steering angle to either side, commanded or measured"`
	Noise         block.Param[float64] `unit:"m" default:"0.0001" min:"0" max:"10" doc:"variance of the way for each metre of it"`
	SteeringNoise block.Param[float64] `unit:"rad² m" default:"0.0001" min:"0" max:"10" doc:"variance of the steering angle, times the way over which its error stays the same"`

	Wheels   block.In[[]float64] `part:"sense" required:"yes" unit:"rad" doc:"angle of the rear wheels: their mean"`
	Steering block.In[float64]   `part:"sense" required:"yes" unit:"rad" doc:"measured steering angle, to the left"`
	Command  block.In[[]float64] `part:"control" doc:"wanted speed [m/s] and rate of turn [rad/s]"`
	Speed    block.Out[float64]  `part:"control" unit:"rad/s" safe:"0" doc:"speed of the rear wheels"`
	Angle    block.Out[float64]  `part:"control" unit:"rad" safe:"0" doc:"steering angle, to the left"`

	reckoning
}

// Setup makes the ports.
func (v *Ackermann) Setup(s *block.Setup) error {
	s.Len(1, &v.Wheels)
	s.Len(2, &v.Command)
	return v.setup(s, 1)
}

// Start begins at the initial pose.
func (v *Ackermann) Start() error { return v.start() }

func (v *Ackermann) vehicle() mobile.Ackermann {
	return mobile.Ackermann{Radius: v.Radius.Value(), Wheelbase: v.Wheelbase.Value(), Noise: v.Noise.Value(), SteeringNoise: v.SteeringNoise.Value()}
}

// Sense counts the wheels and writes the pose.
func (v *Ackermann) Sense(t clock.Tick) error {
	steering, status := v.Steering.Read()
	if moved, ok := v.turned(t, &v.Wheels); ok && status != block.NoData {
		limit := v.MaxSteering.Value()
		v.reckon(v.vehicle().Step(moved[0], min(max(steering, -limit), limit)))
	}
	v.publish()
	return nil
}

// Control writes speed and steering angle.
func (v *Ackermann) Control(clock.Tick) error {
	if c, status := v.Command.Read(); status != block.NoData {
		speed, angle := v.vehicle().Wheels(finite(c[0]), finite(c[1]))
		limit := v.MaxSteering.Value()
		v.Speed.Write(speed)
		v.Angle.Write(min(max(angle, -limit), limit))
	}
	return nil
}
