package robots

import (
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

func TestWrongTagsAreExplained(t *testing.T) {
	types := map[string]string{"Contact": "float64[3] point\nfloat64[3] force\n", "Other": "float64[3] point\n"}
	for _, c := range []struct{ word, kind, is, want string }{
		{showPosition, "output", "float64", ""},
		{showPosition, "output", "float64[7]", ""},
		{showPosition, "input", "float64[7]", `the tag show is "joint_position": expected an output of float64, one or some, got an input of float64[7]`},
		{showPosition, "output", "int64[7]", "got an output of int64[7]"},
		{showDesired, "input", "float64[]", ""},
		{showDesired, "event", "float64[]", "expected an output or input of float64"},
		{ShowTorque, "output", "float64[2]", "expected an input of"},
		{showOrientation, "output", "float64[3]", "expected an output of float64[4], got an output of float64[3]"},
		{showContact, "output", "Contact[6]", ""},
		{showContact, "output", "Other[6]", "structs with the fields float64[3] point and float64[3] force"},
		{"joint_positon", "output", "float64", `unknown value "joint_positon" of the tag show; did you mean "joint_position"?`},
	} {
		got := misuse(c.word, c.kind, c.is, types)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s at an %s of %s: %q, want %q", c.word, c.kind, c.is, got, c.want)
		}
	}
}

// A block with ports for another number of joints shows nothing of the robot; the first block that fits does.
func TestPortsOfAnotherNumberOfJointsDoNotFit(t *testing.T) {
	var r Ports
	six := shown{block: "six", joints: map[string][]JointPort{showPosition: {{Ref: "six.position", Length: 6}}}}
	seven := shown{block: "seven", joints: map[string][]JointPort{showPosition: {{Ref: "seven.a", Length: 3}, {Ref: "seven.b", Length: 4}}}}
	later := shown{block: "later", joints: map[string][]JointPort{showPosition: {{Ref: "later.position", Length: 7}}}}
	wrong := six.addTo(&r, 7)
	if len(wrong) != 1 || wrong[0] != `six.position: the tag show is "joint_position" of 6 joints, the robot has 7` || len(r.Position) != 0 {
		t.Errorf("%q, %+v", wrong, r)
	}
	wrong = append(seven.addTo(&r, 7), later.addTo(&r, 7)...)
	if len(wrong) != 0 || !slices.Equal(r.Position, []string{"seven.a", "seven.b"}) {
		t.Errorf("%q, %+v", wrong, r)
	}
	half := shown{block: "base", tags: tags{ports: map[string][]admin.Port{showPlace: {{Name: "at"}}}}}
	if wrong := half.addTo(&r, 7); len(wrong) != 1 || !strings.Contains(wrong[0], "must be used together") || r.Base != nil {
		t.Errorf("a position without an orientation: %q, %+v", wrong, r.Base)
	}
}

// The way leads along links and from a joint to the card that it names, never to a block of another robot that is farther away.
func TestNearestBlocksBehindAreFoundAlongLinksAndNames(t *testing.T) {
	st := &admin.Structure{
		Blocks: []admin.Block{
			{Name: "law"}, {Name: "joint", Params: []admin.Param{{Name: "peer_name", Value: "card", Fixed: true}, {Name: "note", Value: "far"}}},
			{Name: "card"}, {Name: "near"}, {Name: "far"},
		},
		Links: []admin.Link{{From: "law.act[0:3]", To: "joint.voltage"}, {From: "card.out", To: "near.in"}, {From: "near.out", To: "far.in"}, {From: "far.out", To: "law.in"}},
	}
	for _, c := range []struct {
		from   string
		wanted []string
		want   []string
	}{
		{"law", []string{"near", "far"}, []string{"near"}},
		{"law", []string{"far"}, []string{"far"}},
		{"near", []string{"near", "joint"}, []string{"near"}},
		{"law", []string{"unknown"}, nil},
	} {
		if got := nearestBehind(st, c.from, c.wanted); !slices.Equal(got, c.want) {
			t.Errorf("behind %s, of %v: %v, want %v", c.from, c.wanted, got, c.want)
		}
	}
}
