package program

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
)

// target returns the positions of joints that a MoveJ without a pose states, or those of the state that it names.
func (m *Move) target(c *compiler, k int) ([]JointValue, error) {
	if m.State == "" {
		return m.Joints, nil
	}
	if c.robot.Semantic == nil {
		return nil, c.fail(k, -1, "it goes to the state %q, but there is no SRDF file that describes states: give one (srdf of a block, --srdf of sinew program), or give positions of joints", m.State)
	}
	var names []string
	var found []*description.GroupState
	for i := range c.robot.Semantic.States {
		s := &c.robot.Semantic.States[i]
		names = append(names, s.Name)
		if s.Name == m.State && slices.ContainsFunc(s.Joints, func(j description.JointPosition) bool { return slices.Contains(c.names, j.Joint) }) {
			found = append(found, s)
		}
	}
	slices.Sort(names)
	switch {
	case len(names) == 0:
		return nil, c.fail(k, -1, "it goes to the state %q, but the SRDF file has no states: add it there as a group_state, or give positions of joints", m.State)
	case !slices.Contains(names, m.State):
		return nil, c.fail(k, -1, "the SRDF file has no state %q%s", m.State, nearest.Hint(m.State, slices.Compact(names)))
	case len(found) == 0:
		return nil, c.fail(k, -1, "the state %q has none of the joints that the program moves, which are %s: name another state, or give positions of joints", m.State, strings.Join(c.names, ", "))
	case len(found) > 1:
		return nil, c.fail(k, -1, "the SRDF file has a state %q of the group %q and of the group %q, which both have joints that the program moves: give them different names", m.State, found[0].Group, found[1].Group)
	}
	var values []JointValue
	for _, j := range found[0].Joints {
		if !slices.Contains(c.names, j.Joint) {
			continue
		}
		if len(j.Values) != 1 {
			return nil, c.fail(k, -1, "the state %q has %d positions for joint %q, which has one: mend the SRDF file", m.State, len(j.Values), j.Joint)
		}
		values = append(values, JointValue{Name: j.Joint, Position: j.Values[0], At: m.At})
	}
	return values, nil
}
