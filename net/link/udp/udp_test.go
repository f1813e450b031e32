package udp

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

const period = 100 * time.Millisecond // three of them without a beat are a lost peer: a loaded machine must manage that

// identity makes a fresh one.
func identity(t testing.TB) remote.Identity {
	t.Helper()
	id, err := remote.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func open(t testing.TB, c remote.Config) *remote.Host {
	t.Helper()
	c.Period = period
	if c.Local == "" {
		c.Local = "127.0.0.1:0"
	}
	h, err := Open(c)
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

func join(t testing.TB, h *remote.Host, c remote.PeerConfig) *remote.Peer {
	t.Helper()
	p, err := h.Peer(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair returns what the desk knows of the robot, which it calls, and the other way round.
func pair(t testing.TB, insecure bool) (robot, desk *remote.Peer) {
	t.Helper()
	deskID, robotID := identity(t), identity(t)
	d := open(t, remote.Config{Name: "desk", Identity: deskID, Insecure: insecure})
	r := open(t, remote.Config{Name: "robot", Identity: robotID, Insecure: insecure})
	desk = join(t, r, remote.PeerConfig{Name: "desk", Key: deskID.Public()})
	return join(t, d, remote.PeerConfig{Name: "robot", Key: robotID.Public(), Address: r.Addr().String()}), desk
}

func TestConformance(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		robot, desk := pair(t, false)
		return linktest.Pair{Sending: robot, Receiving: desk}
	})
}

func TestConformanceInsecure(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		robot, desk := pair(t, true)
		return linktest.Pair{Sending: desk, Receiving: robot}
	})
}
