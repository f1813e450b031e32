package system_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
)

// A file whose names and order of writing contradict its levels.
const leveled = `
system: x
threads: {t: {period: 1ms}}
levels: 3
groups:
  arm:
    level: 1
    levels: 2
    blocks:
      hand:  {type: rig.Stage, level: 1}
      elbow: {type: rig.Stage, level: 0}
    ports: {up: elbow.up, down: hand.down, to: elbow.to}
blocks:
  head: {type: rig.Stage, level: 2}
  eye:  {type: rig.Wave, level: 2}
  a:    {type: rig.Stage, level: 0}
  z:    {type: rig.Stage, level: 0}
`

// Levels decide the order of Sense and Control; blocks with one direction sense. Members of a level keep the order of writing.
func TestLevelsDecideTheOrder(t *testing.T) {
	dir := write(t, "x.yaml", leveled+"links: [a.up_to -> arm.up, head.to -> arm.down, arm.to -> a.down]\n")
	s := load(t, filepath.Join(dir, "x.yaml"), system.Options{})
	var got []string
	for _, step := range s.Net.Threads[0].Steps {
		name := step.Block.Name
		if step.Part != port.Whole {
			name += "." + step.Part.String()
		}
		got = append(got, name)
	}
	want := "a.Sense z.Sense arm.elbow.Sense arm.hand.Sense head.Sense eye head.Control arm.hand.Control arm.elbow.Control a.Control z.Control"
	if strings.Join(got, " ") != want {
		t.Errorf("order\n%s, want\n%s", strings.Join(got, " "), want)
	}
	if len(s.Net.Groups) != 2 || s.Net.Groups[0].Levels != 3 || s.Net.Groups[1].Level != 1 || len(s.Net.Groups[1].Ports) != 3 {
		t.Errorf("groups %+v", s.Net.Groups)
	}
}

// Links of a system and of groups with levels are edges: sensor to sensor up, control to control down, also between threads.
func TestLinksAgainstLevelsAreErrors(t *testing.T) {
	for link, want := range map[string]string{
		"a.up_to -> head.down":          "a.up_to is a sensor output, but head.down is a control input: in the system links lead from sensor to sensor, or from control to control",
		"head.to -> a.up":               "head.to is a control output, but a.up is a sensor input",
		"eye.out -> head.down":          "eye.out is a sensor output, but head.down is a control input",
		"head.up_to -> a.up":            "sensor values go to a higher level of the system, not from 2 to 0",
		"a.up_to -> z.up":               "sensor values go to a higher level of the system, not from 0 to 0",
		"a.to -> head.down":             "control values go to a lower level of the system, not from 0 to 2",
		"arm.to -> head.down":           "control values go to a lower level of the system, not from 1 to 2",
		"arm.hand.up_to -> a.up":        "sensor values go to a higher level of the system, not from 1 to 0",
		"arm.elbow.to -> arm.hand.down": `control values go to a lower level of group "arm", not from 0 to 1`,
		"a.up_to -> arm.hand.up":        `arm.hand.up is inside group "arm", which is a module for those around it and does not show it`,
		"head.to -> arm.elbow.down":     `arm.elbow.down is inside group "arm"`,
		"arm.hand.up_to -> head.up":     `arm.hand.up_to is inside group "arm"`,
	} {
		for _, threads := range []string{"", "threads: {t: {period: 1ms}, u: {period: 1ms}}\nblocks: {head: {thread: u}, eye: {thread: u}, a: {thread: t}, z: {thread: t}}\ngroups: {arm: {blocks: {hand: {thread: t}, elbow: {thread: t}}}}\n"} {
			dir := write(t, "x.yaml", leveled+"links:\n  - "+link+"\n", "o.yaml", threads)
			var o system.Options
			if threads != "" {
				o.Overlays = []string{filepath.Join(dir, "o.yaml")}
			}
			got := errorsOf(t, filepath.Join(dir, "x.yaml"), o)
			if len(got) != 1 || !strings.HasPrefix(got[0], "x.yaml:19:5: link ") || !strings.Contains(got[0], want) {
				t.Errorf("%s: got %q, want %q", link, got, want)
			}
		}
	}
}

// A link may name the block behind a port of a group, too; a port of a group around is no way past those between.
func TestLinksReachPortsOfGroupsThroughEachGroupBetween(t *testing.T) {
	text := `
system: x
threads: {t: {period: 1ms}}
levels: 2
blocks:
  a: {type: rig.Stage, level: 0}
groups:
  outer:
    level: 1
    levels: 1
    groups:
      inner:
        level: 0
        levels: 1
        blocks: {m: {type: rig.Stage, level: 0}}
        ports: {PORTS}
    ports: {up: inner.WAY}
links: [a.up_to -> TO]
`
	for words, want := range map[string]string{
		"up: m.up|up|outer.up":         "",
		"up: m.up|up|outer.inner.m.up": "",
		"to: m.to|m.up|outer.up":       `outer.inner.m.up is inside group "outer.inner"`,
		"up: m.up|up|outer.inner.m.to": "is an output",
	} {
		w := strings.Split(words, "|")
		dir := write(t, "x.yaml", strings.NewReplacer("PORTS", w[0], "WAY", w[1], "TO", w[2]).Replace(text))
		if want == "" {
			load(t, filepath.Join(dir, "x.yaml"), system.Options{})
		} else if got := errorsOf(t, filepath.Join(dir, "x.yaml"), system.Options{}); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
}

// Without levels data flow decides, as before, and all links are allowed.
func TestLinksWithoutLevelsAreFree(t *testing.T) {
	text := "system: x\nthreads: {t: {period: 1ms}}\nblocks: {a: {type: rig.Stage}, b: {type: rig.Stage}}\nlinks: [a.up_to -> b.down, b.to -> a.down]\n"
	load(t, filepath.Join(write(t, "x.yaml", text), "x.yaml"), system.Options{})
}

// A group of levels in a system without: its members keep their order although another block stands between them in the flow.
func TestLevelsOfOneGroupHoldAmongOtherBlocks(t *testing.T) {
	text := `
system: x
threads: {t: {period: 1ms}}
blocks:
  late: {type: rig.Gain}
  wave: {type: rig.Wave}
groups:
  g:
    levels: 2
    blocks:
      top: {type: rig.Stage, level: 1}
      low: {type: rig.Stage, level: 0}
    ports: {up: low.up}
links: [wave.out -> late.angle, late.out -> g.up]
`
	s := load(t, filepath.Join(write(t, "x.yaml", text), "x.yaml"), system.Options{})
	var got []string
	for _, step := range s.Net.Threads[0].Steps {
		got = append(got, step.Block.Name)
	}
	if want := "wave late g.low g.top g.top g.low"; strings.Join(got, " ") != want {
		t.Errorf("order %q, want %q", strings.Join(got, " "), want)
	}
}
