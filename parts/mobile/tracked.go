package mobile

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/mobile"
)

// Tracked is a vehicle on two tracks, or with several wheels on each side that cannot be steered: it turns by skidding (Martínez et al. 2005:
// [mobile.Tracked]).
//
//	turn    = (right - left)/(left_centre - right_centre)                     left  = left_radius (1 - left_slip) · its angle
//	forward = (right · left_centre - left · right_centre)/(the same)          right = right_radius (1 - right_slip) · its angle
//	to the left = - turn · centre
//
//	              ┌───────┐ ─► pose, sigma, covariance, velocity
//	    wheels ─► │ Sense │ ─► bias, rejected
//	gyro, compass ┤       │
//	              └───────┘
//	              ┌───────┐
//	   command ─► │Control├─► speeds
//	              └───────┘
//
// The ground under a track turns about a centre beside the vehicle, farther out than the track. To measure the centres, let the vehicle turn on
// the spot: left_centre - right_centre = (right - left)/(angle turned). They depend on the ground.
//
// The pose, its covariance and what is left out are those of [Differential]. Tracks slip more than wheels: give them a greater noise, and the vehicle
// a gyroscope.
type Tracked struct {
	LeftRadius  block.Param[float64] `unit:"m" default:"0.1" min:"0.001" max:"1000" doc:"radius of the left sprocket, with half the thickness of its track"`
	RightRadius block.Param[float64] `unit:"m" default:"0.1" min:"0.001" max:"1000" doc:"radius of the right sprocket"`
	LeftCentre  block.Param[float64] `unit:"m" default:"0.35" min:"-1000" max:"1000" doc:"y of the centre of rotation of the left track"`
	RightCentre block.Param[float64] `unit:"m" default:"-0.35" min:"-1000" max:"1000" doc:"y of the centre of rotation of the right track, below left_centre"`
	Centre      block.Param[float64] `unit:"m" min:"-1000" max:"1000" doc:"x of the centre of rotation of the vehicle: 0 where the weight is in the middle"`
	LeftSlip    block.Param[float64] `min:"-1" max:"0.99" doc:"share of the left track's way that is lost by slipping"`
	RightSlip   block.Param[float64] `min:"-1" max:"0.99" doc:"share of the right track's way that is lost by slipping"`
	Noise       block.Param[float64] `unit:"m" default:"0.001" min:"0" max:"10" doc:"variance of a track's way for each metre of it"`

	Wheels  block.In[[]float64]  `part:"sense" required:"yes" unit:"rad" doc:"angles of the left and the right sprocket"`
	Command block.In[[]float64]  `part:"control" doc:"wanted speed [m/s] and rate of turn [rad/s]"`
	Speeds  block.Out[[]float64] `part:"control" unit:"rad/s" safe:"0" doc:"speeds of the left and the right sprocket"`

	reckoning
}

// Setup makes the ports.
func (v *Tracked) Setup(s *block.Setup) error {
	s.Len(2, &v.Wheels, &v.Command, &v.Speeds)
	return v.setup(s, 2)
}

// Start begins at the initial pose.
func (v *Tracked) Start() error { return v.start() }

var errCentres = errors.New("left_centre must be greater than right_centre: y grows to the left")

// CheckParams rejects centres that are the wrong way round.
func (v *Tracked) CheckParams() error {
	if v.LeftCentre.Value() <= v.RightCentre.Value() {
		return errCentres
	}
	return nil
}

func (v *Tracked) vehicle() mobile.Tracked {
	return mobile.Tracked{
		LeftRadius: v.LeftRadius.Value(), RightRadius: v.RightRadius.Value(), LeftCentre: v.LeftCentre.Value(), RightCentre: v.RightCentre.Value(),
		Centre: v.Centre.Value(), LeftSlip: v.LeftSlip.Value(), RightSlip: v.RightSlip.Value(), Noise: v.Noise.Value(),
	}
}

// Sense counts the tracks and writes the pose.
func (v *Tracked) Sense(t clock.Tick) error {
	if moved, ok := v.turned(t, &v.Wheels); ok {
		v.reckon(v.vehicle().Step(moved[0], moved[1]))
	}
	v.publish()
	return nil
}

// Control writes the speeds of the sprockets.
func (v *Tracked) Control(clock.Tick) error {
	if c, status := v.Command.Read(); status != block.NoData {
		speeds := *v.Speeds.Slot()
		speeds[0], speeds[1] = v.vehicle().Wheels(finite(c[0]), finite(c[1]))
		v.Speeds.Commit()
	}
	return nil
}
