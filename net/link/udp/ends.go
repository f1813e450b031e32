package udp

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

const recordBytes = 24 // epoch, number and time before a packet in a receiver's exchange

// end is what both kinds of ends have.
type end struct {
	t          *Transport
	spec       link.Spec
	id, digest uint64
	met, wrong atomic.Int64 // when the peer's fitting and unfitting ends were heard of
	closed     atomic.Bool
}

func (t *Transport) end(spec link.Spec) (*end, error) {
	name := spec.Name
	ok := name != "" && len(name) <= link.MaxName && name[0] != '.'
	for _, c := range []byte(name) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-')
	}
	if !ok {
		return nil, fmt.Errorf("open link %q: a name wants letters, digits, '.', '_' and '-', at most %d, not starting with '.'", name, link.MaxName)
	}
	if spec.Size < 1 || spec.Size > link.MaxSize || spec.Depth < 0 {
		return nil, fmt.Errorf("open link %q: packets of %d bytes, %d waiting: wants 1 to %d bytes, and not less than 0", name, spec.Size, spec.Depth, link.MaxSize)
	}
	word := func(s string) uint64 { h := sha256.Sum256([]byte(s)); return binary.LittleEndian.Uint64(h[:]) }
	return &end{t: t, spec: spec, id: word(name), digest: word(fmt.Sprintf("%d %d %d %s", spec.Size, spec.Depth, spec.Overflow, spec.Schema))}, nil
}

func (e *end) meet(fits bool) {
	if fits {
		e.met.Store(rt.Now())
	} else {
		e.wrong.Store(rt.Now())
	}
}

func (e *end) state(role string) (s link.State) {
	recent := func(at int64) bool { return at != 0 && rt.Now()-at < int64(3*e.t.period) }
	s.Rejected, s.Stale = e.t.rejected.Load(), e.t.stale.Load()
	switch {
	case e.closed.Load():
		s.Problem = "this end is closed"
	case !e.t.alive():
		s.Problem = "the peer does not answer"
	case recent(e.met.Load()):
		s.Connected = true
	case recent(e.wrong.Load()):
		s.Problem = link.ErrMismatch.Error()
	default:
		s.Problem = "the peer has no " + role + " of this link"
	}
	return s
}

type sender struct {
	*end
	epoch        uint64
	sent, failed atomic.Uint64
	mu           sync.Mutex // Send against the repetition by the heartbeat
	number       uint64
	stamp        int64
	last, buffer []byte
	nonce        [12]byte
}

// Send implements link.Transport.
func (t *Transport) Send(spec link.Spec) (link.Sender, error) {
	e, err := t.end(spec)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.senders[e.id] != nil {
		return nil, fmt.Errorf("open link %q: it has a sender already", spec.Name)
	}
	s := &sender{end: e, epoch: uint64(time.Now().UnixNano()), last: make([]byte, spec.Size), buffer: make([]byte, 2048)}
	t.senders[e.id] = s
	t.wake()
	return s, nil
}

// Send implements link.Sender.
func (s *sender) Send(packet []byte) error { return s.Forward(packet, 0) }

// Forward implements link.Sender.
func (s *sender) Forward(packet []byte, age time.Duration) error {
	if len(packet) != s.spec.Size {
		panic(fmt.Sprintf("udp: a packet of %d bytes on link %q, whose packets have %d", len(packet), s.spec.Name, s.spec.Size))
	}
	if s.closed.Load() {
		return link.ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	copy(s.last, packet)
	s.number++
	s.stamp = rt.Now() - int64(age)
	s.sent.Add(1)
	if s.t.alive() && !s.put() {
		s.failed.Add(1)
	}
	return nil
}

// put sends the newest packet in as many datagrams as it needs.
func (s *sender) put() bool {
	le, count := binary.LittleEndian, (len(s.last)+partBytes-1)/partBytes
	for i := range count {
		part := s.last[i*partBytes : min((i+1)*partBytes, len(s.last))]
		b := s.buffer[headBytes:]
		b[0], b[1], b[6], b[7] = frameData, 0, 0, 0
		le.PutUint16(b[2:], uint16(i))
		le.PutUint16(b[4:], uint16(count))
		le.PutUint64(b[8:], s.id)
		le.PutUint64(b[16:], s.epoch)
		le.PutUint64(b[24:], s.number)
		now := rt.Now()
		le.PutUint64(b[32:], uint64(now))
		le.PutUint64(b[40:], uint64(max(0, now-s.stamp)))
		copy(b[dataBytes:], part)
		if !s.t.write(s.buffer[:headBytes+dataBytes+len(part)], &s.nonce) {
			return false
		}
	}
	return true
}

func (s *sender) repeat() {
	if s.mu.TryLock() { // otherwise a newer packet is under way
		if s.number != 0 {
			s.put()
		}
		s.mu.Unlock()
	}
}

func (s *sender) State() link.State {
	st := s.state("receiver")
	st.Packets, st.Lost = s.sent.Load(), s.failed.Load()
	return st
}

func (s *sender) Close() error {
	if !s.closed.Swap(true) {
		s.t.mu.Lock()
		delete(s.t.senders, s.id)
		s.t.mu.Unlock()
	}
	return nil
}

type receiver struct {
	*end
	bell   chan struct{}
	latest *lockfree.Latest
	queue  *lockfree.Queue

	epoch, number uint64 // of the sender and of the packet being put together: the transport's goroutine's
	from          uint64 // epoch of the number
	whole         bool
	missing       int
	have          []bool
	record        []byte

	taken              []byte // the receiving goroutine's
	lastEpoch, last    uint64
	got, lost, stopped atomic.Uint64
	newest             atomic.Int64
}

// Receive implements link.Transport.
func (t *Transport) Receive(spec link.Spec) (link.Receiver, error) {
	e, err := t.end(spec)
	if err != nil {
		return nil, err
	}
	n := recordBytes + spec.Size
	r := &receiver{end: e, bell: make(chan struct{}, 1), record: make([]byte, n), taken: make([]byte, n),
		have: make([]bool, (spec.Size+partBytes-1)/partBytes)}
	if spec.Depth == 0 {
		r.latest = lockfree.NewLatest(lockfree.Memory(lockfree.LatestSize(n)), n)
	} else {
		r.queue = lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(n, spec.Depth)), n, spec.Depth, spec.Overflow)
	}
	t.mu.Lock()
	t.receivers[e.id] = append(t.receivers[e.id], r)
	t.mu.Unlock()
	t.wake()
	return r, nil
}

// part takes a data frame, and delivers a packet with its last part.
func (r *receiver) part(b []byte) {
	le := binary.LittleEndian
	i, epoch, number := int(le.Uint16(b[2:])), le.Uint64(b[16:]), le.Uint64(b[24:])
	size := min(partBytes, r.spec.Size-i*partBytes)
	if epoch != r.epoch || epoch == r.from && (number < r.number || number == r.number && r.whole) {
		r.stopped.Add(1)
		return
	}
	if int(le.Uint16(b[4:])) != len(r.have) || i >= len(r.have) || len(b)-dataBytes != size {
		r.t.rejected.Add(1)
		return
	}
	if epoch != r.from || number != r.number {
		r.from, r.number, r.whole, r.missing = epoch, number, false, len(r.have)
		clear(r.have)
	}
	if r.have[i] {
		return
	}
	r.have[i] = true
	copy(r.record[recordBytes+i*partBytes:], b[dataBytes:])
	if r.missing--; r.missing > 0 {
		return
	}
	r.whole = true
	sent := r.t.clock.local(int64(le.Uint64(b[32:]))) - int64(le.Uint64(b[40:])&(1<<62-1))
	le.PutUint64(r.record, epoch)
	le.PutUint64(r.record[8:], number)
	le.PutUint64(r.record[16:], uint64(sent))
	r.newest.Store(sent)
	if r.latest != nil {
		copy(r.latest.Slot(), r.record)
		r.latest.Publish()
	} else {
		r.queue.Push(r.record)
	}
	r.ring()
}

func (r *receiver) ring() {
	select {
	case r.bell <- struct{}{}:
	default:
	}
}

func (r *receiver) TryReceive(packet []byte) (link.Stamp, bool) {
	if len(packet) != r.spec.Size {
		panic(fmt.Sprintf("udp: room for %d bytes on link %q, whose packets have %d", len(packet), r.spec.Name, r.spec.Size))
	}
	if r.closed.Load() {
		return link.Stamp{}, false
	}
	whole, fresh := r.taken, false
	if r.latest != nil {
		whole, fresh = r.latest.Fetch()
	} else {
		fresh = r.queue.Pop(whole)
	}
	if !fresh {
		return link.Stamp{}, false
	}
	le := binary.LittleEndian
	epoch, number, sent := le.Uint64(whole), le.Uint64(whole[8:]), int64(le.Uint64(whole[16:]))
	if epoch == r.lastEpoch && number > r.last+1 {
		r.lost.Add(number - r.last - 1)
	}
	r.lastEpoch, r.last = epoch, number
	r.got.Add(1)
	copy(packet, whole[recordBytes:])
	return link.Stamp{Number: number, Age: time.Duration(max(0, rt.Now()-sent))}, true
}

func (r *receiver) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	var late <-chan time.Time
	if timeout >= 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	for {
		if stamp, ok := r.TryReceive(packet); ok {
			return stamp, nil
		}
		if r.closed.Load() {
			return link.Stamp{}, link.ErrClosed
		}
		select {
		case <-r.bell:
		case <-late:
			return link.Stamp{}, link.ErrTimeout
		}
	}
}

func (r *receiver) State() link.State {
	st := r.state("sender")
	st.Packets, st.Lost = r.got.Load(), r.lost.Load()
	st.Stale += r.stopped.Load()
	if at := r.newest.Load(); at != 0 {
		st.Age = time.Duration(max(0, rt.Now()-at))
	}
	return st
}

func (r *receiver) Close() error {
	if !r.closed.Swap(true) {
		r.t.mu.Lock()
		r.t.receivers[r.id] = slices.DeleteFunc(r.t.receivers[r.id], func(o *receiver) bool { return o == r })
		r.t.mu.Unlock()
		r.ring()
	}
	return nil
}
