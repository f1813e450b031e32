package program

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// states returns an SRDF file with states of arm and hand.
func states() *description.Semantic {
	at := func(joint string, x ...float64) description.JointPosition {
		return description.JointPosition{Joint: joint, Values: x}
	}
	return &description.Semantic{States: []description.GroupState{
		{Name: "ready", Group: "hand", Joints: []description.JointPosition{at("panda_finger_joint1", 0.03)}},
		{Name: "ready", Group: "arm", Joints: []description.JointPosition{at("panda_joint1", 0.4), at("panda_joint4", -2), at("panda_finger_joint1", 0.03)}},
		{Name: "open", Group: "hand", Joints: []description.JointPosition{at("panda_finger_joint1", 0.04)}},
		{Name: "folded", Group: "arm", Joints: []description.JointPosition{at("panda_joint4", 1)}},
		{Name: "twice", Group: "arm", Joints: []description.JointPosition{at("panda_joint1", 0)}},
		{Name: "twice", Group: "wrist", Joints: []description.JointPosition{at("panda_joint7", 0)}},
		{Name: "wide", Group: "arm", Joints: []description.JointPosition{at("panda_joint1", 0, 1)}},
	}}
}

func TestMoveJGoesToAStateOfTheSRDFFile(t *testing.T) {
	a := panda(t)
	a.Semantic = states()
	p := parse(t, "moves:\n  - moveJ: ready\n")
	if p.Moves[0].State != "ready" || p.Moves[0].Joints != nil || p.Moves[0].Pose != nil {
		t.Fatalf("%+v", p.Moves[0])
	}
	m := compile(t, a, "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: [0, 0, 0, -1, 0, 1, 0]\n    blend: 20 mm\n  - moveJ: ready\n")
	want := []float64{0.4, 0, 0, -2, 0, 1, 0} // joints that the state does not name stay
	end := make([]trajectory.State, 7)
	m.At(m.Duration(), end)
	for i, s := range end {
		testkit.Near(t, "a joint at the end", s.Position, want[i], 1e-9)
	}
	testkit.AllNear(t, "target", m.Parts[1].Target, want, 1e-12)
}

func TestStatesThatCannotBeReachedNameTheLineAndTheStatesThereAre(t *testing.T) {
	for name, want := range map[string]string{
		"redy":   `test.yaml:3:5: moveJ (move 1): the SRDF file has no state "redy"; did you mean "ready"?`,
		"zzz":    `the SRDF file has no state "zzz"; there is folded, open, ready, twice, wide`,
		"open":   `the state "open" has none of the joints that the program moves, which are panda_joint1, `,
		"folded": `joint "panda_joint4" would be at 1, beyond its limits`,
		"twice":  `the SRDF file has a state "twice" of the group "arm" and of the group "wrist"`,
		"wide":   `the state "wide" has 2 positions for joint "panda_joint1", which has one`,
	} {
		a := panda(t)
		a.Semantic = states()
		refuse(t, a, name, want)
	}
	a := panda(t)
	refuse(t, a, "ready", `it goes to the state "ready", but there is no SRDF file that describes states: give one (srdf of a block, --srdf of sinew program)`)
	a.Semantic = &description.Semantic{}
	refuse(t, a, "ready", "the SRDF file has no states: add it there as a group_state")
}

// refuse expects that a move to a state is refused.
func refuse(t *testing.T, a arm, state, want string) {
	t.Helper()
	p := parse(t, "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: "+state+"\n")
	if _, err := Compile(p, a.Robot, a.home); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, want %s", state, err, want)
	}
}
