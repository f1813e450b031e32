package remote

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

// TestMismatchedHostsExplainTheProblem lets two hosts with incompatible settings meet: both report the problem.
func TestMismatchedHostsExplainTheProblem(t *testing.T) {
	version := func(d []byte, _, _ link.Address) [][]byte {
		if d[0] == kindFirst || d[0] == kindRefusal {
			d[1] = Version + 1 // as either side sees the other
		}
		return [][]byte{d}
	}
	for name, c := range map[string]struct {
		change          func(operator, robot *Config)
		fate            func(d []byte, from, to link.Address) [][]byte
		robot, operator string // the operator's problem with the robot, and the robot's with the operator
	}{
		"only the robot encrypts":     {func(d, _ *Config) { d.Insecure = true }, nil, "robot encrypts, this host is set to plain text", "operator is set to plain text, this host encrypts"},
		"only the operator encrypts":  {func(_, r *Config) { r.Insecure = true }, nil, "robot is set to plain text, this host encrypts", "operator encrypts, this host is set to plain text"},
		"another key of the operator": {func(d, _ *Config) { d.Identity = identity(t) }, nil, "robot knows a different key", "claims to be operator has a different key"},
		"another key of the robot":    {func(_, r *Config) { r.Identity = identity(t) }, nil, "robot knows a different key", "claims to be operator has a different key"},
		"another name":                {func(d, _ *Config) { d.Name = "table" }, nil, "robot does not know this host by its name", "operator has not called yet"},
		"another version":             {nil, version, "robot uses version 2 of the protocol, this host version 1", "operator uses version 2 of the protocol, this host version 1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire()
			w.tamper(c.fate)
			robot, operator := pair(t, w, c.change)
			says := func(p *Peer, words string) {
				eventually(t, p.name+"'s problem is "+words, func() bool { return strings.Contains(p.State().Problem, words) })
				if p.State().Connected {
					t.Errorf("%s is connected", p.name)
				}
			}
			says(robot, c.robot)
			says(operator, c.operator)
		})
	}
}

func TestProblemClearsOnceThePeersConnect(t *testing.T) {
	w := newWire()
	w.tamper(func(d []byte, _, _ link.Address) [][]byte {
		if d[0] == kindFirst {
			d[1]++
		}
		return [][]byte{d}
	})
	robot, operator := pair(t, w, nil)
	eventually(t, "the version is a problem", func() bool { return strings.Contains(robot.State().Problem, "version") })
	w.tamper(nil)
	connected(t, robot, operator)
	if s := robot.State(); s.Problem != "" || s.Address != robot.dial {
		t.Errorf("a connected peer's state is %+v", s)
	}
	eventually(t, "the round trip is known", func() bool { return robot.State().Trip > 0 })
}

func TestPeersConnectWhenBothCall(t *testing.T) {
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

// TestHostServesManyPeers has one host serve several others at its address; one of them leaves and returns as a new
// process.
func TestHostServesManyPeers(t *testing.T) {
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

// TestRekeyingLosesNoPackets changes the keys continually, by age and by count.
func TestRekeyingLosesNoPackets(t *testing.T) {
	for name, l := range map[string]limits{
		"age":   {rekeyAfter: int64(5 * period), endAfter: 600e9, rekeyCount: 1 << 30, endCount: 1 << 36},
		"count": {rekeyAfter: 600e9, endAfter: 600e9, rekeyCount: 20, endCount: 1 << 36},
		"end":   {rekeyAfter: 600e9, endAfter: 600e9, rekeyCount: 600, endCount: 30}, // the session ends, and the next one begins
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire()
			d, r := host(t, w, Config{Name: "operator", Identity: identity(t)}), host(t, w, Config{Name: "robot", Identity: identity(t)})
			d.limits, r.limits = l, l
			operator := join(t, r, PeerConfig{Name: "operator", Key: d.config.Identity.Public()})
			robot := join(t, d, PeerConfig{Name: "robot", Key: r.config.Identity.Public(), Address: r.Addr().String()})
			connected(t, robot, operator)
			eventually(t, "several sessions follow one another", func() bool {
				robot.host.in.Lock()
				defer robot.host.in.Unlock()
				return robot.serials > 4
			})
			connected(t, robot, operator)
			robot.host.in.Lock()
			defer robot.host.in.Unlock()
			if n := len(robot.host.sessions); n > 2 {
				t.Errorf("%d sessions are kept, want the current and the previous one", n)
			}
		})
	}
}

func TestCallerIgnoresForgedAnswers(t *testing.T) {
	w := newWire()
	var forged atomic.Int32
	w.tamper(func(d []byte, _, _ link.Address) [][]byte {
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
	robot, operator := pair(t, w, nil)
	connected(t, robot, operator)
	if forged.Load() == 0 || robot.host.Rejected() == 0 {
		t.Error("no wrong answer was rejected")
	}
}

// TestSlowAnswersStillConnect lets answers arrive after the caller has called again.
func TestSlowAnswersStillConnect(t *testing.T) {
	w := newWire()
	w.tamper(func(d []byte, from, to link.Address) [][]byte {
		if d[0] <= kindRefusal {
			time.AfterFunc(10*period, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				if e := w.ends[to]; e != nil {
					select {
					case e.inbox <- datagram{d, from}:
					default:
					}
				}
			})
			return nil
		}
		return [][]byte{d}
	})
	robot, operator := pair(t, w, nil)
	connected(t, robot, operator)
}
