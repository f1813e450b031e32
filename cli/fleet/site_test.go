package fleet_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// fleet is a system of two processes at a site's server.
const fleet = `
system: fleettest
nats: {url: "%s", credentials: site.creds}
threads: {a: {period: 2ms}, b: {period: 2ms}}
blocks:
  wave: {type: flow.Wave, thread: a}
  gain: {type: flow.Gain, thread: b, params: {gain: [2]}}
links: [wave.out -> gain.in]
deploy:
  processes:
    left: {threads: [a]}
    right: {threads: [b]}
`

// TestToolsFindASystemAtASitesServer has a system up at a site's own NATS server: tools find it by its plan here, and by the
// server's URL from anywhere; it survives the server's restart.
func TestToolsFindASystemAtASitesServer(t *testing.T) {
	if rt.SharedFolder() == "" {
		t.Skip("SKIPPED: processes share memory on Linux only")
	}
	folder := testkit.UserFolder(t)
	start := func(port int) *server.Server {
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, Username: "robot", Password: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(testkit.Patience()) {
			t.Fatal("the server does not start")
		}
		return s
	}
	site := start(-1)
	t.Cleanup(func() { site.Shutdown(); site.WaitForShutdown() })
	file := filepath.Join(folder, "fleet.yaml")
	for path, text := range map[string]string{file: fmt.Sprintf(fleet, site.ClientURL()), filepath.Join(folder, "site.creds"): "robot:secret\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sinew := func(arguments ...string) (string, error) {
		cmd := exec.Command("sinew", arguments...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	says := func(want string, arguments ...string) {
		t.Helper()
		var out string
		found := false
		defer func() {
			if !found {
				t.Logf("it prints %s", out)
			}
		}()
		testkit.Await(t, fmt.Sprintf("sinew %s prints %q", strings.Join(arguments, " "), want), func() bool {
			out, _ = sinew(arguments...)
			found = strings.Contains(out, want)
			return found
		})
	}
	t.Cleanup(func() { _, _ = sinew("down", "fleettest") })
	if out, err := sinew("up", file); err != nil {
		logs, _ := sinew("logs", "fleettest")
		t.Fatalf("%v: %s%s", err, out, logs)
	}
	says("[2]", "param", "get", "gain.gain")
	says("1", "param", "get", "fleettest.left", "wave.amplitude")
	says("right", "top", "--once", "--nats", site.ClientURL(), "--credentials", "site.creds")
	says("refuses these credentials", "top", "--once", "--nats", site.ClientURL())
	port := site.Addr().String()
	site.Shutdown()
	site.WaitForShutdown()
	var number int
	if _, err := fmt.Sscanf(port[strings.LastIndex(port, ":")+1:], "%d", &number); err != nil {
		t.Fatal(err)
	}
	site = start(number)
	says("[2]", "param", "get", "gain.gain")
}
