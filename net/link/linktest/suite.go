// Package linktest is the conformance suite that every transport of net/link passes.
package linktest

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// Pair is a transport seen from its two sides, which may be one.
type Pair struct {
	Sending, Receiving link.Transport
	// Reliable says that no packet of a buffered link is lost while it is not full.
	Reliable bool
}

// patience is how long the suite waits for what must happen.
const patience = 5 * time.Second

// Run runs the suite. make returns fresh transports and is called for each test.
func Run(t *testing.T, make func(t *testing.T) Pair) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Pair)
	}{
		{"newest wins", newestWins}, {"order", order}, {"late receiver", lateReceiver}, {"buffered", buffered},
		{"full queues", fullQueues}, {"fan-out", fanOut}, {"timeout", timeout}, {"close wakes", closeWakes},
		{"gaps", gaps}, {"age", age}, {"age of forwarded packets", forwarded}, {"peers come and go", comeAndGo}, {"receivers return", receiversReturn},
		{"mismatch", mismatch}, {"wrong size panics", wrongSize}, {"bad specs", badSpecs},
		{"no allocations", noAllocations}, {"many packets", manyPackets}, {"many packets buffered", manyBuffered},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.NoLeaks(t)
			c.test(t, make(t))
		})
	}
}

func spec(name string) link.Spec { return link.Spec{Name: name, Schema: "uint64 value\n", Size: 64} }

func packet(n uint64) []byte {
	p := make([]byte, 64)
	for i := 0; i < len(p); i += 8 {
		binary.LittleEndian.PutUint64(p[i:], n)
	}
	return p
}

// number returns what packet made, and fails where the packet is torn.
func number(t *testing.T, p []byte) uint64 {
	t.Helper()
	n := binary.LittleEndian.Uint64(p)
	for i := 0; i < len(p); i += 8 {
		if m := binary.LittleEndian.Uint64(p[i:]); m != n {
			t.Fatalf("torn packet: %d and %d", n, m)
		}
	}
	return n
}

func ends(t *testing.T, p Pair, s link.Spec) (link.Sender, link.Receiver) {
	t.Helper()
	tx, err := p.Sending.Send(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	rx := receiver(t, p, s)
	eventually(t, "the ends are connected", func() bool { return tx.State().Connected && rx.State().Connected })
	return tx, rx
}

func receiver(t *testing.T, p Pair, s link.Spec) link.Receiver {
	t.Helper()
	rx, err := p.Receiving.Receive(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rx.Close() })
	return rx
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for begin := time.Now(); !ok(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatalf("it did not happen in %v that %s", patience, what)
		}
	}
}

func send(t *testing.T, tx link.Sender, n uint64) {
	t.Helper()
	if err := tx.Send(packet(n)); err != nil {
		t.Fatal(err)
	}
}

// await receives until the packet n comes; others must come before it, in rising order.
func await(t *testing.T, rx link.Receiver, n uint64) link.Stamp {
	t.Helper()
	p, last := packet(0), uint64(0)
	for {
		stamp, err := rx.Receive(p, patience)
		if err != nil {
			t.Fatalf("waiting for packet %d: %v", n, err)
		}
		m := number(t, p)
		if m < last {
			t.Fatalf("packet %d after %d", m, last)
		}
		if last = m; m == n {
			return stamp
		}
	}
}

func newestWins(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("newest"))
	send(t, tx, 1)
	await(t, rx, 1)
	for n := uint64(2); n <= 100; n++ {
		send(t, tx, n)
	}
	stamp := await(t, rx, 100)
	if stamp.Number != 100 || stamp.Age < 0 || stamp.Age > patience {
		t.Errorf("stamp %+v of packet 100", stamp)
	}
	if _, ok := rx.TryReceive(packet(0)); ok {
		t.Error("the same packet came twice")
	}
	if s := tx.State(); s.Packets != 100 {
		t.Errorf("the sender counts %d packets, want 100", s.Packets)
	}
	if s := rx.State(); s.Packets+s.Lost != 100 {
		t.Errorf("the receiver counts %d packets and %d lost, want 100 in all", s.Packets, s.Lost)
	}
}

func order(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("order"))
	for n := uint64(1); n <= 50; n++ {
		send(t, tx, n)
		await(t, rx, n)
	}
}

func lateReceiver(t *testing.T, p Pair) {
	tx, err := p.Sending.Send(spec("late"))
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	send(t, tx, 7)
	rx := receiver(t, p, spec("late"))
	await(t, rx, 7)
}

func buffered(t *testing.T, p Pair) {
	s := spec("buffered")
	s.Depth = 32
	tx, rx := ends(t, p, s)
	prime(t, tx, rx)
	for n := uint64(1); n <= 20; n++ {
		send(t, tx, n)
	}
	for n := uint64(1); n <= 20; n++ {
		buffer := packet(0)
		if _, err := rx.Receive(buffer, patience); err != nil {
			t.Fatalf("packet %d: %v", n, err)
		}
		if m := number(t, buffer); m != n && p.Reliable {
			t.Fatalf("packet %d, want %d", m, n)
		}
	}
}

// prime sends until a buffered link is seen to work: what was sent before a receiver was known is not kept.
func prime(t *testing.T, tx link.Sender, rx link.Receiver) {
	t.Helper()
	eventually(t, "a packet comes through", func() bool {
		send(t, tx, 0)
		_, err := rx.Receive(packet(0), 10*time.Millisecond)
		return err == nil
	})
	for {
		if _, err := rx.Receive(packet(0), 20*time.Millisecond); err != nil {
			return
		}
	}
}

func fullQueues(t *testing.T, p Pair) {
	for _, policy := range []lockfree.Overflow{lockfree.DropOldest, lockfree.DropNewest} {
		s := spec("full-" + policy.String())
		s.Depth, s.Overflow = 8, policy
		tx, rx := ends(t, p, s)
		prime(t, tx, rx)
		for n := uint64(1); n <= 100; n++ {
			send(t, tx, n)
		}
		if !p.Reliable {
			time.Sleep(100 * time.Millisecond)
		}
		first := packet(0)
		if _, err := rx.Receive(first, patience); err != nil {
			t.Fatal(err)
		}
		n := number(t, first)
		count := uint64(1)
		for {
			if _, ok := rx.TryReceive(first); !ok {
				break
			}
			count++
		}
		last := number(t, first)
		switch {
		case count > 8:
			t.Errorf("%v: %d packets waited in a queue of 8", policy, count)
		case policy == lockfree.DropOldest && last != 100:
			t.Errorf("%v: the last of them is %d, want 100", policy, last)
		case policy == lockfree.DropNewest && n != 1:
			t.Errorf("%v: the first of them is %d, want 1", policy, n)
		}
	}
}

func fanOut(t *testing.T, p Pair) {
	tx, first := ends(t, p, spec("fan-out"))
	rest := []link.Receiver{receiver(t, p, spec("fan-out")), receiver(t, p, spec("fan-out"))}
	eventually(t, "all are connected", func() bool { return rest[0].State().Connected && rest[1].State().Connected })
	for n := uint64(1); n <= 20; n++ {
		send(t, tx, n)
		for _, rx := range append(rest, first) {
			await(t, rx, n)
		}
	}
}

func timeout(t *testing.T, p Pair) {
	_, rx := ends(t, p, spec("timeout"))
	begin := time.Now()
	if _, err := rx.Receive(packet(0), 30*time.Millisecond); !errors.Is(err, link.ErrTimeout) {
		t.Errorf("received %v, want a timeout", err)
	}
	if took := time.Since(begin); took < 29*time.Millisecond {
		t.Errorf("a timeout of 30 ms after %v", took)
	}
}

// gaps checks that a receiver learns from the numbers what it has not seen, on either kind of link.
func gaps(t *testing.T, p Pair) {
	for _, depth := range []int{0, 4} {
		s := spec("gaps")
		s.Depth = depth
		tx, rx := ends(t, p, s)
		prime(t, tx, rx)
		send(t, tx, 1)
		begin := await(t, rx, 1)
		before := rx.State()
		for n := uint64(2); n <= 51; n++ {
			send(t, tx, n)
		}
		end := await(t, rx, 51)
		if n := end.Number - begin.Number; n != 50 {
			t.Errorf("depth %d: the numbers rose by %d while 50 were sent", depth, n)
		}
		after := rx.State()
		if n := after.Packets - before.Packets + after.Lost - before.Lost; n != 50 {
			t.Errorf("depth %d: %d packets and %d lost, want 50 in all", depth, after.Packets-before.Packets, after.Lost-before.Lost)
		}
		rx.Close()
		tx.Close()
	}
}

// age checks that the age of a packet counts from Send, not from reception.
func age(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("age"))
	const nap = 20 * time.Millisecond
	begin := time.Now()
	send(t, tx, 1)
	await(t, rx, 1)
	time.Sleep(nap)
	state := rx.State()
	if most := time.Since(begin); state.Age < nap || state.Age > most+nap {
		t.Errorf("the newest packet is %v old, want between %v and %v", state.Age, nap, most)
	}
}

func forwarded(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("forwarded"))
	const before = 3 * time.Second
	if err := tx.Forward(packet(1), before); err != nil {
		t.Fatal(err)
	}
	if stamp := await(t, rx, 1); stamp.Age < before || stamp.Age > before+patience {
		t.Errorf("a packet that was %v old when it was forwarded is %v old when received", before, stamp.Age)
	}
}
