package system_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

const listed = `
system: listed
threads: {t: {period: 10ms}}
blocks:
  wave{1-3}: {type: rig.Wave}
  gain{1-3}: {type: rig.Gain}
  sum: {type: rig.Sum}
  fork: {type: rig.Fork}
  list: {type: rig.Vector, params: {n: 3}}
  other: {type: rig.Vector, params: {n: 3}}
groups:
  leg{1-2}:
    blocks: {wave: {type: rig.Wave}, inner: {type: rig.Gain}}
    ports: {out: wave.out, out2: inner.angle, speed: inner.speed}
links:
`

func TestListsAndWholeBlocksAreTheLinksWrittenOut(t *testing.T) {
	for _, test := range []struct {
		name, links string
		want        []string
	}{
		{"two lists part by part", "wave1.{out,out} -> gain1.{angle, in}", []string{"wave1.out -> gain1.angle", "wave1.out -> gain1.in"}},
		{"a list fans out, with a range in it", "wave1.out -> {sum.a,gain{2-3}.angle}", []string{"wave1.out -> gain2.angle", "wave1.out -> gain3.angle", "wave1.out -> sum.a"}},
		{"a list and a range", "wave{1-2}.out -> gain${i}.{angle,in}", []string{"wave1.out -> gain1.angle", "wave1.out -> gain1.in", "wave2.out -> gain2.angle", "wave2.out -> gain2.in"}},
		{"a list of elements", "gain1.out -> list.in[{0,2}]", []string{"gain1.out -> list.in[0]", "gain1.out -> list.in[2]"}},
		{"elements are no list", "list.out[0,1] -> other.in[1,2]", []string{"list.out[0,1] -> other.in[1,2]"}},
		{"blocks by names", "wave1 -> fork", []string{"wave1.out -> fork.out"}},
		{"blocks of a range by numbers", "gain{1-2} -> fork", nil},
		{"a group", "leg1 -> fork", []string{"leg1.wave.out -> fork.out"}},
		{"a group of a range", "wave{2-2} -> leg1", []string{"wave2.out -> leg1.inner.angle"}},
	} {
		dir := write(t, "main.yaml", listed+"  - \""+test.links+"\"\n")
		path := filepath.Join(dir, "main.yaml")
		if test.want == nil {
			if errs := errorsOf(t, path, system.Options{}); len(errs) == 0 || !strings.Contains(errs[0], "may") {
				t.Errorf("%s: %q are accepted: %q", test.name, test.links, errs)
			}
			continue
		}
		s := load(t, path, system.Options{})
		var got []string
		for _, l := range s.Net.Links {
			got = append(got, l.String())
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q are\n%q, want\n%q", test.name, test.links, got, test.want)
		}
	}
}

// The options of an entry hold for each of its links, and an overlay's list replaces the links to its inputs.
func TestOptionsAndOverlaysOfLists(t *testing.T) {
	dir := write(t, "main.yaml", listed+"  - {link: \"{wave1,leg1}.out -> {gain1.angle,sum.a}\", delay: true}\n",
		"over.yaml", "links:\n  - wave3.out -> {sum.a,gain1.angle}\n")
	path := filepath.Join(dir, "main.yaml")
	for _, l := range load(t, path, system.Options{}).Net.Links {
		if !l.Delay {
			t.Errorf("link %v has no delay", l)
		}
	}
	links := load(t, path, system.Options{Overlays: []string{filepath.Join(dir, "over.yaml")}}).Net.Links
	for _, l := range links {
		if l.From.Block != "wave3" {
			t.Errorf("link %v is not replaced", l)
		}
	}
	if len(links) != 2 {
		t.Errorf("%d links", len(links))
	}
}
