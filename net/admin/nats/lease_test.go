package nats

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/net/admin"
)

// received is a stream that hears what leases send.
func received(sink func(id int, s admin.Sample)) *stream {
	s := newStream(&Client{}, "main")
	for id := range 3 {
		s.add(tapOrder{}, func(x admin.Sample) { sink(id+1, x) })
	}
	return s
}

// hear gives the stream what a lease has to send.
func (s *stream) hear(l *lease) {
	l.flush(func(_ string, message []byte) { s.take(&nats.Msg{Data: append([]byte(nil), message...)}) })
}

func testLease(run string, room int) *lease {
	return &lease{run: run, room: room, outbox: newOutbox(nil, Identity{}), taps: map[int]*servedTap{}}
}

// TestGapsAreCounted loses messages on the way, and samples for which there is no room.
func TestGapsAreCounted(t *testing.T) {
	var got []string
	s := received(func(id int, x admin.Sample) { got = append(got, fmt.Sprint(id, ":", x.Value)) })
	a := testLease("a", waitingMost)
	put := func(l *lease, id int, values ...float64) {
		for _, v := range values {
			l.put(id, appendSample(nil, admin.Sample{Value: v}))
		}
	}
	put(a, 1, 1)
	put(a, 2, 2, 3)
	s.hear(a)
	put(a, 1, 4, 5)
	a.flush(func(string, []byte) {}) // lost on the way
	put(a, 3, 6)
	put(a, 4, 7) // of a tap that has ended here
	s.hear(a)
	if fmt.Sprint(got) != "[1:1 2:2 2:3 3:6]" || s.client.Lost() != 2 {
		t.Errorf("got %v, lost %d", got, s.client.Lost())
	}

	got = nil
	b := testLease("b", 250) // the process was started again
	put(b, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
	s.hear(b)
	before := s.client.Lost()
	put(b, 2, 21)
	s.hear(b)
	if n := len(got) - 1; n < 3 || n > 10 || s.client.Lost() != 2+20-uint64(n) || before != 2 || got[n] != "2:21" {
		t.Errorf("got %v, lost %d", got, s.client.Lost())
	}

	c := testLease("c", 40) // no sample has room
	put(c, 1, 1)
	s.hear(c)
	if len(c.outbox.waiting) != 1 || c.seq != 1 || c.missed != 0 {
		t.Errorf("%+v", c)
	}
}

// TestTapsOfVanishedClientEnd has two clients with a tap in common; the lease of one runs out, then the other's.
func TestTapsOfVanishedClientEnd(t *testing.T) {
	ended := 0
	b := tapBoard{taps: map[tapKey]*servedTap{}, leases: map[string]*lease{}}
	add := func(client string, age time.Duration, refs ...string) {
		l := testLease(client, waitingMost)
		l.client, l.renewed = client, time.Now().Add(-age)
		b.leases[client] = l
		for i, ref := range refs {
			k := tapKey{ref, 1}
			if b.taps[k] == nil {
				b.taps[k] = &servedTap{key: k, end: func() { ended++ }}
			}
			l.taps[i] = b.taps[k]
			b.taps[k].add(tapReader{l, i})
		}
	}
	add("gone", 2*TapLease, "x", "y")
	add("here", 0, "x")
	if b.expire(); ended != 1 || len(b.leases) != 1 || len(b.taps) != 1 || len(b.taps[tapKey{"x", 1}].readers) != 1 {
		t.Errorf("%d ended, %v", ended, b.taps)
	}
	b.leases["here"].renewed = time.Now().Add(-2 * TapLease)
	if b.expire(); ended != 2 || len(b.leases) != 0 || len(b.taps) != 0 {
		t.Errorf("%d ended, %v", ended, b.taps)
	}
}

// TestNewReaderGetsLastSample has a tap whose value no longer changes.
func TestNewReaderGetsLastSample(t *testing.T) {
	var got []string
	s := received(func(id int, x admin.Sample) { got = append(got, fmt.Sprint(id, ":", x.Value)) })
	tap, l := &servedTap{}, testLease("a", waitingMost)
	tap.take(admin.Sample{Value: 1.0})
	tap.take(admin.Sample{Value: 2.0})
	tap.add(tapReader{l, 3})
	s.hear(l)
	if fmt.Sprint(got) != "[3:2]" {
		t.Errorf("got %v", got)
	}
}

// TestAnswersAreComparedWithWhatCameBefore has an answer that comes while messages before it wait to be taken, and one after the last message was lost.
func TestAnswersAreComparedWithWhatCameBefore(t *testing.T) {
	s := received(func(int, admin.Sample) {})
	l, taken := testLease("a", waitingMost), &arrivals{}
	var way []*nats.Msg
	send := func(_ string, message []byte) { way = append(way, &nats.Msg{Data: append([]byte(nil), message...)}) }
	take := func() {
		for _, m := range way {
			s.take(m)
			s.mu.Lock()
			taken.taken++
			s.settle()
			s.mu.Unlock()
		}
		way = nil
	}
	answer := func(messages uint64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.owed = owed{l.run, l.sentSoFar(), taken, messages}
		s.settle()
	}
	put := func() { l.put(1, appendSample(nil, admin.Sample{Value: 1.0})) }
	put()
	answer(0) // the sample waits to be sent
	l.flush(send)
	put()
	l.flush(send)
	answer(2) // both messages wait to be taken
	if n := s.client.Lost(); n != 0 {
		t.Errorf("%d samples are lost that wait", n)
	}
	take()
	if n := s.client.Lost(); n != 0 || s.seq != 2 || s.owed.run != "" {
		t.Errorf("%d samples are lost of %d that came", n, s.seq)
	}
	put()
	l.flush(func(string, []byte) {}) // lost on the way
	answer(2)
	if n := s.client.Lost(); n != 1 {
		t.Errorf("%d samples are counted as lost, and one was", n)
	}
}
