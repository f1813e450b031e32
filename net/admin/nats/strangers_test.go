package nats_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// TestStrangersFolderHasNoHub lets a stranger make the victim's folder first, with an address file in it: no hub adopts the token there,
// no tool connects to the stranger's server.
func TestStrangersFolderHasNoHub(t *testing.T) {
	folder := func() string { return filepath.Join(os.TempDir(), "sinew-"+os.Getenv("VICTIM")) }
	u := testkit.TwoUsers(t, testkit.Roles{
		"plant": func(t *testing.T) {
			must(t, os.Mkdir(folder(), 0o777), os.Chmod(folder(), 0o777))
			path := filepath.Join(folder(), "test.nats")
			must(t, os.WriteFile(path, []byte(`{"socket":"`+folder()+`/test.sock","token":"planted","pid":1}`), 0o666), os.Chmod(path, 0o666))
			listenForSecrets(t, filepath.Join(folder(), "test.sock"))
		},
		"victim": func(t *testing.T) {
			_, err := nats.OpenHub("test")
			isRefused(t, err)
			_, err = nats.Dial("test")
			isRefused(t, err)
			_, err = nats.List()
			isRefused(t, err)
		},
	})
	u.Stranger.Start(t, "plant", fmt.Sprint("VICTIM=", u.Victim.ID))
	u.Victim.Run(t, "victim", fmt.Sprint("STRANGER=", u.Stranger.ID))
	noSecrets(t, u.Shared)
}

// TestImpostorsGetNoToken puts a stranger's server at the socket in the address file of a dead hub: no client sends it a
// token.
func TestImpostorsGetNoToken(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"impostor": func(t *testing.T) { listenForSecrets(t, filepath.Join(os.TempDir(), "test.sock")) },
		"victim": func(t *testing.T) {
			folder, err := private.Folder()
			must(t, err)
			// Both where it is, and where the victim's own folder leads to it.
			socket := filepath.Join(os.TempDir(), "test.sock")
			must(t, os.Symlink(socket, filepath.Join(folder, "test.sock")))
			for _, at := range []string{socket, filepath.Join(folder, "test.sock")} {
				must(t, private.Write(filepath.Join(folder, "test.nats"), []byte(`{"socket":"`+at+`","token":"secret token","pid":1}`)))
				if c, err := nats.Dial("test"); err == nil {
					c.Close()
					t.Fatalf("a client is content with the server at %s", at)
				}
			}
		},
	})
	u.Stranger.Start(t, "impostor")
	u.Victim.Run(t, "victim")
	noSecrets(t, u.Shared)
}

// TestStrangersCannotExhaustTheHub opens 300 connections as a stranger: none reaches the hub, and the victim's tools do.
func TestStrangersCannotExhaustTheHub(t *testing.T) {
	u := testkit.TwoUsers(t, testkit.Roles{
		"system": func(t *testing.T) {
			hub, err := nats.OpenHub("test")
			must(t, err)
			join(t, hub.Address(), nats.Identity{System: "test"}, admintest.Plant(t, "plant.source"))
			testkit.Ready()
		},
		"flood": func(t *testing.T) {
			for range 300 {
				conn, err := net.Dial("unix", filepath.Join(os.TempDir(), "sinew-"+os.Getenv("VICTIM"), "test.sock"))
				if err == nil {
					defer conn.Close()
					t.Error("a stranger is connected")
				} else if !errors.Is(err, os.ErrPermission) {
					t.Errorf("no test of what keeps a stranger out: %v", err)
				}
			}
			if _, err := os.ReadFile(filepath.Join(os.TempDir(), "sinew-"+os.Getenv("VICTIM"), "test.nats")); err == nil {
				t.Error("a stranger reads the token")
			}
			testkit.Ready()
		},
		"tool": func(t *testing.T) {
			c := dialed(t)(nats.Dial("test"))
			if _, err := c.Read(context.Background(), "plant.source.out"); err != nil {
				t.Fatal(err)
			}
		},
	})
	u.Victim.Start(t, "system")
	output, _ := u.Stranger.Start(t, "flood", fmt.Sprint("VICTIM=", u.Victim.ID))
	if strings.Contains(output, "strangers_test.go") {
		t.Error(output)
	}
	u.Victim.Run(t, "tool")
}

// listenForSecrets is a server that greets as a hub does and records what it receives.
func listenForSecrets(t *testing.T, path string) {
	l, err := net.Listen("unix", path)
	must(t, err, os.Chmod(path, 0o777))
	log, err := os.OpenFile(filepath.Join(os.TempDir(), "secrets"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	must(t, err)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("INFO {\"server_id\":\"x\",\"auth_required\":true,\"max_payload\":1000000,\"proto\":1}\r\n"))
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			text := make([]byte, 4096)
			n, _ := conn.Read(text)
			_, _ = log.Write(text[:n])
			_ = conn.Close()
		}
	}()
	testkit.Ready()
}

func noSecrets(t *testing.T, shared string) {
	t.Helper()
	if text, err := os.ReadFile(filepath.Join(shared, "secrets")); err != nil || len(text) > 0 {
		t.Errorf("the impostor received %q (%v)", text, err)
	}
}

func isRefused(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, private.ErrRefused) || !strings.Contains(err.Error(), os.Getenv("STRANGER")) {
		t.Fatalf("got %v, expected that the stranger's folder is refused and the stranger named", err)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
