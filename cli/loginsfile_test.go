package cli

import (
	"path/filepath"
	"testing"
)

func TestLoginsBelongToOneSystem(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	path := func(name string) string {
		t.Helper()
		p, err := loginsFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	arm := path("arm")
	if path("arm") != arm {
		t.Error("the next front does not find the logins")
	}
	for _, name := range []string{"leg", "../arm", "a/rm"} {
		if p := path(name); p == arm || filepath.Dir(p) != filepath.Dir(arm) {
			t.Errorf("%s beside %s", p, arm)
		}
	}
}
