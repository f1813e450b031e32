package system_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

// The same arm three times: of files, written in its place, and both mixed, with paths that lead elsewhere.
var sameArms = map[string][]string{
	"files": {
		"main.yaml", "system: robot\nthreads: {t: {period: 10ms}}\ninclude: [parts/arms.yaml]\nlinks: [arm.out -> drain.in]\nblocks: {drain: {type: rig.Gain}}\n",
		"parts/arms.yaml", "groups:\n  arm: {include: arm/arm.yaml, params: {stiff: 3}}\n",
		"parts/arm/arm.yaml", "description: An arm.\nparams: {stiff: 1, soft: 2}\nports: {out: hand.out}\nlinks: [lift.out -> hand.in]\n" +
			"blocks: {lift: {type: rig.Gain, params: {gain: \"${stiff}\"}}, model: {type: rig.Model, params: {urdf: ../arm.urdf}}}\n" +
			"groups: {hand: {include: ../hand.yaml, params: {grip: \"${soft}\"}}}\n",
		"parts/hand.yaml", "params: {grip: 9}\nblocks: {finger: {type: rig.Gain, params: {gain: \"${grip}\"}}}\nports: {in: finger.in, out: finger.out}\n",
		"parts/arm.urdf", "<robot/>",
	},
	"inline": {
		"main.yaml", `system: robot
threads: {t: {period: 10ms}}
links: [arm.out -> drain.in]
blocks: {drain: {type: rig.Gain}}
groups:
  arm:
    description: An arm.
    params: {stiff: 3, soft: 2}
    links: [lift.out -> hand.in]
    ports: {out: hand.out}
    blocks:
      lift: {type: rig.Gain, params: {gain: "${stiff}"}}
      model: {type: rig.Model, params: {urdf: arm.urdf}}
    groups:
      hand:
        params: {grip: "${soft}"}
        blocks: {finger: {type: rig.Gain, params: {gain: "${grip}"}}}
        ports: {in: finger.in, out: finger.out}
`,
		"arm.urdf", "<robot/>",
	},
	"mixed": {
		"main.yaml", "system: robot\nthreads: {t: {period: 10ms}}\ninclude: [parts/arms.yaml]\nlinks: [arm.out -> drain.in]\nblocks: {drain: {type: rig.Gain}}\n",
		"parts/arms.yaml", "groups: {arm: {links: [lift.out -> hand.in], ports: {out: hand.out}, params: {stiff: 3, soft: 2},\n" +
			"  groups: {hand: {include: hand.yaml, params: {grip: \"${soft}\"}}},\n" +
			"  blocks: {lift: {type: rig.Gain, params: {gain: \"${stiff}\"}}, model: {type: rig.Model, params: {urdf: arm.urdf}}}}}\n",
		"parts/hand.yaml", "blocks: {finger: {type: rig.Gain, params: {gain: \"${grip}\"}}}\nparams: {grip: 9}\nports: {in: finger.in, out: finger.out}\n",
		"parts/arm.urdf", "<robot/>",
	},
}

// A group that is written in its place means the same as one in a file of its own.
func TestInlineGroupsAreGroups(t *testing.T) {
	for name, files := range sameArms {
		s := load(t, filepath.Join(tree(t, files...), "main.yaml"), system.Options{Params: []string{"arm.hand.finger.limits=[1, 2]"}})
		var blocks []string
		for _, b := range s.Net.Blocks {
			blocks = append(blocks, b.Name)
		}
		slices.Sort(blocks)
		if want := []string{"arm.hand.finger", "arm.lift", "arm.model", "drain"}; !slices.Equal(blocks, want) {
			t.Errorf("%s: blocks %q", name, blocks)
		}
		got := links(s)
		slices.Sort(got)
		if want := []string{"arm.hand.finger.out -> drain.in", "arm.lift.out -> arm.hand.finger.in"}; !slices.Equal(got, want) {
			t.Errorf("%s: links %q", name, got)
		}
		finger := find[Gain](t, s, "arm.hand.finger")
		if finger.Gain.Value() != 2 || find[Gain](t, s, "arm.lift").Gain.Value() != 3 || !slices.Equal(finger.Limits.Value(), []float64{1, 2}) {
			t.Errorf("%s: gains %v, %v, limits %v", name, finger.Gain.Value(), find[Gain](t, s, "arm.lift").Gain.Value(), finger.Limits.Value())
		}
		var groups []string
		for _, g := range s.Groups() {
			file := filepath.Base(g.File)
			if g.Included {
				file += "!"
			}
			groups = append(groups, g.Name+" "+file)
		}
		want := map[string][]string{"files": {"arm arm.yaml!", "arm.hand hand.yaml!"}, "inline": {"arm main.yaml", "arm.hand main.yaml"},
			"mixed": {"arm arms.yaml", "arm.hand hand.yaml!"}}[name]
		if !slices.Equal(groups, want) {
			t.Errorf("%s: groups %q, want %q", name, groups, want)
		}
	}
}

// An entry of a group sees the parameters of the groups around it, its own first.
func TestInlineGroupsSeeParametersAround(t *testing.T) {
	dir := write(t, "main.yaml", "system: x\nthreads: {t: {period: 10ms}}\ngroups: {leg: {include: leg.yaml, params: {stiff: 7}}}\n",
		"leg.yaml", `params: {stiff: 1, soft: 2}
blocks: {}
groups:
  hip:
    params: {soft: "${stiff}"}
    blocks: {a: {type: rig.Gain, params: {gain: "${stiff}"}}, b: {type: rig.Gain, params: {gain: "${soft}"}}}
`)
	s := load(t, filepath.Join(dir, "main.yaml"), system.Options{})
	if a, b := find[Gain](t, s, "leg.hip.a").Gain.Value(), find[Gain](t, s, "leg.hip.b").Gain.Value(); a != 7 || b != 7 {
		t.Errorf("gains %v, %v", a, b)
	}
}

// Overlays change what is in a group as they change what is in a system.
func TestOverlaysReachIntoInlineGroups(t *testing.T) {
	dir := tree(t, sameArms["inline"]...)
	over := filepath.Join(dir, "over.yaml")
	const text = `groups:
  arm:
    params: {stiff: 5}
    blocks: {more: {type: rig.Gain}, model: null}
    groups: {hand: {blocks: {finger: {params: {limits: [1, 2]}}}}}
    links: [more.out -> hand.in, lift.out -> more.in]
`
	if err := os.WriteFile(over, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s := load(t, filepath.Join(dir, "main.yaml"), system.Options{Overlays: []string{over}})
	got := links(s)
	slices.Sort(got)
	want := []string{"arm.hand.finger.out -> drain.in", "arm.lift.out -> arm.more.in", "arm.more.out -> arm.hand.finger.in"}
	if !slices.Equal(got, want) || len(s.Net.Blocks) != 4 || find[Gain](t, s, "arm.lift").Gain.Value() != 5 {
		t.Errorf("links %q, %d blocks", got, len(s.Net.Blocks))
	}
	texts, err := s.SaveParams([]system.Change{{"arm.lift", "gain", "6"}, {"arm.hand.finger", "limits", "[1, 3]"}, {"arm.hand.finger", "gain", "4"}})
	if err != nil || len(texts) != 2 {
		t.Fatalf("%v %q", err, slices.Collect(maps.Keys(texts)))
	}
	if want := strings.NewReplacer("stiff: 5", "stiff: 6", "[1, 2]", "[1, 3]").Replace(text); texts[over].Text != want {
		t.Errorf("overlay\n%s", texts[over].Text)
	}
	if main := texts[filepath.Join(dir, "main.yaml")].Text; !strings.Contains(main, "{stiff: 3, soft: 4}") {
		t.Errorf("file\n%s", main)
	}
}

// An overlay cannot reach into the file of a group; the error names the place.
func TestOverlaysCannotReachIntoFiles(t *testing.T) {
	dir := tree(t, sameArms["files"]...)
	over := filepath.Join(dir, "over.yaml")
	if err := os.WriteFile(over, []byte("groups:\n  arm:\n    blocks: {lift: {params: {gain: 4}}}\n    links: [lift.out -> hand.in]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := errorsOf(t, filepath.Join(dir, "main.yaml"), system.Options{Overlays: []string{over}})
	if len(got) != 2 || !strings.HasPrefix(got[0], `over.yaml:3:13: group "arm" includes a file`) || !strings.HasPrefix(got[1], "over.yaml:4:12: ") {
		t.Errorf("%q", got)
	}
}

// Tuned values go to the group's place in the file, comments and layout untouched.
func TestSaveParamsChangesInlineGroupsInPlace(t *testing.T) {
	const text = `system: x
threads: {t: {period: 10ms}}
groups:
  arm:  # the left one
    params: {stiff: 3}  # N/m
    blocks:
      a: {type: rig.Gain, params: {gain: "${stiff}"}}
      b: {type: rig.Gain, params: {gain: 4}}  # soft
      c: {type: rig.Gain}
`
	path := filepath.Join(write(t, "x.yaml", text), "x.yaml")
	texts, err := load(t, path, system.Options{}).SaveParams([]system.Change{{"arm.a", "gain", "5"}, {"arm.b", "gain", "6"}, {"arm.c", "gain", "7"}})
	want := strings.NewReplacer("stiff: 3", "stiff: 5", "gain: 4", "gain: 6", "c: {type: rig.Gain}", "c: {type: rig.Gain, params: {gain: 7}}").Replace(text)
	if err != nil || len(texts) != 1 || texts[path].Text != want {
		t.Errorf("%v\n%s", err, texts[path].Text)
	}
}

// Candidates are checked in the place of files, which need not be there.
func TestTextsReplaceFiles(t *testing.T) {
	dir := tree(t, sameArms["mixed"]...)
	path := filepath.Join(dir, "main.yaml")
	hand := filepath.Join(dir, "parts", "hand.yaml")
	s := load(t, path, system.Options{Texts: map[string][]byte{
		hand:                                     []byte("include: no\n"),
		filepath.Join(dir, "parts", "arms.yaml"): []byte("groups: {arm: {blocks: {a: {type: rig.Gain}}, groups: {hand: {include: new.yaml}}, ports: {out: hand.out}}}\n"),
		filepath.Join(dir, "parts", "new.yaml"):  []byte("blocks: {b: {type: rig.Gain, params: {gain: 2}}}\nports: {out: b.out}\n"),
	}})
	if len(s.Net.Blocks) != 3 || slices.Contains(s.Files, hand) {
		t.Errorf("blocks %v, files %v", s.Net.Blocks, s.Files)
	}
	t.Chdir(dir)
	got := errorsOf(t, "main.yaml", system.Options{Texts: map[string][]byte{hand: []byte("blocks: [\n")}})
	if !slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, "parts/hand.yaml:1:9: not YAML") }) {
		t.Errorf("%q", got)
	}
}
