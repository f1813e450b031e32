package system_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/system"
)

func TestRangesRepeatBlocksLinksGroupsAndPorts(t *testing.T) {
	dir := write(t, "main.yaml", `
system: many
threads: {t: {period: 10ms}}
blocks:
  wave{1-3}: {type: rig.Wave, params: {amplitude: "${i}"}}
  gain{1-3}: {type: rig.Gain, params: {limits: [-1, 1]}}
  list: {type: rig.Vector, params: {n: 3}}
groups:
  leg{1-2}:
    blocks:
      sum: {type: rig.Sum}
      fine{8-10}: {type: rig.Wave, params: {amplitude: "${i}"}}
    links: ["fine{8-9}.out -> sum.${i}"]
    ports: {out: sum.out, "wave{8-9}": "fine${i}.out"}
  arm{1-2}: {include: arm.yaml, params: {joints: 2, number: "${i}"}}
links:
  - wave{1-3}.out -> gain${i}.angle
  - wave1.out -> leg{1-2}.sum.a
  - link: "leg{1-2}.out -> gain${i}.in"
    delay: true
  - gain{1-2}.out -> list.in[${i}]
`, "arm.yaml", `
params: {joints: 3, number: 0}
blocks:
  wave{1-${joints}}: {type: rig.Wave, params: {amplitude: "${number}"}}
`)
	text := strings.NewReplacer(`    links: ["fine{8-9}.out -> sum.${i}"]`+"\n", "", "  - wave1.out -> leg{1-2}.sum.a\n", "")
	path := filepath.Join(dir, "main.yaml")
	source, err := system.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := load(t, path, system.Options{Texts: map[string][]byte{path: []byte(text.Replace(string(source)))}, Params: []string{"wave2.amplitude=7"}})
	var names []string
	for _, b := range s.Net.Blocks {
		names = append(names, b.Name)
	}
	for _, want := range []string{"wave1", "wave3", "gain2", "leg1.sum", "leg2.fine10", "arm1.wave1", "arm2.wave2"} {
		if !slices.Contains(names, want) {
			t.Errorf("no block %s in %q", want, names)
		}
	}
	if len(names) != 7+2*4+2*2 {
		t.Errorf("%d blocks: %q", len(names), names)
	}
	for name, want := range map[string]float64{"wave1": 1, "wave2": 7, "wave3": 3, "leg1.fine9": 9, "arm2.wave1": 2} {
		if got := find[Wave](t, s, name).Amplitude.Value(); got != want {
			t.Errorf("%s has amplitude %v, want %v", name, got, want)
		}
	}
	var links []string
	for _, l := range s.Net.Links {
		links = append(links, l.String())
		if l.From.Block == "leg2.sum" && (!l.Delay || l.To.Block != "gain2") {
			t.Errorf("link %v has lost its options", l)
		}
	}
	if want := "gain2.out -> list.in[2]"; len(links) != 3+2+2 || !slices.Contains(links, want) {
		t.Errorf("links %q, want %s among them", links, want)
	}
}

func TestRangesInListsOfParametersRepeatTheirTexts(t *testing.T) {
	dir := write(t, "main.yaml", "system: x\nthreads: {t: {period: 1ms}}\nblocks:\n  names: {type: rig.Names, params: {names: [a, \"joint{9-11}\", b]}}\n")
	s := load(t, filepath.Join(dir, "main.yaml"), system.Options{})
	if got := find[Names](t, s, "names").Names.Value(); !slices.Equal(got, []string{"a", "joint9", "joint10", "joint11", "b"}) {
		t.Errorf("names %q", got)
	}
}

// inRanges and writtenOut are the same net.
const inRanges = `
system: many
threads: {t: {period: 10ms}}
blocks:
  wave{1-3}: {type: rig.Wave, params: {amplitude: "${i}"}}
  gain{1-3}: {type: rig.Gain}
  sum: {type: rig.Sum}
groups:
  leg{1-2}:
    params: {leg: "${i}"}
    blocks:
      knee{1-2}: {type: rig.Wave, params: {amplitude: "${leg}"}}
    ports: {"out{1-2}": "knee${i}.out"}
links:
  - wave{1-3}.out -> gain${i}.angle
  - link: "leg{1-2}.out2 -> gain${i}.in"
    delay: true
  - leg2.out1 -> sum.a
`

const writtenOut = `
system: many
threads: {t: {period: 10ms}}
blocks:
  wave1: {type: rig.Wave, params: {amplitude: 1}}
  wave2: {type: rig.Wave, params: {amplitude: 2}}
  wave3: {type: rig.Wave, params: {amplitude: 3}}
  gain1: {type: rig.Gain}
  gain2: {type: rig.Gain}
  gain3: {type: rig.Gain}
  sum: {type: rig.Sum}
groups:
  leg1:
    blocks:
      knee1: {type: rig.Wave, params: {amplitude: 1}}
      knee2: {type: rig.Wave, params: {amplitude: 1}}
    ports: {out1: knee1.out, out2: knee2.out}
  leg2:
    blocks:
      knee1: {type: rig.Wave, params: {amplitude: 2}}
      knee2: {type: rig.Wave, params: {amplitude: 2}}
    ports: {out1: knee1.out, out2: knee2.out}
links:
  - wave1.out -> gain1.angle
  - wave2.out -> gain2.angle
  - wave3.out -> gain3.angle
  - {link: leg1.out2 -> gain1.in, delay: true}
  - {link: leg2.out2 -> gain2.in, delay: true}
  - leg2.out1 -> sum.a
`

func TestRangesAreTheSameNetAsTheirNumbersWrittenOut(t *testing.T) {
	dir := write(t, "ranges.yaml", inRanges, "out.yaml", writtenOut)
	describe := func(file string) string {
		s := load(t, filepath.Join(dir, file), system.Options{})
		var text strings.Builder
		for _, b := range s.Net.Blocks {
			fmt.Fprintf(&text, "%s %s", b.Name, b.Type)
			for _, p := range b.Params {
				if p.Layout != nil {
					cdr := make([]byte, p.Layout.Size())
					fmt.Fprintf(&text, " %s %x", p.Name, cdr[:p.Encode(cdr)])
				}
			}
			text.WriteString("\n")
		}
		for _, l := range s.Net.Links {
			fmt.Fprintf(&text, "%v %v\n", l, l.Delay)
		}
		for _, g := range s.Groups() {
			fmt.Fprintf(&text, "%s %v\n", g.Name, g.Included)
		}
		return text.String()
	}
	if a, b := describe("ranges.yaml"), describe("out.yaml"); a != b {
		t.Errorf("in ranges:\n%s\nwritten out:\n%s", a, b)
	}
}

func TestTooManyRepetitionsAreRejectedQuickly(t *testing.T) {
	for _, test := range [][2]string{
		{"blocks: {\"a{1-200000}\": {type: rig.Wave}}\n", `block "a50001": a net has at most 50000 blocks`},
		{"groups:\n  a{1-20000}: {blocks: {w: {type: rig.Wave}}}\n", "more than 10000 groups"},
		{"groups:\n  a{1-1000}: {blocks: {\"w{1-1000}\": {type: rig.Wave}}}\n", `block "a51.w1": a net has at most 50000 blocks`},
		{"blocks: {n: {type: rig.Names, params: {names: [\"a{1-70000}\"]}}}\n", "this list has more than 65536 parts"},
	} {
		begin := time.Now()
		dir := write(t, "x.yaml", "system: x\nthreads: {t: {period: 1ms}}\n"+test[0])
		_, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry()})
		if err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%s: got %v, expected %q", test[0], err, test[1])
		}
		t.Logf("%v", time.Since(begin))
	}
}

// A value of a range stands for all its blocks: it is saved if all have it, and otherwise the error names a way out.
func TestSavingOneBlockOfARangeNamesTheWayOut(t *testing.T) {
	dir := write(t, "x.yaml", "system: x\nthreads: {t: {period: 1ms}}\nblocks:\n  gain{1-3}: {type: rig.Gain, params: {gain: 2}}\n  wave{1-2}: {type: rig.Wave, params: {amplitude: \"${i}\"}}\n")
	path := filepath.Join(dir, "x.yaml")
	s := load(t, path, system.Options{})
	for _, test := range []struct {
		change system.Change
		want   string
	}{
		{system.Change{Block: "gain2", Param: "gain", Value: "5"}, path + ":4:46 is that of the range gain{1-3}, so that it would change gain1.gain too: " +
			"tune all of the range alike, or take it out of the range by hand, as gain1, gain2, gain3"},
		{system.Change{Block: "gain3", Param: "limits", Value: "[0, 1]"}, "as gain{1-2}, gain3"},
		{system.Change{Block: "wave1", Param: "amplitude", Value: "3"}, path + ":5:51: its value is composed of the number of the range wave{1-2}; change it by hand"},
	} {
		if _, err := s.SaveParams([]system.Change{test.change}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, expected %q", test.change, err, test.want)
		}
	}
	var all []system.Change
	for _, name := range []string{"gain1", "gain2", "gain3"} {
		all = append(all, system.Change{Block: name, Param: "gain", Value: "5"}, system.Change{Block: name, Param: "limits", Value: "[0, 1]"})
	}
	texts, err := s.SaveParams(all)
	if err != nil || !strings.Contains(texts[path].Text, "gain{1-3}: {type: rig.Gain, params: {gain: 5, limits: [0, 1]}}\n") {
		t.Errorf("%v: %s", err, texts[path].Text)
	}
}

// An overlay changes one block, or one group, of a range; its values are saved where they stand.
func TestOverlaysChangeOneOfARange(t *testing.T) {
	dir := write(t, "x.yaml", inRanges, "over.yaml", "blocks:\n  gain2: {params: {gain: 7}}\n  gain9: {type: rig.Gain}\n"+
		"groups: {leg2: {blocks: {knee1: {params: {amplitude: 9}}}, params: {leg: 3}}}\n")
	path, over := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "over.yaml")
	s := load(t, path, system.Options{Overlays: []string{over}})
	if n := len(s.Net.Blocks); n != 3+3+1+4+1 {
		t.Errorf("%d blocks", n)
	}
	for name, want := range map[string]float64{"gain1": 1, "gain2": 7, "gain3": 1} {
		if got := find[Gain](t, s, name).Gain.Value(); got != want {
			t.Errorf("%s has gain %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]float64{"leg1.knee1": 1, "leg1.knee2": 1, "leg2.knee1": 9, "leg2.knee2": 3} {
		if got := find[Wave](t, s, name).Amplitude.Value(); got != want {
			t.Errorf("%s has amplitude %v, want %v", name, got, want)
		}
	}
	texts, err := s.SaveParams([]system.Change{{Block: "gain2", Param: "gain", Value: "8"}})
	if err != nil || !strings.Contains(texts[over].Text, "gain2: {params: {gain: 8}}\n") {
		t.Errorf("%v: %s", err, texts[over].Text)
	}
}
