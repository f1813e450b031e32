package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/cores"
)

const goodPlan = `{"system":"s","host":"local","dir":"/","processes":[{"name":"a","command":["true"],"restart":"never"}],"dead_man":1,
"remotes":[{"ssh":"u@h","plan":{"system":"s","host":"h","processes":[{"name":"b.c","command":["x"],"restart":"always","needs":["a"]}]}}]}`

// FuzzPlan takes any text as plan.json: it is refused, or can be walked through, its processes' files are in the system's folder, and
// all can be started.
func FuzzPlan(f *testing.F) {
	for _, text := range []string{"{}", "null", "[]", `{"processes":[{"name":"a","needs":["a"]}]}`, `{"processes":[{"name":"a","needs":["b"]},{"name":"b","needs":["a"]}]}`,
		`{"remotes":[{"plan":{"remotes":[{}]}}]}`, `{"bridge":null,"nats":{},"dead_man":-1}`, `{"dead_man":1e300}`, goodPlan} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parsePlan(text)
		if err != nil {
			return
		}
		if len(p.all()) == 0 {
			t.Error("a plan is not among its own")
		}
		_ = p.checkNeeds()
		p.on("nowhere")
		p.process("missing")
		for _, plan := range p.all() {
			for _, q := range plan.Processes {
				c := Client{Folder: "/up/" + p.System}
				if filepath.Dir(c.Log(q.Name)) != c.Folder || filepath.Dir(c.Folder) != "/up" || cores.Check(p.System+"."+q.Name) != nil {
					t.Errorf("the log of process %q of %q is %s", q.Name, p.System, c.Log(q.Name))
				}
				_ = q.Command[0]
			}
		}
		p.settle("sinew", "/root")
		if _, err := json.Marshal(p); err != nil {
			t.Errorf("a plan cannot be written again: %v", err)
		}
	})
}

// TestBrokenPlansAreRefused puts plans into a system's folder that sinew has not written: the tools return an error with the file's
// name, nothing panics, and the processes of other hosts are not forgotten.
func TestBrokenPlansAreRefused(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", privateDir(t))
	console, err := At("s")
	if err != nil {
		t.Fatal(err)
	}
	if err := private.Make(console.Folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(console.Folder, planName)
	for _, change := range []struct{ from, to, want string }{
		{goodPlan, "", "JSON"}, {goodPlan, "null", "system name"}, {goodPlan, `[]`, "array"},
		{`"name":"a"`, `"name":"../../../etc/x"`, "process name"}, {`"name":"a"`, `"name":""`, "process name"},
		{`["true"]`, `[]`, "no command"}, {`["true"]`, `[""]`, "no command"}, {`"never"`, `"sometimes"`, "sometimes"},
		{`"dead_man":1`, `"dead_man":-1`, "negative"}, {`"u@h"`, `"-oProxyCommand=x"`, "destination"}, {`"host":"h"`, `"host":"/x"`, "host name"},
		{`{"system":"s","host":"h"`, `{"system":"z","host":"h"`, "not \"s\""}, {`{"system":"s","host":"h"`, `{"remotes":[{}],"system":"s","host":"h"`, "further hosts"},
		{`"name":"b.c"`, `"name":"b..c/"`, "process name"}, {`{"system":"s"`, `{"system":".."`, "system name"},
	} {
		if err := private.Write(path, []byte(strings.Replace(goodPlan, change.from, change.to, 1))); err != nil {
			t.Fatal(err)
		}
		_, planErr := ReadPlan("s")
		_, orphansErr := console.Orphans("s")
		stopErr := console.Stop(t.Context(), func() error { return nil })
		for what, err := range map[string]error{"ReadPlan": planErr, "Orphans": orphansErr, "Stop": stopErr} {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), change.want) {
				t.Errorf("%s → %s: %s: got %v\nwant %s and %s", change.from, change.to, what, err, path, change.want)
			}
		}
		if _, err := os.Stat(path); err != nil {
			t.Fatal("Stop has removed a plan that names other hosts perhaps:", err)
		}
	}
	if err := private.Write(path, []byte(goodPlan)); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlan("s"); err != nil {
		t.Error(err)
	}
}

// TestNamesLeadNowhereElse asks for systems and cores whose names lead out of their folders, or to the folder of all.
func TestNamesLeadNowhereElse(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", privateDir(t))
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/", "a\x00", "-x", "a..b", "a.", ".core", "a./b"} {
		if c, err := At(name); err == nil {
			t.Errorf("At(%q) is %s", name, c.Folder)
		}
		if root, err := openRoot(name); err == nil {
			t.Errorf("the files of %q are in %s", name, root.Name())
		}
		if err := cores.Check(name); err == nil {
			t.Errorf("%q has a core", name)
		}
		_, err := ReadPlan(name)
		if err == nil {
			t.Errorf("%q has a plan", name)
		}
	}
}

func privateDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "run") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
