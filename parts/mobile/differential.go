package mobile

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/mobile"
)

// Differential is a vehicle with a driven wheel, or a row of coupled wheels, on each side that roll without skidding: most indoor robots. Vehicles
// that turn by skidding are [Tracked].
//
//	forward = (left + right)/2,   turn = (right - left)/track      with left = left_radius · its angle, and so the right one
//
//	              ┌───────┐ ─► pose, sigma, covariance, velocity
//	    wheels ─► │ Sense │ ─► bias, rejected
//	gyro, compass ┤       │
//	              └───────┘
//	              ┌───────┐
//	   command ─► │Control├─► speeds
//	              └───────┘
//
// The pose is in the plane, x ahead and y to the left where initial is 0. It follows arcs exactly; its covariance grows with the ways of the
// wheels (Chong and Kleeman 1997: [mobile.Odometry]) and is joined with gyroscope and compass by an extended Kalman filter ([mobile.Fusion]). It holds
// random errors only: a wrong radius or track is in no covariance, so calibrate them.
//
// Angles of wheels are counted from the first reading. One that is not finite is left out, and the next good one makes up for it; more than half
// a turn of the vehicle in one reading is a jump and is left out for good. rejected counts both.
type Differential struct {
	LeftRadius  block.Param[float64] `unit:"m" default:"0.1" min:"0.001" max:"1000" doc:"radius of the left wheel"`
	RightRadius block.Param[float64] `unit:"m" default:"0.1" min:"0.001" max:"1000" doc:"radius of the right wheel"`
	Track       block.Param[float64] `unit:"m" default:"0.4" min:"0.001" max:"1000" doc:"distance of their points of contact"`
	Noise       block.Param[float64] `unit:"m" default:"0.0001" min:"0" max:"10" doc:"variance of a wheel's way for each metre of it"`

	Wheels  block.In[[]float64]  `part:"sense" required:"yes" unit:"rad" doc:"angles of the left and the right wheel"`
	Command block.In[[]float64]  `part:"control" doc:"wanted speed [m/s] and rate of turn [rad/s]"`
	Speeds  block.Out[[]float64] `part:"control" unit:"rad/s" safe:"0" doc:"speeds of the left and the right wheel"`

	reckoning
}

// Setup makes the ports.
func (v *Differential) Setup(s *block.Setup) error {
	s.Len(2, &v.Wheels, &v.Command, &v.Speeds)
	return v.setup(s, 2)
}

// Start begins at the initial pose.
func (v *Differential) Start() error { return v.start() }

func (v *Differential) vehicle() mobile.Differential {
	return mobile.Differential{LeftRadius: v.LeftRadius.Value(), RightRadius: v.RightRadius.Value(), Track: v.Track.Value(), Noise: v.Noise.Value()}
}

// Sense counts the wheels and writes the pose.
func (v *Differential) Sense(t clock.Tick) error {
	if moved, ok := v.turned(t, &v.Wheels); ok {
		v.reckon(v.vehicle().Step(moved[0], moved[1]))
	}
	v.publish()
	return nil
}

// Control writes the speeds of the wheels.
func (v *Differential) Control(clock.Tick) error {
	if c, status := v.Command.Read(); status != block.NoData {
		speeds := *v.Speeds.Slot()
		speeds[0], speeds[1] = v.vehicle().Wheels(finite(c[0]), finite(c[1]))
		v.Speeds.Commit()
	}
	return nil
}

// finite returns x, or 0 where it is no finite number or no speed of a vehicle.
func finite(x float64) float64 {
	if !(x > -1e6 && x < 1e6) {
		return 0
	}
	return x
}
