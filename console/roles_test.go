package console_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// people have one role each; the person who opens a console has the highest.
func people(o *console.Options) {
	o.Users = nil
	for _, role := range []request.Role{request.View, request.Tune, request.Drive, request.Own} {
		o.Users = append(o.Users, sessions.User{Name: "with-" + role.String(), Token: aToken + role.String(), Role: role})
	}
}

// Each method is asked for by each role, with arguments that no method takes: it reads them only for users who may use it.
func TestEveryMethodKeepsItsRole(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"), people)
	methods := console.MethodRoles(r.Server)
	for _, role := range []request.Role{request.View, request.Tune, request.Drive, request.Own} {
		p := r.page(aToken + role.String())
		for _, name := range slices.Sorted(maps.Keys(methods)) {
			_, err := p.ask(name, []byte("[]"))
			if err == nil {
				t.Errorf("%s took a list", name)
				continue
			}
			if refused := strings.Contains(err.Error(), "needs the role "+methods[name].String()); refused != (role < methods[name]) {
				t.Errorf("%s with the role %v: %v", name, role, err)
			}
			if role < methods[name] && !strings.Contains(err.Error(), "with-own") {
				t.Errorf("%s with the role %v: no user with that right is named: %v", name, role, err)
			}
		}
	}
}

// The page of the protocol lists every method with the role that the server wants.
func TestTheProtocolsPageShowsTheRoles(t *testing.T) {
	want := console.MethodRoles(open(t, run(t, time.Millisecond, "a")).Server)
	got, role := map[string]request.Role{}, request.View
	for line := range strings.Lines(document(t, "console-protocol.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		names := methodName.FindAllStringSubmatch(cells[2], -1)
		if name := strings.TrimSpace(cells[1]); name != "" && role.UnmarshalText([]byte(name)) != nil {
			continue
		}
		for _, name := range names {
			got[name[1]] = role
		}
	}
	if !maps.Equal(got, want) {
		for name := range want {
			if g, ok := got[name]; !ok || g != want[name] {
				t.Errorf("%s needs %v; the page has it: %v, with %v", name, want[name], ok, g)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("the page has a method %q", name)
			}
		}
	}
}

var methodName = regexp.MustCompile("`([a-z.]+)`")

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A site that gives roles by subjects of the control plane gives those that the console has.
func TestTheFleetsRolesAreTheConsoles(t *testing.T) {
	_, text, ok := strings.Cut(document(t, "control-plane.md"), "A site can grant roles")
	text, _, _ = strings.Cut(text, "\n## ")
	if !ok {
		t.Fatal("no such paragraph")
	}
	fleet, names := map[string]string{}, []string{}
	for _, m := range regexp.MustCompile("`([a-z]+)`|\\b(only read|tune|drive)s?\\b").FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			names = append(names, m[1])
			continue
		}
		for _, name := range names {
			fleet[name] = m[2]
		}
		names = nil
	}
	same := map[string]string{"set": "set", "feed": "feed", "excite": "excite", "release": "release", "enable": "enable", "call": "call", "reset": "reset", "stop": "stop",
		"structure": "structure", "statistics": "statistics", "read": "read", "param": "param", "types": "types", "check": "net.check"}
	words := map[request.Role]string{request.View: "only read", request.Tune: "tune", request.Drive: "drive"}
	roles := console.MethodRoles(open(t, run(t, time.Millisecond, "a")).Server)
	for name, method := range same {
		if fleet[name] != words[roles[method]] {
			t.Errorf("%s: the fleet's page has %q, the console's %s needs %v", name, fleet[name], method, roles[method])
		}
	}
}

const ownedFile = `system: test
threads:
  main: {period: 1ms}
users:
  ann: {role: view, token: ann.token}
blocks:
  a: {type: console_test.source, params: {gain: 2}} # not fast
  b: {type: console_test.source}
  cam: {run: [./camera]}
`

func TestSavingPrivilegedKeysNeedsTheRoleOwn(t *testing.T) {
	local, path := runFile(t, ownedFile)
	r := open(t, local, withBlocks, people)
	outside := filepath.Join(t.TempDir(), "shadow")
	if err := os.WriteFile(outside, []byte("secret: of root\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for key, text := range map[string]string{
		"users.ann (" + path + ":5:3)":               strings.Replace(ownedFile, "role: view", "role: own", 1),
		"users.eve (" + path + ":5:3)":               strings.Replace(ownedFile, "users:\n", "users:\n  eve: {role: own, token: eve.token}\n", 1),
		"record (" + path + ":1:1)":                  "record: {file: /etc/passwd}\n" + ownedFile,
		"deploy.processes.p (" + path + ":1:22)":     "deploy: {processes: {p: {run: [/bin/sh, -c, id]}}}\n" + ownedFile,
		"blocks.cam.run (" + path + ":9:3)":          strings.Replace(ownedFile, "./camera", "/bin/sh", 1),
		"blocks.cam.run (removed from " + path:       strings.Replace(ownedFile, "  cam: {run: [./camera]}\n", "", 1),
		"script (" + path + ":1:1)":                  "script: run.star\n" + ownedFile,
		"nats (" + path + ":1:1)":                    "nats: {url: \"nats://evil.example:4222\"}\n" + ownedFile,
		"metrics (" + path + ":1:1)":                 "metrics: \"0.0.0.0:9100\"\n" + ownedFile,
		"include (" + path + ":1:11)":                "include: [" + outside + "]\n" + ownedFile,
		"base (" + path + ":1:7)":                    "base: " + outside + "\n" + ownedFile,
		"blocks.b.params.drives (" + path + ":8:51)": strings.Replace(ownedFile, "b: {type: console_test.source}", "b: {type: console_test.source, params: {drives: "+outside+"}}", 1),
	} {
		for _, role := range []string{"tune", "drive"} {
			_, err := r.page(aToken+role).ask("net.put", m{"system": "test", "text": text})
			switch {
			case err == nil:
				t.Fatalf("%s: the role %s has saved it", key, role)
			case !strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "needs the role own") || !strings.Contains(err.Error(), "with-own have"):
				t.Errorf("the error does not name %s, the role or the user who has it: %v", key, err)
			case strings.Contains(err.Error(), "secret"):
				t.Errorf("the error has what is in the file: %v", err)
			}
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != ownedFile {
		t.Fatalf("%v\n%s", err, text)
	}
	tuner := r.page(aToken + "tune")
	moved := strings.NewReplacer("  cam: {run: [./camera]}\n", "", "blocks:\n", "blocks:\n  eye: {run: [ \"./camera\" ]} # moved\n", "gain: 2", "gain: 3").Replace(ownedFile)
	tuner.want("net.put", m{"system": "test", "text": moved})
	tuner.want("set", m{"system": "test", "ref": "b", "named": m{"gain": 4.5}})
	tuner.want("save", m{"system": "test"})
	owner := r.page(aToken + "own")
	owner.want("net.put", m{"system": "test", "text": strings.Replace(moved, "role: view", "role: tune", 1)})
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "role: tune") {
		t.Fatalf("%v\n%s", err, text)
	}
}

func TestMakingAndDeletingPanelsNeedsAnOwner(t *testing.T) {
	local, path := runFile(t, testFile)
	r := open(t, local, withBlocks, people)
	tuner, driver, owner := r.page(aToken+"tune"), r.page(aToken+"drive"), r.page("")
	panel := func(name, title string) m { return m{"system": "test", "name": name, "panel": m{"title": title}} }
	driver.refuse("panels.put", panel("x", "new"), "a new file needs the role own", "with-drive")
	owner.want("panels.put", panel("x", "new"))
	tuner.want("panels.put", panel("x", "changed"))
	driver.refuse("panels.remove", m{"system": "test", "name": "x"}, "own")
	outside := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(path), "panels")
	if err := os.Symlink(outside, filepath.Join(dir, "away.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x.yaml", filepath.Join(dir, "same.yaml")); err != nil {
		t.Fatal(err)
	}
	tuner.refuse("panels.put", panel("away", "x"), "outside", "own")
	tuner.want("panels.put", panel("same", "x"))
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	owner.want("panels.remove", m{"system": "test", "name": "x"})
}
