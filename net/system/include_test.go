package system_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

// tree writes files, in folders, and returns where they are. Pairs of name and text.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A robot of two subsystems, each of which is also a system of its own.
var robot = []string{
	"robot.yaml", `system: robot
include: [arm/arm.yaml, hand/hand.yaml]
blocks: {sum: {type: rig.Sum, thread: slow}}
links: [arm.out -> sum.a, fingers.thumb.out -> sum.b]
deploy: {hosts: {desk: local}, processes: {main: {host: desk, needs: [arm]}}}
`,
	"arm/arm.yaml", `system: arm
description: can run alone
include: [../common.yaml]
blocks:
  wave:  {type: rig.Wave, thread: fast}
  arm:   {type: rig.Gain, thread: fast}
  model: {type: rig.Model, thread: fast, params: {urdf: arm.urdf}}
links: [wave.out -> arm.angle]
record: {file: arm.mcap}
metrics: ":9100"
deploy: {processes: {arm: {threads: [fast]}}}
`,
	"arm/arm.urdf", "<robot/>",
	"hand/hand.yaml", `system: hand
include: [../common.yaml]
groups: {fingers: {include: fingers.yaml}}
`,
	"hand/fingers.yaml", "blocks: {thumb: {type: rig.Gain, thread: slow}}\n",
	"common.yaml", "threads: {fast: {period: 1ms}, slow: {period: 10ms}}\n",
}

func TestSystemsIncludeOthers(t *testing.T) {
	dir := tree(t, robot...)
	s := load(t, filepath.Join(dir, "robot.yaml"), system.Options{Params: []string{"wave.amplitude=3"}})
	var blocks, files []string
	for _, b := range s.Net.Blocks {
		blocks = append(blocks, b.Name)
	}
	for _, path := range s.Files {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.ToSlash(name))
	}
	if want := []string{"wave", "arm", "model", "sum", "fingers.thumb"}; !slices.Equal(blocks, want) {
		t.Errorf("blocks %q, want %q", blocks, want)
	}
	for _, want := range []string{"robot.yaml", "arm/arm.yaml", "common.yaml", "hand/hand.yaml", "hand/fingers.yaml"} {
		if !slices.Contains(files, want) {
			t.Errorf("files %q, want %s among them", files, want)
		}
	}
	if s.Name != "robot" || s.Record != nil || s.Metrics != "" {
		t.Errorf("what counts only where a file runs alone has come along: %q %v %q", s.Name, s.Record, s.Metrics)
	}
	if p := s.Deploy.Process("arm"); p == nil || !slices.Equal(p.Threads, []string{"fast"}) {
		t.Errorf("processes %+v", s.Deploy.Processes)
	}
	if p := s.Deploy.Process("arm"); p == nil || !slices.Equal(p.Subsystems, []string{"arm"}) || s.Deploy.Process("main").Subsystems != nil {
		t.Errorf("processes of included systems %+v", s.Deploy.Processes)
	}
	if got := find[Wave](t, s, "wave").Amplitude.Value(); got != 3 {
		t.Errorf("a parameter of an included block is %v, want 3", got)
	}
	saved, err := s.SaveParams([]system.Change{{Block: "arm", Param: "gain", Value: "8"}})
	if err != nil || len(saved) != 1 || !strings.Contains(saved[filepath.Join(dir, "arm/arm.yaml")].Text, "gain: 8") {
		t.Errorf("saved %q, %v", saved, err)
	}
	if alone := load(t, filepath.Join(dir, "arm/arm.yaml"), system.Options{}); alone.Name != "arm" || alone.Record == nil || len(alone.Net.Blocks) != 3 {
		t.Errorf("alone the arm is %+v", alone)
	}
	over := filepath.Join(dir, "over.yaml")
	if err := os.WriteFile(over, []byte("include: [more.yaml]\nblocks: {arm: {params: {gain: 7}}, model: null}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.yaml"), []byte("blocks: {more: {type: rig.Wave, thread: slow}}\nlinks: [more.out -> arm.angle]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s = load(t, filepath.Join(dir, "robot.yaml"), system.Options{Overlays: []string{over}})
	if got := find[Gain](t, s, "arm").Gain.Value(); got != 7 || len(s.Net.Blocks) != 5 || s.Net.Links[2].From.Block != "more" {
		t.Errorf("under an overlay: gain %v, links %v", got, s.Net.Links)
	}
}

func TestErrorsOfIncludesNameFileAndLine(t *testing.T) {
	for name, test := range map[string]struct {
		files []string
		want  []string
	}{
		"circle": {
			[]string{"main.yaml", "system: x\ninclude: [a.yaml]\n", "a.yaml", "include: [b.yaml]\n", "b.yaml", "include: [a.yaml]\nthreads: {t: {period: 1ms}}\n"},
			[]string{"b.yaml:1:11: the included files form a circle: main.yaml includes a.yaml includes b.yaml includes a.yaml"},
		},
		"itself": {
			[]string{"main.yaml", "system: x\ninclude: [main.yaml]\nthreads: {t: {period: 1ms}}\n"},
			[]string{"main.yaml:2:11: the included files form a circle: main.yaml includes main.yaml"},
		},
		"base of an included one": {
			[]string{"main.yaml", "system: x\ninclude: [a.yaml]\n", "a.yaml", "base: main.yaml\nthreads: {t: {period: 1ms}}\n"},
			[]string{"a.yaml:1:7: the files that this one is based on form a circle: main.yaml over a.yaml over main.yaml"},
		},
		"missing": {
			[]string{"main.yaml", "system: x\ninclude: [sub/a.yaml]\nthreads: {t: {period: 1ms}}\n"},
			[]string{"main.yaml:2:11: read sub/a.yaml: "},
		},
		"no list": {
			[]string{"main.yaml", "system: x\ninclude: a.yaml\nthreads: {t: {period: 1ms}}\n"},
			[]string{"main.yaml:2:10: include wants a list of files, as [arm.yaml, hand.yaml]"},
		},
		"twice": {
			[]string{
				"main.yaml", "system: x\ninclude: [a.yaml]\nthreads: {t: {period: 1ms}}\nblocks: {w: {type: rig.Wave}}\ndeploy: {hosts: {h: local}, processes: {p: {threads: [t]}}}\n",
				"a.yaml", "threads: {t: {period: 2ms}}\nblocks: {w: {type: rig.Wave}}\nports: {x: w.out}\ndeploy: {hosts: {h: local}, processes: {p: {threads: [t]}}}\n",
			},
			[]string{
				`main.yaml:3:11: "t" is there twice, first in a.yaml:1:11`,
				`main.yaml:4:10: "w" is there twice, first in a.yaml:2:10`,
				`main.yaml:5:18: "h" is there twice, first in a.yaml:4:18`,
				`main.yaml:5:41: "p" is there twice, first in a.yaml:4:41`,
				`a.yaml:3:1: a system file has no key "ports"`,
			},
		},
		"mistakes are where they are": {
			[]string{"main.yaml", "system: x\ninclude: [a.yaml]\n", "a.yaml", "threads: {t: {period: 1ms}}\nblocks: {w: {type: rig.Wav}}\nlinks: [w.out -> v.in]\n"},
			[]string{`a.yaml:2:20: block "w": no block type "rig.Wav"; did you mean "rig.Wave"?`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, test.files...)
			got := errorsOf(t, filepath.Join(dir, "main.yaml"), system.Options{})
			if len(got) != len(test.want) {
				t.Fatalf("got %q", got)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], test.want[i]) {
					t.Errorf("got  %s\nwant %s", got[i], test.want[i])
				}
			}
		})
	}
}

// The processes that an included file declares belong to its system, and to those that include it in turn.
func TestProcessesBelongToTheSystemsOfTheirFiles(t *testing.T) {
	files := []string{
		"cell.yaml", "system: cell\ninclude: [robot.yaml]\ndeploy: {processes: {lamp: {run: [./lamp]}}}\n",
		"robot.yaml", "system: robot\ninclude: [hand.yaml]\ndeploy: {processes: {arm: {run: [./arm]}}}\n",
		"hand.yaml", "system: hand\nthreads: {t: {period: 1ms}}\nblocks: {w: {type: rig.Wave}}\ndeploy: {processes: {fingers: {run: [./fingers]}, thumb: {run: [./thumb]}}}\n",
	}
	s := load(t, filepath.Join(tree(t, files...), "cell.yaml"), system.Options{})
	for name, want := range map[string][]string{"lamp": nil, "arm": {"robot"}, "fingers": {"hand", "robot"}, "thumb": {"hand", "robot"}} {
		if p := s.Deploy.Process(name); p == nil || !slices.Equal(p.Subsystems, want) {
			t.Errorf("process %q: %+v, want the systems %q", name, p, want)
		}
	}
	files[1] = strings.Replace(files[1], "lamp:", "hand:", 1)
	want := `process "hand": an included system has this name as well, and process "fingers" belongs to it: rename one of them`
	if _, err := system.Load(filepath.Join(tree(t, files...), "cell.yaml"), system.Options{Registry: registry()}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
