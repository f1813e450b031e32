package udp

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// Bodies of sealed datagrams. A heartbeat is its kind (8 bytes with padding), the sender's time, the newest time
// of the peer it knows, how long ago that came, and a list of ends. A data frame is its kind, padding, index and count
// of parts (2 each), then the link, the sender's epoch, the packet's number, the time when the datagram was sent, the
// packet's age then (8 each), and a part of the packet.
const (
	frameBeat = 1
	frameData = 2

	beatBytes = 32
	endBytes  = 32 // role, link, digest, epoch
	dataBytes = 48
	partBytes = 1300

	roleSender   = 1
	roleReceiver = 2
)

// offset estimates how far the peer's monotonic clock is ahead of this one, from the fastest round trips.
type offset struct {
	theirs, came atomic.Int64 // the peer's newest time, and when it came
	best         int64
	ahead        atomic.Int64
	known        atomic.Bool
}

const forget = 20_000 // ns by which the best round trip fades with each beat, so that drift is followed

func (o *offset) take(theirs, echo, held int64) {
	now := rt.Now()
	o.theirs.Store(theirs)
	o.came.Store(now)
	if echo == 0 {
		return
	}
	trip := now - echo - held
	if trip < 0 {
		return
	}
	if o.best += forget; !o.known.Load() || trip <= o.best {
		o.best = trip
		o.ahead.Store(theirs + trip/2 - now)
		o.known.Store(true)
	}
}

// local converts a time of the peer, never to the future.
func (o *offset) local(theirs int64) int64 {
	now := rt.Now()
	if !o.known.Load() {
		return now
	}
	return min(theirs-o.ahead.Load(), now)
}

func (t *Transport) tell(buffer []byte, nonce *[12]byte) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	le, body := binary.LittleEndian, buffer[:headBytes]
	start := func() {
		body = buffer[:headBytes+beatBytes]
		clear(body)
		body[headBytes] = frameBeat
		now := rt.Now()
		le.PutUint64(body[headBytes+8:], uint64(now))
		if came := t.clock.came.Load(); came != 0 {
			le.PutUint64(body[headBytes+16:], uint64(t.clock.theirs.Load()))
			le.PutUint64(body[headBytes+24:], uint64(now-came))
		}
	}
	add := func(role, link, digest, epoch uint64) {
		for _, v := range [...]uint64{role, link, digest, epoch} {
			body = le.AppendUint64(body, v)
		}
		if len(body) > headBytes+dataBytes+partBytes-endBytes {
			t.write(body, nonce)
			start()
		}
	}
	start()
	for id, s := range t.senders {
		add(roleSender, id, s.digest, s.epoch)
	}
	for id, list := range t.receivers {
		for _, r := range list {
			add(roleReceiver, id, r.digest, 0)
		}
	}
	t.write(body, nonce)
	for _, s := range t.senders {
		s.repeat()
	}
}

// frame takes what the peer sealed. Lengths are checked: a peer may be of another version.
func (t *Transport) frame(b []byte) {
	le := binary.LittleEndian
	t.mu.RLock()
	defer t.mu.RUnlock()
	switch {
	case len(b) >= dataBytes && b[0] == frameData:
		for _, r := range t.receivers[le.Uint64(b[8:])] {
			r.part(b)
		}
	case len(b) >= beatBytes && b[0] == frameBeat:
		t.clock.take(int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:])), int64(le.Uint64(b[24:])))
		for b = b[beatBytes:]; len(b) >= endBytes; b = b[endBytes:] {
			id, digest := le.Uint64(b[8:]), le.Uint64(b[16:])
			switch le.Uint64(b) {
			case roleSender:
				for _, r := range t.receivers[id] {
					r.meet(r.digest == digest)
					if r.digest == digest {
						r.epoch = le.Uint64(b[24:])
					}
				}
			case roleReceiver:
				if s := t.senders[id]; s != nil {
					s.meet(s.digest == digest)
				}
			}
		}
	default:
		t.rejected.Add(1)
	}
}
