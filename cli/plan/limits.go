package plan

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// rise is the time in which a joint reaches its greatest acceleration where a file states no jerk, s.
const rise = 0.1

// timedUsage is the help of --timed.
const timedUsage = "plan a motion in time: `V,A,J`, the greatest velocity, acceleration and jerk of each joint in rad or m and s, MoveIt's joint_limits.yaml, or an XRDF file"

// timing is what --timed states: numbers for all joints, a joint_limits.yaml, or an XRDF file.
type timing struct {
	text   string
	values []float64 // velocity, acceleration, jerk; nil: of the file
	file   *scenario.JointLimits
}

// readTiming reads the value of --timed.
func readTiming(text string) (*timing, error) {
	extension := strings.ToLower(filepath.Ext(text))
	if extension == ".xrdf" {
		x, err := description.ReadXRDF(os.DirFS(filepath.Dir(text)), filepath.Base(text))
		if err != nil {
			return nil, fmt.Errorf("--timed %s: %w", text, err)
		}
		l := &scenario.JointLimits{VelocityScale: 1, AccelerationScale: 1, Joints: map[string]scenario.JointLimit{}}
		for i, name := range x.Joints {
			l.Joints[name] = scenario.JointLimit{Acceleration: x.Accelerations[i], Jerk: x.Jerks[i]}
		}
		return &timing{text: text, file: l}, nil
	}
	if extension == ".yaml" || extension == ".yml" {
		l, err := scenario.ReadJointLimits(os.DirFS(filepath.Dir(text)), filepath.Base(text))
		if err != nil {
			return nil, fmt.Errorf("--timed %s: %w", text, err)
		}
		return &timing{text: text, file: l}, nil
	}
	t := &timing{text: text}
	for _, item := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || !(x > 0) || x-x != 0 {
			break
		}
		t.values = append(t.values, x)
	}
	if len(t.values) != 3 || strings.Count(text, ",") != 2 {
		return nil, fmt.Errorf("--timed %s: want the velocity, acceleration and jerk of each joint, for example 2,10,500, a joint_limits.yaml, or an XRDF file", text)
	}
	return t, nil
}

// of returns the limits of the joints of a scene's robots, and what the user should know of them.
func (t *timing) of(joints *space.Joints, world *scene.Scene) (limits []trajectory.Limits, notes []string, err error) {
	limits = make([]trajectory.Limits, joints.Dim())
	if t.file == nil {
		for i := range limits {
			limits[i] = trajectory.Limits{Velocity: t.values[0], Acceleration: t.values[1], Jerk: t.values[2]}
		}
		return limits, nil, nil
	}
	known := map[string]*multibody.Limits{}
	for _, m := range world.Models() {
		for _, j := range m.Model.Joints() {
			known[m.Prefix+j.Name] = j.Limits
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.file.Joints)) {
		if _, ok := known[name]; !ok {
			return nil, nil, fmt.Errorf("--timed %s: the robot has no joint %q%s", t.text, name, nearest.Hint(name, slices.Sorted(maps.Keys(known))))
		}
	}
	var soft []string // joints without a limit of jerk
	for i := range limits {
		name, lower, upper := joints.Limits(i)
		l := t.file.Joints[name]
		if l.Velocity == 0 && known[name] != nil && known[name].Velocity-known[name].Velocity == 0 {
			l.Velocity = known[name].Velocity
		}
		if l.Jerk == 0 {
			l.Jerk = l.Acceleration / rise
			soft = append(soft, name)
		}
		switch {
		case l.Velocity == 0:
			return nil, nil, fmt.Errorf("--timed %s: joint %q has no limit of velocity, neither there nor in the robot's file: state max_velocity", t.text, name)
		case l.Acceleration == 0:
			return nil, nil, fmt.Errorf("--timed %s: joint %q has no limit of acceleration: state has_acceleration_limits: true and max_acceleration", t.text, name)
		case l.HasPosition && (l.Lower > lower || l.Upper < upper):
			return nil, nil, fmt.Errorf("--timed %s: joint %q may move from %g to %g there, and from %g to %g by the robot's file: sinew plans with those of the robot's file, change them",
				t.text, name, l.Lower, l.Upper, lower, upper)
		}
		limits[i] = trajectory.Limits{Velocity: l.Velocity * t.file.VelocityScale, Acceleration: l.Acceleration * t.file.AccelerationScale, Jerk: l.Jerk}
	}
	if v, a := t.file.VelocityScale, t.file.AccelerationScale; v != 1 || a != 1 {
		notes = append(notes, fmt.Sprintf("velocities are scaled by %g and accelerations by %g, as %s states", v, a, t.text))
	}
	if len(soft) > 0 {
		notes = append(notes, fmt.Sprintf("%s states no jerk of %s: they reach their greatest acceleration in %g s", t.text, strings.Join(soft, ", "), rise))
	}
	return limits, notes, nil
}
