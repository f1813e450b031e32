package mobile

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/mobile"
)

// Place is a pose in the plane, as an operator sets it.
type Place struct {
	X       float64 `unit:"m"`
	Y       float64 `unit:"m"`
	Heading float64 `unit:"rad" doc:"counter-clockwise from x"`
}

// reckoning is what the blocks of all vehicles share: the ports and parameters of dead reckoning.
type reckoning struct {
	Initial      block.Const[[]float64] `default:"[0, 0, 0]" doc:"x and y [m] and heading [rad] at the start, known exactly"`
	GyroNoise    block.Const[float64]   `unit:"rad/√s" default:"0.001" min:"1e-9" max:"10" doc:"angle random walk of the gyroscope"`
	GyroBias     block.Const[float64]   `unit:"rad/s" default:"0.01" min:"0" max:"10" doc:"standard deviation of its bias at the start"`
	GyroWalk     block.Const[float64]   `unit:"rad/s/√s" default:"0.0001" min:"0" max:"10" doc:"how its bias wanders: rate random walk"`
	CompassNoise block.Const[float64]   `unit:"rad" default:"0.05" min:"1e-6" max:"10" doc:"standard deviation of the compass"`

	Gyro    block.In[float64] `part:"sense" unit:"rad/s" doc:"measured rate of turn, counter-clockwise; while nothing new comes the wheels alone count"`
	Compass block.In[float64] `part:"sense" unit:"rad" doc:"measured heading, counter-clockwise from x; each new one corrects the pose"`

	Pose       block.Out[[]float64] `part:"sense" watch:"yes" doc:"x and y [m] and heading [rad]"`
	Sigma      block.Out[[]float64] `part:"sense" doc:"standard deviations of the pose [m, m, rad]"`
	Covariance block.Out[[]float64] `part:"sense" doc:"covariance of the pose, 3 × 3 row by row [m², m rad, rad²]"`
	Velocity   block.Out[[]float64] `part:"sense" doc:"forward and to the left [m/s] and rate of turn [rad/s], by the wheels"`
	Bias       block.Out[float64]   `part:"sense" unit:"rad/s" doc:"estimated bias of the gyroscope"`
	Rejected   block.Out[int64]     `part:"sense" watch:"yes" doc:"number of readings that were left out: not finite, or a jump"`

	Place block.Operation[Place, block.None] `doc:"set the pose, known exactly from then on"`

	fusion   *mobile.Fusion
	last     []float64 // angles of the wheels
	moved    []float64
	counting bool    // last holds angles
	waited   float64 // since the last good reading, s
	rejected int64
}

// setup makes the ports, for a vehicle with this number of wheels.
func (r *reckoning) setup(s *block.Setup, wheels int) error {
	s.Len(3, &r.Pose, &r.Sigma, &r.Velocity)
	s.Len(9, &r.Covariance)
	r.last, r.moved = make([]float64, wheels), make([]float64, wheels)
	if n := len(r.Initial.Value()); n != 3 {
		return &port.ParamError{Param: "initial", Err: fmt.Errorf("initial has length %d: wants x, y and heading", n)}
	}
	r.Place.Handle(r.place)
	return r.start()
}

// start begins at the initial pose.
func (r *reckoning) start() error {
	r.fusion = mobile.NewFusion(mobile.Gyroscope{Noise: r.GyroNoise.Value(), Bias: r.GyroBias.Value(), Walk: r.GyroWalk.Value()})
	r.counting, r.waited, r.rejected = false, 0, 0
	at := r.Initial.Value()
	return r.fusion.Set(mobile.Pose{X: at[0], Y: at[1], Heading: at[2]}, mobile.Covariance{})
}

func (r *reckoning) place(p Place) (block.None, error) {
	return block.None{}, r.fusion.Set(mobile.Pose{X: p.X, Y: p.Y, Heading: p.Heading}, mobile.Covariance{})
}

// turned returns by how much the wheels have turned since the last reading; ok is false if there is nothing to count.
func (r *reckoning) turned(t clock.Tick, wheels *block.In[[]float64]) (moved []float64, ok bool) {
	r.waited += t.Seconds()
	angles, status := wheels.Read()
	if status != block.NewData {
		return nil, false
	}
	for i, a := range angles {
		if a-a != 0 {
			r.rejected++
			return nil, false
		}
		r.moved[i] = a - r.last[i]
	}
	copy(r.last, angles)
	if !r.counting {
		r.counting, r.waited = true, 0
		return nil, false
	}
	return r.moved, true
}

// reckon adds a displacement of the wheels, with the gyroscope where it has something new.
func (r *reckoning) reckon(d mobile.Displacement, q mobile.Covariance) {
	rate, status := r.Gyro.Read()
	var err error
	if status == block.NewData {
		err = r.fusion.Step(d, q, rate, r.waited)
	} else {
		err = r.fusion.StepWheels(d, q)
	}
	if err != nil {
		r.rejected++
	}
	if r.waited > 0 && (err == nil || err == mobile.ErrRate) {
		v := *r.Velocity.Slot()
		v[0], v[1], v[2] = d.Forward/r.waited, d.Left/r.waited, d.Turn/r.waited
		r.Velocity.Commit()
	}
	r.waited = 0
}

// publish takes the compass and writes the pose.
func (r *reckoning) publish() {
	if heading, status := r.Compass.Read(); status == block.NewData {
		if r.fusion.Heading(heading, r.CompassNoise.Value()) != nil {
			r.rejected++
		}
	}
	p, c := r.fusion.Pose(), r.fusion.Covariance()
	sigma := c.Sigma()
	bias, _ := r.fusion.Bias()
	pose := *r.Pose.Slot()
	pose[0], pose[1], pose[2] = p.X, p.Y, p.Heading
	r.Pose.Commit()
	copy(*r.Sigma.Slot(), sigma[:])
	r.Sigma.Commit()
	copy(*r.Covariance.Slot(), c[:])
	r.Covariance.Commit()
	r.Bias.Write(bias)
	r.Rejected.Write(r.rejected)
}
