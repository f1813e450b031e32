package fleet_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// shellScripts returns the shell scripts of a how-to page with the hosts that they are for.
func shellScripts(t *testing.T, page string) (list [][2]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)\n```sh ([a-z]+)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		list = append(list, [2]string{m[1], m[2]})
	}
	if list == nil {
		t.Fatalf("%s has no scripts", page)
	}
	return list
}

// foreignExample makes the programs of examples/foreign in a folder and returns it.
func (r *rig) foreignExample(octave bool) string {
	r.t.Helper()
	tools := []string{"cc", "python3"}
	if octave {
		tools = append(tools, "octave-cli", "mkoctfile")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			r.t.Skipf("SKIPPED: the example wants %v", err)
		}
	}
	script := "mkdir examples && cp -r %s/examples/foreign examples/ && cp -r %s/clients . && cd examples/foreign && " +
		"cc -std=c99 -O2 -I../../clients/c plant.c ../../clients/c/ardnet.c -o plant"
	if octave {
		script += " && mkoctfile --mex -I../../clients/c ../../clients/octave/ardnet.c ../../clients/c/ardnet.c -o ardnet.mex"
	}
	shell(r.t, fmt.Sprintf(script, r.repo, r.repo))
	return filepath.Join(r.dir, "examples", "foreign")
}

// script runs a script on a host, or on this one. Processes that it leaves in the background go on.
func (r *rig) script(dir, host, text string, environment []string) string {
	r.t.Helper()
	log := filepath.Join(dir, "script.log")
	text = fmt.Sprintf("export PATH=%s:$PATH %s; cd %s; ( set -e\n%s ) > %s 2>&1; code=$?; cat %s; exit $code",
		filepath.Dir(r.sinew), strings.Join(environment, " "), dir, text, log, log)
	var out string
	var err error
	if host == "local" {
		var bytes []byte
		bytes, err = exec.Command("sh", "-c", text).CombinedOutput()
		out = string(bytes)
	} else {
		out, err = r.hostNamed(host).Run(text)
	}
	if err != nil && !strings.Contains(err.Error(), "exit status 124") { // the end that timeout gives is what the page wants
		r.t.Errorf("on %s: %v\n%s\n%s", host, err, text, out)
	}
	return out
}

var fewSeconds = regexp.MustCompile(`timeout \d+ `)

// view fails where the viewer in the last line of a script has shown nothing, and shows nothing either when it has more time:
// the page gives it a few seconds, which a busy machine may need to start what is before it.
func (r *rig) view(dir, host, text, out string, environment []string) {
	r.t.Helper()
	if strings.Contains(out, " m ") {
		return
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := fewSeconds.ReplaceAllString(lines[len(lines)-1], fmt.Sprintf("timeout %.0f ", testkit.Patience().Seconds()))
	if again := r.script(dir, host, last, environment); !strings.Contains(again, " m ") {
		r.t.Errorf("nothing came to the viewer:\n%s\n%s\n%s", text, out, again)
	}
}

// TestReadmeRunsOnTwoHosts types the README's commands for two hosts.
func TestReadmeRunsOnTwoHosts(t *testing.T) {
	r := newRig(t, "robot", "desk")
	r.foreignExample(true)
	shell(t, "rm examples/foreign/plant examples/foreign/*.mex")
	t.Cleanup(func() { _, _ = r.run("down", "four") })
	for _, s := range shellScripts(t, r.repo+"/README.md") {
		out := r.script(r.dir, s[0], s[1], nil)
		for _, words := range []string{"viewer     desk   running", "plant      robot  running", "plant.position"} {
			if !strings.Contains(out, words) {
				t.Errorf("it does not print %q:\n%s", words, out)
			}
		}
	}
}

// TestHowToPagesOfHostsRun types what the how-to pages say about programs and hosts.
func TestHowToPagesOfHostsRun(t *testing.T) {
	for _, page := range []string{"connect-the-ports-of-a-program", "give-a-port-to-several-receivers", "reduce-the-rate-of-a-port"} {
		t.Run(page, func(t *testing.T) {
			r := newRig(t)
			dir := r.foreignExample(false)
			for _, s := range shellScripts(t, r.repo+"/docs/howto/"+page+".md") {
				r.view(dir, s[0], s[1], r.script(dir, s[0], s[1], nil), nil)
			}
		})
	}
	t.Run("bridge-two-hosts", func(t *testing.T) {
		r := newRig(t, "robot", "desk")
		r.foreignExample(false)
		for _, h := range r.Hosts { // each has the programs for itself
			shell(t, fmt.Sprintf("mkdir %s/lab-%s && cp -r examples clients %s %s/lab-%s/", r.Dir, h.Name, r.sinew, r.Dir, h.Name))
		}
		var keys []string
		for _, s := range shellScripts(t, r.repo+"/docs/howto/bridge-two-hosts.md") {
			lab := filepath.Join(r.Dir, "lab-"+s[0])
			environment := append(keys, "PATH="+lab+":$PATH", "ROBOT="+r.Hosts[0].Address)
			out := r.script(lab+"/examples/foreign", s[0], s[1], environment)
			if strings.Contains(s[1], "bridge key") {
				keys = append(keys, strings.ToUpper(s[0])+"_KEY="+strings.TrimSpace(out))
			}
			if strings.Contains(s[1], "viewer") {
				r.view(lab+"/examples/foreign", s[0], s[1], out, environment)
			}
		}
	})
	t.Run("run-on-several-hosts", func(t *testing.T) {
		r := newRig(t, "robot", "desk")
		dir := r.foreignExample(true)
		t.Cleanup(func() { _, _ = r.run("down", "four") })
		for _, s := range shellScripts(t, r.repo+"/docs/howto/run-on-several-hosts.md") {
			if out := r.script(dir, s[0], s[1], nil); !strings.Contains(out, "viewer     desk   running") {
				t.Errorf("the viewer does not run:\n%s", out)
			}
		}
	})
}
