package admin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"github.com/sinew-robotics/sinew/net/admin"
)

// hubVariable makes this test a process with a hub of that system.
const hubVariable = "SINEW_TEST_HUB"

func TestMain(m *testing.M) {
	if system := os.Getenv(hubVariable); system != "" {
		hub, err := admin.OpenHub(system)
		fmt.Println(err)
		if err != nil {
			os.Exit(1)
		}
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the test ends
		_ = hub.Close()
		return
	}
	goleak.VerifyTestMain(m)
}

// hubProcess starts a process with a hub.
func hubProcess(t *testing.T, system string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hubVariable+"="+system)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "<nil>\n" {
		t.Fatalf("the hub says %q", line)
	}
	return cmd
}

func addressFile(t *testing.T, system string) (f admin.AddressFile) {
	t.Helper()
	path := filepath.Join(admin.Folder(), system+".nats")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("the address file has mode %v", info.Mode())
	}
	return f
}

// TestServerIsKilledAndComesBack kills the process of the hub at any moment: service, client and tap go on with the next.
func TestServerIsKilledAndComesBack(t *testing.T) {
	ownFolder(t)
	first := hubProcess(t, "test")
	before := addressFile(t, "test")
	join(t, admin.OnHost("test"), admin.Identity{System: "test"}, local(t, "plant.source"))
	c := dialed(t)(admin.Dial("test"))
	var n atomic.Int64
	end, err := c.Tap(context.Background(), "plant.source.out", 1, func(admin.Sample) { n.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	await(t, "samples", func() bool { return n.Load() > 0 })
	for range 3 {
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = first.Wait()
		first = hubProcess(t, "test")
		if f := addressFile(t, "test"); f.URL != before.URL || f.Token != before.Token || f.PID != first.Process.Pid {
			t.Errorf("the new server is %+v, the old one was %+v", f, before)
		}
		if _, err := c.Read(context.Background(), "plant.source.out"); err != nil {
			t.Error(err)
		}
		seen := n.Load()
		await(t, "samples after the restart", func() bool { return n.Load() > seen })
	}
}

func TestCloseRemovesTheAddressAndEndsClients(t *testing.T) {
	ownFolder(t)
	server := serve(t, "test", local(t, "plant.source"))
	c := dialed(t)(admin.Dial("test"))
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the client does not see the end")
	}
	if _, err := c.Read(context.Background(), "plant.source.out"); err == nil {
		t.Error("a read of what has ended")
	}
	if l := admin.List(); len(l) != 0 {
		t.Errorf("systems %v", l)
	}
	if _, err := os.Stat(filepath.Join(admin.Folder(), "test.nats")); err == nil {
		t.Error("the address file is left")
	}
}

// TestStrangersStayOutside checks what a hub refuses: other tokens, folders that others may enter, broken files.
func TestStrangersStayOutside(t *testing.T) {
	ownFolder(t)
	openHub(t, "test")
	f := addressFile(t, "test")
	for _, token := range []string{"", "x", f.Token[1:]} {
		if conn, err := nats.Connect(f.URL, nats.Token(token)); err == nil {
			conn.Close()
			t.Errorf("the token %q is accepted", token)
		}
	}
	if !strings.HasPrefix(f.URL, "nats://127.0.0.1:") {
		t.Errorf("the server is at %s", f.URL)
	}
	for _, name := range []string{"", "a.b.c", "a b", "a>", "*", "ä", "../x"} {
		if _, err := admin.OpenHub(name); err == nil || !strings.Contains(err.Error(), "letters, digits") {
			t.Errorf("a hub of the name %q: %v", name, err)
		}
		if _, err := admin.Dial(name); err == nil {
			t.Errorf("a system of the name %q", name)
		}
	}
	if err := os.WriteFile(filepath.Join(admin.Folder(), "broken.nats"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Dial("broken"); err == nil || !strings.Contains(err.Error(), "broken.nats") {
		t.Errorf("a broken address file: %v", err)
	}
	openHub(t, "broken")
	t.Setenv("TMPDIR", t.TempDir())
	if err := os.Mkdir(admin.Folder(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.OpenHub("open"); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a folder for all: %v", err)
	}
}
