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
	for name, text := range map[string]string{ // a robot with a mesh
		"bracket.obj":  "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nv 0.02 0.02 0.02\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n",
		"bracket.urdf": `<robot name="bracket"><link name="base"><collision><geometry><mesh filename="bracket.obj"/></geometry></collision></link></robot>`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
