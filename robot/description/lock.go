package description

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Lock makes joints fixed where they are locked, such as the fingers of a gripper that is not in use: the model has no
// coordinates for them, and their links move with their parents. Each joint is "name", for position 0, or "name=position" in rad
// or m. Joints that mimic a locked one are locked with it. It returns an error for each joint that does not exist, that has
// several coordinates, or whose position is no number or outside the joint's limits; the robot is unchanged then.
func (robot *Robot) Lock(joints ...string) error {
	at := map[string]float64{}
	var errs []error
	for _, text := range joints {
		name, value, given := strings.Cut(text, "=")
		name = strings.TrimSpace(name)
		q := 0.0
		if given {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || q-q != 0 {
				errs = append(errs, fmt.Errorf("lock joint %q: %q is no position: wants a number in rad or m, as in %s=0.02", name, value, name))
				continue
			}
		}
		if err := robot.lockable(name, q); err != nil {
			errs = append(errs, err)
			continue
		}
		at[name] = q
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for range robot.Joints { // followers of followers
		for i := range robot.Joints {
			if m := robot.Joints[i].Mimic; m != nil {
				if q, ok := at[m.Joint]; ok {
					at[robot.Joints[i].Name] = m.Multiplier*q + m.Offset
				}
			}
		}
	}
	for i := range robot.Joints {
		if q, ok := at[robot.Joints[i].Name]; ok {
			robot.Joints[i].fix(q)
		}
	}
	return nil
}

// lockable reports why a joint cannot be locked at a position.
func (robot *Robot) lockable(name string, q float64) error {
	var moving []string
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if j.Type != multibody.Fixed {
			moving = append(moving, j.Name)
		}
		if j.Name != name {
			continue
		}
		switch limits := widest(j.Limits); {
		case j.Type == multibody.Fixed && q == 0:
			return nil
		case j.Type.NV() != 1 || j.Type == multibody.Helical:
			return fmt.Errorf("lock joint %q: it is %v: only revolute, continuous and prismatic joints can be locked", name, j.Type)
		case limits != nil && j.Type != multibody.Continuous && (q < limits.Lower || q > limits.Upper):
			return fmt.Errorf("lock joint %q at %v: its limits are %v to %v: give a position within them, as in %s=%v",
				name, q, limits.Lower, limits.Upper, name, min(max(0, limits.Lower), limits.Upper))
		}
		return nil
	}
	return fmt.Errorf("lock joint %q: the robot has no such joint%s", name, nearest.Hint(name, moving))
}

// fix makes the joint a fixed one at a position.
func (j *Joint) fix(q float64) {
	move := spatial.IdentityPose()
	axis := j.Axis
	if n := math.Sqrt(axis.X*axis.X + axis.Y*axis.Y + axis.Z*axis.Z); n > 0 {
		axis = spatial.Vec3{X: axis.X / n, Y: axis.Y / n, Z: axis.Z / n}
	}
	switch j.Type {
	case multibody.Revolute, multibody.Continuous:
		move.R = spatial.AngleAxis(q, axis)
	case multibody.Prismatic:
		move.P = spatial.Vec3{X: q * axis.X, Y: q * axis.Y, Z: q * axis.Z}
	default:
		return
	}
	pose := j.Origin.Pose().Mul(move)
	roll, pitch, yaw := pose.R.RPY()
	j.Origin = Origin{XYZ: pose.P, RPY: spatial.Vec3{X: roll, Y: pitch, Z: yaw}}
	j.Type, j.Mimic, j.Limits, j.Dynamics, j.Safety = multibody.Fixed, nil, nil, Dynamics{}, nil
}
