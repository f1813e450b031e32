package udp

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

const period = 100 * time.Millisecond // a peer is lost after three without a heartbeat: long enough for a loaded machine

// identity returns a new identity.
func identity(t testing.TB) remote.Identity {
	t.Helper()
	id, err := remote.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func host(t testing.TB, c remote.Config) *remote.Endpoint {
	t.Helper()
	c.Period = period
	if c.Local == "" {
		c.Local = "127.0.0.1:0"
	}
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
	operatorID, robotID := identity(t), identity(t)
	d := host(t, remote.Config{Name: "operator", Identity: operatorID, Insecure: insecure})
	r := host(t, remote.Config{Name: "robot", Identity: robotID, Insecure: insecure})
	operator = join(t, r, remote.PeerConfig{Name: "operator", Key: operatorID.Public()})
	return join(t, d, remote.PeerConfig{Name: "robot", Key: robotID.Public(), Address: r.Addr().String()}), operator
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
