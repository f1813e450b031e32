package nats

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"github.com/sinew-robotics/sinew/net/admin"
)

// stream is what a client gets from one process: the samples of all its taps there, in common messages.
type stream struct {
	client  *Client
	process string
	id      string // of the client, for the process

	turn chan struct{} // is full during a request to the process: only its sender touches the next three, and what the taps have
	sub  *nats.Subscription
	conn *nats.Conn // of sub
	now  *arrivals  // of sub
	run  string     // of the process's last answer

	mu     sync.Mutex
	taps   map[int]*clientTap
	last   int    // id
	ending []int  // taps of which the process does not know yet that they are over
	heard  string // the run of the samples
	seq    uint64 // how many of it have come or are lost
	owed   owed

	away bool // the last time it was not prolonged: only the client's keeper touches it
}

// arrivals counts the messages of a subscription that were taken; guarded by the stream's mu.
type arrivals struct{ taken uint64 }

// owed is how many samples of a run a process had sent when it answered. They are compared with those that have come as soon as all messages that came
// before the answer are taken: where all rests, no later message shows that the last one was lost.
type owed struct {
	run      string // "": there is nothing to compare
	sent     uint64
	arrivals *arrivals
	messages uint64 // of the subscription, before the answer
}

// clientTap is a tap of a stream.
type clientTap struct {
	order    tapOrder
	sink     func(admin.Sample)
	run      string // for which the process has answered; "": none
	err      error  // what it has answered
	reported bool   // the error
}

func newStream(c *Client, process string) *stream {
	return &stream{client: c, process: process, id: nuid.Next(), turn: make(chan struct{}, 1), taps: map[int]*clientTap{}}
}

// add makes a tap that the process does not know yet.
func (s *stream) add(o tapOrder, sink func(admin.Sample)) *clientTap {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	o.ID = s.last
	t := &clientTap{order: o, sink: sink}
	s.taps[o.ID] = t
	return t
}

// begin lets a tap begin. Many that begin at the same time take few requests: the one whose turn it is asks for all.
func (s *stream) begin(ctx context.Context, t *clientTap) error {
	return s.inTurn(ctx, func() error {
		if !s.answered(t) {
			if err := s.ask(ctx); err != nil {
				return err
			}
		}
		return t.err
	})
}

// end ends a tap. If the process cannot be reached, it is asked later, or the lease expires.
func (s *stream) end(t *clientTap) {
	s.forget(t)
	_ = s.client.within(func(ctx context.Context) error {
		return s.inTurn(ctx, func() error { return s.askToEnd(ctx) })
	})
}

// forget gives a tap up: no sample comes that is not under way yet.
func (s *stream) forget(t *clientTap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.taps, t.order.ID)
	s.ending = append(s.ending, t.order.ID)
}

// inTurn calls do while no other request to the process is under way.
func (s *stream) inTurn(ctx context.Context, do func() error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("ask process %q of %q: %w", s.process, s.client.system, ctx.Err())
	}
	defer func() { <-s.turn }()
	return do()
}

// ask prolongs the stream, and begins the taps that the process does not have. It is called in turn.
func (s *stream) ask(ctx context.Context) error {
	if err := s.askToEnd(ctx); err != nil {
		return err
	}
	m := s.client.now(s.process)
	if err := s.subscribe(m.conn); err != nil {
		return err
	}
	for more := true; more; more = len(s.missing()) > 0 {
		orders := s.missing()
		var a tapped
		if err := s.client.ask(ctx, m, "tap", tapRequest{Client: s.id, Taps: orders}, &a); err != nil {
			return err
		}
		if len(orders) > 0 && a.Run == "" {
			return fmt.Errorf("tap: process %q of %q answers without a run", s.process, s.client.system)
		}
		s.note(orders, a)
		s.expect(a)
	}
	return nil
}

// askToEnd sends the process the taps that are over. It is called in turn.
func (s *stream) askToEnd(ctx context.Context) error {
	s.mu.Lock()
	ids := s.ending
	s.ending = nil
	s.mu.Unlock()
	if len(ids) == 0 {
		return nil
	}
	err := s.client.ask(ctx, s.client.now(s.process), "untap", untapRequest{Client: s.id, IDs: ids}, nil)
	if err != nil {
		s.mu.Lock()
		s.ending = append(s.ending, ids...)
		s.mu.Unlock()
	}
	return err
}

// subscribe makes the samples come from the server that the process is at.
func (s *stream) subscribe(conn *nats.Conn) error {
	if s.conn == conn || conn == nil {
		return nil
	}
	now := &arrivals{}
	sub, err := conn.Subscribe(tapSubject(s.client.system, s.process, s.id), func(m *nats.Msg) {
		s.take(m)
		s.mu.Lock()
		defer s.mu.Unlock()
		now.taken++
		s.settle()
	})
	if err != nil {
		return fmt.Errorf("tap process %q of %q: %w", s.process, s.client.system, err)
	}
	_ = sub.SetPendingLimits(pendingMost, pendingBytes)
	if s.sub != nil {
		_ = s.sub.Unsubscribe()
	}
	s.sub, s.conn, s.now = sub, conn, now
	return nil
}

// answered reports whether the process has answered for a tap, since it began or came back.
func (s *stream) answered(t *clientTap) bool { return t.run != "" && t.run == s.run }

// ordersAtOnce is how many taps a request asks for: it must not be too large.
const ordersAtOnce = 1024

// missing returns taps that the process has not answered for.
func (s *stream) missing() (orders []tapOrder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.taps {
		if !s.answered(t) && len(orders) < ordersAtOnce {
			orders = append(orders, t.order)
		}
	}
	return orders
}

// note takes an answer down. A run that is new makes all other taps missing.
func (s *stream) note(orders []tapOrder, a tapped) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = a.Run
	for _, o := range orders {
		if t := s.taps[o.ID]; t != nil {
			t.run, t.err = a.Run, nil
			if why := a.Problems[o.ID]; why != "" {
				t.err = errors.New(why)
			}
		}
	}
}

// prolong prolongs the lease, and notifies when it is lost and when it is back. It is called periodically.
func (s *stream) prolong() {
	s.mu.Lock()
	idle := len(s.taps)+len(s.ending) == 0
	s.mu.Unlock()
	if idle {
		return
	}
	var refused []string
	err := s.client.within(func(ctx context.Context) error {
		return s.inTurn(ctx, func() error {
			defer func() { refused = s.refused() }()
			return s.ask(ctx)
		})
	})
	if s.client.ctx.Err() != nil {
		return
	}
	if (err != nil) != s.away {
		if s.away = err != nil; s.away {
			s.client.notify(fmt.Sprintf("taps wait: %v", err))
		} else {
			s.client.notify(fmt.Sprintf("the taps of process %q go on", s.process))
		}
	}
	for _, why := range refused {
		s.client.notify(why)
	}
}

// refused returns why taps that had begun no longer exist, each reason once.
func (s *stream) refused() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.taps {
		if t.err != nil && !t.reported {
			list = append(list, t.err.Error())
		}
		t.reported = t.err != nil
	}
	return list
}

// expect notes how many samples an answer announces. It is called in turn, after the answer has come.
func (s *stream) expect(a tapped) {
	pending, _, err := s.sub.Pending() // first: a message that is taken meanwhile counts twice, and the comparison waits for a later one
	if err != nil {
		return
	}
	delivered, err := s.sub.Delivered()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = owed{a.Run, a.Sent, s.now, uint64(pending) + uint64(delivered)}
	s.settle()
}

// settle compares what has come with what is owed once all messages before the answer are taken. The caller holds s.mu.
func (s *stream) settle() {
	if o := s.owed; o.run != "" && o.arrivals.taken >= o.messages {
		s.owed = owed{}
		s.reach(o.run, o.sent)
	}
}

// reach counts the samples that have not come of the first seq ones of a run. The caller holds s.mu.
func (s *stream) reach(run string, seq uint64) {
	if run != s.heard {
		s.heard, s.seq = run, 0
	}
	if seq > s.seq {
		s.client.lost.Add(seq - s.seq)
		s.seq = seq
	}
}

// take gives the samples of a message to their sinks, and counts those that are missing before them.
func (s *stream) take(m *nats.Msg) {
	t, err := readTelemetry(m.Data)
	if err != nil {
		return // the next one, or an answer, counts its samples as lost
	}
	s.mu.Lock()
	s.reach(t.run, t.seq)
	s.mu.Unlock()
	for {
		id, sample, ok := t.next()
		if !ok {
			return
		}
		s.mu.Lock()
		s.seq++
		tap := s.taps[id]
		s.mu.Unlock()
		if tap != nil {
			tap.sink(sample)
		}
	}
}
