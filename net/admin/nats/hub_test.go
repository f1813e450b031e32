package nats_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// hubVariable makes this test a process with a hub of that system.
const hubVariable = "SINEW_TEST_HUB"

func TestMain(m *testing.M) {
	if system := os.Getenv(hubVariable); system != "" {
		hub, err := nats.OpenHub(system)
		fmt.Println(err)
		if err != nil {
			os.Exit(1)
		}
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the test ends
		_ = hub.Close()
		return
	}
	testkit.Main(m)
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
		t.Fatalf("the hub prints %q", line)
	}
	return cmd
}

func addressFile(t *testing.T, system string) (f nats.AddressFile) {
	t.Helper()
	path := filepath.Join(folder(t), system+".nats")
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
	join(t, nats.OnHost("test"), nats.Identity{System: "test"}, admintest.Plant(t, "plant.source"))
	c := dialed(t)(nats.Dial("test"))
	var n atomic.Int64
	end, err := c.Tap(context.Background(), "plant.source.out", 1, func(admin.Sample) { n.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	testkit.Await(t, "samples", func() bool { return n.Load() > 0 })
	for range 3 {
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = first.Wait()
		first = hubProcess(t, "test")
		f := addressFile(t, "test")
		if f.Token == before.Token || f.PID != first.Process.Pid {
			t.Errorf("the new server is %+v, the old one was %+v: a token must not be used again", f, before)
		}
		before = f
		if _, err := c.Read(context.Background(), "plant.source.out"); err != nil {
			t.Error(err)
		}
		seen := n.Load()
		testkit.Await(t, "samples after the restart", func() bool { return n.Load() > seen })
	}
}

func TestCloseRemovesTheAddressAndEndsClients(t *testing.T) {
	ownFolder(t)
	server := serve(t, "test", admintest.Plant(t, "plant.source"))
	c := dialed(t)(nats.Dial("test"))
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Done():
	case <-time.After(testkit.Patience()):
		t.Fatal("the client does not see the end")
	}
	if _, err := c.Read(context.Background(), "plant.source.out"); err == nil {
		t.Error("a read of what has ended")
	}
	if l, err := nats.List(); err != nil || len(l) != 0 {
		t.Errorf("systems %v, %v", l, err)
	}
	for _, name := range []string{"test.nats", "test.sock"} {
		if _, err := os.Lstat(filepath.Join(folder(t), name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// TestHubRefusesWrongTokensAndNames checks what a hub refuses of its own user: other tokens, names, folders that others may
// enter, broken files.
func TestHubRefusesWrongTokensAndNames(t *testing.T) {
	ownFolder(t)
	openHub(t, "test")
	f := addressFile(t, "test")
	for _, token := range []string{"", "x", f.Token[1:]} {
		if conn, err := gonats.Connect("", overSocket(f.Socket), gonats.Token(token)); err == nil {
			conn.Close()
			t.Errorf("the token %q is accepted", token)
		}
	}
	for _, name := range []string{"", "a.b.c", "a b", "a>", "*", "ä", "../x"} {
		if _, err := nats.OpenHub(name); err == nil || !strings.Contains(err.Error(), "letters, digits") {
			t.Errorf("a hub of the name %q: %v", name, err)
		}
		if _, err := nats.Dial(name); err == nil {
			t.Errorf("a system of the name %q", name)
		}
	}
	if err := os.WriteFile(filepath.Join(folder(t), "broken.nats"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := nats.Dial("broken"); err == nil || !strings.Contains(err.Error(), "broken.nats") {
		t.Errorf("a broken address file: %v", err)
	}
	openHub(t, "broken")
	if err := os.Chmod(folder(t), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := nats.OpenHub("open"); !errors.Is(err, private.ErrRefused) || !strings.Contains(err.Error(), "chmod") {
		t.Errorf("a folder for all: %v", err)
	}
	if l, err := nats.List(); !errors.Is(err, private.ErrRefused) {
		t.Errorf("systems %v, %v", l, err)
	}
}

// TestHubListensOnNoPort looks for sockets of this process that others could reach.
func TestHubListensOnNoPort(t *testing.T) {
	ownFolder(t)
	openHub(t, "test")
	own := map[string]bool{}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("SKIPPED: no list of open sockets here: %v", err)
	}
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			own[target] = true
		}
	}
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 9 && words[3] == "0A" && own["socket:["+words[9]+"]"] {
				t.Errorf("it listens on %s", words[1])
			}
		}
	}
	for _, name := range []string{"test.nats", "test.sock"} {
		if info, err := os.Stat(filepath.Join(folder(t), name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestFullHubServesItsOwnProcess fills the socket with connections: one more gets the reason, those of the hub's process are served,
// and none of the goroutines stays.
func TestFullHubServesItsOwnProcess(t *testing.T) {
	ownFolder(t)
	hub := openHub(t, "test")
	join(t, hub.Address(), nats.Identity{System: "test"}, admintest.Plant(t, "plant.source"))
	f := addressFile(t, "test")
	dial := func() (net.Conn, string) {
		t.Helper()
		conn, err := private.Dial(context.Background(), f.Socket)
		if err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(conn).ReadString('\n')
		return conn, line
	}
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for i := range 300 {
		conn, line := dial()
		conns = append(conns, conn)
		if want := map[bool]string{true: "INFO", false: "-ERR 'maximum connections"}[i < 256]; !strings.HasPrefix(line, want) {
			t.Fatalf("connection %d: %.60q, expected %s", i, line, want)
		}
		if i < 256 { // the server closes connections that do not sign in soon
			fmt.Fprintf(conn, "CONNECT {\"auth_token\":%q,\"verbose\":false}\r\n", f.Token)
		}
	}
	if _, err := nats.OpenHub("test"); !errors.Is(err, nats.ErrRuns) {
		t.Errorf("a full hub is taken for a dead one: %v", err)
	}
	c := dialed(t)(nats.DialAt("test", hub.Address()))
	if _, err := c.Read(context.Background(), "plant.source.out"); err != nil {
		t.Error(err)
	}
	conns[0].Close()
	testkit.Await(t, "a free place", func() bool {
		conn, line := dial()
		conn.Close()
		return strings.HasPrefix(line, "INFO")
	})
}

// TestHubsThatStartTogetherAreOne starts hubs at once, over what a killed one has left.
func TestHubsThatStartTogetherAreOne(t *testing.T) {
	ownFolder(t)
	killed := hubProcess(t, "test")
	_ = killed.Process.Kill()
	_ = killed.Wait()
	var all sync.WaitGroup
	var won atomic.Int64
	hubs := make([]*nats.Hub, 8)
	for i := range hubs {
		all.Go(func() {
			var err error
			if hubs[i], err = nats.OpenHub("test"); err == nil {
				won.Add(1)
			} else if !errors.Is(err, nats.ErrRuns) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d hubs of one system", won.Load())
	}
	if l, err := nats.List(); err != nil || len(l) != 1 {
		t.Errorf("systems %v, %v", l, err)
	}
	for _, h := range hubs {
		if h != nil {
			h.Close()
		}
	}
}

// overSocket connects a client of NATS through a socket.
func overSocket(path string) gonats.Option { return gonats.SetCustomDialer(socketDialer(path)) }

type socketDialer string

// Dial implements gonats.CustomDialer.
func (d socketDialer) Dial(_, _ string) (net.Conn, error) { return net.Dial("unix", string(d)) }
