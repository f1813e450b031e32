package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli/candidate"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// slowLine is a system whose link needs more than its serial line carries.
const slowLine = `system: slow
deploy:
  network: serial
  hosts:
    desk: {address: "serial:///dev/ttyS0?baud=9600"}
    robot: {ssh: robot, address: "serial:///dev/ttyS1?baud=9600"}
  processes: {near: {host: desk, threads: [a]}, far: {host: robot, threads: [b]}}
threads: {a: {period: 10ms}, b: {period: 10ms}}
blocks: {one: {type: flow.Constant, thread: a, params: {value: [1]}}, two: {type: flow.Gain, thread: b, params: {gain: [2]}}}
links: [one.out -> two.in]
`

// The check of the net editor finds what sinew check finds.
func TestNetEditorShowsTheOverloadOfASerialLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow.yaml")
	if err := os.WriteFile(path, []byte(slowLine), 0o644); err != nil {
		t.Fatal(err)
	}
	c := candidate.NewChecker(testkit.Patience())
	for baud, want := range map[string]string{"9600": "the carrier serial carries 960 B/s there", "921600": ""} {
		text := strings.ReplaceAll(slowLine, "9600", baud)
		v, err := c.Ask(t.Context(), admin.Question{Kind: admin.AskCheck, File: path, Texts: map[string]string{path: text}})
		if err != nil || len(v.Errors) > 0 {
			t.Fatalf("%+v, %v", v, err)
		}
		found := ""
		for _, n := range v.Notices {
			if strings.Contains(n.Text, "serial carries") {
				found = n.Text
				if n.Line != 5 || n.File != path {
					t.Errorf("the notice is at %s:%d", n.File, n.Line)
				}
			}
		}
		if (found == "") != (want == "") || !strings.Contains(found, want) {
			t.Errorf("at %s bit/s: notices %+v, want %q", baud, v.Notices, want)
		}
	}
}
