package tcp

import (
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// relay forwards streams to an address, unless it stalls.
type relay struct {
	listener *net.TCPListener
	stalls   atomic.Bool
	work     sync.WaitGroup
	mu       sync.Mutex
	conns    []net.Conn
}

func newRelay(t testing.TB, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: l.(*net.TCPListener)}
	r.work.Go(func() {
		for {
			near, err := r.listener.AcceptTCP()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			_ = near.SetReadBuffer(16 << 10)
			r.mu.Lock()
			r.conns = append(r.conns, near, far)
			r.mu.Unlock()
			r.work.Go(func() { r.forward(near, far) })
			r.work.Go(func() { r.forward(far, near) })
		}
	})
	t.Cleanup(func() {
		r.listener.Close()
		r.drop()
		r.work.Wait()
	})
	return r
}

func (r *relay) forward(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	for buffer := make([]byte, 4096); ; {
		for r.stalls.Load() {
			time.Sleep(time.Millisecond)
		}
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// drop closes all streams.
func (r *relay) drop() {
	r.stalls.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
}

func relayed(t testing.TB) (robot, operator *remote.Peer, between *relay) {
	t.Helper()
	d, r := host(t, remote.Config{Name: "operator", Insecure: true}), host(t, remote.Config{Name: "robot", Insecure: true})
	between = newRelay(t, r.Addr().String())
	operator = join(t, r, remote.PeerConfig{Name: "operator"})
	return join(t, d, remote.PeerConfig{Name: "robot", Address: between.listener.Addr().String()}), operator, between
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

// TestStalledStreamDropsOldPackets stalls the stream while far more is sent than it can hold. Send does not wait, and
// afterwards few old packets arrive before the newest.
func TestStalledStreamDropsOldPackets(t *testing.T) {
	robot, operator, between := relayed(t)
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 20_000})
	between.stalls.Store(true)
	packet := make([]byte, 20_000)
	const total = 2000 // 40 MB
	for n := uint64(1); n <= total; n++ {
		binary.LittleEndian.PutUint64(packet, n)
		if err := tx.Send(packet); err != nil {
			t.Fatal(err)
		}
		if n%100 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	if s := tx.State(); s.Lost < total/2 {
		t.Errorf("of %d packets into a stalled stream %d made room for newer ones", total, s.Lost)
	}
	between.stalls.Store(false)
	old := 0
	for {
		stamp, err := rx.Receive(packet, testkit.Patience())
		if err != nil {
			t.Fatal(err)
		}
		if n := binary.LittleEndian.Uint64(packet); n != stamp.Number {
			t.Fatalf("packet %d has number %d", n, stamp.Number)
		}
		if stamp.Number == total {
			break
		}
		old++
	}
	if old > total/4 {
		t.Errorf("%d old packets came before the newest", old)
	}
}

// TestBufferedLinkSurvivesAStall sends as many packets as the queue holds through a stalled stream: all arrive.
func TestBufferedLinkSurvivesAStall(t *testing.T) {
	robot, operator, between := relayed(t)
	const total = 100
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 20_000, Depth: total})
	between.stalls.Store(true)
	packet := make([]byte, 20_000)
	for n := uint64(1); n <= total; n++ {
		binary.LittleEndian.PutUint64(packet, n)
		if err := tx.Send(packet); err != nil {
			t.Fatal(err)
		}
	}
	between.stalls.Store(false)
	for n := uint64(1); n <= total; n++ {
		if _, err := rx.Receive(packet, testkit.Patience()); err != nil || binary.LittleEndian.Uint64(packet) != n {
			t.Fatalf("packet %d, %v, want %d", binary.LittleEndian.Uint64(packet), err, n)
		}
	}
}

// TestDroppedStreamsAreReplaced breaks the streams; new ones replace them.
func TestDroppedStreamsAreReplaced(t *testing.T) {
	robot, operator, between := relayed(t)
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64})
	back, atOperator := ends(t, operator, robot, link.Spec{Name: "back", Size: 64})
	for n := uint64(1); n <= 5; n++ {
		between.drop()
		_ = tx.Send(make([]byte, 64))
		_ = back.Send(make([]byte, 64))
		for _, rx := range []link.Receiver{rx, atOperator} {
			if stamp, err := rx.Receive(make([]byte, 64), testkit.Patience()); err != nil || stamp.Number != n {
				t.Fatalf("packet %d, %v, want %d", stamp.Number, err, n)
			}
		}
	}
}

// TestUnknownStreamsDoNotDisturbPeers opens streams that send nothing, or nonsense.
func TestUnknownStreamsDoNotDisturbPeers(t *testing.T) {
	robot, operator := pair(t, false)
	at := operator.State().Address
	testkit.Await(t, "the peers are connected", func() bool { at = robot.State().Address; return robot.State().Connected && operator.State().Connected })
	for i := range 3 * strangers {
		c, err := net.Dial("tcp", at.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		switch i % 3 {
		case 0:
			_, _ = c.Write([]byte{0xff, 0xff, 1, 2, 3})
		case 1:
			_, _ = c.Write(append([]byte{88, 0, 1, 1, 1}, make([]byte, 85)...))
		}
	}
	tx, rx := ends(t, robot, operator, link.Spec{Name: "data", Size: 64})
	_ = tx.Send(make([]byte, 64))
	if _, err := rx.Receive(make([]byte, 64), testkit.Patience()); err != nil {
		t.Error(err)
	}
}
