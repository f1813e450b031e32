package remote

import (
	"encoding/binary"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// receiver is a receiving end.
type receiver struct {
	*end
	bell   rt.Wake
	latest *lockfree.Latest
	queue  *lockfree.Queue

	// used by the reading thread
	epoch, number uint64 // of the packet being assembled, or assembled last
	order         uint64 // of the newest datagram of the link
	size          int    // its bytes, once its last part is there
	count         int    // its parts
	missing       int    // those that are not there
	have          []bool // of the parts, those that are there
	record        []byte

	wholeEpoch, wholeNumber atomic.Uint64 // of the newest whole packet
	stopped                 atomic.Uint64 // late packets
	newest                  atomic.Int64  // when the newest packet was sent

	// used by the receiving goroutine
	taken           []byte
	lastEpoch, last uint64
	waits           atomic.Bool
	got, lost       atomic.Uint64
}

// Receive implements link.Transport.
func (p *Peer) Receive(spec link.Spec) (link.Receiver, error) {
	e, err := p.end(spec)
	if err != nil {
		return nil, err
	}
	n := recordBytes + spec.Size
	r := &receiver{end: e, record: make([]byte, n), taken: make([]byte, n), have: make([]bool, e.parts(spec.Size))}
	if spec.Depth == 0 {
		r.latest = lockfree.NewLatest(lockfree.Memory(lockfree.LatestSize(n)), n)
	} else {
		r.queue = lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(n, spec.Depth)), n, spec.Depth, spec.Overflow)
	}
	p.mu.Lock()
	p.receivers[e.id] = append(p.receivers[e.id], r)
	p.mu.Unlock()
	p.wake()
	return r, nil
}

// part handles a data frame, and delivers the packet with its last part.
func (r *receiver) part(b []byte, order uint64, now int64) {
	le := binary.LittleEndian
	if le.Uint64(b[16:]) != r.digest {
		r.meet(false, now)
		return
	}
	i, epoch, number := int(le.Uint16(b[2:])), le.Uint64(b[24:]), le.Uint64(b[32:])
	count, bytes := int(le.Uint16(b[4:])), len(b)-dataBytes
	if !r.allows(i, count, bytes) || number == 0 || epoch == r.epoch && number == r.number && count != r.count {
		r.peer.rejected.Add(1)
		return
	}
	r.meet(true, now)
	switch {
	case epoch != r.epoch && order < r.order, epoch == r.epoch && number < r.number:
		r.stopped.Add(1)
		return
	case epoch != r.epoch || number > r.number:
		r.epoch, r.number, r.count, r.missing = epoch, number, count, count
		clear(r.have)
	}
	r.order = max(r.order, order)
	if r.have[i] {
		if b[1] == 0 {
			r.stopped.Add(1)
		}
		return
	}
	r.have[i] = true
	record := r.record
	if count == 1 && r.latest != nil {
		record = r.latest.Slot() // saves a copy
	}
	copy(record[recordBytes+i*r.partBytes:], b[dataBytes:])
	if i == count-1 {
		r.size = i*r.partBytes + bytes
	}
	if r.missing--; r.missing == 0 {
		age := int64(min(le.Uint64(b[48:]), 1<<62))
		r.deliver(record[:recordBytes+r.size], r.peer.clock.local(int64(le.Uint64(b[40:])), now)-age)
	}
}

// allows reports whether part i of count may have a number of bytes: all but the last are full.
func (r *receiver) allows(i, count, bytes int) bool {
	switch {
	case i < count-1:
		return bytes == r.partBytes && (count == len(r.have) || r.spec.Varies && count < len(r.have))
	case i == count-1:
		return bytes > 0 && bytes <= r.partBytes && r.spec.Allows(i*r.partBytes+bytes)
	}
	return false
}

// deliver passes the complete packet on.
func (r *receiver) deliver(record []byte, sent int64) {
	le := binary.LittleEndian
	le.PutUint64(record, r.epoch)
	le.PutUint64(record[8:], r.number)
	le.PutUint64(record[16:], uint64(sent))
	if r.wholeEpoch.Load() != r.epoch { // a reader that loads the epoch first never sees it with an older number
		r.wholeNumber.Store(0)
		r.wholeEpoch.Store(r.epoch)
	}
	r.wholeNumber.Store(r.number)
	r.newest.Store(sent)
	if r.latest == nil {
		r.queue.Push(record)
	} else {
		if r.count > 1 {
			copy(r.latest.Slot(), record)
		}
		r.latest.PublishSome(len(record))
	}
	r.bell.Wake()
}

// TryReceive implements link.Receiver.
func (r *receiver) TryReceive(packet []byte) (link.Stamp, bool) {
	r.mustHold(packet)
	r.peer.poll()
	return r.next(packet)
}

// next takes the next packet from the exchange.
func (r *receiver) next(packet []byte) (link.Stamp, bool) {
	if r.closed.Load() {
		return link.Stamp{}, false
	}
	var whole []byte
	fresh := false
	if r.latest != nil {
		whole, fresh = r.latest.Fetch()
	} else {
		var n int
		n, fresh = r.queue.PopSome(r.taken)
		whole = r.taken[:n]
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
	size := copy(packet, whole[recordBytes:])
	return link.Stamp{Size: size, Number: number, Age: time.Duration(max(0, rt.Now()-sent))}, true
}

// Receive implements link.Receiver.
func (r *receiver) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	r.mustHold(packet)
	if !r.waits.Load() && !r.waits.Swap(true) {
		r.peer.waiting.Add(1)
	}
	if timeout == 0 {
		r.peer.poll()
	}
	end := int64(-1)
	if timeout >= 0 {
		end = rt.Now() + int64(timeout)
	}
	for left := timeout; ; {
		if stamp, ok := r.next(packet); ok {
			return stamp, nil
		}
		switch {
		case r.closed.Load():
			return link.Stamp{}, link.ErrClosed
		case timeout >= 0 && left <= 0:
			return link.Stamp{}, link.ErrTimeout
		}
		r.peer.wait(&r.bell, left)
		if timeout >= 0 {
			left = max(0, time.Duration(end-rt.Now()))
		}
	}
}

// State implements link.Receiver.
func (r *receiver) State() link.State {
	st := r.state("sender")
	st.Packets, st.Lost = r.got.Load(), r.lost.Load()
	st.Stale += r.stopped.Load()
	if at := r.newest.Load(); at != 0 {
		st.Age = time.Duration(max(0, rt.Now()-at)).Seconds()
	}
	return st
}

// Close implements link.Receiver.
func (r *receiver) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	p := r.peer
	p.mu.Lock()
	if p.receivers[r.id] = slices.DeleteFunc(p.receivers[r.id], func(o *receiver) bool { return o == r }); len(p.receivers[r.id]) == 0 {
		delete(p.receivers, r.id)
	}
	p.mu.Unlock()
	if r.waits.Swap(false) {
		p.waiting.Add(-1)
	}
	r.bell.Wake()
	return nil
}
