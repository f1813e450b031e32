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

// spareSeats is the number of free exchanges beyond the last one in use that also get the newest packet, so that the
// next receiver finds it.
const spareSeats = 2

// largePacket is the size in bytes above which one free exchange gets the newest packet if there is no receiver, and otherwise
// none: each copy takes time. Then a further receiver waits for the next packet.
const largePacket = 64 << 10

// sender is the sending end.
type sender struct {
	spec   link.Spec
	path   string
	tried  int64 // when the segment was last tried, ns
	buffer []byte
	sent   atomic.Uint64
	epoch  uint64
	number uint64 // of the last packet: the header has it for the next sender

	mu      sync.Mutex // guards the following against State; Send, the only writer in operation, reads them without it
	segment *segment
	seats   [MaxReceivers]seat
	latest  [MaxReceivers]*lockfree.Latest
	queues  [MaxReceivers]atomic.Pointer[lockfree.Queue] // State reads them while packets are sent
	problem string
	damage  damage
	closed  bool
}

// Send opens the sending end of a link. If another process is already its sender, the end waits for its turn and
// reports that as its problem.
func (t *Transport) Send(spec link.Spec) (link.Sender, error) {
	path, err := t.path(&spec)
	if err != nil {
		return nil, err
	}
	s := &sender{spec: spec, path: path, buffer: make([]byte, spec.Size+stampBytes)}
	if err := s.connect(); err != nil {
		return nil, fmt.Errorf("open link %q: %w", spec.Name, err)
	}
	return s, nil
}

// connect opens the segment. A temporary obstacle is recorded as a problem, not returned as an error.
func (s *sender) connect() error {
	s.tried = rt.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	seg, _, err := open(s.path, s.spec, senderSeat, 1)
	switch {
	case errors.Is(err, errNoSeat):
		s.problem = "another process sends on this link"
		return nil
	case errors.As(err, new(errMismatch)):
		s.problem = err.Error()
		return nil
	case err != nil:
		s.problem = err.Error()
		return err
	}
	s.problem, s.segment = "", seg
	s.epoch, s.number = seg.word64(atEpoch).Add(1), seg.word64(atNumber).Load()
	for i := range MaxReceivers {
		s.seats[i] = seg.seat(i)
		if s.spec.Depth == 0 {
			s.latest[i] = s.openLatest(i)
		}
	}
	return nil
}

// openLatest reuses the exchange of a receiver, or creates it if it never existed.
func (s *sender) openLatest(i int) *lockfree.Latest {
	body := s.seats[i].body
	if s.seats[i].served.Load() == 0 {
		l := lockfree.NewLatest(body, s.segment.packet)
		s.seats[i].served.Store(s.epoch)
		return l
	}
	return lockfree.OpenLatest(body, s.segment.packet)
}

// Send implements [link.Sender].
func (s *sender) Send(packet []byte) error { return s.Forward(packet, 0) }

// Forward implements [link.Sender].
func (s *sender) Forward(packet []byte, age time.Duration) error {
	if !s.spec.Allows(len(packet)) {
		panic(fmt.Sprintf("shm: a packet of %d bytes on link %q, whose packets have %s", len(packet), s.spec.Name, s.spec.Lengths()))
	}
	if err := s.begin(); err != nil {
		return err
	}
	s.buffer = s.buffer[:stampBytes+copy(s.buffer[stampBytes:cap(s.buffer)], packet)]
	s.stamp(s.buffer, age)
	s.serve(s.buffer, -1)
	return nil
}

// Fill implements [link.Filler].
func (s *sender) Fill(size int, age time.Duration, fill func(packet []byte)) error {
	if s.spec.Depth > 0 || !s.spec.Allows(size) {
		packet := s.buffer[stampBytes:cap(s.buffer)][:size]
		fill(packet)
		return s.Forward(packet, age)
	}
	if err := s.begin(); err != nil {
		return err
	}
	first := max(s.taken(), 0) // of the seats that are served, the one whose slot is filled
	record := s.latest[first].Slot()[:stampBytes+size]
	fill(record[stampBytes:])
	s.stamp(record, age)
	s.serve(record, first)
	s.latest[first].PublishSome(len(record))
	s.seats[first].bell.Wake()
	return nil
}

// taken returns the first seat that a receiver has, -1 if there is none.
func (s *sender) taken() int {
	for i := range MaxReceivers {
		if s.seats[i].state.Load() != seatFree {
			return i
		}
	}
	return -1
}

// begin opens the segment, if it is not open.
func (s *sender) begin() error {
	if s.closed {
		return link.ErrClosed
	}
	if s.segment == nil {
		if rt.Now()-s.tried < int64(retryPeriod) || s.connect() != nil || s.segment == nil {
			return link.ErrMismatch
		}
	}
	return nil
}

// stamp writes the number of the next packet, and when it was sent.
func (s *sender) stamp(record []byte, age time.Duration) {
	s.number++
	s.segment.word64(atNumber).Store(s.number)
	binary.LittleEndian.PutUint64(record, s.number)
	binary.LittleEndian.PutUint64(record[8:], uint64(rt.Now()-int64(age)))
}

// serve hands a packet to the receivers and to spare seats. The seat first, if it is not negative, has it already.
func (s *sender) serve(record []byte, first int) {
	spare := spareSeats
	if len(record) > largePacket {
		spare = 1
		if s.taken() >= 0 {
			spare = 0
		}
	}
	for i := range MaxReceivers {
		state := s.seats[i].state.Load()
		if state == seatFree {
			if spare--; spare < 0 {
				continue
			}
		}
		if i != first {
			s.publish(i, state, record)
		}
	}
	s.sent.Add(1)
}

// publish hands a packet to one receiver.
func (s *sender) publish(i int, state uint32, record []byte) {
	seat := &s.seats[i]
	if s.spec.Depth == 0 {
		copy(s.latest[i].Slot(), record)
		s.latest[i].PublishSome(len(record))
	} else {
		if state == seatWanted {
			if s.queues[i].Load() == nil {
				s.queues[i].Store(lockfree.OpenQueue(seat.body, s.segment.packet, s.spec.Depth, s.spec.Overflow))
			}
			s.queues[i].Load().Reset()
			s.segment.word64(atEpoch).Store(s.epoch) // a damaged peer may have written another
			seat.served.Store(s.epoch)
			seat.state.Store(seatServed)
		}
		queue := s.queues[i].Load()
		if queue == nil || state == seatFree {
			return
		}
		queue.Push(record)
		seat.missed.Store(queue.Dropped())
	}
	seat.bell.Wake()
}

// State implements [link.Sender].
func (s *sender) State() link.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := link.State{Packets: s.sent.Load(), Problem: s.problem}
	if s.segment == nil {
		return state
	}
	state.Connected = s.segment.used(firstSeat, MaxReceivers)
	for i := range s.seats {
		if s.latest[i] != nil {
			state.Rejected += s.latest[i].Damaged()
		}
		if queue := s.queues[i].Load(); queue != nil {
			state.Lost += s.seats[i].missed.Load()
			state.Rejected += queue.Damaged()
		}
	}
	if state.Problem = s.damage.problem(state.Rejected); !state.Connected {
		state.Problem = s.segment.problem("no receiver")
	}
	return state
}

// Close implements [link.Sender].
func (s *sender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.segment == nil {
		return nil
	}
	for i := range s.seats { // wakes sleeping receivers, which check the link again
		s.seats[i].bell.Wake()
	}
	seg := s.segment
	s.segment = nil
	return seg.close(senderSeat)
}
