package nats_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

func TestClientConforms(t *testing.T) {
	t.Run("over the socket", func(t *testing.T) {
		ownFolder(t)
		serve(t, "test", admintest.Plant(t, "plant.source"))
		admintest.Run(t, dialed(t)(nats.Dial("test")))
	})
	t.Run("in this process", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		join(t, hub.Address(), nats.Identity{System: "test"}, admintest.Plant(t, "plant.source"))
		admintest.Run(t, dialed(t)(nats.DialAt("test", hub.Address())))
	})
	t.Run("two processes", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		both := []string{"a", "b"}
		join(t, hub.Address(), nats.Identity{System: "test", Process: "a", Processes: both}, admintest.Plant(t, "plant.source"))
		join(t, hub.Address(), nats.Identity{System: "test", Process: "b", Processes: both}, admintest.Plant(t, "aux.source"))
		admintest.Run(t, dialed(t)(nats.Dial("test")))
	})
	t.Run("one process of two", func(t *testing.T) {
		ownFolder(t)
		hub := openHub(t, "test")
		both := []string{"a", "b"}
		join(t, hub.Address(), nats.Identity{System: "test", Process: "a", Processes: both}, admintest.Plant(t, "aux.source"))
		join(t, hub.Address(), nats.Identity{System: "test", Process: "b", Processes: both}, admintest.Plant(t, "plant.source"))
		admintest.Run(t, dialed(t)(nats.Dial("test.b")))
	})
}

// A process that another one names is waited for: it may answer late.
func TestClientWaitsForAProcessThatAnotherOneNames(t *testing.T) {
	ownFolder(t)
	hub := openHub(t, "test")
	both := []string{"a", "b"}
	join(t, hub.Address(), nats.Identity{System: "test", Process: "a", Processes: both}, admintest.Plant(t, "aux.source"))
	joined := make(chan error)
	time.AfterFunc(2*time.Second, func() { // after the first search, also where the client is quick
		service, err := nats.Serve(hub.Address(), nats.Identity{System: "test", Process: "b", Processes: both}, admintest.Plant(t, "plant.source"))
		if err == nil {
			t.Cleanup(func() { service.Close() })
		}
		joined <- err
	})
	client, err := nats.Dial("test.b")
	if err := errors.Join(err, <-joined); err != nil {
		t.Fatal(err)
	}
	client.Close()
}

func TestClientConformsAboutFiles(t *testing.T) {
	id := nats.Identity{System: "plant", Command: []string{"sinew", "run"}, Dir: "/tmp"}
	t.Run("one process", func(t *testing.T) {
		ownFolder(t)
		dir, hub := admintest.Folder(t), openHub(t, "plant")
		id.File = filepath.Join(dir, "plant.yaml")
		join(t, hub.Address(), id, admintest.FromFiles(t, dir, ""))
		c := dialed(t)(nats.Dial("plant"))
		admintest.RunFiles(t, dir, c)
		st, err := c.Structure(t.Context())
		if err != nil || !slices.Equal(st.Processes[0].Command, id.Command) || st.Processes[0].Dir != "/tmp" {
			t.Errorf("%+v, %v", st.Processes, err)
		}
	})
	t.Run("two processes and a bridge", func(t *testing.T) {
		ownFolder(t)
		dir, hub := admintest.Folder(t), openHub(t, "plant")
		path, all := filepath.Join(dir, "plant.yaml"), []string{"a", "b", "bridge"}
		join(t, hub.Address(), nats.Identity{System: "plant", Process: "bridge", Processes: all}, admintest.Plant(t, "none"))
		join(t, hub.Address(), nats.Identity{System: "plant", Process: "a", Host: "elsewhere", File: path, Processes: all}, admintest.FromFiles(t, dir, "a"))
		join(t, hub.Address(), nats.Identity{System: "plant", Process: "b", File: path, Processes: all}, admintest.FromFiles(t, dir, "b"))
		admintest.RunFiles(t, dir, dialed(t)(nats.Dial("plant")))
		alone := dialed(t)(nats.Dial("plant.a"))
		if _, err := alone.Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "other hosts") {
			t.Errorf("a process of another host checked a file of this one: %v", err)
		}
	})
}

func openHub(t *testing.T, system string) *nats.Hub {
	t.Helper()
	hub, err := nats.OpenHub(system)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	return hub
}

// join offers a process at a server.
func join(t *testing.T, at nats.Address, id nats.Identity, s admin.Running) *nats.Service {
	t.Helper()
	service, err := nats.Serve(at, id, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	return service
}

// dialed ends the test where a client could not be had, and closes it at the end.
func dialed(t *testing.T) func(*nats.Client, error) *nats.Client {
	return func(c *nats.Client, err error) *nats.Client {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
}

// serve offers a system as `sinew run` does.
func serve(t *testing.T, name string, s admin.Running) *nats.Server {
	t.Helper()
	server, err := nats.Listen(nats.Identity{System: name, Host: "here"}, s, nats.Address{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// ownFolder keeps the test's address files apart.
func ownFolder(t *testing.T) { testkit.UserFolder(t) }

// folder returns where the address files are.
func folder(t *testing.T) string {
	t.Helper()
	folder, err := private.Folder()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestSecondSystemIsRefusedAndStaleAddressTaken(t *testing.T) {
	ownFolder(t)
	plant := admintest.Plant(t, "plant.source")
	server := serve(t, "one", plant)
	if _, err := nats.Listen(nats.Identity{System: "one"}, plant, nats.Address{}); err == nil || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("a second system: %v", err)
	}
	serve(t, "two", plant)
	if l, err := nats.List(); err != nil || len(l) != 2 || l[0] != "one" || l[1] != "two" {
		t.Errorf("systems %v, %v", l, err)
	}
	if _, err := nats.Dial("ono"); err == nil || !strings.Contains(err.Error(), `"one"`) {
		t.Errorf("a wrong name: %v", err)
	}
	server.Close()
	dead := filepath.Join(folder(t), "one.nats")
	stale := `{"socket":"` + filepath.Join(folder(t), "one.sock") + `","token":"x","pid":1}`
	if err := os.WriteFile(dead, []byte(stale), 0o600); err != nil { // as a process that died leaves it
		t.Fatal(err)
	}
	serve(t, "one", plant)
	if _, err := nats.Listen(nats.Identity{System: "a/b"}, plant, nats.Address{}); err == nil {
		t.Error("a name with a slash was accepted")
	}
}

// TestSlowClientLosesSamples checks that a client that does not read delays no other.
func TestSlowClientLosesSamples(t *testing.T) {
	ownFolder(t)
	serve(t, "slow", admintest.Plant(t, "plant.source"))
	slow, err := nats.Dial("slow")
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	blocked, release := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	for range 20 {
		if _, err := slow.Tap(context.Background(), "plant.source.wide", 1, func(admin.Sample) {
			if !first.Swap(true) {
				close(blocked)
				<-release
			}
		}); err != nil {
			break // the reader waits already
		}
		select {
		case <-blocked:
		default:
			continue
		}
		break
	}
	<-blocked
	quick := dialed(t)(nats.Dial("slow"))
	for range 50 {
		testkit.Await(t, "the thread answers", func() bool { _, err := quick.Read(context.Background(), "plant.source.out"); return err == nil })
	}
	close(release)
}
