package tcp

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

func open(t testing.TB, c remote.Config) *remote.Host {
	t.Helper()
	c.Local, c.Period = "127.0.0.1:0", 100*time.Millisecond
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
	var ids [2]remote.Identity
	for i := range ids {
		var err error
		if ids[i], err = remote.NewIdentity(); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, remote.Config{Name: "desk", Identity: ids[0], Insecure: insecure})
	r := open(t, remote.Config{Name: "robot", Identity: ids[1], Insecure: insecure})
	desk = join(t, r, remote.PeerConfig{Name: "desk", Key: ids[0].Public()})
	return join(t, d, remote.PeerConfig{Name: "robot", Key: ids[1].Public(), Address: r.Addr().String()}), desk
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
