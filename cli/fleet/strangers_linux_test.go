package fleet_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

const ofVictim = "system: lonely\nthreads: {t: {period: 5ms}}\nblocks:\n  one: {type: flow.Constant, thread: t, params: {value: [1]}}\n" +
	"deploy:\n  processes:\n    p: {threads: [t]}\n"

// sinewRefuses runs the command as the victim and wants an error that names the folder and the stranger.
func sinewRefuses(t *testing.T, arguments ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "lonely.yaml"), []byte(ofVictim), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sinew", arguments...)
	cmd.Dir = os.Getenv("HOME")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("sinew %v is content with a stranger's folder\n%s", arguments, out)
	}
	for _, words := range []string{os.Getenv("NAMED"), "is not used", "user " + os.Getenv("STRANGER")} {
		if !strings.Contains(string(out), words) {
			t.Errorf("sinew %v does not say %q:\n%s", arguments, words, out)
		}
	}
}

func mustDo(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestStrangersPlanIsNotRun lets a stranger make the victim's folder with the plan of a system that seems to have lost its
// supervisor: neither up nor any other verb runs its commands.
func TestStrangersPlanIsNotRun(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"plant": func(t *testing.T) {
			base := filepath.Join(os.TempDir(), "sinew-"+os.Getenv("VICTIM"))
			folder := filepath.Join(base, "up", "lonely")
			mustDo(t, os.MkdirAll(folder, 0o777))
			plan := fmt.Sprintf(`{"system":"lonely","host":"local","dir":"/","processes":[{"name":"p","command":["touch",%q],"restart":"never"}],
				"remotes":[{"plan":{"system":"lonely","host":"x"},"ssh":"x"}]}`, filepath.Join(os.TempDir(), "pwned"))
			mustDo(t, os.WriteFile(filepath.Join(folder, "plan.json"), []byte(plan), 0o666))
			mustDo(t, os.WriteFile(filepath.Join(base, "lonely.nats"), []byte(`{"socket":"/x","token":"x","pid":1}`), 0o666))
			for _, path := range []string{base, filepath.Dir(folder), folder} {
				mustDo(t, os.Chmod(path, 0o777))
			}
		},
		"victim": func(t *testing.T) {
			for _, verb := range []string{"up lonely.yaml", "down lonely", "ps", "logs lonely", "top --once", "run lonely.yaml --one-process --for 1s"} {
				sinewRefuses(t, strings.Fields(verb)...)
			}
		},
	})
	u.Stranger.Run(t, "plant", fmt.Sprint("VICTIM=", u.Victim.ID))
	folder := filepath.Join(u.Shared, fmt.Sprint("sinew-", u.Victim.ID))
	u.Victim.Run(t, "victim", "NAMED="+folder, fmt.Sprint("STRANGER=", u.Stranger.ID))
	if _, err := os.Stat(filepath.Join(u.Shared, "pwned")); err == nil {
		t.Error("a command of the stranger ran")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 2 {
		t.Errorf("the stranger's folder was written to: %v", left)
	}
}

// TestStrangersLinkOverwritesNothing puts links to a file of the victim where the core of a system writes down how it was started.
func TestStrangersLinkOverwritesNothing(t *testing.T) {
	shm := func() string { return "/dev/shm/sinew-" + os.Getenv("VICTIM") }
	u := testkit.TwoUsers(t, testkit.Roles{
		"plant": func(t *testing.T) {
			mustDo(t, os.Mkdir(shm(), 0o777), os.Chmod(shm(), 0o777))
			for _, name := range []string{"lonely.core.json", "lonely.core", "lonely.p.core.json"} {
				mustDo(t, os.Symlink(os.Getenv("PRECIOUS"), filepath.Join(shm(), name)))
			}
		},
		"remove":   func(t *testing.T) { mustDo(t, os.RemoveAll(shm())) },
		"precious": func(t *testing.T) { mustDo(t, os.WriteFile(os.Getenv("PRECIOUS"), []byte("precious"), 0o600)) },
		"victim": func(t *testing.T) {
			sinewRefuses(t, "run", "lonely.yaml", "--for", "1s", "--process", "p")
			text, err := os.ReadFile(os.Getenv("PRECIOUS"))
			if err != nil || string(text) != "precious" {
				t.Errorf("the file of the victim is %q now (%v)", text, err)
			}
		},
	})
	environment := []string{fmt.Sprint("VICTIM=", u.Victim.ID), "PRECIOUS=" + filepath.Join(u.Victim.Home, "precious"),
		fmt.Sprint("STRANGER=", u.Stranger.ID), fmt.Sprint("NAMED=/dev/shm/sinew-", u.Victim.ID)}
	u.Victim.Run(t, "precious", environment...)
	u.Stranger.Run(t, "plant", environment...)
	u.Victim.Run(t, "victim", environment...)
	u.Stranger.Run(t, "remove", environment...)
}
