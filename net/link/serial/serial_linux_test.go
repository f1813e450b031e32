package serial_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/serial"
)

// address returns the address of one end of a cable.
func address(c *testkit.SerialCable, end, baud int) string {
	return fmt.Sprintf("serial://%s?baud=%d", c.Paths[end], baud)
}

// pair returns two hosts on a cable, as each sees the other.
func pair(t testing.TB, c *testkit.SerialCable, baud int) (robot, operator *remote.Peer) {
	t.Helper()
	var hosts [2]*remote.Endpoint
	var ids [2]remote.Identity
	names := [2]string{"robot", "operator"}
	for i := range hosts {
		var err error
		if ids[i], err = remote.NewIdentity(); err != nil {
			t.Fatal(err)
		}
		config := remote.Config{Name: names[i], Local: address(c, i, baud), Identity: ids[i], Period: 100 * time.Millisecond}
		if baud < 1e6 {
			config.Period = 0
		}
		if hosts[i], err = remote.Open(serial.Carrier(), config); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { hosts[i].Close() })
	}
	join := func(i int, dial string) *remote.Peer {
		p, err := hosts[i].Peer(remote.PeerConfig{Name: names[1-i], Key: ids[1-i].Public(), Address: dial})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return join(0, ""), join(1, address(c, 0, baud))
}

func TestTransportConforms(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		robot, operator := pair(t, testkit.NewSerialCable(t, t.TempDir(), nil), 4_000_000)
		return linktest.Pair{Sending: robot, Receiving: operator}
	})
}

var spec = link.Spec{Name: "arm.position", Schema: "uint64 value\n", Size: 64}

func ends(t *testing.T, from, to *remote.Peer) (link.Sender, link.Receiver) {
	t.Helper()
	tx, err := from.Send(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	rx, err := to.Receive(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rx.Close() })
	return tx, rx
}

// arrives sends packets until one of them arrives.
func arrives(t *testing.T, tx link.Sender, rx link.Receiver, n byte) {
	t.Helper()
	out, in := make([]byte, spec.Size), make([]byte, spec.Size)
	out[0] = n
	testkit.Await(t, "a packet arrives", func() bool {
		if err := tx.Send(out); err != nil {
			t.Fatal(err)
		}
		_, err := rx.Receive(in, 100*time.Millisecond)
		return err == nil && in[0] == n
	})
}

// TestPacketsAboveTheRateOfTheLineAreCounted sends more over a line of 57,600 bit/s, in both directions, than it carries: the newest arrives, the
// others are counted as lost, and the peers are still connected.
func TestPacketsAboveTheRateOfTheLineAreCounted(t *testing.T) {
	testkit.NoLeaks(t)
	c := testkit.NewSerialCable(t, t.TempDir(), nil)
	robot, operator := pair(t, c, 57600)
	tx, rx := ends(t, robot, operator)
	back, _ := ends(t, operator, robot)
	arrives(t, tx, rx, 1)
	begin, before := time.Now(), c.Bytes()
	packet, in := make([]byte, spec.Size), make([]byte, spec.Size)
	received := 0
	flood := func() { // at most four times the rate of the line
		packet[0]++
		_, _ = tx.Send(packet), back.Send(packet)
		if _, err := rx.Receive(in, 5*time.Millisecond); err == nil {
			received++
		}
	}
	for range 1000 {
		flood()
	}
	t.Logf("%d packets of %d bytes arrived in %v; %d bytes went over the line in both directions", received, spec.Size, time.Since(begin), c.Bytes()-before)
	testkit.AwaitEvery(t, 0, "the ends are connected while the line is full", func() bool {
		flood()
		return tx.State().Connected && back.State().Connected && rx.State().Connected
	})
	if tx.State().Lost == 0 || back.State().Lost == 0 {
		t.Errorf("no packet was lost: %+v, %+v", tx.State(), back.State())
	}
	testkit.Await(t, "the newest packet arrives", func() bool {
		_, err := rx.Receive(in, 100*time.Millisecond)
		return err != nil && in[0] == packet[0]
	})
}

func TestNoiseCostsOnlyTheDatagramsThatItHits(t *testing.T) {
	testkit.NoLeaks(t)
	r := testkit.Rand(t)
	c := testkit.NewSerialCable(t, t.TempDir(), func(b []byte) {
		for i := range b {
			if r.IntN(500) == 0 {
				b[i] = byte(r.Uint32())
			}
		}
	})
	robot, operator := pair(t, c, 4_000_000)
	tx, rx := ends(t, robot, operator)
	for n := range 100 {
		arrives(t, tx, rx, byte(n))
	}
	testkit.Await(t, "damaged datagrams are counted", func() bool {
		_ = tx.Send(make([]byte, spec.Size))
		return rx.State().Rejected > 0
	})
}

func TestLineIsOpenedAgainAfterItWasUnplugged(t *testing.T) {
	testkit.NoLeaks(t)
	c := testkit.NewSerialCable(t, t.TempDir(), nil)
	robot, operator := pair(t, c, 4_000_000)
	tx, rx := ends(t, robot, operator)
	arrives(t, tx, rx, 1)
	c.Unplug()
	testkit.Await(t, "the sender sees that the line is gone", func() bool { return !tx.State().Connected })
	c.Plug()
	arrives(t, tx, rx, 2)
}

func TestAddressesOfLines(t *testing.T) {
	check := serial.Carrier().Check
	for _, good := range []string{"serial:///dev/ttyUSB0", "serial:///dev/ttyUSB0?baud=57600"} {
		if err := check(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "/dev/ttyUSB0", "10.0.0.1:7400", "serial://dev/tty", "serial:///", "serial:///dev/tty?baud=0", "serial:///dev/tty?baud=x", "serial:///dev/tty?parity=odd", "serial:///dev/tty?baud=1&baud=2", "serial:///dev/tty#x"} {
		if err := check(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if _, err := remote.Open(serial.Carrier(), remote.Config{Name: "a", Insecure: true, Local: "serial:///nowhere"}); err == nil {
		t.Error("a line that does not exist was opened")
	}
}

func TestLineJoinsTwoHostsOnly(t *testing.T) {
	c := testkit.NewSerialCable(t, t.TempDir(), nil)
	h, err := remote.Open(serial.Carrier(), remote.Config{Name: "a", Insecure: true, Local: address(c, 0, 57600)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Peer(remote.PeerConfig{Name: "b"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Peer(remote.PeerConfig{Name: "c"}); err == nil {
		t.Error("a third host was added to a line")
	}
	if h, err := remote.Open(serial.Carrier(), remote.Config{Name: "a", Insecure: true, Local: address(c, 0, 57600)}); err == nil {
		h.Close()
		t.Error("a line was opened twice")
	}
}
