package system_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

const secret = "root:$6$a-secret-that-only-some-may-read:19000::"

// house is a folder with a system, one that its owner has allowed, and a secret beside them.
func house(t *testing.T) (dir string) {
	dir = write(t, "secret.yaml", secret+"\n\t: [\n", "models/arm.xml", `<robot name="arm"/>`, "models/more.yaml", "blocks: {m: {type: rig.Wave}}\n",
		"sys/main.yaml", candidate, "sys/own.yaml", "blocks: {o: {type: rig.Wave}}\n", "sys/own.xml", `<robot name="own"/>`, "sys/key.token", "token: "+secret+"\n")
	if err := os.Chmod(filepath.Join(dir, "sys/key.token"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"out.yaml": "../secret.yaml", "in.yaml": "own.yaml", "up": "..", "etc.yaml": "/etc/passwd"} {
		if err := os.Symlink(to, filepath.Join(dir, "sys", link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const candidate = "system: x\nfiles: [../models]\nthreads: {t: {period: 1ms}}\nblocks: {w: {type: rig.Wave}}\n"

// TestCandidatesReadOnlyWhatTheirSystemsOwnerAllows tries to read a file through everything in a system file that names one.
func TestCandidatesReadOnlyWhatTheirSystemsOwnerAllows(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no permissions and links of this kind")
	}
	dir := house(t)
	main := filepath.Join(dir, "sys/main.yaml")
	check := func(text string) []string {
		_, err := system.Load(main, system.Options{Registry: registry(), Candidate: true, Texts: map[string][]byte{main: []byte(text)}})
		if err == nil {
			return nil
		}
		return strings.Split(err.Error(), "\n")
	}
	replaced := strings.Replace(candidate, "[../models]", "[/, /etc, .., "+dir+"]", 1) // its own word does not count
	for what, more := range map[string]string{
		"an included file":           "include: [../secret.yaml]\n",
		"an absolute path":           "include: [" + dir + "/secret.yaml]\n",
		"the password file":          "include: [/etc/shadow]\n",
		"a base":                     "base: ../secret.yaml\n",
		"a way in and out":           "include: [up/secret.yaml]\n",
		"a link":                     "include: [out.yaml]\n",
		"an absolute link":           "include: [etc.yaml]\n",
		"a private file":             "include: [key.token]\n",
		"a group":                    "groups: {g: {include: ../secret.yaml}}\n",
		"a file that a block reads":  "include: [one.yaml]\n",
		"a link that a block reads":  "include: [two.yaml]\n",
		"a token that a block reads": "include: [three.yaml]\n",
		"a script":                   "script: ../secret.yaml\n",
		"a script that is not there": "script: ../nothing.star\n",
		"a token":                    "users: {eve: {role: drive, token: /etc/hostname}}\n",
		"credentials":                "nats: {url: \"tls://x:1\", credentials: /etc/hostname}\n",
		"certificates":               "nats: {url: \"tls://x:1\", ca: /etc/hostname}\n",
		"files of other hosts":       "deploy: {files: [/etc]}\n",
		"the command of a host":      "deploy: {hosts: {h: {ssh: h, binary: /bin/sh}}}\n",
		"the command of a process":   "deploy: {processes: {p: {run: [/bin/sh]}}}\n",
		"a folder":                   "include: [/etc]\n",
		"a device":                   "include: [/dev/zero]\n",
		"a file of this process":     "include: [/proc/self/environ]\n",
	} {
		t.Run(what, func(t *testing.T) {
			for name, block := range map[string]string{"one": "../secret.yaml", "two": "out.yaml", "three": "key.token"} {
				text := "blocks: {b: {type: rig.Model, params: {urdf: " + block + "}}}\n"
				if err := os.WriteFile(filepath.Join(dir, "sys", name+".yaml"), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text := replaced + more
			if what == "a base" {
				text = more + "system: x\n"
			}
			got := check(text)
			if len(got) != 1 {
				t.Errorf("%d errors: %q, wants one", len(got), got)
			}
			for _, line := range got {
				if strings.Contains(line, "a-secret") || strings.Contains(line, "root:") {
					t.Errorf("the error has lines of the file: %q", line)
				}
				if !strings.Contains(line, ".yaml:") {
					t.Errorf("%q does not name the place", line)
				}
			}
		})
	}
	for what, text := range map[string]string{
		"a file of the system's folder":          candidate + "include: [own.yaml]\n",
		"a link within the folder":               candidate + "include: [in.yaml]\n",
		"a file of a folder that the owner adds": candidate + "include: [../models/more.yaml]\n",
		"the same, without the key":              strings.Replace(candidate, "files: [../models]\n", "", 1) + "include: [" + dir + "/models/more.yaml]\n",
		"a file for a block":                     strings.Replace(candidate, "rig.Wave}}\n", "rig.Wave}, m: {type: rig.Model, params: {urdf: own.xml}}}\n", 1),
		"a file of an added folder for a block":  strings.Replace(candidate, "rig.Wave}}\n", "rig.Wave}, m: {type: rig.Model, params: {urdf: ../models/arm.xml}}}\n", 1),
	} {
		if got := check(text); got != nil {
			t.Errorf("%s: %q", what, got)
		}
	}
	// The owner's own runs are not restricted.
	if err := os.WriteFile(main, []byte(candidate+"include: ["+dir+"/outside.yaml]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "outside.yaml"), []byte("blocks: {z: {type: rig.Wave}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	load(t, main, system.Options{})
	if got := check(candidate + "include: [" + dir + "/outside.yaml]\n"); got != nil {
		t.Errorf("a file that the system is made of already: %q", got)
	}
}
