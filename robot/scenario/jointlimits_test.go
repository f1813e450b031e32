package scenario_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/scenario"
)

// limitsFile has the form that MoveIt's setup assistant writes.
const limitsFile = `# joint_limits.yaml
default_velocity_scaling_factor: 0.1
default_acceleration_scaling_factor: 0.2
joint_limits:
  turn:
    has_velocity_limits: true
    max_velocity: 2.5
    has_acceleration_limits: true
    max_acceleration: 4
    has_deceleration_limits: true
    max_deceleration: 3
    has_jerk_limits: true
    max_jerk: 100
    has_position_limits: true
    min_position: -1.5
    max_position: 1.5
  slide:
    has_velocity_limits: true
    max_velocity: 0.1
    has_acceleration_limits: false
    max_acceleration: 0
`

func readLimits(text string) (*scenario.JointLimits, error) {
	return scenario.ReadJointLimits(fstest.MapFS{"l.yaml": {Data: []byte(text)}}, "l.yaml")
}

func TestJointLimitsOfMoveItAreRead(t *testing.T) {
	l, err := readLimits(limitsFile)
	if err != nil || l.VelocityScale != 0.1 || l.AccelerationScale != 0.2 || len(l.Joints) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	want := scenario.JointLimit{HasPosition: true, Lower: -1.5, Upper: 1.5, Velocity: 2.5, Acceleration: 3, Jerk: 100}
	if got := l.Joints["turn"]; got != want {
		t.Errorf("turn: %+v, want %+v", got, want)
	}
	if got := l.Joints["slide"]; got != (scenario.JointLimit{Velocity: 0.1}) {
		t.Errorf("slide: %+v: a limit that is switched off counts", got)
	}
}

func TestBrokenJointLimitsAreRefusedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"max_velocity: 2.5", "max_velocty: 2.5", `l.yaml:6:5: joint "turn": there is no limit "max_velocty"; did you mean "max_velocity"?`},
		{"max_velocity: 2.5", "", `joint "turn": has_velocity_limits is true, but max_velocity is missing`},
		{"max_jerk: 100", "max_jerk: 0", `joint "turn": max_jerk is 0: want more than 0, or has_jerk_limits: false`},
		{"max_jerk: 100", "max_jerk: .nan", `joint "turn": max_jerk is NaN`},
		{"max_jerk: 100", "max_jerk: much", `joint "turn": `},
		{"min_position: -1.5", "min_position: 2", `joint "turn": min_position is 2, max_position 1.5`},
		{"min_position: -1.5", "", `joint "turn": want both min_position and max_position`},
		{"factor: 0.1", "factor: 10", "default_velocity_scaling_factor is 10: want more than 0 and at most 1"},
		{"joint_limits:", "limits:", "l.yaml: it has no joint_limits"},
		{"  turn:", "\tturn:", "l.yaml:5:1: not YAML: a tab indents this line"},
		{"factor: 0.1", "factor: {", "l.yaml:2:34: not YAML: the { that opens here is not closed"},
		{"factor: 0.1", "factor: slow", `l.yaml:2:34: wants a number, got "slow"`},
		{"  slide:\n", "  slide: 3\n  other:\n", `joint "slide": want a map`},
	} {
		_, err := readLimits(strings.Replace(limitsFile, c.from, c.to, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.to, err, c.want)
		}
	}
}

func FuzzReadJointLimits(f *testing.F) {
	f.Add(limitsFile)
	f.Fuzz(func(_ *testing.T, text string) { _, _ = readLimits(text) })
}
