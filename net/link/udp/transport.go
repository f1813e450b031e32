package udp

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flynn/noise"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// Config says who talks to whom.
type Config struct {
	Local    string        // address to listen at, as in 10.0.0.1:7400; port 0 takes any
	Peer     string        // the peer's address; empty: wait for the peer to dial
	Identity Identity      // of this process
	Trust    PublicKey     // of the peer
	Period   time.Duration // of the heartbeat; 0 means 100 ms. Three missed ones are a lost peer
}

const (
	rekeyAfter  = 2 * time.Minute
	retryAfter  = 500 * time.Millisecond
	answerEvery = 20 * time.Millisecond // bounds what handshakes cost, whoever asks for them
	socketBytes = 4 << 20
)

// Transport is one end of a pair of processes. It implements link.Transport.
type Transport struct {
	period time.Duration
	config Config
	dial   netip.AddrPort
	conn   *net.UDPConn
	peer   atomic.Pointer[netip.AddrPort]
	kick   chan struct{} // tell the peer at once
	quit   chan struct{}
	closed sync.Once
	work   sync.WaitGroup

	current  atomic.Pointer[session]
	heard    atomic.Int64 // when, by rt.Now
	rejected atomic.Uint64
	stale    atomic.Uint64
	clock    offset

	shake    sync.Mutex // guards the dialler's handshake
	attempt  *noise.HandshakeState
	tried    time.Time
	pending  *session // the receiving goroutine's, as all that follows
	previous *session
	answered time.Time
	nonce    [12]byte

	mu        sync.RWMutex // guards the ends
	senders   map[uint64]*sender
	receivers map[uint64][]*receiver
}

// Listen opens a transport. It does not wait for the peer.
func Listen(c Config) (*Transport, error) {
	local, err := net.ResolveUDPAddr("udp", c.Local)
	if err != nil {
		return nil, fmt.Errorf("listen for datagrams at %q: %w", c.Local, err)
	}
	t := &Transport{config: c, period: c.Period, kick: make(chan struct{}, 1), quit: make(chan struct{}),
		senders: map[uint64]*sender{}, receivers: map[uint64][]*receiver{}}
	if t.period <= 0 {
		t.period = 100 * time.Millisecond
	}
	if c.Peer != "" {
		peer, err := net.ResolveUDPAddr("udp", c.Peer)
		if err != nil {
			return nil, fmt.Errorf("find the peer %q: %w", c.Peer, err)
		}
		ap := peer.AddrPort()
		t.dial = netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
	}
	if t.conn, err = net.ListenUDP("udp", local); err != nil {
		return nil, fmt.Errorf("listen for datagrams at %q: %w", c.Local, err)
	}
	_ = t.conn.SetReadBuffer(socketBytes) // what the system does not grant costs packets, which are counted
	_ = t.conn.SetWriteBuffer(socketBytes)
	t.work.Go(t.receive)
	t.work.Go(t.beat)
	return t, nil
}

// Addr returns the address that the transport listens at.
func (t *Transport) Addr() netip.AddrPort { return t.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// Close implements link.Transport.
func (t *Transport) Close() error {
	var err error
	t.closed.Do(func() {
		close(t.quit)
		err = t.conn.Close()
		t.work.Wait()
	})
	return err
}

func (t *Transport) alive() bool {
	return t.current.Load() != nil && rt.Now()-t.heard.Load() < int64(3*t.period)
}

func (t *Transport) wake() {
	select {
	case t.kick <- struct{}{}:
	default:
	}
}

// write sends a datagram whose body is filled, under the current session.
func (t *Transport) write(d []byte, nonce *[12]byte) bool {
	s, to := t.current.Load(), t.peer.Load()
	if s == nil || to == nil {
		return false
	}
	_, err := t.conn.WriteToUDPAddrPort(s.seal(d, nonce), *to)
	return err == nil
}

// beat keeps the session and tells the peer of time and ends.
func (t *Transport) beat() {
	tick := time.NewTicker(t.period)
	defer tick.Stop()
	buffer, nonce := make([]byte, 2048), new([12]byte)
	for {
		t.handshake()
		t.tell(buffer, nonce)
		select {
		case <-t.quit:
			return
		case <-tick.C:
		case <-t.kick:
		}
	}
}

func (t *Transport) handshake() {
	s := t.current.Load()
	if !t.dial.IsValid() || t.alive() && time.Since(s.begun) < rekeyAfter {
		return
	}
	t.shake.Lock()
	defer t.shake.Unlock()
	if time.Since(t.tried) < retryAfter {
		return
	}
	t.tried = time.Now()
	h, err := newHandshake(t.config.Identity, t.config.Trust, true)
	if err != nil {
		return
	}
	d := make([]byte, headBytes, 256)
	d[0] = kindFirst
	_, _ = rand.Read(d[4:headBytes])
	if d, _, _, err = h.WriteMessage(d, nil); err == nil {
		t.attempt = h
		_, _ = t.conn.WriteToUDPAddrPort(d, t.dial)
	}
}

func (t *Transport) receive() {
	buffer := make([]byte, 2048)
	for {
		n, from, err := t.conn.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		t.datagram(buffer[:n], from)
	}
}

// datagram takes whatever came from the network.
func (t *Transport) datagram(d []byte, from netip.AddrPort) {
	from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	if len(d) < headBytes+tagBytes {
		t.rejected.Add(1)
		return
	}
	switch d[0] {
	case kindFirst:
		t.answer(d, from)
	case kindSecond:
		t.complete(d, from)
	case kindSealed:
		t.sealed(d, from)
	default:
		t.rejected.Add(1)
	}
}

// answer takes a dialler's first message. The session counts only when something sealed by it comes: the message
// may be a replay.
func (t *Transport) answer(d []byte, from netip.AddrPort) {
	if t.dial.IsValid() || time.Since(t.answered) < answerEvery {
		t.rejected.Add(1)
		return
	}
	t.answered = time.Now()
	h, err := newHandshake(t.config.Identity, t.config.Trust, false)
	if err != nil {
		return
	}
	if _, _, _, err = h.ReadMessage(nil, d[headBytes:]); err != nil {
		t.rejected.Add(1)
		return
	}
	reply, forth, back, err := h.WriteMessage(append([]byte{kindSecond}, d[1:headBytes]...), nil)
	if err != nil {
		return
	}
	if s, err := newSession(h, forth, back, false); err == nil {
		t.pending = s
		_, _ = t.conn.WriteToUDPAddrPort(reply, from)
	}
}

func (t *Transport) complete(d []byte, from netip.AddrPort) {
	t.shake.Lock()
	h := t.attempt
	if h == nil {
		t.shake.Unlock()
		t.rejected.Add(1)
		return
	}
	_, forth, back, err := h.ReadMessage(nil, d[headBytes:]) // restores its state where the message is forged
	if err == nil {
		t.attempt = nil
	}
	t.shake.Unlock()
	if err != nil {
		t.rejected.Add(1)
		return
	}
	if s, err := newSession(h, forth, back, true); err == nil {
		t.adopt(s, from)
		t.wake()
	}
}

func (t *Transport) adopt(s *session, from netip.AddrPort) {
	t.peer.Store(&from)
	t.previous = t.current.Load()
	t.heard.Store(rt.Now())
	t.current.Store(s)
}

func (t *Transport) sealed(d []byte, from netip.AddrPort) {
	id, s := binary.LittleEndian.Uint32(d[4:]), t.current.Load()
	for _, other := range [...]*session{t.pending, t.previous} {
		if (s == nil || s.id != id) && other != nil && other.id == id {
			s = other
		}
	}
	if s == nil || s.id != id {
		t.rejected.Add(1)
		return
	}
	body, genuine, fresh := s.open(d, &t.nonce)
	if !genuine {
		t.rejected.Add(1)
		return
	}
	if !fresh {
		t.stale.Add(1)
		return
	}
	if s == t.pending {
		t.pending = nil
		t.adopt(s, from)
		t.wake()
	}
	if s == t.current.Load() {
		t.heard.Store(rt.Now())
		if *t.peer.Load() != from && s.window.top == binary.LittleEndian.Uint64(d[8:])+1 {
			moved := from
			t.peer.Store(&moved)
		}
	}
	t.frame(body)
}
