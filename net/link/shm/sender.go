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

// spareSeats is how many free exchanges beyond the last one in use get the newest packet, too, so that whoever comes next
// finds it.
const spareSeats = 2

// sender is the sending end.
type sender struct {
	spec   link.Spec
	path   string
	tried  int64 // when the segment was last tried, ns
	buffer []byte
	sent   atomic.Uint64
	epoch  uint64

	mu      sync.Mutex // guards what follows against State; Send, which alone changes it while it runs, reads it without
	segment *segment
	seats   [MaxReceivers]seat
	latest  [MaxReceivers]*lockfree.Latest
	queues  [MaxReceivers]*lockfree.Queue
	problem string
	closed  bool
}

// Send opens the sending end of a link. Where another process is its sender already, the end waits for its turn, and says so.
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

// connect opens the segment. What may change by itself is a problem, not an error.
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
	s.epoch = seg.word64(atEpoch).Add(1)
	for i := range MaxReceivers {
		s.seats[i] = seg.seat(i)
		if s.spec.Depth == 0 {
			s.latest[i] = s.openLatest(i)
		}
	}
	return nil
}

// openLatest takes up the exchange of a receiver as it is, or makes it where it never was.
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
	if len(packet) != s.spec.Size {
		panic(fmt.Sprintf("shm: a packet of %d bytes on link %q, whose packets have %d", len(packet), s.spec.Name, s.spec.Size))
	}
	if s.closed {
		return link.ErrClosed
	}
	if s.segment == nil {
		if rt.Now()-s.tried < int64(retryPeriod) || s.connect() != nil || s.segment == nil {
			return link.ErrMismatch
		}
	}
	number := s.segment.word64(atNumber).Add(1)
	binary.LittleEndian.PutUint64(s.buffer, number)
	binary.LittleEndian.PutUint64(s.buffer[8:], uint64(rt.Now()-int64(age)))
	copy(s.buffer[stampBytes:], packet)
	spare := spareSeats
	for i := range MaxReceivers {
		state := s.seats[i].state.Load()
		if state == seatFree {
			if spare--; spare < 0 {
				continue
			}
		}
		s.publish(i, state)
	}
	s.sent.Add(1)
	return nil
}

// publish hands the packet in the buffer to one receiver.
func (s *sender) publish(i int, state uint32) {
	seat := &s.seats[i]
	if s.spec.Depth == 0 {
		copy(s.latest[i].Slot(), s.buffer)
		s.latest[i].Publish()
	} else {
		if state == seatWanted {
			s.queues[i] = lockfree.NewQueue(seat.body, s.segment.packet, s.spec.Depth, s.spec.Overflow)
			seat.served.Store(s.epoch)
			seat.state.Store(seatServed)
		}
		if s.queues[i] == nil || state == seatFree {
			return
		}
		s.queues[i].Push(s.buffer)
		seat.missed.Store(s.queues[i].Dropped())
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
		state.Lost += s.seats[i].missed.Load()
	}
	if !state.Connected {
		state.Problem = s.segment.problem("nobody receives")
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
	for i := range s.seats { // who sleeps shall look at the link again
		s.seats[i].bell.Wake()
	}
	seg := s.segment
	s.segment = nil
	return seg.close(senderSeat)
}
