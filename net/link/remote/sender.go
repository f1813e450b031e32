package remote

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// sender is a sending end. A packet in flight is finished before the next one starts, because a receiver accepts
// whole packets only; meanwhile the newest one waits, or those of the queue.
type sender struct {
	*end
	epoch   uint64        // distinguishes this end from earlier and later senders of the link
	newest  atomic.Uint64 // number of the newest packet
	behind  atomic.Bool   // a receiver has not received it
	dropped atomic.Uint64

	mu      sync.Mutex // excludes Send, the keeper and the carrier
	flight  []byte     // the record of the packet being sent, or sent last
	next    int        // its next part
	again   byte       // 1 if it is a repetition
	fresh   []byte     // buffer for a record
	waiting []byte     // the newest record
	waits   bool
	counted bool   // among the peer's blocked senders
	last    uint64 // number of its last datagram among those of the peer
	queue   *lockfree.Queue
	ticks   int // of the keeper, since the newest packet was sent
	buffer  []byte
	nonce   [12]byte
}

// Send implements link.Transport.
func (p *Peer) Send(spec link.Spec) (link.Sender, error) {
	e, err := p.end(spec)
	if err != nil {
		return nil, err
	}
	var epoch [8]byte
	_, _ = rand.Read(epoch[:]) // never fails
	n := recordBytes + spec.Size
	s := &sender{end: e, epoch: binary.LittleEndian.Uint64(epoch[:]) | 1, flight: make([]byte, n), next: e.parts(spec.Size), fresh: make([]byte, n),
		waiting: make([]byte, n), buffer: make([]byte, p.host.kind.MaxDatagram)}
	if spec.Depth > 0 {
		s.queue = lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(n, spec.Depth)), n, spec.Depth, spec.Overflow)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.senders[e.id] != nil {
		return nil, fmt.Errorf("open link %q to %s: another sender is open", spec.Name, p.name)
	}
	p.senders[e.id] = s
	p.queue.enter(s, true)
	p.wake()
	return s, nil
}

// Send implements link.Sender.
func (s *sender) Send(packet []byte) error { return s.Forward(packet, 0) }

// Forward implements link.Sender.
func (s *sender) Forward(packet []byte, age time.Duration) error {
	s.mustFit(packet)
	if s.closed.Load() {
		return link.ErrClosed
	}
	first := s.accept(packet, age)
	if !first {
		s.peer.flush()
	}
	return nil
}

// accept takes a packet over, and sends it if no link waits for room. It reports whether none of them has to be served before.
func (s *sender) accept(packet []byte, age time.Duration) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	le := binary.LittleEndian
	le.PutUint64(s.fresh, s.epoch)
	le.PutUint64(s.fresh[8:], s.newest.Add(1))
	now := rt.Now()
	le.PutUint64(s.fresh[16:], uint64(now-int64(age)))
	s.fresh = s.fresh[:recordBytes+copy(s.fresh[recordBytes:cap(s.fresh)], packet)]
	s.ticks = 0
	others := s.peer.queue.blocked.Load() > 0
	switch {
	case s.next == s.inFlight():
		s.flight, s.fresh = s.fresh, s.flight
		s.next, s.again = 0, 0
		if !others {
			s.put(now)
		}
	case s.queue != nil:
		s.queue.Push(s.fresh)
	default:
		if s.waits {
			s.dropped.Add(1)
		}
		s.waiting, s.fresh, s.waits = s.fresh, s.waiting, true
	}
	s.count()
	return !others
}

// count keeps the number of the peer's senders that wait for room.
func (s *sender) count() {
	waits := s.next < s.inFlight() && !s.closed.Load()
	switch {
	case waits && !s.counted:
		s.peer.queue.blocked.Add(1)
	case !waits && s.counted:
		s.peer.queue.blocked.Add(-1)
	}
	s.counted = waits
}

// inFlight returns how many datagrams the packet in flight needs.
func (s *sender) inFlight() int { return s.parts(len(s.flight) - recordBytes) }

// put sends the remaining parts of the packet in flight while there is room.
func (s *sender) put(now int64) {
	for s.next < s.inFlight() && s.putPart(now) {
	}
}

// putPart sends the next part of the packet in flight; false if there is no room.
func (s *sender) putPart(now int64) bool {
	le, packet := binary.LittleEndian, s.flight[recordBytes:]
	part := packet[s.next*s.partBytes : min((s.next+1)*s.partBytes, len(packet))]
	b := s.buffer[headBytes:]
	b[0], b[1], b[6], b[7] = frameData, s.again, 0, 0
	le.PutUint16(b[2:], uint16(s.next))
	le.PutUint16(b[4:], uint16(s.inFlight()))
	le.PutUint64(b[8:], s.id)
	le.PutUint64(b[16:], s.digest)
	copy(b[24:40], s.flight) // epoch and number
	le.PutUint64(b[40:], uint64(now))
	le.PutUint64(b[48:], uint64(max(0, now-int64(le.Uint64(s.flight[16:])))))
	copy(b[dataBytes:], part)
	if !s.peer.write(s.buffer[:headBytes+dataBytes+len(part)], &s.nonce, now) {
		return false
	}
	s.next++
	s.last = s.peer.queue.sent.Add(1)
	return true
}

// rest returns how many bytes of the packet in flight have not been sent, the time of that packet, and the number of the link's last datagram; 0
// bytes if none waits.
func (s *sender) rest() (bytes int, since int64, last uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.counted {
		return 0, 0, 0
	}
	return len(s.flight) - recordBytes - s.next*s.partBytes, int64(binary.LittleEndian.Uint64(s.flight[16:])), s.last
}

// sendOne sends one part of the packet in flight, and goes on to the next packet after the last; false if there is no room.
func (s *sender) sendOne() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := s.next == s.inFlight() || s.putPart(rt.Now())
	if s.next == s.inFlight() {
		s.advance()
	}
	s.count()
	return room
}

// advance makes the packet that waits behind the sent one that in flight, if there is one.
func (s *sender) advance() {
	switch {
	case s.waits:
		s.flight, s.waiting, s.waits = s.waiting, s.flight, false
	case s.queue == nil:
		return
	default:
		n, ok := s.queue.PopSome(s.flight[:cap(s.flight)])
		if !ok {
			return
		}
		s.flight = s.flight[:n]
	}
	s.next, s.again = 0, 0
}

// resend maintains an idle link: it sends the newest packet again to a receiver that has not received it. The peer serves those that wait for
// room.
func (s *sender) resend() {
	if !s.mu.TryLock() {
		return // a packet is under way
	}
	defer s.mu.Unlock()
	s.ticks++
	if s.next == s.inFlight() && s.ticks > 1 && s.newest.Load() != 0 && s.peer.queue.blocked.Load() == 0 && s.behind.Swap(false) {
		s.next, s.again = 0, 1
		s.put(rt.Now())
		s.count()
	}
}

// State implements link.Sender.
func (s *sender) State() link.State {
	st := s.state("receiver")
	st.Packets, st.Lost = s.newest.Load(), s.dropped.Load()
	if s.queue != nil {
		st.Lost += s.queue.Dropped()
	}
	return st
}

// Close implements link.Sender.
func (s *sender) Close() error {
	if !s.closed.Swap(true) {
		s.peer.mu.Lock()
		delete(s.peer.senders, s.id)
		s.peer.mu.Unlock()
		s.peer.queue.enter(s, false)
		s.mu.Lock()
		s.count()
		s.mu.Unlock()
	}
	return nil
}
