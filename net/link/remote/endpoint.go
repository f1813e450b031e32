package remote

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/schedule"
)

// Config configures one process's side of all its links to other hosts.
type Config struct {
	// Name is the name by which peers know this side.
	Name string
	// Local is the address of this side in the carrier's form, for udp and tcp as in 10.0.0.1:7400; port 0 selects any free port.
	Local string
	// Identity is the key pair of this side; it is ignored if Insecure is set.
	Identity Identity
	// Insecure sends and accepts plain text: for isolated networks only. Both sides must set it.
	Insecure bool
	// Period is the period of heartbeats; 0 means that of the carrier. A peer is lost after three periods without a heartbeat.
	Period time.Duration
	// Scheduler orders the links that the carrier has no room for; without a Next it is [schedule.RoundRobin].
	Scheduler link.Scheduler
	// Pinned lets a waiting Receive wake as fast as in C if the carrier supports it. It is meant for processes whose
	// garbage collector is off: a stop of the world waits for it, up to 20 ms.
	Pinned bool
}

// opener is a [link.Datagrams] that opens a path of its own to each peer, as net/link/udp.
type opener interface {
	// Open opens a path to an address for a peer with a session; nil means that Write is as good. alone reports
	// whether exactly one receiver of the peer is waiting.
	Open(h *Endpoint, to link.Address, alone func() bool) Path
}

// Path is a connection to one address, which it also reads from.
type Path interface {
	// Write is link.Datagrams.Write.
	Write(d []byte) bool
	// Wait waits until the bell rings, at most for the timeout; without limit if it is negative. It may read
	// meanwhile.
	Wait(bell *rt.Wake, timeout time.Duration)
	// Poll reads the datagrams that have arrived, unless another goroutine is reading.
	Poll()
	// Close stops reading and wakes waiting goroutines. It does not wait itself.
	Close()
}

// Endpoint is this process's side of its links to other hosts. It implements [link.Host].
type Endpoint struct {
	config   Config
	period   time.Duration
	limits   limits
	kind     link.Carrier
	carrier  link.Datagrams
	kick     chan struct{} // wakes the keeper immediately
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

// Open opens an endpoint whose links the carrier carries, at c.Local. It fails without a name, without an identity unless Insecure
// is set, and if the carrier cannot use the address. A carrier that is not valid is misuse and panics.
func Open(carrier link.Carrier, c Config) (*Endpoint, error) {
	if err := carrier.Validate(); err != nil {
		panic(err)
	}
	switch {
	case c.Name == "":
		return nil, errors.New("open a host: it has no name; its peers need one to identify it")
	case !c.Insecure && c.Identity == Identity{}:
		return nil, fmt.Errorf("open the host %s: it has no identity: create one with NewIdentity, or set Insecure", c.Name)
	}
	if c.Scheduler.Next == nil {
		c.Scheduler = schedule.RoundRobin()
	}
	datagrams, err := carrier.Open(c.Local)
	if err != nil {
		return nil, fmt.Errorf("open the host %s at %s address %q: %w", c.Name, carrier.Name, c.Local, err)
	}
	h := &Endpoint{config: c, period: c.Period, limits: standard, guard: newGuard(), kick: make(chan struct{}, 1), shakes: make(chan message, 64),
		quit: make(chan struct{}), peers: map[[16]byte]*Peer{}, sessions: map[uint32]*session{}, kind: carrier, carrier: datagrams}
	if h.period <= 0 {
		h.period = cmp.Or(carrier.Period, Beat)
	}
	h.all.Store(new([]*Peer))
	datagrams.Serve(h)
	h.keeper.Go(h.keep)
	return h, nil
}

// Addr returns the address that the endpoint listens at.
func (h *Endpoint) Addr() link.Address { return h.carrier.Addr() }

// Rejected returns how many datagrams belonged to no peer: of unknown senders, forged or malformed.
func (h *Endpoint) Rejected() uint64 { return h.rejected.Load() }

// Close closes the endpoint and its peers. Ends that are still open report that the peer does not answer.
func (h *Endpoint) Close() error {
	var err error
	h.once.Do(func() {
		close(h.quit)
		h.keeper.Wait()
		for _, p := range h.list() {
			p.closeRoute()
		}
		err = h.carrier.Close()
	})
	return err
}

func (h *Endpoint) mode() byte {
	if h.config.Insecure {
		return modePlain
	}
	return modeSealed
}

func (h *Endpoint) wake() {
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

// keep maintains the peers: their sessions and heartbeats.
func (h *Endpoint) keep() {
	tick := time.NewTicker(h.period)
	defer tick.Stop()
	out := newOutbox(h.kind.MaxDatagram)
	for {
		select {
		case <-h.quit:
			return
		case m := <-h.shakes:
			h.handleHandshake(&m)
			continue
		case <-h.kick:
			for _, p := range h.list() {
				if p.due.Swap(false) {
					p.maintain(out, false)
				}
			}
		case <-tick.C:
			for _, p := range h.list() {
				p.maintain(out, true)
			}
		}
	}
}

// list returns the peers, without allocating.
func (h *Endpoint) list() []*Peer { return *h.all.Load() }

func (h *Endpoint) called(tag [16]byte) *Peer {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.peers[tag]
}

// number returns a session number that is not in use.
func (h *Endpoint) number() uint32 {
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

// Ready implements link.Host.
func (h *Endpoint) Ready(to link.Address) {
	for _, p := range h.list() {
		if way := p.route.Load(); way != nil && way.to == to {
			p.flush()
		}
	}
}

// Period returns the period of the heartbeats.
func (h *Endpoint) Period() time.Duration { return h.period }

// Pinned reports whether readers may keep the Go scheduler from interrupting them.
func (h *Endpoint) Pinned() bool { return h.config.Pinned }

// Take implements link.Host.
func (h *Endpoint) Take(d []byte, from link.Address) bool {
	if len(d) < answerBytes {
		h.rejected.Add(1)
		return false
	}
	switch d[0] {
	case kindSealed, kindPlain:
		if len(d) >= headBytes {
			return h.open(d, from)
		}
	case kindFirst, kindCookie, kindSecond, kindRefusal: // expensive: not in the reading thread
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

func (h *Endpoint) open(d []byte, from link.Address) bool {
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
			p.setAddress(from)
		}
	}
	p.take(body, s.serial<<40|n, now)
	return true
}

// offer keeps a session that the caller has not confirmed yet.
func (h *Endpoint) offer(s *session) {
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

func (h *Endpoint) adopt(s *session, from link.Address) {
	h.in.Lock()
	defer h.in.Unlock()
	h.sessions[s.ours] = s
	s.peer.adopt(s, from)
}
