package description_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
)

func readGroups(t *testing.T) *description.Semantic {
	t.Helper()
	s, err := description.ReadSRDF(fstest.MapFS{"g.srdf": {Data: []byte(`<robot name="gripper">
<group name="fingers"><joint name="finger"/><joint name="other"/></group><group name="all"><joint name="wrist"/><group name="fingers"/></group>
</robot>`)}}, "g.srdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSelectTakesJointsAndGroups(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"finger", "wrist"}, []string{"finger", "wrist"}},
		{[]string{"fingers"}, []string{"finger"}},
		{[]string{"all"}, []string{"wrist", "finger"}},
		{nil, nil},
	} {
		if got, err := readGripper(t).Select(readGroups(t), c.names...); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, %v, expected %v", c.names, got, err, c.want)
		}
	}
}

func TestSelectRejects(t *testing.T) {
	locked := readGripper(t)
	if err := locked.Lock("finger=0.02"); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		robot  *description.Robot
		groups *description.Semantic
		names  []string
	}{
		`no joint "fingr", and its SRDF file no group of that name; did you mean "finger"?`:   {readGripper(t), readGroups(t), []string{"fingr"}},
		`no joint "fngers", and its SRDF file no group of that name; did you mean "fingers"?`: {readGripper(t), readGroups(t), []string{"fngers"}},
		`no joint "wirst"; did you mean "wrist"?`:                                             {readGripper(t), nil, []string{"wirst"}},
		`joint "other" follows joint "finger": name that one`:                                 {readGripper(t), nil, []string{"other"}},
		`joint "finger" is fixed or locked: it cannot move`:                                   {locked, nil, []string{"finger"}},
		`group "fingers" has no joint that moves`:                                             {locked, readGroups(t), []string{"fingers"}},
		`joint "finger" is named twice`:                                                       {readGripper(t), readGroups(t), []string{"all", "finger"}},
	} {
		if _, err := c.robot.Select(c.groups, c.names...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}
