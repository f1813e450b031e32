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

	// the reading thread's
	epoch, number uint64 // of the packet being put together, or put together last
	order         uint64 // of the newest datagram of the link
	missing       int    // parts
	have          []bool
	record        []byte

	wholeEpoch, wholeNumber atomic.Uint64 // of the newest whole packet
	stopped                 atomic.Uint64 // late ones
	newest                  atomic.Int64  // when the newest one was sent

	// the receiving goroutine's
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
	r := &receiver{end: e, record: make([]byte, n), taken: make([]byte, n), have: make([]bool, e.parts())}
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

// part takes a data frame, and delivers a packet with its last part.
func (r *receiver) part(b []byte, order uint64, now int64) {
	le := binary.LittleEndian
	if le.Uint64(b[16:]) != r.digest {
		r.meet(false, now)
		return
	}
	i, epoch, number := int(le.Uint16(b[2:])), le.Uint64(b[24:]), le.Uint64(b[32:])
	if i >= len(r.have) || int(le.Uint16(b[4:])) != len(r.have) || len(b)-dataBytes != min(partBytes, r.spec.Size-i*partBytes) || number == 0 {
		r.peer.rejected.Add(1)
		return
	}
	r.meet(true, now)
	switch {
	case epoch != r.epoch && order < r.order, epoch == r.epoch && number < r.number:
		r.stopped.Add(1)
		return
	case epoch != r.epoch || number > r.number:
		r.epoch, r.number, r.missing = epoch, number, len(r.have)
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
	if len(r.have) == 1 && r.latest != nil {
		record = r.latest.Slot() // a copy less
	}
	copy(record[recordBytes+i*partBytes:], b[dataBytes:])
	if r.missing--; r.missing == 0 {
		age := int64(min(le.Uint64(b[48:]), 1<<62))
		r.deliver(record, r.peer.clock.local(int64(le.Uint64(b[40:])), now)-age)
	}
}

// deliver hands the whole packet over.
func (r *receiver) deliver(record []byte, sent int64) {
	le := binary.LittleEndian
	le.PutUint64(record, r.epoch)
	le.PutUint64(record[8:], r.number)
	le.PutUint64(record[16:], uint64(sent))
	if r.wholeEpoch.Load() != r.epoch { // whoever reads the epoch first never sees it with a former number
		r.wholeNumber.Store(0)
		r.wholeEpoch.Store(r.epoch)
	}
	r.wholeNumber.Store(r.number)
	r.newest.Store(sent)
	if r.latest == nil {
		r.queue.Push(record)
	} else {
		if len(r.have) > 1 {
			copy(r.latest.Slot(), record)
		}
		r.latest.Publish()
	}
	r.bell.Wake()
}

// TryReceive implements link.Receiver.
func (r *receiver) TryReceive(packet []byte) (link.Stamp, bool) {
	r.mustFit(packet)
	r.peer.poll()
	return r.next(packet)
}

// next takes the next packet out of the exchange.
func (r *receiver) next(packet []byte) (link.Stamp, bool) {
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

// Receive implements link.Receiver.
func (r *receiver) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	r.mustFit(packet)
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
		st.Age = time.Duration(max(0, rt.Now()-at))
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
