package bridge_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/bridge"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// host returns a shared-memory transport that stands for a host.
func host(t *testing.T, name string) *shm.Transport {
	t.Helper()
	system := fmt.Sprintf("bridge-%d-%s", os.Getpid(), name)
	transport, err := shm.New(system)
	if err != nil {
		t.Skip("SKIPPED:", err)
	}
	t.Cleanup(func() { shm.Clean(system) })
	return transport
}

func spec(name string) link.Spec { return link.Spec{Name: name, Schema: "uint64 value", Size: 8} }

func number(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func open(t *testing.T, relays ...bridge.Relay) *bridge.Bridge {
	t.Helper()
	b, err := bridge.Open(relays, bridge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func sender(t *testing.T, on *shm.Transport, s link.Spec) link.Sender {
	t.Helper()
	tx, err := on.Send(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func receiver(t *testing.T, on *shm.Transport, s link.Spec) link.Receiver {
	t.Helper()
	rx, err := on.Receive(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rx.Close() })
	return rx
}

// await receives until packet n arrives.
func await(t *testing.T, rx link.Receiver, n uint64) link.Stamp {
	t.Helper()
	packet := number(0)
	for {
		stamp, err := rx.Receive(packet, testkit.Patience())
		if err != nil {
			t.Fatalf("waiting for packet %d: %v", n, err)
		}
		if binary.LittleEndian.Uint64(packet) == n {
			return stamp
		}
	}
}

// TestRelayForwardsToSeveralHosts forwards one input to outputs on two hosts, under other names, and keeps its age.
func TestRelayForwardsToSeveralHosts(t *testing.T) {
	a, b, c := host(t, "a"), host(t, "b"), host(t, "c")
	tx := sender(t, a, spec("x"))
	y, z := receiver(t, b, spec("y")), receiver(t, c, spec("z"))
	open(t, bridge.Relay{Name: "x", From: bridge.End{Transport: a, Spec: spec("x")},
		To: []bridge.End{{Transport: b, Spec: spec("y")}, {Transport: c, Spec: spec("z")}}})
	const old = 2 * time.Second
	if err := tx.Forward(number(7), old); err != nil {
		t.Fatal(err)
	}
	for _, rx := range []link.Receiver{y, z} {
		if stamp := await(t, rx, 7); stamp.Age < old {
			t.Errorf("a packet of age %v is %v old behind the bridge", old, stamp.Age)
		}
	}
}

func TestEveryForwardsOnlyEachNthPacket(t *testing.T) {
	a, b := host(t, "a"), host(t, "b")
	s := spec("x")
	s.Depth = 64
	tx, rx := sender(t, a, s), receiver(t, b, s)
	bridged := open(t, bridge.Relay{Name: "x", From: bridge.End{Transport: a, Spec: s}, To: []bridge.End{{Transport: b, Spec: s}}, Every: 3})
	testkit.Await(t, "the bridge is connected", func() bool { return tx.State().Connected })
	for n := range uint64(30) {
		_ = tx.Send(number(n + 1))
	}
	await(t, rx, 30)
	if c := bridged.Counters()[0]; c.Forwarded != 10 || c.Skipped != 20 {
		t.Errorf("of 30 packets %d went on and %d did not, want 10 and 20", c.Forwarded, c.Skipped)
	}
}

func TestMaxRateLimitsPacketsAndForwardsTheLast(t *testing.T) {
	a, b := host(t, "a"), host(t, "b")
	tx, rx := sender(t, a, spec("x")), receiver(t, b, spec("x"))
	bridged := open(t, bridge.Relay{Name: "x", From: bridge.End{Transport: a, Spec: spec("x")},
		To: []bridge.End{{Transport: b, Spec: spec("x")}}, MaxRate: 50})
	begin := time.Now()
	for n := range uint64(200) {
		_ = tx.Send(number(n + 1))
		time.Sleep(time.Millisecond)
	}
	await(t, rx, 200)
	most := uint64(time.Since(begin).Seconds()*50) + 2
	if c := bridged.Counters()[0]; c.Forwarded > most || c.Forwarded == 0 {
		t.Errorf("%d of 200 packets went on in %v, want at most %d", c.Forwarded, time.Since(begin), most)
	}
}

// TestFindWaitsForAnEndThatKnowsThePackets bridges a link whose packet type is known only to ends that open later.
func TestFindWaitsForAnEndThatKnowsThePackets(t *testing.T) {
	a, b := host(t, "a"), host(t, "b")
	bridged := open(t, bridge.Relay{Name: "x -> y",
		From: bridge.End{Transport: a, Spec: link.Spec{Name: "x"}, Find: a.Find},
		To:   []bridge.End{{Transport: b, Spec: link.Spec{Name: "y"}, Find: b.Find}}})
	if p := bridged.Counters()[0].Received.Problem; !strings.Contains(p, "no process has opened") {
		t.Errorf("problem %q", p)
	}
	rx := receiver(t, b, spec("y"))
	tx := sender(t, a, spec("x"))
	_ = tx.Send(number(3))
	await(t, rx, 3)
}

func TestOpenRejectsCycles(t *testing.T) {
	a, b := host(t, "a"), host(t, "b")
	end := func(on *shm.Transport, name string) bridge.End { return bridge.End{Transport: on, Spec: spec(name)} }
	for _, relays := range [][]bridge.Relay{
		{{Name: "x", From: end(a, "x"), To: []bridge.End{end(a, "x")}}},
		{{Name: "x", From: end(a, "x"), To: []bridge.End{end(b, "y")}}, {Name: "y", From: end(b, "y"), To: []bridge.End{end(a, "x")}}},
	} {
		if _, err := bridge.Open(relays, bridge.Options{}); err == nil || !strings.Contains(err.Error(), "loop") {
			t.Errorf("a cycle of %d relays: %v", len(relays), err)
		}
	}
}

// A relay between links that it finds in shared memory forwards packets with the lengths that they have.
func TestBridgeForwardsPacketsOfOwnLengths(t *testing.T) {
	here, there := host(t, "lengths-here"), host(t, "lengths-there")
	s := link.Spec{Name: "scan", Size: 100, Varies: true}
	tx, rx := sender(t, here, s), receiver(t, there, s)
	open(t, bridge.Relay{
		Name: "scan", From: bridge.End{Transport: here, Spec: link.Spec{Name: "scan"}, Find: here.Find},
		To: []bridge.End{{Transport: there, Spec: link.Spec{Name: "scan"}, Find: there.Find}},
	})
	buffer := make([]byte, s.Size)
	for n := 1; n <= s.Size; n += 9 {
		arrives := fmt.Sprintf("a packet of %d bytes arrives with its length", n)
		testkit.Await(t, arrives, func() bool { // the bridge may not have opened its ends yet
			if err := tx.Send(buffer[:n]); err != nil {
				t.Fatal(err)
			}
			stamp, err := rx.Receive(make([]byte, s.Size), 20*time.Millisecond)
			return err == nil && stamp.Size == n
		})
	}
}
