package wire

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestBusSpeaksWithPythonCAN exchanges frames with python-can, by UDP multicast and as an adapter of the Lawicel protocol.
func TestBusSpeaksWithPythonCAN(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import can, msgpack, serial").Run(); err != nil {
		t.Skip("SKIPPED: python-can is missing (Debian: python3-can, python3-msgpack, python3-serial)")
	}
	t.Run("CAN over UDP", func(t *testing.T) {
		if alone(t) {
			exchange(t, OnBus(create(t, "can+udp://239.74.163.2:43113", Frames)), python, `{"interface": "udp_multicast", "channel": "239.74.163.2"}`)
		}
	})
	t.Run("slcan", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "adapter")
		line := create(t, "pty://"+path, Bytes)
		open(t, line)
		exchange(t, OnBus(newSlcanOn(line, 6)), python, `{"interface": "slcan", "channel": "`+path+`", "bitrate": 500000, "sleep_after_open": 0}`)
	})
}

// alone reports whether the test runs in a network of its own; otherwise it runs it in one.
func alone(t *testing.T) bool {
	t.Helper()
	const variable = "SINEW_TEST_ALONE"
	if os.Getenv(variable) != "" {
		return true
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a network of its own needs root")
	}
	cmd := exec.Command("unshare", "--net", "sh", "-c", `ip link set lo up && ip route add 239.0.0.0/8 dev lo && exec "$0" "$@"`,
		os.Args[0], "-test.run=^TestBusSpeaksWithPythonCAN$/^CAN_over_UDP$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	return false
}

func exchange(t *testing.T, bus *Bus, python, arguments string) {
	t.Helper()
	open(t, bus)
	t.Cleanup(func() { _ = bus.Close() })
	node := exec.Command(python, "testdata/bus.py", arguments)
	node.Stderr = os.Stderr
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Process.Kill(); _ = node.Wait() })
	receive := func() (frame string) {
		testkit.Await(t, "a frame", func() bool {
			f, ok, err := bus.Receive()
			if err != nil {
				t.Fatal(err)
			}
			frame = f.String()
			return ok
		})
		return frame
	}
	var got []string
	for range 4 {
		got = append(got, receive())
	}
	if want := []string{"123#0102FF", "1ABCDEF0#0001020304050607", "7FF#R4", "000#"}; !slices.Equal(got, want) {
		t.Errorf("python-can sent %v, received %v", want, got)
	}
	extended := NewFrame(0, 1, 2, 3, 4, 5, 6, 7, 8)
	extended.ID, extended.Extended = 0x1FFFFFF0, true
	remote := NewFrame(0x100)
	remote.Remote, remote.Length = true, 8
	for want, f := range map[string]Frame{"102#": NewFrame(0x101), "7FF#FF": NewFrame(0x7fe, 0xff), "1FFFFFF1#0102030405060708": extended, "101#R8": remote} {
		if err := bus.Send(f); err != nil {
			t.Fatal(err)
		}
		if got := receive(); got != want {
			t.Errorf("sent %v, python-can returned %s, expected %s", f, got, want)
		}
	}
}
