package remote

import (
	"encoding/binary"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// Bodies of sealed datagrams. A heartbeat is its kind (8 bytes with padding), the sending host's time, the newest
// time of the peer that it knows, how long ago that arrived (8 each), and a list of ends: role (8 with padding),
// link, digest, epoch and number of the newest packet sent or received whole (8 each).
//
// A data frame is its kind, 1 if it is a repetition (1 byte each), index and count of parts (2 each), 2 zeros, then
// the link, the digest, the sender's epoch, the packet's number, the time when the frame was sent, the packet's age
// then (8 each), and a part of the packet. All numbers are little-endian.
const (
	frameBeat = 1
	frameData = 2

	beatBytes = 32
	endBytes  = 40
	dataBytes = 56

	roleSender   = 1
	roleReceiver = 2
)

// outbox is the buffer for the datagrams that the keeper writes.
type outbox struct {
	buffer []byte // its capacity is that of a datagram
	nonce  [12]byte
	more   bool // a heartbeat needs more than one datagram
}

func newOutbox(datagram int) *outbox { return &outbox{buffer: make([]byte, headBytes, datagram)} }

// sendHeartbeats sends a heartbeat. If there is no room for it, it has to wait for some, before packets; one of several datagrams is lost.
func (p *Peer) sendHeartbeats(out *outbox) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now := rt.Now()
	body := p.beginHeartbeat(out, now)
	out.more = false
	for id, s := range p.senders {
		body = p.addEnd(out, now, body, roleSender, id, s.digest, s.epoch, s.newest.Load())
	}
	for id, list := range p.receivers {
		for _, r := range list {
			epoch := r.wholeEpoch.Load() // before the number: see deliver
			body = p.addEnd(out, now, body, roleReceiver, id, r.digest, epoch, r.wholeNumber.Load())
		}
	}
	if !p.write(body, &out.nonce, now) && !out.more {
		p.owes.Store(true)
	}
}

// beginHeartbeat starts a heartbeat.
func (p *Peer) beginHeartbeat(out *outbox, now int64) []byte {
	le := binary.LittleEndian
	body := le.AppendUint64(out.buffer[:headBytes], frameBeat)
	body = le.AppendUint64(body, uint64(now))
	came := p.clock.came.Load()
	if came == 0 {
		return append(body, make([]byte, 16)...)
	}
	body = le.AppendUint64(body, uint64(p.clock.theirs.Load()))
	return le.AppendUint64(body, uint64(now-came))
}

// addEnd adds an end to a heartbeat; it first sends a heartbeat that is full.
func (p *Peer) addEnd(out *outbox, now int64, body []byte, role, id, digest, epoch, number uint64) []byte {
	if len(body)+endBytes > cap(out.buffer)-tagBytes {
		out.more = true
		p.write(body, &out.nonce, now)
		body = p.beginHeartbeat(out, now)
	}
	for _, v := range [...]uint64{role, id, digest, epoch, number} {
		body = binary.LittleEndian.AppendUint64(body, v)
	}
	return body
}

// take handles a datagram that the peer sealed. The order rises with every datagram of the peer. Lengths are checked:
// an authenticated peer may still send malformed data.
func (p *Peer) take(b []byte, order uint64, now int64) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	switch {
	case len(b) >= dataBytes && b[0] == frameData:
		for _, r := range p.receivers[binary.LittleEndian.Uint64(b[8:])] {
			r.part(b, order, now)
		}
	case len(b) >= beatBytes && b[0] == frameBeat:
		if order < p.lastHeartbeat {
			return // overtaken by a newer one
		}
		p.lastHeartbeat = order
		p.heartbeat(b, now)
	default:
		p.rejected.Add(1)
	}
}

func (p *Peer) heartbeat(b []byte, now int64) {
	le := binary.LittleEndian
	p.clock.take(int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:])), int64(le.Uint64(b[24:])), now)
	for b = b[beatBytes:]; len(b) >= endBytes; b = b[endBytes:] {
		id, digest, epoch, number := le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])
		switch b[0] {
		case roleSender:
			for _, r := range p.receivers[id] {
				r.meet(r.digest == digest, now)
			}
		case roleReceiver:
			if s := p.senders[id]; s != nil {
				s.meet(s.digest == digest, now)
				if s.digest == digest && (epoch != s.epoch || number < s.newest.Load()) {
					s.behind.Store(true)
				}
			}
		}
	}
}
