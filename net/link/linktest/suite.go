// Package linktest is the conformance suite that every transport of net/link passes.
package linktest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// Pair is the two sides of a transport, which may be the same.
type Pair struct {
	Sending, Receiving link.Transport
	// Reliable means that a buffered link loses no packet unless its buffer is full.
	Reliable bool
	// SendingProgram and ReceivingProgram mean that the end is a program with the library for other languages. It shows packets,
	// their ages and whether there is a peer, but no numbers, problems or panics: what asks for those is left out.
	SendingProgram, ReceivingProgram bool
}

// needs lists the ends of which a test asks more than a program shows.
type needs uint8

const (
	goSender needs = 1 << iota
	goReceiver
	goBoth = goSender | goReceiver
)

// ageError is how much the age of a packet may exceed the truth, because a transport between hosts estimates the difference of their
// clocks.
const ageError = 5 * time.Second

// Run runs the suite. make returns fresh transports; Run calls it for each test.
func Run(t *testing.T, make func(t *testing.T) Pair) {
	for _, c := range []struct {
		name  string
		test  func(*testing.T, Pair)
		needs needs
	}{
		{"newest wins", newestWins, 0}, {"order", order, 0}, {"late receiver", lateReceiver, 0}, {"buffered", buffered, 0},
		{"packets of own lengths", ownLengths, 0}, {"long packets of own lengths", longOwnLengths, goBoth}, {"full queues", fullQueues, 0}, {"fan-out", fanOut, 0}, {"timeout", timeout, 0}, {"close wakes", closeWakes, goReceiver},
		{"gaps", gaps, goReceiver}, {"age", age, 0}, {"age of forwarded packets", forwarded, 0},
		{"peers come and go", comeAndGo, 0}, {"receivers return", receiversReturn, 0},
		{"mismatch", mismatch, goBoth}, {"wrong size panics", wrongSize, goBoth}, {"bad specs", badSpecs, 0},
		{"no allocations", noAllocations, goBoth}, {"many packets", manyPackets, goBoth}, {"many packets buffered", manyBuffered, goBoth},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.NoLeaks(t)
			p := make(t)
			if p.SendingProgram && c.needs&goSender != 0 || p.ReceivingProgram && c.needs&goReceiver != 0 {
				t.Skip("a program does not show what this test looks at")
			}
			c.test(t, p)
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

// number returns the number that packet wrote, and fails if the packet is torn.
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
	testkit.Await(t, "the ends are connected", func() bool { return tx.State().Connected && rx.State().Connected })
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

func send(t *testing.T, tx link.Sender, n uint64) {
	t.Helper()
	if err := tx.Send(packet(n)); err != nil {
		t.Fatal(err)
	}
}

// await receives until packet n arrives; other packets may only come before it, in rising order.
func await(t *testing.T, rx link.Receiver, n uint64) link.Stamp {
	t.Helper()
	p, last := packet(0), uint64(0)
	for {
		stamp, err := rx.Receive(p, testkit.Patience())
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
	begin := time.Now()
	for n := uint64(2); n <= 100; n++ {
		send(t, tx, n)
	}
	stamp := await(t, rx, 100)
	if most := time.Since(begin) + ageError; !p.ReceivingProgram && (stamp.Number != 100 || stamp.Age < 0 || stamp.Age > most) {
		t.Errorf("stamp %+v of packet 100, want an age of at most %v", stamp, most)
	}
	if _, ok := rx.TryReceive(packet(0)); ok {
		t.Error("the same packet came twice")
	}
	if s := tx.State(); s.Packets != 100 {
		t.Errorf("the sender counts %d packets, want 100", s.Packets)
	}
	if s := rx.State(); !p.ReceivingProgram && s.Packets+s.Lost != 100 {
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
		if _, err := rx.Receive(buffer, testkit.Patience()); err != nil {
			t.Fatalf("packet %d: %v", n, err)
		}
		if m := number(t, buffer); m != n && p.Reliable {
			t.Fatalf("packet %d, want %d", m, n)
		}
	}
}

// prime sends packets, which count from 1<<40, until the newest of them has passed: packets sent before a receiver is known are not
// kept. Because packets keep their order, none of these arrives later.
func prime(t *testing.T, tx link.Sender, rx link.Receiver) {
	t.Helper()
	n, buffer := uint64(1<<40), packet(0)
	testkit.Await(t, "a packet arrives", func() bool {
		n++
		send(t, tx, n)
		for {
			if _, err := rx.Receive(buffer, 20*time.Millisecond); err != nil {
				return false
			}
			if number(t, buffer) == n {
				return true
			}
		}
	})
}

func fullQueues(t *testing.T, p Pair) {
	for _, policy := range []lockfree.Overflow{lockfree.DropOldest, lockfree.DropNewest} {
		if p.SendingProgram && policy != lockfree.DropOldest {
			continue // the library has this policy alone
		}
		s := spec("full-" + policy.String())
		s.Depth, s.Overflow = 8, policy
		tx, rx := ends(t, p, s)
		prime(t, tx, rx)
		// Nothing shows when the last of 100 packets has come through an unreliable transport: on a busy machine a longer wait is needed.
		var err error
		for wait := 100 * time.Millisecond; ; wait *= 4 {
			if err = overflow(t, p, s, tx, rx, wait); err == nil || p.Reliable || wait > testkit.Patience() {
				break
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// overflow sends 100 packets into a queue for 8, and checks those that are in it after a time.
func overflow(t *testing.T, p Pair, s link.Spec, tx link.Sender, rx link.Receiver, wait time.Duration) error {
	t.Helper()
	for n := uint64(1); n <= 100; n++ {
		send(t, tx, n)
	}
	if !p.Reliable {
		time.Sleep(wait)
	}
	buffer := packet(0)
	if _, err := rx.Receive(buffer, testkit.Patience()); err != nil {
		t.Fatal(err)
	}
	first, count := number(t, buffer), 1
	for {
		if _, ok := rx.TryReceive(buffer); !ok {
			break
		}
		count++
	}
	switch last := number(t, buffer); {
	case count > s.Depth:
		return fmt.Errorf("%v: %d packets waited in a queue of %d", s.Overflow, count, s.Depth)
	case s.Overflow == lockfree.DropOldest && last != 100:
		return fmt.Errorf("%v: the last of them is %d, want 100", s.Overflow, last)
	case s.Overflow == lockfree.DropNewest && first != 1:
		return fmt.Errorf("%v: the first of them is %d, want 1", s.Overflow, first)
	}
	return nil
}

func fanOut(t *testing.T, p Pair) {
	tx, first := ends(t, p, spec("fan-out"))
	rest := []link.Receiver{receiver(t, p, spec("fan-out")), receiver(t, p, spec("fan-out"))}
	testkit.Await(t, "all are connected", func() bool { return rest[0].State().Connected && rest[1].State().Connected })
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

// gaps checks that a receiver can count lost packets from the numbers, on both kinds of link.
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
	nap := 20 * time.Millisecond
	begin := time.Now()
	send(t, tx, 1)
	await(t, rx, 1)
	time.Sleep(nap)
	state := rx.State()
	if most := time.Since(begin); state.Age < nap.Seconds() || state.Age > (most+nap).Seconds() {
		t.Errorf("the newest packet is %v s old, want between %v and %v", state.Age, nap, most)
	}
}

func forwarded(t *testing.T, p Pair) {
	tx, rx := ends(t, p, spec("forwarded"))
	const before = 3 * time.Second
	begin := time.Now()
	if err := tx.Forward(packet(1), before); err != nil {
		t.Fatal(err)
	}
	if stamp := await(t, rx, 1); stamp.Age < before || stamp.Age > before+time.Since(begin)+ageError {
		t.Errorf("a packet that was %v old when it was forwarded is %v old when received", before, stamp.Age)
	}
}
