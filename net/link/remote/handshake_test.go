package remote

import (
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestRefusals lets two hosts that do not fit meet: both say what is wrong.
func TestRefusals(t *testing.T) {
	version := func(d []byte, _, _ netip.AddrPort) [][]byte {
		if d[0] == kindFirst || d[0] == kindRefusal {
			d[1] = Version + 1 // as either side sees the other
		}
		return [][]byte{d}
	}
	for name, c := range map[string]struct {
		change      func(desk, robot *Config)
		fate        func(d []byte, from, to netip.AddrPort) [][]byte
		robot, desk string // what the desk says about the robot, and the robot about the desk
	}{
		"only the robot encrypts":  {func(d, _ *Config) { d.Insecure = true }, nil, "robot encrypts, this host is set to plain text", "desk wants plain text, this host encrypts"},
		"only the desk encrypts":   {func(_, r *Config) { r.Insecure = true }, nil, "robot is set to plain text, this host encrypts", "desk wants to encrypt, this host is set to plain text"},
		"another key of the desk":  {func(d, _ *Config) { d.Identity = identity(t) }, nil, "robot knows another key", "calls himself desk has another key"},
		"another key of the robot": {func(_, r *Config) { r.Identity = identity(t) }, nil, "robot knows another key", "calls himself desk has another key"},
		"another name":             {func(d, _ *Config) { d.Name = "table" }, nil, "robot does not know this host by its name", "desk has not called yet"},
		"another version":          {nil, version, "robot speaks version 2 of the protocol, this host version 1", "desk speaks version 2 of the protocol, this host version 1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire()
			w.tamper(c.fate)
			robot, desk := pair(t, w, c.change)
			says := func(p *Peer, words string) {
				eventually(t, p.name+"'s problem is "+words, func() bool { return strings.Contains(p.State().Problem, words) })
				if p.State().Connected {
					t.Errorf("%s is connected", p.name)
				}
			}
			says(robot, c.robot)
			says(desk, c.desk)
		})
	}
}

// TestWordsEnd: what was said is forgotten when the peers fit in the end.
func TestWordsEnd(t *testing.T) {
	w := newWire()
	w.tamper(func(d []byte, _, _ netip.AddrPort) [][]byte {
		if d[0] == kindFirst {
			d[1]++
		}
		return [][]byte{d}
	})
	robot, desk := pair(t, w, nil)
	eventually(t, "the version is a problem", func() bool { return strings.Contains(robot.State().Problem, "version") })
	w.tamper(nil)
	connected(t, robot, desk)
	if s := robot.State(); s.Problem != "" || s.Address != robot.dial {
		t.Errorf("a connected peer's state is %+v", s)
	}
	eventually(t, "the round trip is known", func() bool { return robot.State().Trip > 0 })
}

// TestBothCall lets both sides know the other's address.
func TestBothCall(t *testing.T) {
	for range 5 {
		w := newWire()
		a, b := host(t, w, Config{Name: "a", Identity: identity(t)}), host(t, w, Config{Name: "b", Identity: identity(t)})
		b1 := join(t, a, PeerConfig{Name: "b", Key: b.config.Identity.Public(), Address: b.Addr().String()})
		a1 := join(t, b, PeerConfig{Name: "a", Key: a.config.Identity.Public(), Address: a.Addr().String()})
		connected(t, a1, b1)
	}
	// the lesser name has the wrong address
	w := newWire()
	a, b := host(t, w, Config{Name: "a", Identity: identity(t)}), host(t, w, Config{Name: "b", Identity: identity(t)})
	b1 := join(t, a, PeerConfig{Name: "b", Key: b.config.Identity.Public(), Address: "10.9.9.9:1"})
	a1 := join(t, b, PeerConfig{Name: "a", Key: a.config.Identity.Public(), Address: a.Addr().String()})
	connected(t, a1, b1)
}

// TestManyPeers has one host serve several others at its address; one of them leaves and comes back as a fresh process.
func TestManyPeers(t *testing.T) {
	w := newWire()
	center := host(t, w, Config{Name: "center", Identity: identity(t)})
	id := identity(t)
	var outside []*Peer
	for _, name := range []string{"a", "b", "c"} {
		h := host(t, w, Config{Name: name, Identity: id})
		outside = append(outside, join(t, h, PeerConfig{Name: "center", Key: center.config.Identity.Public(), Address: center.Addr().String()}),
			join(t, center, PeerConfig{Name: name, Key: id.Public()}))
	}
	connected(t, outside...)
	if err := outside[0].host.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "its absence is noticed", func() bool { return outside[1].State().Problem == "a does not answer" })
	again := host(t, w, Config{Name: "a", Identity: id})
	connected(t, join(t, again, PeerConfig{Name: "center", Key: center.config.Identity.Public(), Address: center.Addr().String()}), outside[1])
	connected(t, outside[2:]...)
	if err := outside[1].Close(); err != nil {
		t.Error(err)
	}
	if _, err := center.Peer(PeerConfig{Name: "b", Key: id.Public()}); err == nil {
		t.Error("b is a peer twice")
	}
	join(t, center, PeerConfig{Name: "a", Key: id.Public()})
}

// TestRekey changes the keys all the time, by age and by count, and loses no packet by it.
func TestRekey(t *testing.T) {
	for name, l := range map[string]limits{
		"age":   {rekeyAfter: int64(5 * period), endAfter: 600e9, rekeyCount: 1 << 30, endCount: 1 << 36},
		"count": {rekeyAfter: 600e9, endAfter: 600e9, rekeyCount: 20, endCount: 1 << 36},
		"end":   {rekeyAfter: 600e9, endAfter: 600e9, rekeyCount: 600, endCount: 30}, // the session ends, and another one begins
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire()
			d, r := host(t, w, Config{Name: "desk", Identity: identity(t)}), host(t, w, Config{Name: "robot", Identity: identity(t)})
			d.limits, r.limits = l, l
			desk := join(t, r, PeerConfig{Name: "desk", Key: d.config.Identity.Public()})
			robot := join(t, d, PeerConfig{Name: "robot", Key: r.config.Identity.Public(), Address: r.Addr().String()})
			connected(t, robot, desk)
			eventually(t, "several sessions follow one another", func() bool {
				robot.host.in.Lock()
				defer robot.host.in.Unlock()
				return robot.serials > 4
			})
			connected(t, robot, desk)
			robot.host.in.Lock()
			defer robot.host.in.Unlock()
			if n := len(robot.host.sessions); n > 2 {
				t.Errorf("%d sessions are kept, want the current and the previous one", n)
			}
		})
	}
}

// TestForgedAnswers gives a caller wrong answers before the right one.
func TestForgedAnswers(t *testing.T) {
	w := newWire()
	var forged atomic.Int32
	w.tamper(func(d []byte, _, _ netip.AddrPort) [][]byte {
		if d[0] != kindSecond {
			return [][]byte{d}
		}
		var all [][]byte
		for _, i := range []int{answerBytes, answerBytes + 33, len(d) - 1} {
			wrong := slices.Clone(d)
			wrong[i] ^= 1
			all = append(all, wrong)
			forged.Add(1)
		}
		zeros := slices.Clone(d)
		clear(zeros[answerBytes:])
		return append(all, d[:20], zeros[:len(zeros):len(zeros)], d)
	})
	robot, desk := pair(t, w, nil)
	connected(t, robot, desk)
	if forged.Load() == 0 || robot.host.Rejected() == 0 {
		t.Error("no wrong answer was rejected")
	}
}

// TestFarPeer lets answers come later than the caller calls again.
func TestFarPeer(t *testing.T) {
	w := newWire()
	w.tamper(func(d []byte, from, to netip.AddrPort) [][]byte {
		if d[0] <= kindRefusal {
			time.AfterFunc(10*period, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				if e := w.ends[to]; e != nil {
					select {
					case e.inbox <- letter{d, from}:
					default:
					}
				}
			})
			return nil
		}
		return [][]byte{d}
	})
	robot, desk := pair(t, w, nil)
	connected(t, robot, desk)
}
