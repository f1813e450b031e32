package system_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/net/system"
)

const tuned = `# The crane, tuned on a Tuesday.
system: crane
threads: {t: {period: 10ms}}

blocks:
  flow: {type: rig.Gain, params: {gain: 1, limits: [1, 2]}}   # one line
  bare: {type: rig.Gain}
  block:
    type: rig.Gain   # the kind
    params:
      gain: 3   # by hand
  plain:
    # nothing given yet
    type: rig.Gain
  quoted: {type: rig.Gain, thread: "t"}
`

// The text in the place of each value changes, and nothing else; the result loads with the new values.
func TestSaveParamsChangesOnlyTheValues(t *testing.T) {
	changes := []system.Change{
		{"flow", "gain", "12.5"}, {"flow", "limits", "[-3, 3]"}, {"bare", "gain", "6"}, {"bare", "limits", "[0, 1]"},
		{"block", "gain", "7"}, {"block", "limits", "[8, 9]"}, {"plain", "gain", "10"}, {"plain", "limits", "[1]"},
		{"quoted", "gain", "2"},
	}
	want := strings.NewReplacer(
		"gain: 1, limits: [1, 2]", "gain: 12.5, limits: [-3, 3]",
		"bare: {type: rig.Gain}", "bare: {type: rig.Gain, params: {gain: 6, limits: [0, 1]}}",
		`thread: "t"}`, `thread: "t", params: {gain: 2}}`,
		"gain: 3   # by hand", "gain: 7   # by hand\n      limits: [8, 9]",
		"yet\n    type: rig.Gain", "yet\n    params: {gain: 10, limits: [1]}\n    type: rig.Gain",
	).Replace(tuned)
	path := filepath.Join(write(t, "crane.yaml", tuned), "crane.yaml")
	texts, err := load(t, path, system.Options{}).SaveParams(changes)
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) != 1 || texts[path].Text != want {
		t.Fatalf("got\n%s\nwant\n%s", texts[path].Text, want)
	}
	if err := system.Write(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	s := load(t, path, system.Options{})
	for name, w := range map[string]struct {
		gain   float64
		limits []float64
	}{"flow": {12.5, []float64{-3, 3}}, "bare": {6, []float64{0, 1}}, "block": {7, []float64{8, 9}}, "plain": {10, []float64{1}}} {
		g := find[Gain](t, s, name)
		if g.Gain.Value() != w.gain || !reflect.DeepEqual(g.Limits.Value(), w.limits) {
			t.Errorf("%s: gain %v, limits %v, want %+v", name, g.Gain.Value(), g.Limits.Value(), w)
		}
	}
}

// A value goes into the file that gives it: base or overlay.
func TestSaveParamsChangesTheFileThatGivesTheValue(t *testing.T) {
	dir := write(t, "base.yaml", tuned, "over.yaml", "base: base.yaml\nblocks:\n  block: {params: {limits: [1, 2]}} # more\n")
	s := load(t, filepath.Join(dir, "over.yaml"), system.Options{})
	texts, err := s.SaveParams([]system.Change{{"block", "limits", "[3]"}, {"block", "gain", "5"}, {"flow", "gain", "2"}})
	if err != nil {
		t.Fatal(err)
	}
	over, first := texts[filepath.Join(dir, "over.yaml")].Text, texts[filepath.Join(dir, "base.yaml")].Text
	if !strings.Contains(over, "{limits: [3]}} # more") || !strings.Contains(first, "gain: 5   # by hand") || !strings.Contains(first, "{gain: 2, limits") {
		t.Errorf("over:\n%s\nbase:\n%s", over, first)
	}
}

// A value that the command line gave first goes to where the files have it, or would have it; what they say else stays.
func TestSaveParamsOverridesTheCommandLineInTheFiles(t *testing.T) {
	path := filepath.Join(write(t, "crane.yaml", tuned), "crane.yaml")
	s := load(t, path, system.Options{Params: []string{"flow.gain=8", "block.gain=9", "block.limits=[7]"}})
	if g := find[Gain](t, s, "flow").Gain.Value(); g != 8 {
		t.Errorf("gain %v", g)
	}
	texts, err := s.SaveParams([]system.Change{{"flow", "gain", "2"}, {"block", "gain", "5"}})
	if text := texts[path].Text; err != nil || !strings.Contains(text, "{gain: 2, limits") || !strings.Contains(text, "gain: 5   # by hand") || strings.Contains(text, "7") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestSaveParamsRejectsValuesWithoutAPlace(t *testing.T) {
	s := load(t, "testdata/crane.yaml", system.Options{})
	for want, c := range map[string]system.Change{
		"left.elbow.amplify.limits would change": {"left.elbow.amplify", "gain", "1"},
		"composed of the group's parameters":     {"left.elbow.amplify", "limits", "[1, 2]"},
		"no such block":                          {"thrid", "gain", "1"},
	} {
		if _, err := s.SaveParams([]system.Change{c}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", c, err, want)
		}
	}
	if _, err := s.SaveParams([]system.Change{{"left.elbow.amplify", "angle_limit", "1"}}); err == nil {
		t.Error("a new parameter went into the file of a group")
	}
	path := filepath.Join(write(t, "crane.yaml", tuned), "crane.yaml")
	s = load(t, path, system.Options{})
	if err := os.WriteFile(path, []byte("system: other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SaveParams([]system.Change{{"flow", "gain", "2"}}); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a file that has changed: %v", err)
	}
}

// A file that another writer has saved between SaveParams and Write stays as it is, and so do the others.
func TestWriteRefusesFilesThatHaveChanged(t *testing.T) {
	dir := write(t, "base.yaml", tuned, "over.yaml", "base: base.yaml\nblocks:\n  block: {params: {limits: [1, 2]}}\n")
	base, over := filepath.Join(dir, "base.yaml"), filepath.Join(dir, "over.yaml")
	texts, err := load(t, over, system.Options{}).SaveParams([]system.Change{{"block", "limits", "[3]"}, {"flow", "gain", "2"}})
	if err != nil || len(texts) != 2 {
		t.Fatalf("%d files, %v", len(texts), err)
	}
	theirs := "# saved by another writer\nbase: base.yaml\n"
	if err := os.WriteFile(over, []byte(theirs), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := system.Write(t.Context(), texts); !errors.Is(err, durable.ErrChanged) || !strings.Contains(err.Error(), over) {
		t.Errorf("%v", err)
	}
	for path, want := range map[string]string{base: tuned, over: theirs} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
	}
}

// The value that counts afterwards is the one that was saved, whatever an overlay has changed or deleted in its base.
func TestSaveParamsWritesWhereTheValueCounts(t *testing.T) {
	const base = `system: crane
threads: {t: {period: 10ms}}
params: {k: 3}
blocks:
  g: {type: rig.Gain, params: {gain: 2, limits: [1, 2]}}
  h: {type: rig.Gain}
  i: {type: rig.Gain, params: {gain: "${k}"}}
  empty: {type: rig.Gain, params: {}}
  one:
    type: rig.Gain
    params:
      gain: 2
groups:
  left: {include: leg.yaml, params: {stiff: 3}}
  right: {include: leg.yaml}
  in: {params: {z: 1}, blocks: {q: {type: rig.Gain, params: {gain: "${z}"}}}}
`
	for what, c := range map[string]struct {
		over, block string
		params      []string // of the command line
		file, want  string   // what is written into which file
	}{
		"in the base":                        {"", "g", nil, "base.yaml", "gain: 7, limits: [1, 2]"},
		"not given in the base":              {"", "h", nil, "base.yaml", "h: {type: rig.Gain, params: {gain: 7}}"},
		"a parameter of the base":            {"", "i", nil, "base.yaml", "params: {k: 7}"},
		"a parameter of the overlay":         {"params: {k: 4}", "i", nil, "over.yaml", "params: {k: 7}"},
		"a parameter of the command line":    {"params: {k: 4}", "i", []string{"k=5", "k=6"}, "over.yaml", "params: {k: 7}"},
		"deleted":                            {"blocks: {g: {params: {gain: null}}}", "g", nil, "over.yaml", "{params: {gain: 7}}"},
		"deleted, given on the command line": {"blocks: {g: {params: {gain: null}}}", "g", []string{"g.gain=5"}, "over.yaml", "{params: {gain: 7}}"},
		"the only one, deleted":              {"blocks: {one: {params: {gain: null}}}", "one", nil, "over.yaml", "{params: {gain: 7}}"},
		"all of one, deleted":                {"blocks: {one: {params: null}}", "one", nil, "over.yaml", "one: {params: {gain: 7}}"},
		"others in the overlay":              {"blocks: {empty: {params: {limits: [1]}}}", "empty", nil, "over.yaml", "{limits: [1], gain: 7}"},
		"empty in both":                      {"blocks: {empty: {params: {}}}", "empty", nil, "base.yaml", "empty: {type: rig.Gain, params: {gain: 7}}"},
		"of a group":                         {"", "left.knee", nil, "base.yaml", "left: {include: leg.yaml, params: {stiff: 7}}"},
		"of a group, not given":              {"", "right.knee", nil, "base.yaml", "right: {include: leg.yaml, params: {stiff: 7}}"},
		"of a group, in the overlay":         {"groups: {right: {params: {stiff: 4}}}", "right.knee", nil, "over.yaml", "{params: {stiff: 7}}"},
		"of a group, deleted":                {"groups: {left: {params: {stiff: null}}}", "left.knee", nil, "over.yaml", "{params: {stiff: 7}}"},
		"of a group, all deleted":            {"groups: {left: {params: null}}", "left.knee", nil, "over.yaml", "left: {params: {stiff: 7}}"},
		"of a group in its place":            {"groups: {in: {params: {z: 4}}}", "in.q", nil, "over.yaml", "{params: {z: 7}}"},
	} {
		dir := write(t, "base.yaml", base, "over.yaml", "base: base.yaml\n"+c.over+"\n",
			"leg.yaml", "params: {stiff: 1}\nblocks:\n  knee: {type: rig.Gain, params: {gain: \"${stiff}\"}}\n")
		path := filepath.Join(dir, "over.yaml")
		texts, err := load(t, path, system.Options{Params: c.params}).SaveParams([]system.Change{{c.block, "gain", "7"}})
		if err != nil || len(texts) != 1 || !strings.Contains(texts[filepath.Join(dir, c.file)].Text, c.want) {
			t.Errorf("%s: %v\n%v\nwant %q in %s", what, err, texts, c.want, c.file)
			continue
		}
		if err := system.Write(t.Context(), texts); err != nil {
			t.Fatal(err)
		}
		if got := find[Gain](t, load(t, path, system.Options{}), c.block).Gain.Value(); got != 7 {
			t.Errorf("%s: %v after reading again", what, got)
		}
	}
	dir := write(t, "base.yaml", base, "over.yaml", "base: base.yaml\nblocks: {g: {params: null}}\n", "leg.yaml", "params: {stiff: 1}\n")
	_, err := load(t, filepath.Join(dir, "over.yaml"), system.Options{}).SaveParams([]system.Change{{"g", "gain", "7"}})
	if err == nil || !strings.Contains(err.Error(), "g.limits would change too: the value at "+filepath.Join(dir, "base.yaml")+":5:49 would count for it") {
		t.Errorf("an overlay that no longer deletes all parameters: %v", err)
	}
}

// A key that a base has twice is also an error where the overlay deletes it.
func TestOverlayThatDeletesAKeyGivenTwiceIsAnError(t *testing.T) {
	dir := write(t, "base.yaml", tuned+"  twice: {type: rig.Gain, params: {gain: 1, gain: 2}}\n", "over.yaml", "base: base.yaml\nblocks: {twice: {params: {gain: null}}}\n")
	_, err := system.Load(filepath.Join(dir, "over.yaml"), system.Options{Registry: registry()})
	if err == nil || !strings.Contains(err.Error(), `base.yaml:16:45: "gain" is there twice, first in line 16`) {
		t.Errorf("%v", err)
	}
}
