package remote

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// queue orders the links to one peer that wait for room on the carrier, each with the packet in flight and what is behind it.
type queue struct {
	next    func([]link.Waiting) int // of the scheduler
	sent    atomic.Uint64            // datagrams
	blocked atomic.Int32             // senders that wait
	again   atomic.Bool              // there is room, or a sender has begun to wait, since the links were served last
	turn    sync.Mutex               // held while links are served
	senders []*sender                // of the peer, by name
	waiting []link.Waiting
	behind  []*sender // of waiting
}

// flush sends datagrams of waiting links, in the order of the scheduler, while there is room. If another goroutine does
// so already, that one serves them.
func (p *Peer) flush() {
	if p.owes.Load() {
		p.wake() // the keeper sends the heartbeat, then what waits
		return
	}
	p.serve()
}

// serve is flush without regard to heartbeats.
func (p *Peer) serve() {
	q := &p.queue
	q.again.Store(true)
	for q.again.Load() && q.turn.TryLock() {
		q.again.Store(false)
		for q.list(); len(q.waiting) > 0 && q.behind[q.next(q.waiting)].sendOne(); q.list() {
		}
		q.turn.Unlock()
	}
}

// list finds the waiting links.
func (q *queue) list() {
	q.waiting, q.behind = q.waiting[:0], q.behind[:0]
	if q.blocked.Load() == 0 {
		return
	}
	now := rt.Now()
	for _, s := range q.senders {
		if bytes, since, last := s.rest(); bytes > 0 {
			q.waiting = append(q.waiting, link.Waiting{Spec: &s.spec, Bytes: bytes, Age: time.Duration(now - since), Last: last})
			q.behind = append(q.behind, s)
		}
	}
}

// enter adds a sender, or removes it.
func (q *queue) enter(s *sender, stays bool) {
	q.turn.Lock()
	defer q.turn.Unlock()
	q.senders = slices.DeleteFunc(q.senders, func(other *sender) bool { return other == s })
	if stays {
		q.senders = append(q.senders, s)
		slices.SortFunc(q.senders, func(a, b *sender) int { return cmp.Compare(a.spec.Name, b.spec.Name) })
		q.waiting, q.behind = slices.Grow(q.waiting[:0], len(q.senders)), slices.Grow(q.behind[:0], len(q.senders))
	}
}
