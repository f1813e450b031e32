package remote

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// The tests of this file hold links between hosts against the text of FAST-Robots, 2003: the robot's program is the experiment, that
// of the command station the monitor.

// dataBlock returns a block of data whose bytes all depend on its number.
func dataBlock(n uint64, size int) []byte {
	d := make([]byte, size)
	for i := range d {
		d[i] = byte(n*31 + uint64(i)*7)
	}
	binary.LittleEndian.PutUint64(d, n)
	return d
}

// checkBlock returns the number of a block, and fails if one of its bytes is not what was sent.
func checkBlock(t *testing.T, d []byte) uint64 {
	t.Helper()
	n := binary.LittleEndian.Uint64(d)
	if string(dataBlock(n, len(d))) != string(d) {
		t.Fatalf("block %d has changed on its way", n)
	}
	return n
}

func sendEnd(t *testing.T, p *Peer, s link.Spec) link.Sender {
	t.Helper()
	tx, err := p.Send(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func receiveEnd(t *testing.T, p *Peer, s link.Spec) link.Receiver {
	t.Helper()
	rx, err := p.Receive(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rx.Close() })
	return rx
}

// awaitFresh sends blocks, counting n on, until one of them arrives, and returns its number.
func awaitFresh(t *testing.T, what string, tx link.Sender, rx link.Receiver, size int, n *uint64) (got uint64) {
	t.Helper()
	first, in := *n, make([]byte, size)
	testkit.Await(t, what, func() bool {
		*n++
		if err := tx.Send(dataBlock(*n, size)); err != nil {
			t.Fatal(err)
		}
		if _, ok := rx.TryReceive(in); ok {
			got = checkBlock(t, in)
		}
		return got > first
	})
	return got
}

// Lines 330 to 337 of the text: the experiment level "makes sure that the objects arrive intact, but not necessarily all or in any particular sequence". Each
// block takes four datagrams, of which the network loses, changes, doubles and exchanges some.
func TestBlocksArriveIntactOrNotAtAll(t *testing.T) {
	w, r := newWire(), testkit.Rand(t)
	toRobot, toStation := pair(t, w, nil)
	const size = 5000
	spec := link.Spec{Name: "camera", Size: size}
	tx, rx := sendEnd(t, toStation, spec), receiveEnd(t, toRobot, spec)
	eventually(t, "the ends are connected", func() bool { return tx.State().Connected && rx.State().Connected })
	var held []byte
	w.tamper(func(d []byte, _, _ link.Address) [][]byte {
		all := [][]byte{d}
		switch k := r.IntN(20); {
		case k < 2:
			all = nil
		case k < 4:
			d[r.IntN(len(d))] ^= 1 << r.IntN(8)
		case k < 5:
			all = append(all, append([]byte(nil), d...))
		case k < 7 && held == nil:
			held, all = d, nil
		}
		if held != nil && len(all) > 0 {
			all, held = append(all, held), nil
		}
		return all
	})
	n, arrived := uint64(0), 0
	in := make([]byte, size)
	testkit.Await(t, "100 blocks arrive, and some do not", func() bool {
		n++
		if err := tx.Send(dataBlock(n, size)); err != nil {
			t.Fatal(err)
		}
		if stamp, ok := rx.TryReceive(in); ok {
			arrived++
			if got := checkBlock(t, in); got != stamp.Number || stamp.Size != size {
				t.Fatalf("block %d of %d bytes came as number %d with %d", got, size, stamp.Number, stamp.Size)
			}
		}
		return arrived >= 100 && rx.State().Lost > 0
	})
}

// Lines 338 to 342: data that rely on latency "should include additional timestamps" and "use buffer sizes below the path MTU of the underlying
// network in order to prevent additional latency through fragmentation/reassembly". The path takes no datagram above the carrier's length.
func TestBlocksHaveTimestampsAndStayBelowThePathMTU(t *testing.T) {
	w := newWire()
	longest := 0
	w.tamper(func(d []byte, _, _ link.Address) [][]byte {
		longest = max(longest, len(d))
		return [][]byte{d}
	})
	toRobot, toStation := pair(t, w, nil)
	spec := link.Spec{Name: "scan", Size: 10_000}
	tx, rx := sendEnd(t, toStation, spec), receiveEnd(t, toRobot, spec)
	n := uint64(0)
	awaitFresh(t, "a block arrives", tx, rx, 10_000, &n)
	begin := time.Now()
	if err := tx.Send(dataBlock(n+1, 10_000)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // the block waits for its reader, and grows older
	in := make([]byte, 10_000)
	stamp, err := rx.Receive(in, testkit.Patience())
	if most := time.Since(begin); err != nil || checkBlock(t, in) == n+1 && (stamp.Age <= 0 || stamp.Age > most+time.Second) {
		t.Errorf("the age of a block that was sent %v ago is %v: %v", most, stamp.Age, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if limit := (&wireEnd{}).carrier().MaxDatagram; longest > limit || longest < limit/2 {
		t.Errorf("the longest of the datagrams has %d bytes; the path takes %d", longest, limit)
	}
}

// Lines 285 to 289: "the monitor is initiating the connection that the experiment expects. By this, an experiment can be run unconnected and a monitor
// can reconnect to it at a later time."
func TestMonitorConnectsAndReconnectsWhileTheExperimentRuns(t *testing.T) {
	w := newWire()
	stationID, robotID := identity(t), identity(t)
	called := 0
	w.tamper(func(d []byte, from, _ link.Address) [][]byte {
		called++
		return [][]byte{d}
	})
	robot := host(t, w, Config{Name: "robot", Identity: robotID})
	toStation := join(t, robot, PeerConfig{Name: "operator", Key: stationID.Public()}) // without an address: it expects
	spec := link.Spec{Name: "scan", Size: 100}
	tx := sendEnd(t, toStation, spec)
	n := uint64(0)
	for ; n < 50; n++ {
		if err := tx.Send(dataBlock(n+1, 100)); err != nil {
			t.Fatal("the experiment does not run unconnected: ", err)
		}
	}
	w.mu.Lock()
	if called != 0 || tx.State().Connected {
		t.Errorf("the experiment has sent %d datagrams before a monitor called", called)
	}
	w.mu.Unlock()
	for visit := range 2 {
		station, err := Open(w.end().carrier(), Config{Name: "operator", Identity: stationID, Period: period})
		if err != nil {
			t.Fatal(err)
		}
		toRobot := join(t, station, PeerConfig{Name: "robot", Key: robotID.Public(), Address: robot.Addr().String()})
		rx, err := toRobot.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		awaitFresh(t, "the monitor sees what the experiment sends now", tx, rx, 100, &n)
		rx.Close()
		station.Close()
		if visit == 0 {
			eventually(t, "the experiment notices that the monitor has gone", func() bool { return !tx.State().Connected })
			for range 50 {
				n++
				if err := tx.Send(dataBlock(n, 100)); err != nil {
					t.Fatal("the experiment does not go on: ", err)
				}
			}
		}
	}
}

// Lines 261 to 264: "different experiments on the same robot are controlled by different command stations". Lines 274 to 277: "the possibility of instantiating a
// monitor several times in order to connect to several similar experiments on different robots".
func TestStationsShareARobotAndAStationHasSeveralRobots(t *testing.T) {
	w := newWire()
	ids := map[string]Identity{}
	hosts := map[string]*Endpoint{}
	for _, name := range []string{"papa", "mother", "left", "right"} {
		ids[name] = identity(t)
		hosts[name] = host(t, w, Config{Name: name, Identity: ids[name]})
	}
	spec := link.Spec{Name: "scan", Size: 64} // of one name everywhere
	for i, c := range []struct{ robot, station string }{{"papa", "left"}, {"papa", "right"}, {"mother", "left"}} {
		toStation := join(t, hosts[c.robot], PeerConfig{Name: c.station, Key: ids[c.station].Public()})
		toRobot := join(t, hosts[c.station], PeerConfig{Name: c.robot, Key: ids[c.robot].Public(), Address: hosts[c.robot].Addr().String()})
		n := uint64(i) << 32
		if got := awaitFresh(t, c.station+" sees "+c.robot, sendEnd(t, toStation, spec), receiveEnd(t, toRobot, spec), 64, &n); got>>32 != uint64(i) {
			t.Errorf("%s gets block %d from %s: that of another pair", c.station, got, c.robot)
		}
	}
}

// Lines 344 to 349: the network class "can be replaced with a different class using a different network infrastructure provided that it is able to transmit blocks of
// binary data". This one has memory for a network, and in the first case datagrams of the least length.
func TestNetworkClassIsExchangeable(t *testing.T) {
	for _, datagram := range []int{link.MinDatagram, 1400} {
		w := newWire()
		open := func(c Config) *Endpoint {
			carrier := w.end().carrier()
			carrier.MaxDatagram, c.Period = datagram, period
			h, err := Open(carrier, c)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { h.Close() })
			return h
		}
		stationID, robotID := identity(t), identity(t)
		station, robot := open(Config{Name: "operator", Identity: stationID}), open(Config{Name: "robot", Identity: robotID})
		toStation := join(t, robot, PeerConfig{Name: "operator", Key: stationID.Public()})
		toRobot := join(t, station, PeerConfig{Name: "robot", Key: robotID.Public(), Address: robot.Addr().String()})
		spec := link.Spec{Name: "scan", Size: 91 * 8} // 91 distances
		n := uint64(0)
		awaitFresh(t, "a scan arrives", sendEnd(t, toStation, spec), receiveEnd(t, toRobot, spec), 91*8, &n)
	}
}
