package remote

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// PeerConfig tells who the other side is.
type PeerConfig struct {
	// Name is what the peer calls itself.
	Name string
	// Address is where to call it, as in robot.lan:7400. Empty: the peer calls. Both may know the other's.
	Address string
	// Key is the peer's public key; without meaning where the host is insecure.
	Key PublicKey
}

// PeerState is what a host knows about a peer.
type PeerState struct {
	Connected bool
	Address   netip.AddrPort // where it was heard of last
	Trip      time.Duration  // the fastest round trip of late; 0 where none is known
	Offset    time.Duration  // by how much its monotonic clock is ahead of this host's
	Stale     uint64         // datagrams that came twice or far too late
	Rejected  uint64         // datagrams that claimed to be of its sessions
	Problem   string         // why it is not connected, in words; empty where all is well
}

// Peer is one other process. It implements link.Transport.
type Peer struct {
	host    *Host
	name    string
	key     PublicKey
	tag     [16]byte // of its calls
	dial    netip.AddrPort
	way     atomic.Pointer[way]
	current atomic.Pointer[session]
	heard   atomic.Int64 // when, by rt.Now
	due     atomic.Bool  // it is to be told something at once
	problem atomic.Pointer[string]
	clock   offset

	stale, rejected atomic.Uint64
	waiting         atomic.Int32 // receivers that wait for packets

	attempt *attempt // the keeper's

	// what the host's lock for readers guards
	previous *session
	offers   [4]*session // made for calls, not confirmed yet
	offered  int
	serials  uint64
	beat     uint64 // order of the newest heartbeat

	mu        sync.RWMutex // guards the ends
	senders   map[uint64]*sender
	receivers map[uint64][]*receiver
}

var _ link.Transport = (*Peer)(nil)

// way is where a peer was heard of last. The keeper opens the path.
type way struct {
	to   netip.AddrPort
	path Path // nil: none yet, or none better than the carrier itself
	done bool // it was tried to open one
}

// Peer makes another process a peer of this one. It does not wait for it.
func (h *Host) Peer(c PeerConfig) (*Peer, error) {
	switch {
	case c.Name == "" || c.Name == h.config.Name:
		return nil, fmt.Errorf("add a peer to the host %s: it wants another name than %q", h.config.Name, c.Name)
	case !h.config.Insecure && c.Key == PublicKey{}:
		return nil, fmt.Errorf("add the peer %s to the host %s: it wants the peer's public key", c.Name, h.config.Name)
	}
	p := &Peer{host: h, name: c.Name, key: c.Key, tag: pairTag(c.Name, h.config.Name), senders: map[uint64]*sender{}, receivers: map[uint64][]*receiver{}}
	if c.Address != "" {
		var err error
		if p.dial, err = h.carrier.Resolve(c.Address); err != nil {
			return nil, fmt.Errorf("find the peer %s at %q: %w", c.Name, c.Address, err)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.peers[p.tag] != nil {
		return nil, fmt.Errorf("add the peer %s to the host %s: it is one already", c.Name, h.config.Name)
	}
	h.peers[p.tag] = p
	h.listPeers()
	p.wake()
	return p, nil
}

func (h *Host) listPeers() {
	all := slices.Collect(maps.Values(h.peers))
	h.all.Store(&all)
}

// Close forgets the peer. Its ends must be closed before.
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
	p.closeWay()
	return nil
}

// State tells about the peer.
func (p *Peer) State() PeerState {
	s := PeerState{Connected: p.alive(rt.Now()), Trip: time.Duration(p.clock.trip.Load()), Offset: time.Duration(p.clock.ahead.Load()),
		Stale: p.stale.Load(), Rejected: p.rejected.Load()}
	if way := p.way.Load(); way != nil {
		s.Address = way.to
	}
	if !s.Connected {
		s.Problem = p.trouble()
	}
	return s
}

func (p *Peer) alive(now int64) bool {
	s := p.current.Load()
	return s != nil && !s.over(now) && now-p.heard.Load() < int64(3*p.host.period)
}

// say notes why there is no session, until there is one.
func (p *Peer) say(why string) {
	if old := p.problem.Load(); old == nil || *old != why {
		p.problem.Store(&why)
	}
}

// trouble tells why the peer is not connected.
func (p *Peer) trouble() string {
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

// adopt makes the session the current one; the former one is still read, for what is under way.
func (p *Peer) adopt(s *session, from netip.AddrPort) {
	p.serials++
	s.serial = p.serials
	if p.previous != nil {
		delete(p.host.sessions, p.previous.ours)
	}
	p.previous = p.current.Load()
	p.meetAt(from)
	p.heard.Store(rt.Now())
	p.current.Store(s)
	p.problem.Store(nil)
	p.wake()
}

// meetAt notes where the peer is. Readers call it, under the host's lock for them.
func (p *Peer) meetAt(at netip.AddrPort) {
	former := p.way.Load()
	if former != nil && former.to == at {
		return
	}
	former = p.way.Swap(&way{to: at}) // the keeper may have opened a path meanwhile
	if former != nil && former.path != nil {
		former.path.Close()
	}
	p.wake()
}

// open opens the path to where the peer is, unless it moves meanwhile.
func (p *Peer) open() {
	former := p.way.Load()
	if former == nil || former.done {
		return
	}
	better := &way{to: former.to, path: p.host.carrier.Open(former.to, p.alone), done: true}
	if !p.way.CompareAndSwap(former, better) && better.path != nil {
		better.path.Close()
	}
}

func (p *Peer) closeWay() {
	if former := p.way.Swap(nil); former != nil && former.path != nil {
		former.path.Close()
	}
}

// alone tells whether one receiver, and no more, waits for packets of the peer: it may read by itself.
func (p *Peer) alone() bool { return p.waiting.Load() == 1 }

// wait waits until a receiver's bell rings.
func (p *Peer) wait(bell *rt.Wake, timeout time.Duration) {
	if way := p.way.Load(); way != nil && way.path != nil {
		way.path.Wait(bell, timeout)
		return
	}
	bell.Wait(timeout)
}

// poll reads what has come, where nobody else does.
func (p *Peer) poll() {
	if way := p.way.Load(); way != nil && way.path != nil {
		way.path.Poll()
	}
}

// look keeps the session and tells the peer of time and ends; only the keeper calls it.
func (p *Peer) look(out *outbox, tick bool) {
	p.open()
	s, now := p.current.Load(), rt.Now()
	switch alive := p.alive(now); {
	case !alive && p.dial.IsValid(), alive && s.first && s.old():
		p.host.call(p)
	case alive:
		p.attempt = nil
	}
	if s == nil || s.over(now) {
		return
	}
	p.tell(out)
	if tick {
		p.each((*sender).rest)
	}
}

// flush sends what had to wait for room.
func (p *Peer) flush() { p.each((*sender).flush) }

func (p *Peer) each(f func(*sender)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, s := range p.senders {
		f(s)
	}
}

// write seals a datagram whose body is filled, and sends it. It returns false where there is no room now.
func (p *Peer) write(d []byte, nonce *[12]byte, now int64) bool {
	s, way := p.current.Load(), p.way.Load()
	switch {
	case s == nil || way == nil || s.over(now):
		return true // lost
	case way.path != nil:
		return way.path.Write(s.seal(d, nonce))
	default:
		return p.host.carrier.Write(s.seal(d, nonce), way.to)
	}
}
