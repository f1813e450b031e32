package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description/document"
)

// JointLimits is the content of MoveIt's joint_limits.yaml.
type JointLimits struct {
	VelocityScale, AccelerationScale float64 // in (0, 1]; 1 if the file states none
	Joints                           map[string]JointLimit
}

// JointLimit bounds a joint. A limit that the file does not state, or switches off by has_…, is 0.
type JointLimit struct {
	HasPosition                  bool    // Lower and Upper bound the position
	Lower, Upper                 float64 // position, rad or m
	Velocity, Acceleration, Jerk float64 // rad/s, rad/s², rad/s³ or m/s, …; of acceleration and deceleration the lower one
}

// jointLimitsYAML is what joint_limits.yaml contains.
type jointLimitsYAML struct {
	VelocityScale     *float64             `yaml:"default_velocity_scaling_factor"`
	AccelerationScale *float64             `yaml:"default_acceleration_scaling_factor"`
	Joints            map[string]yaml.Node `yaml:"joint_limits"`
}

// jointLimitYAML is the limits of one joint. Efforts and soft limits do not bound a motion in time.
type jointLimitYAML struct {
	HasPosition     *bool    `yaml:"has_position_limits"`
	MinPosition     *float64 `yaml:"min_position"`
	MaxPosition     *float64 `yaml:"max_position"`
	HasVelocity     *bool    `yaml:"has_velocity_limits"`
	Velocity        *float64 `yaml:"max_velocity"`
	HasAcceleration *bool    `yaml:"has_acceleration_limits"`
	Acceleration    *float64 `yaml:"max_acceleration"`
	HasDeceleration *bool    `yaml:"has_deceleration_limits"`
	Deceleration    *float64 `yaml:"max_deceleration"`
	HasJerk         *bool    `yaml:"has_jerk_limits"`
	Jerk            *float64 `yaml:"max_jerk"`

	HasEffort *bool    `yaml:"has_effort_limits"`
	Effort    *float64 `yaml:"max_effort"`
	Wraps     *bool    `yaml:"angle_wraparound"`
	HasSoft   *bool    `yaml:"has_soft_limits"`
	KPosition *float64 `yaml:"k_position"`
	KVelocity *float64 `yaml:"k_velocity"`
	SoftLower *float64 `yaml:"soft_lower_limit"`
	SoftUpper *float64 `yaml:"soft_upper_limit"`
}

// jointLimitKeys are the keys of jointLimitYAML.
var jointLimitKeys = []string{
	"has_position_limits", "min_position", "max_position", "has_velocity_limits", "max_velocity", "has_acceleration_limits", "max_acceleration",
	"has_deceleration_limits", "max_deceleration", "has_jerk_limits", "max_jerk", "has_effort_limits", "max_effort", "angle_wraparound",
	"has_soft_limits", "k_position", "k_velocity", "soft_lower_limit", "soft_upper_limit",
}

// ReadJointLimits reads a joint_limits.yaml of MoveIt. A limit counts where its has_… is not false. The error joins everything that is wrong, with line
// and column.
func ReadJointLimits(fsys fs.FS, file string) (*JointLimits, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	var f jointLimitsYAML
	if err := yamlfault.Read(file, text, &f); err != nil {
		return nil, err
	}
	l := &JointLimits{VelocityScale: 1, AccelerationScale: 1, Joints: map[string]JointLimit{}}
	var wrong []error
	for _, s := range []struct {
		name string
		from *float64
		to   *float64
	}{{"default_velocity_scaling_factor", f.VelocityScale, &l.VelocityScale}, {"default_acceleration_scaling_factor", f.AccelerationScale, &l.AccelerationScale}} {
		if s.from == nil {
			continue
		}
		if *s.to = *s.from; !(*s.to > 0 && *s.to <= 1) {
			wrong = append(wrong, fmt.Errorf("%s: %s is %g: want more than 0 and at most 1", file, s.name, *s.from))
		}
	}
	if len(f.Joints) == 0 {
		wrong = append(wrong, fmt.Errorf("%s: it has no joint_limits", file))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Joints)) {
		node := f.Joints[name]
		joint, err := readJointLimit(&node)
		if err != nil {
			at := document.Position{File: file, Line: node.Line, Column: node.Column}
			wrong = append(wrong, fmt.Errorf("%s: joint %q: %w", at, name, err))
			continue
		}
		l.Joints[name] = joint
	}
	return l, errors.Join(wrong...)
}

// readJointLimit reads the limits of one joint.
func readJointLimit(n *yaml.Node) (l JointLimit, err error) {
	if n.Kind != yaml.MappingNode {
		return l, errors.New("want a map with has_velocity_limits, max_velocity, …")
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; !slices.Contains(jointLimitKeys, key) {
			return l, fmt.Errorf("there is no limit %q%s", document.Clip(key), nearest.Hint(key, jointLimitKeys))
		}
	}
	var y jointLimitYAML
	if err := n.Decode(&y); err != nil {
		return l, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	on := func(has *bool) bool { return has == nil || *has }
	deceleration := 0.0
	for _, limit := range []struct {
		name  string
		has   *bool
		value *float64
		to    *float64
	}{
		{"velocity", y.HasVelocity, y.Velocity, &l.Velocity}, {"acceleration", y.HasAcceleration, y.Acceleration, &l.Acceleration},
		{"deceleration", y.HasDeceleration, y.Deceleration, &deceleration}, {"jerk", y.HasJerk, y.Jerk, &l.Jerk},
	} {
		switch {
		case !on(limit.has), limit.has == nil && limit.value == nil:
		case limit.value == nil:
			return l, fmt.Errorf("has_%s_limits is true, but max_%[1]s is missing", limit.name)
		case !(*limit.value > 0) || *limit.value-*limit.value != 0:
			return l, fmt.Errorf("max_%s is %g: want more than 0, or has_%[1]s_limits: false", limit.name, *limit.value)
		default:
			*limit.to = *limit.value
		}
	}
	if deceleration > 0 && (l.Acceleration == 0 || deceleration < l.Acceleration) {
		l.Acceleration = deceleration
	}
	switch {
	case !on(y.HasPosition), y.HasPosition == nil && y.MinPosition == nil && y.MaxPosition == nil:
	case y.MinPosition == nil || y.MaxPosition == nil:
		return l, errors.New("want both min_position and max_position")
	case !(*y.MinPosition < *y.MaxPosition):
		return l, fmt.Errorf("min_position is %g, max_position %g: want the lower one first", *y.MinPosition, *y.MaxPosition)
	default:
		l.HasPosition, l.Lower, l.Upper = true, *y.MinPosition, *y.MaxPosition
	}
	return l, nil
}
