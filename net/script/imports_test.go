package script_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestScriptsLinkNoNATS asks the Go command for all packages that a program with scripts links: none is of NATS.
func TestScriptsLinkNoNATS(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("SKIPPED: go list: %v", err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.Contains(line, "nats") {
			t.Errorf("it links %s", strings.TrimSpace(line))
		}
	}
}
