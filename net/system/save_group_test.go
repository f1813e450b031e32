package system_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

// walker includes legs, a file of its own and an arm.
const walker = `system: robot
include: [head.yaml]
threads: {t: {period: 10ms}}
groups:
  front: {include: leg.yaml, params: {stiff: 3}}  # the front leg
  back:
    include: leg.yaml  # the back leg
  arm: {include: arm.yaml}
  spare: {include: leg.yaml, params: {}}
`

const (
	head = "blocks:\n  neck: {type: rig.Gain, params: {gain: 2}}  # stiff\n"
	arm  = "# One arm only.\nblocks:\n  lift: {type: rig.Gain, params: {gain: 5}}\n"
	leg  = `params: {stiff: 1}
blocks:
  knee: {type: rig.Gain, params: {gain: "${stiff}"}}
  foot: {type: rig.Gain, params: {gain: 4}}
  toe:
    type: rig.Gain
groups:
  hip: {include: hip.yaml}
`
	hip = "params: {soft: 1}\nblocks:\n  roll: {type: rig.Gain, params: {gain: \"${soft}\"}}\n"
)

func robotFiles(t *testing.T) string {
	return write(t, "robot.yaml", walker, "head.yaml", head, "arm.yaml", arm, "leg.yaml", leg, "hip.yaml", hip)
}

// A value goes to the place where it stands, in whatever file that is, and to the include of its group where the value in the
// group's file holds for others too.
func TestSaveParamsChangesGroupsOrTheirIncludes(t *testing.T) {
	all := func(block, value string) (list []system.Change) {
		for _, group := range []string{"front", "back", "spare"} {
			list = append(list, system.Change{group + "." + block, "gain", value})
		}
		return list
	}
	for what, c := range map[string]struct {
		changes []system.Change
		want    map[string][2]string // by file: what is replaced by what
	}{
		"of an included file":   {[]system.Change{{"neck", "gain", "7"}}, map[string][2]string{"head.yaml": {"gain: 2", "gain: 7"}}},
		"of a group's file":     {[]system.Change{{"arm.lift", "gain", "7"}}, map[string][2]string{"arm.yaml": {"gain: 5", "gain: 7"}}},
		"new in a group's file": {[]system.Change{{"arm.lift", "limits", "[1, 2]"}}, map[string][2]string{"arm.yaml": {"gain: 5", "gain: 5, limits: [1, 2]"}}},
		"at the include":        {[]system.Change{{"front.knee", "gain", "7"}}, map[string][2]string{"robot.yaml": {"stiff: 3", "stiff: 7"}}},
		"new at the include":    {[]system.Change{{"back.knee", "gain", "7"}}, map[string][2]string{"robot.yaml": {"    include: leg.yaml", "    params: {stiff: 7}\n    include: leg.yaml"}}},
		"in empty braces":       {[]system.Change{{"spare.knee", "gain", "7"}}, map[string][2]string{"robot.yaml": {"params: {}", "params: {stiff: 7}"}}},
		"of all legs":           {all("foot", "7"), map[string][2]string{"leg.yaml": {"gain: 4", "gain: 7"}}},
		"new for all legs":      {all("toe", "7"), map[string][2]string{"leg.yaml": {"    type: rig.Gain\n", "    params: {gain: 7}\n    type: rig.Gain\n"}}},
		"of a group in a group": {all("hip.roll", "7"), map[string][2]string{"hip.yaml": {"soft: 1", "soft: 7"}}},
		"many at once": {append(all("foot", "7"), system.Change{"neck", "gain", "8"}), map[string][2]string{
			"leg.yaml": {"gain: 4", "gain: 7"}, "head.yaml": {"gain: 2", "gain: 8"}}},
	} {
		dir := robotFiles(t)
		path := filepath.Join(dir, "robot.yaml")
		texts, err := load(t, path, system.Options{}).SaveParams(c.changes)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if len(texts) != len(c.want) {
			t.Errorf("%s: %d files changed, want %d", what, len(texts), len(c.want))
		}
		for name, r := range c.want {
			old, _ := os.ReadFile(filepath.Join(dir, name))
			if want := strings.Replace(string(old), r[0], r[1], 1); texts[filepath.Join(dir, name)].Text != want {
				t.Errorf("%s: %s\n%s\nwant\n%s", what, name, texts[filepath.Join(dir, name)].Text, want)
			}
		}
		if err := system.Write(t.Context(), texts); err != nil {
			t.Fatal(err)
		}
		s := load(t, path, system.Options{})
		for _, change := range c.changes {
			if change.Param == "gain" && change.Value != "8" && find[Gain](t, s, change.Block).Gain.Value() != 7 {
				t.Errorf("%s: %s is %v after reading again", what, change.Block, find[Gain](t, s, change.Block).Gain.Value())
			}
		}
	}
}

// A text in one place for several blocks cannot get different values.
func TestSaveParamsRejectsDifferentValuesForOnePlace(t *testing.T) {
	path := filepath.Join(robotFiles(t), "robot.yaml")
	for _, c := range [][]system.Change{
		{{"front.foot", "gain", "7"}},
		{{"front.foot", "gain", "7"}, {"back.foot", "gain", "8"}, {"spare.foot", "gain", "7"}},
		{{"front.toe", "gain", "7"}},
		{{"front.hip.roll", "gain", "7"}},
	} {
		_, err := load(t, path, system.Options{}).SaveParams(c)
		if err == nil || !strings.Contains(err.Error(), "save front.") || !strings.Contains(err.Error(), "has another value") {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Only those elements of lists change that were tuned; comments between them stay.
func TestSaveParamsChangesOnlyTunedElements(t *testing.T) {
	const text = `system: lists
threads: {t: {period: 10ms}}
blocks:
  a: {type: rig.Gain, params: {limits: [1, # least
      2]}}
  b:
    type: rig.Gain
    params:
      limits:
        - 1.0  # least
        - 2
  c: {type: rig.Gain, params: {gain: 1.50, limits: 2}}
  d: {type: rig.Gain, params: {limits: [1, 2] }}
`
	path := filepath.Join(write(t, "lists.yaml", text), "lists.yaml")
	s := load(t, path, system.Options{})
	if got := find[Gain](t, s, "c").Limits.Value(); !reflect.DeepEqual(got, []float64{2}) {
		t.Errorf("a number for a list of one: %v", got)
	}
	texts, err := s.SaveParams([]system.Change{{"a", "limits", "[1, 3]"}, {"b", "limits", "[1, 4]"}, {"c", "limits", "[5]"}, {"c", "gain", "1.5"},
		{"d", "limits", "[1, 2, 3]"}})
	want := strings.NewReplacer("      2]}}", "      3]}}", "- 2\n  c", "- 4\n  c", "limits: 2}", "limits: 5}", "[1, 2] ", "[1, 2, 3] ").Replace(text)
	if err != nil || texts[path].Text != want {
		t.Errorf("%v\n%s\nwant\n%s", err, texts[path].Text, want)
	}
	diff, err := system.Diff(filepath.Dir(path), texts)
	if err != nil || !strings.Contains(diff, "+++ lists.yaml") || !strings.Contains(diff, "-        - 2\n") {
		t.Errorf("%v\n%s", err, diff)
	}
}
