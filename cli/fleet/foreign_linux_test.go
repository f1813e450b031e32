package fleet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

const foreignC = `#include "ardnet.h"
#include <stdio.h>
int main(int argc, char **argv) {
	double x = 1;
	struct ardnet_port *p = ardnet_create("secret", ARDNET_OUT, sizeof x, 0);
	ardnet_init(&argc, argv);
	int sent = ardnet_send(p, &x);
	printf("sent %d %s\n", sent, ardnet_error());
	return 0;
}
`

const foreignPython = `import sys, time
sys.path.insert(0, sys.argv.pop(1))
import ardnet
port = ardnet.create("secret", ardnet.OUT, ardnet.Double)
ardnet.init()
try:
    port.send()
    print("sent 1")
except ardnet.Error as e:
    print("sent -1", e)
`

const foreignOctave = `addpath(argv(){1});
ardnet('create', 'secret', 'out', 1);
ardnet('init', {'-ardnet.system', 'lab'});
try, ok = ardnet('send', 'secret', 1); printf("sent %d\n", 2 * ok - 1); catch e, printf("sent -1 %s\n", e.message); end
`

// sendingPrograms are programs that send one value on the link secret.
var sendingPrograms = map[string]string{"main.c": foreignC, "main.py": foreignPython, "main.m": foreignOctave}

// foreignPrograms builds clients in C, Python and Octave where all users may run them, and returns the folder and their commands.
func foreignPrograms(t *testing.T, texts map[string]string) (dir string, programs map[string][]string) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("SKIPPED: no compiler for C here")
	}
	clients := filepath.Join(testkit.Root(t), "clients")
	dir, err := os.MkdirTemp("", "clients")
	mustDo(t, err, os.Chmod(dir, 0o755))
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, text := range texts {
		mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	source := filepath.Join(clients, "c", "ardnet.c")
	build(t, dir, "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-I"+filepath.Join(clients, "c"), "main.c", source, "-o", "main")
	build(t, dir, "cc", "-std=c99", "-O2", "-shared", "-fPIC", source, "-o", "libardnet.so")
	build(t, dir, "cp", "-r", clients, "clients")
	programs = map[string][]string{"C": {filepath.Join(dir, "main"), "-ardnet.system", "lab"}}
	if _, err := exec.LookPath("python3"); err == nil {
		programs["Python"] = append([]string{"env", "ARDNET_LIBRARY=" + filepath.Join(dir, "libardnet.so")}, python(dir)...)
	} else {
		t.Log("SKIPPED in part: no Python here")
	}
	if _, err := exec.LookPath("mkoctfile"); err == nil {
		build(t, dir, "mkoctfile", "--mex", "-I"+filepath.Join(clients, "c"), filepath.Join(clients, "octave", "ardnet.c"), source, "-o", "ardnet.mex")
		programs["Octave"] = []string{"octave-cli", "--no-init-file", filepath.Join(dir, "main.m"), dir}
	} else {
		t.Log("SKIPPED in part: no Octave here")
	}
	return dir, programs
}

// build runs a command in a folder.
func build(t *testing.T, dir string, words ...string) {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
}

// python returns the command of the client in Python.
func python(dir string) []string {
	return []string{"python3", filepath.Join(dir, "main.py"), filepath.Join(dir, "clients", "python"), "-ardnet.system", "lab"}
}

// TestForeignProgramsRefuseStrangersMemory runs clients in C, Python and Octave where a stranger has made the folder of shared
// memory, and where not.
func TestForeignProgramsRefuseStrangersMemory(t *testing.T) {
	u := testkit.TwoUsers(t, nil)
	_, programs := foreignPrograms(t, sendingPrograms)
	folder := fmt.Sprintf("/dev/shm/sinew-%d", u.Victim.ID)
	for _, c := range []struct {
		name  string
		plant string // by the stranger
		want  []string
	}{
		{"a folder", "umask 0; mkdir " + folder, []string{"sent -1", folder + " is not used", fmt.Sprint("belongs to user ", u.Stranger.ID)}},
		{"a link", "ln -s " + u.Victim.Home + " " + folder, []string{"sent -1", folder + " is not used", "symbolic link"}},
		{"nothing", "true", []string{"sent 1"}},
	} {
		for language, words := range programs {
			if out, err := u.Stranger.Output("sh", "-c", c.plant); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			out, err := u.Victim.Output(words[0], words[1:]...)
			if err != nil {
				t.Errorf("%s with %s: %v\n%s", language, c.name, err, out)
			}
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("%s with %s does not say %q:\n%s", language, c.name, w, out)
				}
			}
			if c.name != "nothing" {
				if _, err := os.Stat(filepath.Join(folder, "lab")); err == nil {
					t.Errorf("%s with %s has written there", language, c.name)
				}
			}
			mustDo(t, os.RemoveAll(folder))
		}
	}
}

// TestForeignProgramsRefuseMemoryBelowAnOpenFolder names a folder for shared memory that any user may replace.
func TestForeignProgramsRefuseMemoryBelowAnOpenFolder(t *testing.T) {
	u := testkit.TwoUsers(t, nil)
	_, programs := foreignPrograms(t, sendingPrograms)
	open := filepath.Join(u.Shared, "open")
	mustDo(t, os.Mkdir(open, 0o777), os.Chmod(open, 0o777))
	for language, words := range programs {
		for folder, want := range map[string]string{
			filepath.Join(open, "shm"):          open + " is not used: its mode 0777 lets all users",
			filepath.Join(u.Victim.Home, "shm"): "sent 1",
		} {
			out, err := u.Victim.Output("env", append([]string{"SINEW_SHM=" + folder}, words...)...)
			if err != nil || !strings.Contains(out, want) {
				t.Errorf("%s in %s does not say %q: %v\n%s", language, folder, want, err, out)
			}
			mustDo(t, os.RemoveAll(folder))
		}
	}
}

// agingPrograms send each value on, with the age that it has.
var agingPrograms = map[string]string{"main.c": `#include "ardnet.h"
int main(int argc, char **argv) {
	double x = 0;
	struct ardnet_port *in = ardnet_create("in", ARDNET_IN, sizeof x, 0), *out = ardnet_create("out", ARDNET_OUT, sizeof x, 0);
	ardnet_init(&argc, argv);
	while (ardnet_age(in) < 0) ardnet_rec(in, &x, -1);
	return ardnet_send_aged(out, &x, sizeof x, ardnet_age(in)) < 0;
}
`, "main.py": `import sys
sys.path.insert(0, sys.argv.pop(1))
import ardnet
source, sink = ardnet.create("in", ardnet.IN, ardnet.Double), ardnet.create("out", ardnet.OUT, ardnet.Double)
ardnet.init()
while source.age < 0:
    source.rec()
sink.value.value = source.value.value
sink.send(age=source.age)
`, "main.m": `addpath(argv(){1});
ardnet('create', 'in', 'in', 1);
ardnet('create', 'out', 'out', 1);
ardnet('init', {'-ardnet.system', 'lab'});
while ardnet('age', 'in') < 0, x = ardnet('rec', 'in', -1); end
ardnet('send', 'out', x, ardnet('age', 'in'));
`}

// In each language a program gets the age of a value, that of its measurement, and hands it on.
func TestForeignProgramsKnowTheAgeOfValues(t *testing.T) {
	testkit.UserFolder(t)
	_, programs := foreignPrograms(t, agingPrograms)
	const age = 1000 * time.Second // more than this test takes
	spec := func(name string) link.Spec { return link.Spec{Name: name, Size: 12} }
	for language, words := range programs {
		t.Run(language, func(t *testing.T) {
			local, err := shm.New("lab")
			mustDo(t, err)
			tx, err := local.Send(spec("in"))
			mustDo(t, err)
			defer tx.Close()
			rx, err := local.Receive(spec("out"))
			mustDo(t, err)
			defer rx.Close()
			begin := time.Now()
			mustDo(t, tx.Forward([]byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0x40}, age)) // 5
			if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			packet := make([]byte, 12)
			stamp, err := rx.Receive(packet, testkit.Patience())
			mustDo(t, err)
			if most := age + time.Since(begin); stamp.Age < age || stamp.Age > most || packet[10] != 0x14 {
				t.Errorf("a value that was %v old arrives with the age %v, want at most %v: % x", age, stamp.Age, most, packet)
			}
		})
	}
}

const plantedC = `#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void run(void) { creat(getenv("PWNED"), 0666); }
`

// TestPythonRefusesAPlantedLibrary lets a stranger put a library where the client in Python keeps its own.
func TestPythonRefusesAPlantedLibrary(t *testing.T) {
	u := testkit.TwoUsers(t, nil)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: no Python here")
	}
	dir, _ := foreignPrograms(t, sendingPrograms)
	source, err := os.ReadFile(filepath.Join(dir, "clients", "c", "ardnet.c"))
	mustDo(t, err, os.WriteFile(filepath.Join(dir, "planted.c"), []byte(plantedC), 0o644))
	build(t, dir, "cc", "-shared", "-fPIC", "planted.c", "-o", "planted.so")
	digest := sha256.Sum256(source)
	name := "libardnet-" + hex.EncodeToString(digest[:])[:16] + ".so"
	shared, own, pwned := filepath.Join(u.Shared, "cache"), filepath.Join(u.Shared, "own"), filepath.Join(u.Shared, "pwned")
	plant := "umask 0; cp " + filepath.Join(dir, "planted.so") + " %[1]s/ardnet/" + name + "; chmod 0777 %[1]s/ardnet/" + name
	for _, c := range []struct {
		name, victim, stranger, cache string
		want                          []string
	}{
		{"a folder of the stranger", "true", "umask 0; mkdir -p " + shared + "/ardnet; " + fmt.Sprintf(plant, shared), shared,
			[]string{filepath.Join(shared, "ardnet") + " is not used", fmt.Sprint("belongs to user ", u.Stranger.ID)}},
		{"a folder that others may write", "mkdir -p " + own + "/ardnet; chmod 0777 " + own + "/ardnet", fmt.Sprintf(plant, own), own,
			[]string{filepath.Join(own, "ardnet") + " is not used", "lets other users write"}},
		{"a library of the stranger", "chmod 0700 " + own + "/ardnet", "true", own, []string{name + " is not used", fmt.Sprint("belongs to user ", u.Stranger.ID)}},
		{"the victim's own cache", "true", "true", filepath.Join(u.Victim.Home, "cache"), []string{"sent 1"}},
	} {
		_, err := u.Victim.Output("sh", "-c", c.victim)
		_, planted := u.Stranger.Output("sh", "-c", c.stranger)
		mustDo(t, err, planted)
		out, _ := u.Victim.Output("env", append([]string{"XDG_CACHE_HOME=" + c.cache, "PWNED=" + pwned}, python(dir)...)...)
		for _, w := range c.want {
			if !strings.Contains(out, w) {
				t.Errorf("with %s Python does not say %q:\n%s", c.name, w, out)
			}
		}
		if _, err := os.Stat(pwned); err == nil {
			t.Fatalf("with %s the stranger's library ran", c.name)
		}
	}
	mustDo(t, os.RemoveAll(fmt.Sprintf("/dev/shm/sinew-%d", u.Victim.ID)))
}
