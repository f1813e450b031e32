//go:build linux

package scripts_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/internal/testkit/scripts"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

// TestScriptsThatFail is what TestScriptsThatWaitInVainFail runs in another process.
func TestScriptsThatFail(t *testing.T) {
	if os.Getenv("HANG") == "" {
		t.Skip("its scripts fail")
	}
	scripts.Run(t)
}

func TestScriptsThatWaitInVainFail(t *testing.T) {
	self := exec.Command(os.Args[0], "-test.run", "^TestScriptsThatFail$", "-test.v")
	self.Env = append(os.Environ(), "HANG=yes", "SINEW_TEST_PATIENCE=0.005")
	out, err := self.CombinedOutput()
	for _, want := range []string{"the script takes too long: its processes are ended: ", "sleep 1000", "FAIL: testdata/script/hang.txtar:",
		"FAIL: testdata/script/never.txtar:1: not within 300ms: false", `FAIL: testdata/script/none.txtar:2: no process has "nothing" in its command line after 300ms`} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v, without %q:\n%s", err, want, out)
		}
	}
}
