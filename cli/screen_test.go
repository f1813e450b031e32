package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestEverythingPrintedScrollsAboveTheView prints in all ways that a run knows while a view is shown.
func TestEverythingPrintedScrollsAboveTheView(t *testing.T) {
	var errors bytes.Buffer
	s := &screen{errors: &errors}
	fmt.Fprint(s, "before\n")
	var above []string
	s.cover(func(line string) { above = append(above, line) })
	release, err := s.captureStandard()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(s, "half a ")
	fmt.Fprint(s, "line\r\nanother\tline\n")
	fmt.Println("a block prints")
	fmt.Fprintln(os.Stderr, "a panic")
	if sh, err := exec.LookPath("sh"); err == nil { // as a core is started
		core := &exec.Cmd{Path: sh, Args: []string{"sh", "-c", "echo a core prints"}, Stdout: os.Stdout, Stderr: os.Stderr}
		if err := core.Run(); err != nil {
			t.Error(err)
		}
		defer func() {
			if !strings.Contains(strings.Join(above, "\n"), "a core prints") {
				t.Errorf("above the view are %q", above)
			}
		}()
	}
	release()
	fmt.Fprint(s, "rest")
	s.uncover()
	fmt.Fprint(s, "after\n")
	if got := strings.Join(above, "\n"); !strings.HasPrefix(got, "half a line\nanother    line\na block prints\na panic") {
		t.Errorf("above the view are %q", above)
	}
	if got := errors.String(); got != "before\nrest\nafter\n" {
		t.Errorf("the standard error has %q", got)
	}
}

// TestRunPrintsThroughItsScreen asks for the writer of errors and notices as the console of a run does, whose log has lines such as that
// a user has signed in.
func TestRunPrintsThroughItsScreen(t *testing.T) {
	cmd := runCommand(nil, nil)
	f := &runFlags{}
	f.own(cmd)
	if cmd.ErrOrStderr() != f.screen {
		t.Error("errors and notices go past the screen")
	}
}
