package servo

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// axes are the limits of the joints that a [JerkLimited] moves.
type axes struct {
	robot        int   // coordinates of all joints
	at           []int // coordinate of each joint among them
	names        []string
	units        []string  // of the positions: rad, or m of a joint that slides
	lower, upper []float64 // positions
	velocity     []float64 // +Inf where the description has none
	outside      []error   // the error of a goal beyond the limits of a joint
	described    bool      // by a file
}

func (a *axes) add(name, unit string, lower, upper, velocity float64) {
	lower, upper = max(lower, -port.MaxMagnitude), min(upper, port.MaxMagnitude)
	a.names, a.units = append(a.names, name), append(a.units, unit)
	a.lower, a.upper, a.velocity = append(a.lower, lower), append(a.upper, upper), append(a.velocity, velocity)
	a.outside = append(a.outside, fmt.Errorf("moveTo: the position of joint %q must be from %.4g to %.4g %s", name, lower, upper, unit))
}

// readAxes reads the limits of the selected joints, or of all, from a description; without one there are n joints without limits, with positions in the unit
// coordinate.
func readAxes(s *block.Setup, c robotfile.Constants, n int) (axes, error) {
	var a axes
	if given, err := c.Given(); err != nil {
		return a, err
	} else if !given {
		for i := range n {
			a.at = append(a.at, i)
			a.add(fmt.Sprint(i+1), c.Coordinate, math.Inf(-1), math.Inf(1), math.Inf(1))
		}
		a.robot = n
		return a, nil
	}
	model, names, err := readModel(s, c)
	if err != nil {
		return a, err
	}
	a.robot, a.described = model.NV(), true
	lower, upper, velocity := make([]float64, model.NQ()), make([]float64, model.NQ()), make([]float64, model.NV())
	model.PositionLimits(lower, upper)
	model.VelocityLimits(velocity)
	for _, name := range names {
		j, err := model.Joint(name)
		if err != nil {
			return a, fmt.Errorf("%s: %w", c.URDF, err)
		}
		a.at = append(a.at, j.V)
		a.add(name, robotfile.UnitOf(j), lower[j.V], upper[j.V], velocity[j.V])
	}
	return a, nil
}

// within returns the position nearest to q that joint i can take.
func (a *axes) within(i int, q float64) float64 { return min(max(q, a.lower[i]), a.upper[i]) }

// check rejects positions beyond the limits.
func (a *axes) check(what string, q []float64) error {
	for i, x := range q {
		if !(x >= a.lower[i] && x <= a.upper[i]) {
			return fmt.Errorf("%s: joint %q is at %v %s: its limits are %.4g to %.4g %s", what, a.names[i], x, a.units[i], a.lower[i], a.upper[i], a.units[i])
		}
	}
	return nil
}

// velocityOf returns the limit of joint i: that given, or that of the description for 0.
func (a *axes) velocityOf(i int, given []float64) float64 {
	if v := given[i]; v > 0 {
		return v
	}
	return a.velocity[i]
}

// checkVelocity rejects joints without a limit of velocity.
func (a *axes) checkVelocity(given []float64) error {
	for i, name := range a.names {
		if err := trajectory.CheckVelocity(name, a.velocityOf(i, given)); err != nil {
			if !a.described {
				err = errors.New("max_velocity is 0, and there is no description with the greatest velocities of the joints")
			}
			return &port.ParamError{Param: "max_velocity", Err: fmt.Errorf("%w: give max_velocity, in %s/s", err, a.units[i])}
		}
	}
	return nil
}
