package remote

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// PeerConfig identifies the other side.
type PeerConfig struct {
	// Name is the peer's Config.Name.
	Name string
	// Address is where to call the peer, in the carrier's form: for udp and tcp as in robot.lan:7400. If empty, the peer must call. Both sides may have the
	// other's address.
	Address string
	// Key is the peer's public key; it is ignored if the endpoint is insecure.
	Key PublicKey
}

// PeerState describes a peer as the endpoint sees it.
type PeerState struct {
	Connected bool          // a datagram of its session came within the last three periods
	Address   link.Address  // the origin of its last datagram
	Trip      time.Duration // the fastest recent round trip; 0 if not known
	Offset    time.Duration // its monotonic clock minus this host's
	Stale     uint64        // datagrams that were repeated or far too late
	Rejected  uint64        // forged datagrams with the number of one of its sessions
	Problem   string        // why it is not connected; empty if it is
}

// Peer is one other process. It implements link.Transport.
type Peer struct {
	host    *Endpoint
	name    string
	key     PublicKey
	tag     [16]byte // identifies its calls
	dial    link.Address
	route   atomic.Pointer[route]
	current atomic.Pointer[session]
	heard   atomic.Int64 // time of its last datagram, by rt.Now
	due     atomic.Bool  // a heartbeat must be sent immediately
	owes    atomic.Bool  // a heartbeat has found no room: it precedes packets when there is some
	problem atomic.Pointer[string]
	clock   offset

	stale, rejected atomic.Uint64
	waiting         atomic.Int32 // receivers waiting for packets

	attempt *attempt // the keeper's

	// guarded by the host's lock for readers
	previous      *session
	offers        [4]*session // sessions of calls that are not confirmed yet
	offered       int
	serials       uint64
	lastHeartbeat uint64 // order of the newest heartbeat

	queue queue // of links that wait for room

	mu        sync.RWMutex // guards the ends
	senders   map[uint64]*sender
	receivers map[uint64][]*receiver
}

var _ link.Transport = (*Peer)(nil)

// route is the address from which the peer's last datagram came. The keeper opens the path.
type route struct {
	to   link.Address
	path Path // nil: not opened yet, or the carrier itself is as good
	done bool // the keeper has tried to open a path
}

// Peer adds another process as a peer. It does not wait for a connection. It fails without a name or key, for the endpoint's
// own name, for an address that does not resolve, for a peer that was added before, and for more than the carrier joins.
func (h *Endpoint) Peer(c PeerConfig) (*Peer, error) {
	switch {
	case c.Name == "" || c.Name == h.config.Name:
		return nil, fmt.Errorf("add the peer %q to the host %s: a peer needs a name, other than the host's", c.Name, h.config.Name)
	case !h.config.Insecure && c.Key == PublicKey{}:
		return nil, fmt.Errorf("add the peer %s to the host %s: its public key is missing", c.Name, h.config.Name)
	}
	p := &Peer{host: h, name: c.Name, key: c.Key, tag: pairTag(c.Name, h.config.Name), senders: map[uint64]*sender{}, receivers: map[uint64][]*receiver{},
		queue: queue{next: h.config.Scheduler.Next}}
	if c.Address != "" {
		var err error
		if p.dial, err = h.carrier.Resolve(c.Address); err != nil {
			return nil, fmt.Errorf("resolve the address of the peer %s at %q: %w", c.Name, c.Address, err)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.peers[p.tag] != nil {
		return nil, fmt.Errorf("add the peer %s to the host %s: it was added before", c.Name, h.config.Name)
	}
	if most := h.kind.MaxPeers; most > 0 && len(h.peers) >= most {
		return nil, fmt.Errorf("add the peer %s to the host %s: the carrier %s joins it with at most %d", c.Name, h.config.Name, h.kind.Name, most)
	}
	h.peers[p.tag] = p
	h.listPeers()
	p.wake()
	return p, nil
}

func (h *Endpoint) listPeers() {
	all := slices.Collect(maps.Values(h.peers))
	h.all.Store(&all)
}

// Close removes the peer. Close its ends first.
func (p *Peer) Close() error {
	h := p.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.peers[p.tag] != p {
		return nil
	}
	delete(h.peers, p.tag)
	h.listPeers()
	h.in.Lock()
	defer h.in.Unlock()
	maps.DeleteFunc(h.sessions, func(_ uint32, s *session) bool { return s.peer == p })
	p.current.Store(nil)
	p.closeRoute()
	return nil
}

// State returns the peer's state and its current problem.
func (p *Peer) State() PeerState {
	s := PeerState{Connected: p.alive(rt.Now()), Trip: time.Duration(p.clock.trip.Load()), Offset: time.Duration(p.clock.ahead.Load()),
		Stale: p.stale.Load(), Rejected: p.rejected.Load()}
	if way := p.route.Load(); way != nil {
		s.Address = way.to
	}
	if !s.Connected {
		s.Problem = p.explain()
	}
	return s
}

func (p *Peer) alive(now int64) bool { return p.hears(p.current.Load(), now) }

// hears reports whether the peer was heard recently in a session, which may be nil. The current session may change at any time: a
// caller that goes on with one asks about this one.
func (p *Peer) hears(s *session, now int64) bool {
	return s != nil && !s.over(now) && now-p.heard.Load() < int64(3*p.host.period)
}

// setProblem records why there is no session; the next session clears it.
func (p *Peer) setProblem(why string) {
	if old := p.problem.Load(); old == nil || *old != why {
		p.problem.Store(&why)
	}
}

// explain explains why the peer is not connected.
func (p *Peer) explain() string {
	if why := p.problem.Load(); why != nil {
		return *why
	}
	if p.current.Load() == nil && !p.dial.IsValid() {
		return fmt.Sprintf("%s has not called yet", p.name)
	}
	return fmt.Sprintf("%s does not answer", p.name)
}

func (p *Peer) wake() {
	p.due.Store(true)
	p.host.wake()
}

// adopt makes the session the current one; the previous one is still read, for datagrams under way.
func (p *Peer) adopt(s *session, from link.Address) {
	p.serials++
	s.serial = p.serials
	if p.previous != nil {
		delete(p.host.sessions, p.previous.ours)
	}
	p.previous = p.current.Load()
	p.setAddress(from)
	p.heard.Store(rt.Now())
	p.current.Store(s)
	p.problem.Store(nil)
	p.wake()
}

// setAddress records the peer's address. Readers call it, under the host's lock for them.
func (p *Peer) setAddress(at link.Address) {
	former := p.route.Load()
	if former != nil && former.to == at {
		return
	}
	former = p.route.Swap(&route{to: at}) // the keeper may have opened a path meanwhile
	if former != nil && former.path != nil {
		former.path.Close()
	}
	p.wake()
}

// open opens the path to the peer's address, unless the peer moves meanwhile.
func (p *Peer) open() {
	former := p.route.Load()
	if former == nil || former.done {
		return
	}
	better := &route{to: former.to, done: true}
	if carrier, ok := p.host.carrier.(opener); ok {
		better.path = carrier.Open(p.host, former.to, p.alone)
	}
	if !p.route.CompareAndSwap(former, better) && better.path != nil {
		better.path.Close()
	}
}

func (p *Peer) closeRoute() {
	if former := p.route.Swap(nil); former != nil && former.path != nil {
		former.path.Close()
	}
}

// alone reports whether exactly one receiver is waiting for packets of the peer: only then it may read the path
// directly.
func (p *Peer) alone() bool { return p.waiting.Load() == 1 }

// wait waits until a receiver's bell rings.
func (p *Peer) wait(bell *rt.Wake, timeout time.Duration) {
	if way := p.route.Load(); way != nil && way.path != nil {
		way.path.Wait(bell, timeout)
		return
	}
	bell.Wait(timeout)
}

// poll reads arrived datagrams, unless another goroutine does.
func (p *Peer) poll() {
	if way := p.route.Load(); way != nil && way.path != nil {
		way.path.Poll()
	}
}

// maintain maintains the session and sends heartbeats. Only the keeper calls it.
func (p *Peer) maintain(out *outbox, tick bool) {
	p.open()
	s, now := p.current.Load(), rt.Now()
	switch alive := p.hears(s, now); {
	case !alive && p.dial.IsValid(), alive && s.first && s.old():
		p.host.call(p)
	case alive:
		p.attempt = nil
	}
	if s == nil || s.over(now) {
		return
	}
	owed := p.owes.Swap(false)
	if p.sendHeartbeats(out); owed || tick {
		p.serve()
	}
	if tick {
		p.each((*sender).resend)
	}
}

func (p *Peer) each(f func(*sender)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, s := range p.senders {
		f(s)
	}
}

// write seals a filled datagram and sends it. It returns false if there is no room now.
func (p *Peer) write(d []byte, nonce *[12]byte, now int64) bool {
	s, way := p.current.Load(), p.route.Load()
	switch {
	case s == nil || way == nil || s.over(now):
		return true // lost
	case way.path != nil:
		return way.path.Write(s.seal(d, nonce))
	default:
		return p.host.carrier.Write(s.seal(d, nonce), way.to)
	}
}
