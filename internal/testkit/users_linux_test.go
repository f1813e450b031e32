package testkit_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestRolesRunAsTheirUsers starts a role of each user.
func TestRolesRunAsTheirUsers(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"say": func(*testing.T) { fmt.Println("I am", os.Getuid(), os.Getgid(), os.Getenv("WORD")) },
		"write": func(t *testing.T) {
			if err := os.WriteFile(os.TempDir()+"/file", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			fmt.Println("written")
			testkit.Ready()
		},
		"remove": func(t *testing.T) {
			if err := os.Remove(os.TempDir() + "/file"); err == nil {
				t.Fatal("a stranger removes what the victim wrote")
			}
		},
	})
	if out, want := u.Victim.Run(t, "say", "WORD=x"), fmt.Sprintf("I am %d %d x\n", u.Victim.ID, u.Victim.ID); !strings.Contains(out, want) {
		t.Errorf("%q, expected %q", out, want)
	}
	if output, _ := u.Victim.Start(t, "write"); !strings.Contains(output, "written") {
		t.Errorf("%q", output)
	}
	u.Stranger.Run(t, "remove")
	if out, err := u.Stranger.Output("ls", u.Victim.Home); err == nil {
		t.Errorf("the stranger sees the victim's home: %s", out)
	}
}
