package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestSSHKeepsConnectionsInThePrivateFolder lets a stranger make folders where ssh's control sockets are kept: ssh is not started
// with them. In the victim's own folder it is, unless the path is too long for the sockets.
func TestSSHKeepsConnectionsInThePrivateFolder(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"plant": func(t *testing.T) {
			for _, name := range []string{"sinew-" + os.Getenv("VICTIM"), "sinew-" + os.Getenv("VICTIM") + "-ssh"} {
				if err := errors.Join(os.Mkdir(filepath.Join(os.TempDir(), name), 0o777), os.Chmod(filepath.Join(os.TempDir(), name), 0o777)); err != nil {
					t.Fatal(err)
				}
			}
		},
		"remove": func(t *testing.T) { _ = os.Remove(filepath.Join(os.TempDir(), "sinew-"+os.Getenv("VICTIM"))) },
		"refuse": func(t *testing.T) {
			t.Setenv("SINEW_SSH", "echo")
			r := &Remote{Name: "x", SSH: "x"}
			if out, err := r.output(r.Command(context.Background(), "id"), nil); !errors.Is(err, private.ErrRefused) || !strings.Contains(err.Error(), os.Getenv("STRANGER")) {
				t.Fatalf("ssh was called: %s, %v", out, err)
			}
		},
		"use": func(t *testing.T) {
			t.Setenv("SINEW_SSH", "echo")
			r := &Remote{Name: "x", SSH: "x"}
			out, err := r.output(r.Command(context.Background(), "id"), nil)
			folder := filepath.Join(os.TempDir(), fmt.Sprintf("sinew-%d", os.Getuid()), "ssh")
			if err != nil || !strings.Contains(string(out), "ControlPath="+folder+"/%C") {
				t.Fatalf("%s, %v", out, err)
			}
			if err := private.Check(folder); err != nil {
				t.Fatal(err)
			}
			long := filepath.Join(os.TempDir(), strings.Repeat("long", 15))
			if err := os.Mkdir(long, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("TMPDIR", long)
			if out, err := r.output(r.Command(context.Background(), "id"), nil); err != nil || strings.Contains(string(out), "Control") {
				t.Fatalf("with the folder %s: %s, %v", long, out, err)
			}
		},
	})
	victim := fmt.Sprint("VICTIM=", u.Victim.ID)
	u.Stranger.Run(t, "plant", victim)
	u.Victim.Run(t, "refuse", fmt.Sprint("STRANGER=", u.Stranger.ID))
	u.Stranger.Run(t, "remove", victim)
	u.Victim.Run(t, "use")
}

// TestCopiedCommandIsTheUsersOwn runs the script that asks another host for the command, where a stranger of that host has
// planted one.
func TestCopiedCommandIsTheUsersOwn(t *testing.T) {
	u := testkit.TwoUsers(t, nil)
	ask := func() (string, error) { return u.Victim.Output("sh", "-c", probe, "sh", "0123456789abcdef") }
	stranger := func(script string) {
		t.Helper()
		if out, err := u.Stranger.Output("sh", "-c", "cd "+u.Victim.Home+" && "+script); err != nil {
			t.Fatalf("%s: %v: %s", script, err, out)
		}
	}
	root := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(u.Victim.Home, ".cache")
	bin := filepath.Join(cache, "sinew", "bin", "0123456789abcdef")

	if out, err := ask(); err != nil || !strings.HasSuffix(out, u.Victim.Home+"\nmissing\n") {
		t.Fatalf("%v: %s", err, out)
	}
	if err := private.Check(bin); err == nil { // root's check: it must be the victim's, private otherwise
		t.Error("the folder is root's")
	}
	for _, mode := range []os.FileMode{0o777, 0o775} { // one that others may write to is not there
		root(os.WriteFile(filepath.Join(bin, "sinew"), nil, 0o700), os.Chown(filepath.Join(bin, "sinew"), u.Victim.ID, u.Victim.ID), os.Chmod(filepath.Join(bin, "sinew"), mode))
		if out, err := ask(); err != nil || !strings.HasSuffix(out, "missing\n") {
			t.Errorf("mode %o: %v: %s", mode, err, out)
		}
	}
	root(os.Chmod(filepath.Join(bin, "sinew"), 0o700))
	if out, err := ask(); err != nil || !strings.HasSuffix(out, "there\n") {
		t.Errorf("%v: %s", err, out)
	}

	root(os.Chmod(u.Victim.Home, 0o755))
	refused := func(what string) {
		t.Helper()
		if out, err := ask(); err == nil || !strings.Contains(out, "is not used") || strings.Contains(out, "there") && !strings.Contains(out, "not used") {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
	root(os.Chmod(filepath.Join(cache, "sinew", "bin"), 0o777))
	refused("a folder that others may write to")
	root(os.Chmod(filepath.Join(cache, "sinew", "bin"), 0o700), os.Chmod(cache, 0o777))
	refused("a folder above that others may write to")
	root(os.RemoveAll(filepath.Join(cache, "sinew")))
	stranger("mkdir -p .cache/sinew/bin/0123456789abcdef && cp /bin/true .cache/sinew/bin/0123456789abcdef/sinew")
	root(os.Chmod(cache, 0o700), os.Chmod(filepath.Join(cache, "sinew"), 0o755))
	refused("the stranger's folder")
	root(os.RemoveAll(filepath.Join(cache, "sinew")), os.Symlink(u.Shared, filepath.Join(cache, "sinew")), os.Lchown(filepath.Join(cache, "sinew"), u.Victim.ID, u.Victim.ID))
	refused("a link")
}
