package tcp

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

func host(t testing.TB, c remote.Config) *remote.Endpoint {
	t.Helper()
	c.Local, c.Period = "127.0.0.1:0", 100*time.Millisecond
	h, err := remote.Open(Carrier(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func join(t testing.TB, h *remote.Endpoint, c remote.PeerConfig) *remote.Peer {
	t.Helper()
	p, err := h.Peer(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair returns two connected peers: the operator, which calls the robot, as seen by the robot, and vice versa.
func pair(t testing.TB, insecure bool) (robot, operator *remote.Peer) {
	t.Helper()
	var ids [2]remote.Identity
	for i := range ids {
		var err error
		if ids[i], err = remote.NewIdentity(); err != nil {
			t.Fatal(err)
		}
	}
	d := host(t, remote.Config{Name: "operator", Identity: ids[0], Insecure: insecure})
	r := host(t, remote.Config{Name: "robot", Identity: ids[1], Insecure: insecure})
	operator = join(t, r, remote.PeerConfig{Name: "operator", Key: ids[0].Public()})
	return join(t, d, remote.PeerConfig{Name: "robot", Key: ids[1].Public(), Address: r.Addr().String()}), operator
}

func TestTransportConforms(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		robot, operator := pair(t, false)
		return linktest.Pair{Sending: robot, Receiving: operator}
	})
}

func TestInsecureTransportConforms(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		robot, operator := pair(t, true)
		return linktest.Pair{Sending: operator, Receiving: robot}
	})
}
