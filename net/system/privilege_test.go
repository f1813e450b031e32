package system_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

const ownedTree = `system: x
include: [more.yaml]
threads: {t: {period: 10ms}, u: {period: 20ms}}
users:
  ann: {role: view, token: ann.token}
record: {file: x.mcap, ports: [a.*]}
deploy:
  processes: {second: {threads: [u]}}
blocks:
  a: {type: rig.Gain, thread: t, params: {gain: 3}}
  cam: {run: [./camera, --fast], out: [image]}
  model: {type: none.Such, thread: t, params: {urdf: ../../robots/arm.urdf, label: "3 m/s"}}
groups:
  arm: {include: parts/arm.yaml}
`

// changesOf returns how the privileges differ when something is replaced in a file of the tree.
func changesOf(t *testing.T, dir, file string, replace ...string) []string {
	t.Helper()
	path := filepath.Join(dir, "x.yaml")
	files := map[string]string{"x.yaml": ownedTree, "parts/arm.yaml": armGroup}
	text := strings.NewReplacer(replace...).Replace(files[file])
	if text == files[file] {
		t.Fatalf("%q is not in %s", replace, file)
	}
	o := system.Options{Registry: registry(), Texts: map[string][]byte{filepath.Join(dir, file): []byte(text)}}
	now := system.Privileges(path, o)
	o.Texts = nil
	list := []string{}
	for _, c := range system.PrivilegeChanges(system.Privileges(path, o), now) {
		list = append(list, strings.ReplaceAll(c.String(), dir+"/", ""))
	}
	return list
}

const armGroup = "blocks:\n  lift: {type: rig.Gain, thread: t}\n  hand: {run: [./hand], in: [force]}\n"

func TestPrivilegeChangesNameKeyAndPlace(t *testing.T) {
	dir := tree(t, "x.yaml", ownedTree, "more.yaml", "threads: {v: {period: 1s}}\n", "parts/arm.yaml", armGroup, "other.yaml", "users: {eve: {role: own, token: eve.token}}\n")
	for _, c := range []struct {
		file    string
		replace []string
		want    string
	}{
		{"x.yaml", []string{"role: view", "role: own"}, "users.ann (x.yaml:5:3)"},
		{"x.yaml", []string{"ann.token", "bob.token"}, "users.ann (x.yaml:5:3)"},
		{"x.yaml", []string{"users:\n", "users:\n  eve: {role: own, token: eve.token}\n"}, "users.eve (x.yaml:5:3)"},
		{"x.yaml", []string{"  ann: {role: view, token: ann.token}", "  {}"}, "users.ann (removed from x.yaml:5:3)"},
		{"x.yaml", []string{"x.mcap", "/etc/passwd"}, "record (x.yaml:6:1)"},
		{"x.yaml", []string{"threads: [u]", "threads: [u], run: [sh]"}, "deploy.processes.second (x.yaml:8:15)"},
		{"x.yaml", []string{"params: {gain: 3}}", "params: {gain: 3}, script: evil.star}"}, "blocks.a.script (x.yaml:10:61)"},
		{"x.yaml", []string{"--fast", "--slow"}, "blocks.cam.run (x.yaml:11:3)"},
		{"x.yaml", []string{"groups:\n", "  cam2: {run: [./camera, --fast]}\ngroups:\n"}, "blocks.cam2.run (x.yaml:13:3)"},
		{"x.yaml", []string{"  cam: {run: [./camera, --fast], out: [image]}\n", ""}, "blocks.cam.run (removed from x.yaml:11:3)"},
		{"x.yaml", []string{"../../robots/arm.urdf", "/etc/shadow"}, "blocks.model.params.urdf (x.yaml:12:54)"},
		{"x.yaml", []string{"../../robots/arm.urdf", "[../a/../../../b]"}, "blocks.model.params.urdf (x.yaml:12:55)"},
		{"x.yaml", []string{"../../robots/arm.urdf", "http://x/y"}, "blocks.model.params.urdf (x.yaml:12:54)"},
		{"x.yaml", []string{"[more.yaml]", "[more.yaml, other.yaml]"}, "users.eve (other.yaml:1:9) include (x.yaml:2:22)"},
		{"x.yaml", []string{"include: [more.yaml]\n", ""}, "include (removed from x.yaml:2:11)"},
		{"x.yaml", []string{"include: [more.yaml]\n", "include: [more.yaml]\nbase: other.yaml\n"}, "users.eve (other.yaml:1:9) base (x.yaml:3:7)"},
		{"x.yaml", []string{"groups:\n", "groups:\n  spy: {include: /etc/shadow}\n"}, "include (x.yaml:14:18)"},
		{"x.yaml", []string{"system: x\n", "system: x\nscript: run.star\nmetrics: \"0.0.0.0:9100\"\nnats: {url: \"nats://evil:4222\"}\n"},
			"script (x.yaml:2:1) metrics (x.yaml:3:1) nats (x.yaml:4:1)"},
		{"parts/arm.yaml", []string{"./hand", "/bin/sh"}, "blocks.arm.hand.run (parts/arm.yaml:3:3)"},
		{"parts/arm.yaml", []string{"lift: {type: rig.Gain", "lift: {type: rig.Gain, params: {file: /dev/mem}"}, "blocks.arm.lift.params.file (parts/arm.yaml:2:41)"},
	} {
		if got := strings.Join(changesOf(t, dir, c.file, c.replace...), " "); got != c.want {
			t.Errorf("%q:\n got  %s\n want %s", c.replace, got, c.want)
		}
	}
}

// Blocks that calculate may change, and privileged ones may get another place, name, layout or comment.
func TestPrivilegesStayWhereOnlyCalculationChanges(t *testing.T) {
	dir := tree(t, "x.yaml", ownedTree, "more.yaml", "threads: {v: {period: 1s}}\n", "parts/arm.yaml", armGroup)
	for _, replace := range [][]string{
		{"gain: 3", "gain: 4"},
		{"period: 10ms", "period: 5ms"},
		{"cam: {run: [./camera, --fast], out", "eye: {run: [\"./camera\",\n    --fast], # the left one\n    out"},
		{"ann: {role: view, token: ann.token}", "ann: {token: \"ann.token\", role: view} # Ann"},
		{"  model: {type: none.Such, thread: t, params: {urdf: ../../robots/arm.urdf", "  robot: {type: none.Such, thread: u, params: {urdf: ../../robots/../robots/arm.urdf"},
		{"  model: {type: none.Such, thread: t, params: {urdf: ../../robots/arm.urdf, label: \"3 m/s\"}}\n", ""},
		{"  arm: {include: parts/arm.yaml}", "  arm: {blocks: {hand: {run: [./hand]}}}"},
		{"label: \"3 m/s\"", "label: N/m"},
		{"users:\n  ann: {role: view, token: ann.token}\nrecord", "record", "groups:\n", "users:\n  ann: {role: view, token: ann.token}\ngroups:\n"},
	} {
		if got := changesOf(t, dir, "x.yaml", replace...); len(got) != 0 {
			t.Errorf("%q: %q", replace, got)
		}
	}
}

// A file that cannot be read has no privileges that a text could keep.
func TestPrivilegesOfABrokenFileAreNone(t *testing.T) {
	dir := write(t, "x.yaml", "system: [")
	old := system.Privileges(filepath.Join(dir, "x.yaml"), system.Options{})
	now := system.Privileges(filepath.Join(dir, "x.yaml"), system.Options{Texts: map[string][]byte{filepath.Join(dir, "x.yaml"): []byte("system: x\nusers: {a: {role: own, token: a}}\n")}})
	if changes := system.PrivilegeChanges(old, now); len(old) != 0 || !slices.ContainsFunc(changes, func(c system.PrivilegeChange) bool { return c.Key == "users.a" }) {
		t.Errorf("%s", fmt.Sprint(changes))
	}
}
