package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

// asCommand makes the test's program the command.
const asCommand = "CARRIER_EXAMPLE_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command returns a call of this program as a user types it.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

func TestTransportConforms(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		dir := testkit.ShortFolder(t)
		var hosts [2]*remote.Endpoint
		var ids [2]remote.Identity
		names := [2]string{"robot", "desk"}
		for i := range hosts {
			var err error
			if ids[i], err = remote.NewIdentity(); err != nil {
				t.Fatal(err)
			}
			hosts[i], err = remote.Open(Carrier(), remote.Config{Name: names[i], Local: filepath.Join(dir, names[i]), Identity: ids[i]})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { hosts[i].Close() })
		}
		peer := func(i int) *remote.Peer {
			p, err := hosts[i].Peer(remote.PeerConfig{Name: names[1-i], Key: ids[1-i].Public(), Address: hosts[1-i].Addr().String()})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		return linktest.Pair{Sending: peer(0), Receiving: peer(1)}
	})
}

func TestSystemFilesNameTheCarrier(t *testing.T) {
	if out, err := command("check", "system.yaml").CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
	text, err := os.ReadFile("system.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]string{
		"network: unix->network: unxi":                   `network: no carrier "unxi"; did you mean "unix"?`,
		"address: /run/lab/desk.sock->address: 10.0.0.2": `host "desk": address "10.0.0.2" for the carrier unix: wants the absolute path of a socket`,
	} {
		from, to, _ := strings.Cut(change, "->")
		path := filepath.Join(t.TempDir(), "system.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := command("check", path).CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %q\n%s", change, err, want, out)
		}
	}
}

// TestBridgesUseTheCarrier joins the shared memories of two systems by two bridges of this program.
func TestBridgesUseTheCarrier(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: bridges run on Linux")
	}
	testkit.UserFolder(t)
	dir := testkit.ShortFolder(t)
	names := [2]string{"robot", "desk"}
	var keys [2]string
	for i, name := range names {
		out, err := command("bridge", "key", filepath.Join(dir, name+".key")).Output()
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = strings.TrimSpace(string(out))
	}
	for i, joined := range [2]string{"wave.out -> desk:wave.out", "robot:wave.out -> wave.out"} {
		socket := func(i int) string { return filepath.Join(dir, names[i]+".sock") }
		var log bytes.Buffer
		cmd := command("bridge", "carrier-"+names[i], joined, "--name", names[i], "--network", "unix", "--listen", socket(i),
			"--key", filepath.Join(dir, names[i]+".key"), "--peer", fmt.Sprintf("%s=%s,%s", names[1-i], socket(1-i), keys[1-i]))
		cmd.Stdout, cmd.Stderr = &log, &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Signal(os.Interrupt)
			if err := cmd.Wait(); err != nil || t.Failed() {
				t.Errorf("the bridge of %s: %v\n%s", names[i], err, log.String())
			}
		})
	}
	spec := link.Spec{Name: "wave.out", Schema: "uint8[8] value\n", Size: 8}
	open := func(i int) *shm.Transport {
		transport, err := shm.New("carrier-" + names[i])
		if err != nil {
			t.Fatal(err)
		}
		return transport
	}
	tx, err := open(0).Send(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	rx, err := open(1).Receive(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	testkit.Await(t, "a packet passes both bridges", func() bool {
		_ = tx.Send([]byte("8 bytes."))
		packet := make([]byte, spec.Size)
		_, err := rx.Receive(packet, 50*time.Millisecond)
		return err == nil && string(packet) == "8 bytes."
	})
}
