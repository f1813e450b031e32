package trajectory

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// UnlimitedError is the error of a joint whose description has no limit of velocity, where a motion under limits needs one.
type UnlimitedError struct{ Joint string }

// Error names the joint.
func (e *UnlimitedError) Error() string {
	return fmt.Sprintf("joint %q has no greatest velocity in the description", e.Joint)
}

// CheckVelocity fails with an [*UnlimitedError] if a limit of velocity is no positive, finite number.
func CheckVelocity(joint string, limit float64) error {
	if limit > 0 && !math.IsInf(limit, 1) {
		return nil
	}
	return &UnlimitedError{joint}
}

// LimitsOf returns limits of joints, which have one coordinate each: the velocities are those of the model, or that of given where it is not 0;
// acceleration and jerk those of given. It fails with an [*UnlimitedError] for each joint without a limit, joined, or with an error that names a joint which the model
// does not have.
func LimitsOf(m *multibody.Model, joints []string, given Limits) ([]Limits, error) {
	v := make([]float64, m.NV())
	m.VelocityLimits(v)
	limits := make([]Limits, len(joints))
	var errs []error
	for i, name := range joints {
		limits[i] = given
		j, err := m.Joint(name)
		if err == nil {
			if given.Velocity == 0 {
				limits[i].Velocity = v[j.V]
			}
			err = CheckVelocity(name, limits[i].Velocity)
		}
		errs = append(errs, err)
	}
	return limits, errors.Join(errs...)
}
