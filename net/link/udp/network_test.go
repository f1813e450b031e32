package udp

import (
	"encoding/binary"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// number fills a packet with a number; read returns that number, and fails if the packet is torn.
func number(packet []byte, n uint64) []byte {
	for i := 0; i+8 <= len(packet); i += 8 {
		binary.LittleEndian.PutUint64(packet[i:], n+uint64(i))
	}
	return packet
}

func read(t *testing.T, packet []byte) uint64 {
	t.Helper()
	n := binary.LittleEndian.Uint64(packet)
	for i := 0; i+8 <= len(packet); i += 8 {
		if m := binary.LittleEndian.Uint64(packet[i:]); m != n+uint64(i) {
			t.Fatalf("a torn packet: %d at byte %d, want %d", m, i, n+uint64(i))
		}
	}
	return n
}

func ends(t *testing.T, from, to *remote.Peer, spec link.Spec) (link.Sender, link.Receiver) {
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
	testkit.Await(t, "the link is connected", func() bool { return tx.State().Connected && rx.State().Connected })
	return tx, rx
}

// TestLinkSurvivesABadNetwork sends packets, small ones and ones of many parts, through a network that loses,
// repeats, reorders and damages datagrams.
func TestLinkSurvivesABadNetwork(t *testing.T) {
	for name, spec := range map[string]link.Spec{
		"small": {Name: "small", Size: 64}, "of many parts": {Name: "large", Size: 20_000}, "buffered": {Name: "buffered", Size: 64, Depth: 100},
	} {
		t.Run(name, func(t *testing.T) {
			robot, operator, between := relayed(t)
			tx, rx := ends(t, robot, operator, spec)
			between.tamper(func(r *rand.Rand, d []byte, _ bool) []delivery {
				var all []delivery
				for range 1 + r.IntN(20)/19 { // 5 % arrive twice
					f := delivery{d: d}
					switch r.IntN(20) {
					case 0: // lost
						continue
					case 1, 2, 3, 4:
						f.after = time.Duration(r.Int64N(int64(5 * time.Millisecond)))
					case 5:
						f.d = append([]byte(nil), d...)
						f.d[r.IntN(len(d))] ^= 1 << r.IntN(8)
					}
					all = append(all, f)
				}
				return all
			})
			const total = 500
			out, in := make([]byte, spec.Size), make([]byte, spec.Size)
			last, got := uint64(0), 0
			check := func(stamp link.Stamp) {
				n := read(t, in)
				if n <= last || n != stamp.Number {
					t.Fatalf("packet %d, of number %d, after %d", n, stamp.Number, last)
				}
				last = n
				got++
			}
			for n := uint64(1); n <= total; n++ {
				if err := tx.Send(number(out, n)); err != nil {
					t.Fatal(err)
				}
				if stamp, err := rx.Receive(in, time.Millisecond); err == nil {
					check(stamp)
				}
			}
			for last < total { // the newest packet arrives in the end
				stamp, err := rx.Receive(in, testkit.Patience())
				if err != nil {
					t.Fatalf("after packet %d: %v", last, err)
				}
				check(stamp)
			}
			s := rx.State()
			if s.Rejected == 0 || s.Stale == 0 || s.Packets != uint64(got) {
				t.Errorf("%d packets came; state %+v", got, s)
			}
		})
	}
}

// TestLinkRecoversFromACut cuts the network for a while. Both sides report it, and recover afterwards.
func TestLinkRecoversFromACut(t *testing.T) {
	robot, operator, between := relayed(t)
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64})
	between.tamper(func(*rand.Rand, []byte, bool) []delivery { return nil })
	begin := time.Now()
	testkit.Await(t, "both sides notice", func() bool { return !tx.State().Connected && !rx.State().Connected })
	if a, b := tx.State().Problem, rx.State().Problem; a != "robot does not answer" || b != "operator does not answer" {
		t.Errorf("the problems are %q and %q", a, b)
	}
	n := uint64(0)
	cut := 3 * time.Second
	if testing.Short() {
		cut /= 6
	}
	for ; time.Since(begin) < cut; time.Sleep(time.Millisecond) {
		n++
		if err := tx.Send(number(make([]byte, 64), n)); err != nil {
			t.Fatal(err)
		}
	}
	between.tamper(nil)
	in := make([]byte, 64)
	stamp, err := rx.Receive(in, testkit.Patience())
	if err != nil || read(t, in) != n || stamp.Number != n {
		t.Errorf("after the cut came packet %d (%v), want the newest, %d", stamp.Number, err, n)
	}
	testkit.Await(t, "both sides are connected again", func() bool { return tx.State().Connected && rx.State().Connected })
}

// TestAgeIncludesTheDelayOfTheNetwork delays the network by 100 ms each way. The test may stand still between a packet's arrival and its
// own look at the clock, so a packet can be younger than the test sees, never older.
func TestAgeIncludesTheDelayOfTheNetwork(t *testing.T) {
	robot, operator, between := relayed(t)
	const delay = 100 * time.Millisecond
	between.tamper(func(_ *rand.Rand, d []byte, _ bool) []delivery { return []delivery{{d, delay}} })
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64})
	testkit.Await(t, "the round trip is known", func() bool { return operator.State().Trip != 0 })
	in := make([]byte, 64)
	n, right := uint64(0), 0
	testkit.AwaitEvery(t, 0, "the ages of five packets are those that the test sees", func() bool {
		n++
		begin := time.Now()
		if err := tx.Forward(number(make([]byte, 64), n), time.Second); err != nil {
			t.Fatal(err)
		}
		for {
			stamp, err := rx.Receive(in, testkit.Patience())
			if err != nil {
				t.Fatal(err)
			}
			if stamp.Number != n {
				continue
			}
			truth, trip := time.Second+time.Since(begin), operator.State().Trip
			wrong := stamp.Age - truth
			if wrong > trip/2+5*time.Millisecond || stamp.Age < time.Second {
				t.Errorf("packet %d is at most %v old, Age is %v; the round trip is %v", n, truth, stamp.Age, trip)
			}
			if wrong > -trip/2-5*time.Millisecond {
				right++
			}
			return right == 5
		}
	})
}

// TestPeerMayChangeItsAddress moves the operator to another address repeatedly; datagrams of unknown senders do not move
// it.
func TestPeerMayChangeItsAddress(t *testing.T) {
	robot, operator, between := relayed(t)
	there, atRobot := ends(t, robot, operator, link.Spec{Name: "there", Size: 64})
	back, atOperator := ends(t, operator, robot, link.Spec{Name: "back", Size: 64})
	in := make([]byte, 64)
	for n := uint64(1); n <= 5; n++ {
		at := between.move()
		testkit.Await(t, "the robot knows the new address", func() bool { return operator.State().Address.IP == at })
		_ = there.Send(number(in, n))
		_ = back.Send(number(in, n))
		for _, rx := range []link.Receiver{atRobot, atOperator} {
			for {
				stamp, err := rx.Receive(in, testkit.Patience())
				if err != nil {
					t.Fatal(err)
				}
				if stamp.Number == n {
					break
				}
			}
		}
	}
	at := operator.State().Address
	replay(t, between.recorded(), between.to, nil)
	if now := operator.State().Address; now != at {
		t.Errorf("replayed datagrams moved the operator from %v to %v", at, now)
	}
}

// replay sends datagrams from a fresh address, after change has modified them.
func replay(t *testing.T, all [][]byte, to *net.UDPAddr, change func(i int, d []byte)) {
	t.Helper()
	conn, err := net.DialUDP("udp", nil, to)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for i, d := range all {
		d = append([]byte(nil), d...)
		if change != nil {
			change(i, d)
		}
		_, _ = conn.Write(d)
		if i%50 == 49 {
			time.Sleep(time.Millisecond) // a socket's buffer is limited
		}
	}
}

// TestReplayedDatagramsAreRejected sends all recorded datagrams again, unchanged and with a bit flipped: no packet
// arrives, and all are counted.
func TestReplayedDatagramsAreRejected(t *testing.T) {
	for name, change := range map[string]func(i int, d []byte){
		"as it was": nil, "damaged": func(i int, d []byte) { d[i%len(d)] ^= 1 << (i % 8) },
	} {
		t.Run(name, func(t *testing.T) {
			robot, operator, between := relayed(t)
			tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64, Depth: 1000})
			in := make([]byte, 64)
			const total = 300
			for n := uint64(1); n <= total; n++ {
				_ = tx.Send(number(in, n))
			}
			for got := uint64(0); got < total; got = read(t, in) {
				if _, err := rx.Receive(in, testkit.Patience()); err != nil {
					t.Fatal(err)
				}
			}
			all, before := between.recorded(), operator.State()
			replay(t, all, between.to, change)
			testkit.Await(t, "they are counted", func() bool {
				s := rx.State()
				return s.Stale+s.Rejected >= before.Stale+total/2
			})
			if stamp, ok := rx.TryReceive(in); ok {
				t.Errorf("packet %d arrived", stamp.Number)
			}
			_ = tx.Send(number(in, total+1))
			if _, err := rx.Receive(in, testkit.Patience()); err != nil || read(t, in) != total+1 {
				t.Errorf("the link is broken: %v", err)
			}
		})
	}
}

// TestHostListensAtAllKindsOfAddresses opens hosts at IPv4, IPv6 and wildcard addresses.
func TestHostListensAtAllKindsOfAddresses(t *testing.T) {
	for _, c := range []struct{ local, call string }{{":0", "127.0.0.1"}, {"[::1]:0", "::1"}, {"127.0.0.1:0", "127.0.0.1"}, {"[::]:0", "::1"}} {
		t.Run(c.local, func(t *testing.T) {
			operatorID, robotID := identity(t), identity(t)
			r, err := remote.Open(Carrier(), remote.Config{Name: "robot", Identity: robotID, Local: c.local, Period: period})
			if err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			defer r.Close()
			d := host(t, remote.Config{Name: "operator", Identity: operatorID, Local: c.local})
			operator := join(t, r, remote.PeerConfig{Name: "operator", Key: operatorID.Public()})
			to := netip.AddrPortFrom(netip.MustParseAddr(c.call), r.Addr().IP.Port())
			robot := join(t, d, remote.PeerConfig{Name: "robot", Key: robotID.Public(), Address: to.String()})
			tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64})
			_ = tx.Send(number(make([]byte, 64), 1))
			if _, err := rx.Receive(make([]byte, 64), testkit.Patience()); err != nil {
				t.Error(err)
			}
		})
	}
	busy := host(t, remote.Config{Name: "a", Identity: identity(t)})
	_ = join(t, busy, remote.PeerConfig{Name: "b", Key: identity(t).Public()})
	if h, err := remote.Open(Carrier(), remote.Config{Name: "c", Identity: identity(t), Local: busy.Addr().String()}); err == nil {
		h.Close()
		t.Error("two hosts listen at one address")
	}
	if _, err := remote.Open(Carrier(), remote.Config{Name: "c", Local: "nowhere"}); err == nil {
		t.Error("a host listens at an invalid address")
	}
}
