package remote

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// MaxDatagram is the longest datagram, in bytes: it passes Ethernet and common tunnels whole.
const MaxDatagram = 1400

// Config is one process's side of all its links to other hosts.
type Config struct {
	// Name is what the peers call this side.
	Name string
	// Local is the address to listen at, as in 10.0.0.1:7400; port 0 takes any.
	Local string
	// Identity is this side's; without meaning where Insecure is set.
	Identity Identity
	// Insecure sends in plain text, to whom and from whomever: for networks that nobody else can reach. Both sides must
	// say so.
	Insecure bool
	// Period is that of the heartbeats. 0 means 100 ms. A peer that was not heard of for three is lost.
	Period time.Duration
	// Pinned makes a waiting Receive wake as fast as in C where the carrier can, for processes whose garbage collector is
	// off: a stop of the world waits for it, up to 20 ms.
	Pinned bool
}

// Carrier carries datagrams of up to MaxDatagram bytes, each whole or not at all.
type Carrier interface {
	// Serve begins to give what comes to Host.Take.
	Serve(h *Host)
	// Write sends a datagram without waiting. It returns false where there is no room now, and true where the datagram
	// is under way or lost. Carriers that can tell call Host.Ready when there is room again.
	Write(d []byte, to netip.AddrPort) bool
	// Open opens a path to an address for a peer with a session; nil where Write is as good. alone tells whether one receiver
	// of the peer waits, and no more.
	Open(to netip.AddrPort, alone func() bool) Path
	// Resolve finds the address of a peer.
	Resolve(address string) (netip.AddrPort, error)
	// Addr is where the carrier listens.
	Addr() netip.AddrPort
	// Close ends all reading, of paths too, and returns when nothing calls the host any more.
	Close() error
}

// Path is the way to one address, from which it reads as well.
type Path interface {
	// Write is Carrier.Write.
	Write(d []byte) bool
	// Wait waits until the bell rings, at most for the timeout; without end if it is negative. It may read meanwhile.
	Wait(bell *rt.Wake, timeout time.Duration)
	// Poll reads what has come, where nobody else is reading.
	Poll()
	// Close ends reading, and lets go who waits. It does not wait itself.
	Close()
}

// Host is one process's side. Open one by udp.Open or tcp.Open.
type Host struct {
	config   Config
	period   time.Duration
	limits   limits
	carrier  Carrier
	kick     chan struct{} // look after the peers at once
	shakes   chan message
	quit     chan struct{}
	once     sync.Once
	keeper   sync.WaitGroup
	guard    *guard                          // the keeper's
	reply    [answerBytes + noiseSecond]byte // the keeper's
	rejected atomic.Uint64

	mu    sync.RWMutex // guards changes of the peers
	peers map[[16]byte]*Peer
	all   atomic.Pointer[[]*Peer]

	in       sync.Mutex // guards what reads: sessions, and the fields of peers that say so
	sessions map[uint32]*session
	nonce    [12]byte
}

// New makes a host over a carrier, which it closes with itself: what udp.Open and tcp.Open end with.
func New(c Config, carrier Carrier) (*Host, error) {
	var err error
	switch {
	case c.Name == "":
		err = errors.New("open a host: it wants a name, by which its peers know it")
	case !c.Insecure && c.Identity == Identity{}:
		err = fmt.Errorf("open the host %s: it wants an identity (see NewIdentity), or to be insecure", c.Name)
	}
	if err != nil {
		return nil, errors.Join(err, carrier.Close())
	}
	h := &Host{config: c, period: c.Period, limits: standard, guard: newGuard(), kick: make(chan struct{}, 1), shakes: make(chan message, 64),
		quit: make(chan struct{}), peers: map[[16]byte]*Peer{}, sessions: map[uint32]*session{}}
	if h.period <= 0 {
		h.period = 100 * time.Millisecond
	}
	h.all.Store(new([]*Peer))
	h.carrier = carrier
	carrier.Serve(h)
	h.keeper.Go(h.keep)
	return h, nil
}

// Addr returns the address that the host listens at.
func (h *Host) Addr() netip.AddrPort { return h.carrier.Addr() }

// Rejected counts the datagrams that belong to no peer: of strangers, forged or malformed.
func (h *Host) Rejected() uint64 { return h.rejected.Load() }

// Close closes the host and its peers. Ends that are still open tell that the peer does not answer.
func (h *Host) Close() error {
	var err error
	h.once.Do(func() {
		close(h.quit)
		h.keeper.Wait()
		for _, p := range h.list() {
			p.closeWay()
		}
		err = h.carrier.Close()
	})
	return err
}

func (h *Host) mode() byte {
	if h.config.Insecure {
		return modePlain
	}
	return modeSealed
}

func (h *Host) wake() {
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

// keep looks after the peers: their sessions, and what they are told.
func (h *Host) keep() {
	tick := time.NewTicker(h.period)
	defer tick.Stop()
	out := newOutbox()
	for {
		select {
		case <-h.quit:
			return
		case m := <-h.shakes:
			h.shake(&m)
			continue
		case <-h.kick:
			for _, p := range h.list() {
				if p.due.Swap(false) {
					p.look(out, false)
				}
			}
		case <-tick.C:
			for _, p := range h.list() {
				p.look(out, true)
			}
		}
	}
}

// list returns the peers, without allocating.
func (h *Host) list() []*Peer { return *h.all.Load() }

func (h *Host) called(tag [16]byte) *Peer {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.peers[tag]
}

// number returns a number for a session that no other one has.
func (h *Host) number() uint32 {
	h.in.Lock()
	defer h.in.Unlock()
	var b [4]byte
	for {
		_, _ = rand.Read(b[:]) // never fails
		n := binary.LittleEndian.Uint32(b[:])
		if h.sessions[n] == nil {
			return n
		}
	}
}

// Ready tells that there is room again for datagrams to the address.
func (h *Host) Ready(to netip.AddrPort) {
	for _, p := range h.list() {
		if way := p.way.Load(); way != nil && way.to == to {
			p.flush()
		}
	}
}

// Period returns that of the heartbeats.
func (h *Host) Period() time.Duration { return h.period }

// Pinned tells whether whoever reads may keep the Go scheduler out of it.
func (h *Host) Pinned() bool { return h.config.Pinned }

// Take takes whatever came from the network, and reports whether it was a peer's. It changes d.
func (h *Host) Take(d []byte, from netip.AddrPort) bool {
	if len(d) < answerBytes {
		h.rejected.Add(1)
		return false
	}
	switch d[0] {
	case kindSealed, kindPlain:
		if len(d) >= headBytes {
			return h.open(d, from)
		}
	case kindFirst, kindCookie, kindSecond, kindRefusal: // they cost: not in the reading thread
		m := message{n: len(d), from: from}
		if len(d) <= len(m.data) {
			copy(m.data[:], d)
			select {
			case h.shakes <- m:
				return false
			default:
			}
		}
	}
	h.rejected.Add(1)
	return false
}

func (h *Host) open(d []byte, from netip.AddrPort) bool {
	h.in.Lock()
	defer h.in.Unlock()
	s, now := h.sessions[binary.LittleEndian.Uint32(d[4:])], rt.Now()
	if s == nil || s.over(now) {
		h.rejected.Add(1)
		return false
	}
	p := s.peer
	body, n, genuine, fresh := s.open(d, &h.nonce)
	switch {
	case !genuine:
		p.rejected.Add(1)
		return false
	case !fresh:
		p.stale.Add(1)
		return false
	}
	if s.serial == 0 {
		p.adopt(s, from)
	}
	if s == p.current.Load() {
		p.heard.Store(now)
		if n == s.newest.Load() {
			p.meetAt(from)
		}
	}
	p.take(body, s.serial<<40|n, now)
	return true
}

// offer keeps a session that the caller has not confirmed yet.
func (h *Host) offer(s *session) {
	h.in.Lock()
	defer h.in.Unlock()
	p := s.peer
	if former := p.offers[p.offered%len(p.offers)]; former != nil && former.serial == 0 {
		delete(h.sessions, former.ours)
	}
	p.offers[p.offered%len(p.offers)] = s
	p.offered++
	h.sessions[s.ours] = s
}

func (h *Host) adopt(s *session, from netip.AddrPort) {
	h.in.Lock()
	defer h.in.Unlock()
	h.sessions[s.ours] = s
	s.peer.adopt(s, from)
}
