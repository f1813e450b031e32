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
	buffer []byte // for a queue's packet
	last   uint64 // number of the last packet
	newest atomic.Int64
	got    atomic.Uint64
	lost   atomic.Uint64
	wrong  atomic.Uint64 // packets and records that no correct peer writes
	idle   int           // takes in a row that found nothing
	closed atomic.Bool
	latest atomic.Pointer[lockfree.Latest] // State reads both while the end is used
	queue  atomic.Pointer[lockfree.Queue]

	use     sync.Mutex // held while the end is used, so that Close can wait for it
	mu      sync.Mutex // guards what follows against State and Close
	segment *segment
	fresh   bool // no packet was received since the seat was taken
	number  int  // of the seat
	seat    seat
	served  uint64 // epoch of the sender that made the queue; 0: not created yet
	problem string
	damage  damage
}

// Receive opens a receiving end of a link. The first packet received is the newest one sent before, if any.
// It fails for an invalid Spec and for memory that cannot be opened; more than [MaxReceivers] receivers, or a segment of another
// Spec, are the problem in the end's State.
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
	r.served, r.fresh = 0, true
	r.queue.Store(nil)
	r.seat.bell.Reset() // a receiver that was killed may have left it set
	if r.spec.Depth > 0 {
		r.seat.state.Store(seatWanted)
		return nil
	}
	r.latest.Store(nil)
	if r.seat.served.Load() != 0 { // a sender has served this seat
		r.latest.Store(lockfree.OpenLatest(r.seat.body, seg.packet))
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
		if r.latest.Load() == nil {
			if r.seat.served.Load() == 0 {
				return false
			}
			r.latest.Store(lockfree.OpenLatest(r.seat.body, r.segment.packet))
		}
		return true
	}
	epoch := r.segment.word64(atEpoch).Load()
	if r.served == epoch && epoch != 0 {
		return true
	}
	r.served = 0
	if state := r.seat.state.Load(); state != seatServed || r.seat.served.Load() != epoch {
		if state != seatWanted { // there is a new sender, or the record is damaged
			r.seat.state.Store(seatWanted)
		}
		return false
	}
	if r.queue.Load() == nil {
		r.queue.Store(lockfree.OpenQueue(r.seat.body, r.segment.packet, r.spec.Depth, r.spec.Overflow))
	}
	r.served = epoch
	return true
}

// TryReceive implements [link.Receiver].
func (r *receiver) TryReceive(packet []byte) (link.Stamp, bool) {
	if len(packet) != r.spec.Size {
		panic(fmt.Sprintf("shm: room for %d bytes on link %q, whose packets have %s", len(packet), r.spec.Name, r.spec.Lengths()))
	}
	r.use.Lock() // only Close can compete for it
	defer r.use.Unlock()
	return r.take(packet)
}

// take does what TryReceive does, for a caller that holds use.
func (r *receiver) take(packet []byte) (link.Stamp, bool) {
	return r.takeBy(func(b []byte) { copy(packet, b) })
}

// Take implements [link.Taker].
func (r *receiver) Take(use func(packet []byte)) (link.Stamp, bool) {
	r.use.Lock()
	defer r.use.Unlock()
	return r.takeBy(use)
}

func (r *receiver) takeBy(use func(packet []byte)) (link.Stamp, bool) {
	if r.closed.Load() || !r.ready() {
		return link.Stamp{}, false
	}
	stamp, ok := r.next(use)
	if ok {
		r.idle = 0
	} else if r.idle++; r.idle >= reclaimAfter {
		r.idle = 0
		r.reclaim()
	}
	return stamp, ok
}

// reclaimAfter is the number of takes in a row without a packet after which a receiver checks whether its record is
// still its own.
const reclaimAfter = 64

// reclaim makes the sender serve this receiver again after a damaged peer has marked its record as free.
func (r *receiver) reclaim() {
	if s := r.seat.state.Load(); s == seatWanted || s == seatServed {
		return
	}
	r.wrong.Add(1)
	if r.spec.Depth > 0 {
		r.served = 0
		r.seat.state.Store(seatWanted)
	} else {
		r.seat.state.Store(seatServed)
	}
}

// next passes the next packet to use, if one is new and valid.
func (r *receiver) next(use func(packet []byte)) (link.Stamp, bool) {
	whole, latest := r.buffer, r.latest.Load()
	if r.spec.Depth == 0 {
		fresh := false
		if whole, fresh = latest.Fetch(); !fresh && !r.fresh {
			return link.Stamp{}, false
		}
		// the newest packet is new to this receiver even if the seat's previous receiver has taken it
		first := r.fresh
		r.fresh = false
		if len(whole) < stampBytes {
			return r.refuse(fresh)
		}
		if n := binary.LittleEndian.Uint64(whole); (first || !fresh) && (n == 0 || n != r.segment.word64(atNumber).Load()) {
			return link.Stamp{}, false // an older one: the seat was not served recently
		}
	} else {
		n, ok := r.queue.Load().PopSome(whole)
		if !ok {
			return link.Stamp{}, false
		}
		whole = whole[:n]
	}
	size := len(whole) - stampBytes
	if !r.spec.Allows(size) {
		return r.refuse(true)
	}
	number, sent := binary.LittleEndian.Uint64(whole), int64(binary.LittleEndian.Uint64(whole[8:]))
	if number == r.last {
		return link.Stamp{}, false // it was received before this end's seat was given away
	}
	use(whole[stampBytes:])
	if r.spec.Depth == 0 && (!latest.Holds(whole) || binary.LittleEndian.Uint64(whole) != number) {
		return link.Stamp{}, false // the sender got the slot during the copy: the packet may be torn
	}
	missed := number - r.last - 1
	if r.last != 0 && missed > gapChecked && !r.plausible(number) {
		r.last = number // if the number is right, the next one follows it
		r.wrong.Add(1)
		return link.Stamp{}, false
	}
	if r.last != 0 {
		r.lost.Add(missed)
	}
	r.last = number
	r.got.Add(1)
	r.newest.Store(sent)
	return link.Stamp{Size: size, Number: number, Age: time.Duration(max(rt.Now()-sent, 0))}, true
}

// refuse drops what lies in the exchange: its length is that of no packet. A slot that was never filled has none either.
func (r *receiver) refuse(filled bool) (link.Stamp, bool) {
	if filled {
		r.wrong.Add(1)
	}
	return link.Stamp{}, false
}

// gapChecked is the number of missing packets from which a receiver checks whether the sender has sent that many.
const gapChecked = 1 << 20

// plausible reports whether the number of a packet that does not follow the last one is a later one that the sender
// has given. A number written by a damaged peer must not count as lost packets.
func (r *receiver) plausible(number uint64) bool {
	return number > r.last && number <= r.segment.word64(atNumber).Load()
}

// wakePeriod is how often a waiting Receive checks the link without being woken: a sender may have appeared or died.
const wakePeriod = 20 * time.Millisecond

// Receive implements [link.Receiver].
func (r *receiver) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	if len(packet) != r.spec.Size {
		panic(fmt.Sprintf("shm: room for %d bytes on link %q, whose packets have %s", len(packet), r.spec.Name, r.spec.Lengths()))
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
		case r.spin > 0 && r.poll():
		case r.pinned:
			r.seat.bell.WaitPinned(wait)
		default:
			r.seat.bell.Wait(wait)
		}
	}
}

// poll looks for a packet for a while and reports whether there may be one.
func (r *receiver) poll() bool {
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
		state.Age = time.Duration(max(rt.Now()-sent, 0)).Seconds()
	}
	if r.segment == nil {
		return state
	}
	state.Rejected = r.wrong.Load()
	if latest := r.latest.Load(); latest != nil {
		state.Rejected += latest.Damaged()
	}
	if queue := r.queue.Load(); queue != nil {
		state.Rejected += queue.Damaged()
	}
	state.Problem = r.damage.problem(state.Rejected)
	if state.Connected = r.segment.shared.Taken(senderSeat); !state.Connected {
		state.Problem = r.segment.problem("no sender")
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
	r.use.Lock() // waits until a waiting Receive has returned
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
