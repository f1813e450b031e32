package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// receiver is a receiving end.
type receiver struct {
	spec   link.Spec
	path   string
	spin   time.Duration
	pinned bool
	tried  int64
	buffer []byte // of a queue's packet
	last   uint64 // number of the last packet
	newest atomic.Int64
	got    atomic.Uint64
	lost   atomic.Uint64
	closed atomic.Bool

	use     sync.Mutex // held while the end is used, so that Close knows when nobody is in it
	mu      sync.Mutex // guards what follows against State and Close
	segment *segment
	fresh   bool // nothing was received since the seat was taken
	number  int  // of the seat
	seat    seat
	latest  *lockfree.Latest
	queue   *lockfree.Queue
	served  uint64 // epoch of the sender that made the queue
	problem string
}

// Receive opens a receiving end of a link. It finds the newest packet, where one was sent before.
func (t *Transport) Receive(spec link.Spec) (link.Receiver, error) {
	path, err := t.path(&spec)
	if err != nil {
		return nil, err
	}
	r := &receiver{spec: spec, path: path, spin: t.Spin, pinned: t.Pinned, buffer: make([]byte, spec.Size+stampBytes)}
	if err := r.connect(); err != nil {
		return nil, fmt.Errorf("open link %q: %w", spec.Name, err)
	}
	return r, nil
}

func (r *receiver) connect() error {
	r.tried = rt.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	seg, taken, err := open(r.path, r.spec, firstSeat, MaxReceivers)
	switch {
	case errors.Is(err, errNoSeat):
		r.problem = fmt.Sprintf("the link has %d receivers already", MaxReceivers)
		return nil
	case errors.As(err, new(errMismatch)):
		r.problem = err.Error()
		return nil
	case err != nil:
		r.problem = err.Error()
		return err
	}
	i := taken - firstSeat
	r.segment, r.number, r.seat, r.problem = seg, i, seg.seat(i), ""
	r.queue, r.served, r.fresh = nil, 0, true
	r.seat.bell.Reset() // a receiver that was killed may have left it ajar
	if r.spec.Depth > 0 {
		r.seat.state.Store(seatWanted)
		return nil
	}
	r.latest = nil
	if r.seat.served.Load() != 0 { // a sender has been there
		r.latest = lockfree.OpenLatest(r.seat.body, seg.packet)
	}
	r.seat.state.Store(seatServed)
	return nil
}

// ready reports whether the exchange may be read.
func (r *receiver) ready() bool {
	if r.segment == nil {
		if rt.Now()-r.tried < int64(retryPeriod) || r.connect() != nil || r.segment == nil {
			return false
		}
	}
	if r.spec.Depth == 0 {
		if r.latest == nil {
			if r.seat.served.Load() == 0 {
				return false
			}
			r.latest = lockfree.OpenLatest(r.seat.body, r.segment.packet)
		}
		return true
	}
	epoch := r.segment.word64(atEpoch).Load()
	if r.queue != nil && r.served == epoch {
		return true
	}
	if r.seat.state.Load() != seatServed || r.seat.served.Load() != epoch {
		r.seat.state.CompareAndSwap(seatServed, seatWanted) // a new sender has come
		r.queue = nil
		return false
	}
	r.queue, r.served = lockfree.OpenQueue(r.seat.body, r.segment.packet, r.spec.Depth, r.spec.Overflow), epoch
	return true
}

// TryReceive implements [link.Receiver].
func (r *receiver) TryReceive(packet []byte) (link.Stamp, bool) {
	if len(packet) != r.spec.Size {
		panic(fmt.Sprintf("shm: room for %d bytes on link %q, whose packets have %d", len(packet), r.spec.Name, r.spec.Size))
	}
	r.use.Lock() // nobody else has it but Close
	defer r.use.Unlock()
	return r.take(packet)
}

// take is TryReceive for whoever has the end to himself.
func (r *receiver) take(packet []byte) (link.Stamp, bool) {
	if r.closed.Load() || !r.ready() {
		return link.Stamp{}, false
	}
	whole := r.buffer
	if r.spec.Depth == 0 {
		fresh := false
		if whole, fresh = r.latest.Fetch(); !fresh && !r.fresh {
			return link.Stamp{}, false
		}
		// what the seat's former receiver has taken is new to this one, if it is the newest
		r.fresh = false
		if n := binary.LittleEndian.Uint64(whole); !fresh && (n == 0 || n != r.segment.word64(atNumber).Load()) {
			return link.Stamp{}, false
		}
	} else if !r.queue.Pop(whole) {
		return link.Stamp{}, false
	}
	number, sent := binary.LittleEndian.Uint64(whole), int64(binary.LittleEndian.Uint64(whole[8:]))
	if number == r.last {
		return link.Stamp{}, false // it was received before this end's seat was given away
	}
	copy(packet, whole[stampBytes:])
	if r.last != 0 && number > r.last+1 {
		r.lost.Add(number - r.last - 1)
	}
	r.last = number
	r.got.Add(1)
	r.newest.Store(sent)
	return link.Stamp{Number: number, Age: time.Duration(max(rt.Now()-sent, 0))}, true
}

// wakePeriod is how often a waiting Receive looks at the link though nobody woke it: a sender may have come or died.
const wakePeriod = 20 * time.Millisecond

// Receive implements [link.Receiver].
func (r *receiver) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	if len(packet) != r.spec.Size {
		panic(fmt.Sprintf("shm: room for %d bytes on link %q, whose packets have %d", len(packet), r.spec.Name, r.spec.Size))
	}
	r.use.Lock()
	defer r.use.Unlock()
	begin := rt.Now()
	for {
		if stamp, ok := r.take(packet); ok {
			return stamp, nil
		}
		if r.closed.Load() {
			return link.Stamp{}, link.ErrClosed
		}
		wait := wakePeriod
		if waited := time.Duration(rt.Now() - begin); timeout >= 0 {
			if waited >= timeout {
				return link.Stamp{}, link.ErrTimeout
			}
			wait = min(wait, timeout-waited)
		}
		switch {
		case r.segment == nil:
			time.Sleep(min(wait, time.Millisecond))
		case r.spin > 0 && r.rings():
		case r.pinned:
			r.seat.bell.WaitPinned(wait)
		default:
			r.seat.bell.Wait(wait)
		}
	}
}

// rings looks for a packet for a while and reports whether one may be there.
func (r *receiver) rings() bool {
	for end := rt.Now() + int64(r.spin); rt.Now() < end; {
		if r.seat.bell.Wait(0) {
			return true
		}
	}
	return false
}

// State implements [link.Receiver].
func (r *receiver) State() link.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := link.State{Packets: r.got.Load(), Lost: r.lost.Load(), Problem: r.problem}
	if sent := r.newest.Load(); sent != 0 {
		state.Age = time.Duration(rt.Now() - sent)
	}
	if r.segment == nil {
		return state
	}
	if state.Connected = r.segment.shared.Taken(senderSeat); !state.Connected {
		state.Problem = r.segment.problem("nobody sends")
	}
	return state
}

// Close implements [link.Receiver].
func (r *receiver) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	r.mu.Lock()
	if r.segment != nil {
		r.seat.bell.Wake()
	}
	r.mu.Unlock()
	r.use.Lock() // until a waiting Receive has left
	defer r.use.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.segment == nil {
		return nil
	}
	r.seat.state.Store(seatFree)
	seg := r.segment
	r.segment, r.problem = nil, "this end is closed"
	return seg.close(firstSeat + r.number)
}
