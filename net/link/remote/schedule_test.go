package remote

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/schedule"
)

// narrow is a carrier with room for as many datagrams of links as the test gives it. Heartbeats and handshakes always pass.
type narrow struct {
	*wireEnd
	room  int      // guarded by the wire
	order []uint64 // links of the datagrams that have passed
}

func (n *narrow) Write(d []byte, to link.Address) bool {
	if d[0] == kindPlain && d[headBytes] == frameData {
		n.mu.Lock()
		full := n.room == 0
		if !full {
			n.room--
			n.order = append(n.order, binary.LittleEndian.Uint64(d[headBytes+8:]))
		}
		n.mu.Unlock()
		if full {
			return false
		}
	}
	return n.wireEnd.Write(d, to)
}

// give makes room for a number of datagrams.
func (n *narrow) give(h *Endpoint, to link.Address, datagrams int) {
	n.mu.Lock()
	n.room = datagrams
	n.mu.Unlock()
	h.Ready(to)
}

// narrowPair returns a robot whose carrier is narrow, its peer, and the address of that.
func narrowPair(t *testing.T, s link.Scheduler) (*narrow, *Endpoint, *Peer, link.Address) {
	t.Helper()
	w := newWire()
	n := &narrow{wireEnd: w.end()}
	carrier := n.carrier()
	carrier.Open = func(string) (link.Datagrams, error) { return n, nil }
	robot, err := Open(carrier, Config{Name: "robot", Insecure: true, Period: period, Scheduler: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { robot.Close() })
	station := host(t, w, Config{Name: "operator", Insecure: true})
	toStation := join(t, robot, PeerConfig{Name: "operator"})
	connected(t, join(t, station, PeerConfig{Name: "robot", Address: robot.Addr().String()}), toStation)
	return n, robot, toStation, station.Addr()
}

// The links of a rover: camera pictures of four datagrams, a scan of one, and the state that steering needs.
var roverLinks = []link.Spec{{Name: "camera", Size: 5000}, {Name: "scan", Size: 728, Priority: 5}, {Name: "steering", Size: 16, Priority: 9}}

// passed returns the names of the links whose datagrams have passed.
func (n *narrow) passed() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var names []string
	for _, id := range n.order {
		i := slices.IndexFunc(roverLinks, func(s link.Spec) bool { return hash64(s.Name) == id })
		names = append(names, roverLinks[i].Name)
	}
	return strings.Join(names, " ")
}

// Lines 355 to 388 of the text: the round robin sends of each data source in turn and "does not guarantee any communication properties"; the prioritized schedule
// "sends the data with highest priority"; and "the architecture therefore allows the exchange of the network communication scheduler". Here a third one, of
// the test, knows "the amount of data".
func TestSchedulerIsExchangeable(t *testing.T) {
	for _, c := range []struct {
		scheduler link.Scheduler
		want      string
	}{
		{schedule.RoundRobin(), "camera scan steering camera camera camera"},
		{schedule.Priority(), "steering scan camera camera camera camera"},
		{link.Scheduler{Name: "largest", Next: largest}, "camera camera camera camera scan steering"},
	} {
		n, robot, peer, to := narrowPair(t, c.scheduler)
		for _, spec := range roverLinks {
			if err := sendEnd(t, peer, spec).Send(make([]byte, spec.Size)); err != nil {
				t.Fatal(err)
			}
		}
		if got := n.passed(); got != "" {
			t.Fatalf("%s: %q has passed without room", c.scheduler.Name, got)
		}
		n.give(robot, to, 6) // other goroutines may serve the links as well
		testkit.Await(t, "all datagrams pass", func() bool { return len(strings.Fields(n.passed())) == 6 })
		if got := n.passed(); got != c.want {
			t.Errorf("%s: %q, want %q", c.scheduler.Name, got, c.want)
		}
	}
}

func largest(waiting []link.Waiting) (next int) {
	for i, w := range waiting {
		if w.Bytes > waiting[next].Bytes {
			next = i
		}
	}
	return next
}

// Features of FAST-Robots, F5: steering keeps its low latency when the bandwidth drops. A picture is under way, and each time that there is room for one
// datagram, the newest steering goes first.
func TestUrgentLinkOvertakesTheParts(t *testing.T) {
	n, robot, peer, to := narrowPair(t, schedule.Priority())
	camera, steering := sendEnd(t, peer, roverLinks[0]), sendEnd(t, peer, roverLinks[2])
	_ = camera.Send(make([]byte, 5000))
	want := []string{}
	for range 3 {
		want = append(want, "camera", "steering")
		n.give(robot, to, 1)
		testkit.Await(t, "a part of the picture passes", func() bool { return n.passed() == strings.Join(want[:len(want)-1], " ") })
		for range 5 { // the newest counts
			_ = steering.Send(make([]byte, 16))
		}
		n.give(robot, to, 1)
		testkit.Await(t, "steering passes", func() bool { return n.passed() == strings.Join(want, " ") })
		n.give(robot, to, 1) // what had begun before the newest
		want = append(want, "steering")
		testkit.Await(t, "the newest steering passes", func() bool { return n.passed() == strings.Join(want, " ") })
	}
}

func TestWaitingLinksAllocateNothing(t *testing.T) {
	n, robot, peer, to := narrowPair(t, schedule.Priority())
	camera, steering := sendEnd(t, peer, roverLinks[0]), sendEnd(t, peer, roverLinks[2])
	picture, command := make([]byte, 5000), make([]byte, 16)
	testkit.NoAllocs(t, 200, func() {
		_ = camera.Send(picture)
		_ = steering.Send(command)
		peer.flush()
	})
	n.give(robot, to, 0)
}
