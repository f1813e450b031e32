package model_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
)

// TestPageInspectARobotRuns runs the commands of the page about `sinew model` next to the robots that they name.
func TestPageInspectARobotRuns(t *testing.T) {
	page, err := os.ReadFile("../../docs/howto/inspect-a-robot.md")
	if err != nil {
		t.Fatal(err)
	}
	robots, err := filepath.Abs("../../robot/multibody/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS(".", os.DirFS(robots)); err != nil {
		t.Fatal(err)
	}
	states, err := os.ReadFile("panda.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("states.json", states, 0o600); err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(page)) {
		command, ok := strings.CutPrefix(line, "    sinew ")
		if !ok {
			continue
		}
		commands++
		var stdout, stderr bytes.Buffer
		if code := cli.Execute(strings.Fields(command), &stdout, &stderr); code != 0 || stdout.Len() == 0 {
			t.Errorf("%s: exit code %d, %d bytes of output\n%s", strings.TrimSpace(line), code, stdout.Len(), stderr.String())
		}
	}
	if commands < 5 {
		t.Errorf("the page has %d commands", commands)
	}
}
