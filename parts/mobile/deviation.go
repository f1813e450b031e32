package mobile

import (
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Deviation compares an estimated pose with the true one, as a simulation or a tracking system knows it.
//
//	error = pose - truth,   sigmas = |error|/sigma for each of x, y and heading
//
//	  pose ─► ┌───────────┐
//	 sigma ─► │ Deviation ├─► error, distance, sigmas
//	 truth ─► └───────────┘
//
// An honest estimate is within 3 sigma nearly always. sigmas is 0 where both error and sigma are 0, and at most a million.
type Deviation struct {
	Pose  block.In[[]float64] `required:"yes" trigger:"yes" doc:"estimated x and y [m] and heading [rad]"`
	Sigma block.In[[]float64] `doc:"its standard deviations [m, m, rad]"`
	Truth block.In[[]float64] `required:"yes" doc:"true x and y [m] and heading [rad]"`

	Error    block.Out[[]float64] `doc:"of x and y [m] and of the heading [rad], which is wrapped"`
	Distance block.Out[float64]   `unit:"m" watch:"yes" doc:"between the two positions"`
	Sigmas   block.Out[[]float64] `doc:"error in standard deviations"`
}

// Setup makes the ports.
func (d *Deviation) Setup(s *block.Setup) error {
	s.Len(3, &d.Pose, &d.Sigma, &d.Truth, &d.Error, &d.Sigmas)
	return nil
}

// Step writes the difference.
func (d *Deviation) Step(clock.Tick) error {
	pose, _ := d.Pose.Read()
	truth, status := d.Truth.Read()
	if status == block.NoData {
		return nil
	}
	sigma, _ := d.Sigma.Read()
	e, n := *d.Error.Slot(), *d.Sigmas.Slot()
	for i := range e {
		e[i] = pose[i] - truth[i]
		if i == 2 {
			e[i] = control.WrapAngle(e[i])
		}
		n[i] = 0
		if e[i] != 0 {
			n[i] = min(math.Abs(e[i])/max(sigma[i], 0), 1e6)
		}
	}
	d.Error.Commit()
	d.Sigmas.Commit()
	d.Distance.Write(math.Hypot(e[0], e[1]))
	return nil
}
