package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/examples/walker/hexapod"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
	"github.com/sinew-robotics/sinew/parts/mobile"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// allBlocks returns the types of all ready-made blocks.
func allBlocks() []block.Entry {
	return slices.Concat(flow.Blocks(), servo.Blocks(), torque.Blocks(), motion.Blocks(), hardware.Blocks(), mobile.Blocks(), hexapod.Blocks())
}

// A parameter whose doc promises "one, or one for each" takes one number for all while the block runs, and of joints and axes, whose
// number its Setup knows, also one for each where its file gives one for all.
func TestParametersForAllOrEachTakeBothWhileRunning(t *testing.T) {
	const promise, joints = "one, or one for each", 2
	seen := 0
	for _, e := range allBlocks() {
		r := &trial{typ: e, files: os.DirFS(testkit.Root(t))}
		_, b, err := r.build()
		if err != nil {
			t.Fatalf("%s cannot be tried: %v", e.Type, err)
		}
		for _, p := range b.Params {
			_, after, promised := strings.Cut(p.Doc, promise)
			if !promised {
				continue
			}
			if seen++; !p.Spread {
				t.Errorf("%s: %s is described as %q, but has no tag spread: one number is refused while it runs", e.Type, p.Name, p.Doc)
			}
			if strings.HasPrefix(after, " element") { // other blocks decide how many
				continue
			}
			r.given = map[string]any{p.Name: []any{1.0}}
			if b.Param("n") != nil {
				r.given["n"] = joints
			}
			_, one, err := r.build()
			if err != nil {
				t.Errorf("%s: one %s in the file: %v", e.Type, p.Name, err)
				continue
			}
			if n := len(one.Param(p.Name).Layout.Leaves()); n != joints {
				t.Errorf("%s: after one %s in the file it takes %d numbers while it runs, not one for each of %d", e.Type, p.Name, n, joints)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d parameters promise %q", seen, promise)
	}
}

// suspicious is the project's files with a misspelled element in the first joint of each URDF file.
type suspicious struct{ fs.FS }

// Open opens a file, a URDF file with its additional element.
func (s suspicious) Open(name string) (fs.File, error) {
	if path.Ext(name) != ".urdf" {
		return s.FS.Open(name)
	}
	text, err := fs.ReadFile(s.FS, name)
	if err != nil {
		return nil, err
	}
	changed := strings.Replace(string(text), "</joint>", "<calibraton/></joint>", 1)
	return fstest.MapFS{name: {Data: []byte(changed)}}.Open(name)
}

func TestBlocksGiveNoticeOfWhatTheirRobotsFilesMisspell(t *testing.T) {
	seen := 0
	for _, e := range allBlocks() {
		urdf, ok := needed(e.Type)["urdf"]
		if !ok {
			continue
		}
		seen++
		net, _, err := (&trial{typ: e, files: suspicious{os.DirFS(testkit.Root(t))}}).build()
		if err != nil {
			t.Fatalf("%s: %v", e.Type, err)
		}
		var found []string
		for _, n := range net.Notices {
			if strings.Contains(n.Text, "<calibraton> in <joint> is not read; did you mean <calibration>?") && strings.HasPrefix(n.Text, fmt.Sprintf("block \"b\": %v:", urdf)) {
				found = append(found, n.Text)
			}
		}
		if len(found) != 1 {
			t.Errorf("%s: notices %v: want one about <calibraton> in %v", e.Type, net.Notices, urdf)
		}
	}
	if seen < 10 {
		t.Errorf("only %d types read the file of a robot", seen)
	}
}
