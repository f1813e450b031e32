package lockfree

import (
	"sync/atomic"
	"unsafe"
)

// Overflow selects the packet that a full queue drops.
type Overflow uint8

const (
	DropOldest Overflow = iota // the oldest packet: the reader sees the newest n
	DropNewest                 // the new packet: the reader sees the first n
)

// String returns the policy's name in system files.
func (o Overflow) String() string {
	if o == DropNewest {
		return "drop_newest"
	}
	return "drop_oldest"
}

// Queue passes packets of up to a fixed size in order from one writer to one reader, at most depth of them at a time.
// Both sides are wait-free. Dropped values are counted.
//
// Every slot carries its turn (Vyukov's bounded queue, 2010): turn = p means free for packet number p, p+1 means that
// the slot holds it. The writer discards the oldest packet by taking its number from head like a reader. Two spare
// slots keep it from ever waiting for a reader in the middle of a copy.
//
// Numbers that no correct peer writes are damage: the writer resets the queue, the reader discards the waiting
// packets, and both count it. A packet counts as read only if its slot kept its turn during the copy.
type Queue struct {
	head, tail, dropped *atomic.Uint64
	turns               []*atomic.Uint64
	sizes               []*uint64 // of the packets in the slots; the turn passes them on with the slot
	slots               [][]byte
	depth               uint64
	policy              Overflow
	limited             bool // the reader sees the packets below limit only
	limit               uint64
	restarts            uint64 // by this writer
	damaged             atomic.Uint64
}

// queueSpare is the number of slots of a queue beyond its depth.
const queueSpare = 2

// QueueSize returns the memory that a queue needs, in bytes.
func QueueSize(packet, depth int) int { return 3*line + (depth+queueSpare)*(line+roundUp(packet)) }

// NewQueue places a queue of depth ≥ 1 packets into memory of at least [QueueSize] bytes and clears it.
func NewQueue(mem []byte, packet, depth int, policy Overflow) *Queue {
	q := OpenQueue(mem, packet, depth, policy)
	q.Reset()
	return q
}

// Reset empties the queue and its count of dropped packets. Only the writer may call it.
func (q *Queue) Reset() {
	q.dropped.Store(0)
	q.restart()
}

// restart makes the queue again and returns the number of its next packet. Numbers begin where no queue of this writer had any: a reader that was in
// the middle of a copy then never finds the turn of its packet again, also after the writer has filled the slot with another packet.
func (q *Queue) restart() (next uint64) {
	next = q.restarts << restartShift
	q.restarts++
	q.head.Store(next)
	q.tail.Store(next)
	for i := range uint64(len(q.turns)) {
		q.turns[(next+i)%uint64(len(q.turns))].Store(next + i)
	}
	return next
}

// restartShift leaves a queue 2⁴⁸ packets until the numbers of the next one begin.
const restartShift = 48

// OpenQueue opens an existing queue in mem.
func OpenQueue(mem []byte, packet, depth int, policy Overflow) *Queue {
	if depth < 1 {
		panic("lockfree: a queue's depth must be at least 1")
	}
	mustHold("Queue", mem, QueueSize(packet, depth))
	q := &Queue{
		head: word(mem, 0), tail: word(mem, line), dropped: word(mem, 2*line),
		depth: uint64(depth), policy: policy,
	}
	for i := range depth + queueSpare {
		off := 3*line + i*(line+roundUp(packet))
		q.turns = append(q.turns, word(mem, off))
		q.sizes = append(q.sizes, (*uint64)(unsafe.Pointer(&mem[off+8])))
		q.slots = append(q.slots, mem[off+line:off+line+packet:off+line+packet])
	}
	return q
}

// Push appends a copy of packet, or drops one according to the policy.
func (q *Queue) Push(packet []byte) {
	n := uint64(len(q.slots))
	pos := q.tail.Load()
	oldest := q.head.Load()
	if waiting := pos - oldest; waiting >= q.depth {
		switch {
		case waiting > q.depth:
			q.damaged.Add(1)
			pos = q.restart()
		case q.policy == DropNewest:
			q.dropped.Add(1)
			return
		default:
			q.discard(oldest)
		}
	}
	turn := q.turns[pos%n]
	if now := turn.Load(); now != pos { // the reader is still copying a packet two rounds old
		q.refuse(pos, now)
		return
	}
	*q.sizes[pos%n] = uint64(copy(q.slots[pos%n], packet))
	turn.Store(pos + 1)
	q.tail.Store(pos + 1)
}

// refuse drops packet number pos, whose slot has another turn: that of a copy under way, or an invalid one.
func (q *Queue) refuse(pos, turn uint64) {
	q.dropped.Add(1)
	if turn+uint64(len(q.slots)) != pos+1 {
		q.damaged.Add(1)
		q.restart()
	}
}

// discard takes the oldest packet, number pos, from the reader, unless the reader takes it first.
func (q *Queue) discard(pos uint64) {
	if q.head.CompareAndSwap(pos, pos+1) {
		n := uint64(len(q.slots))
		q.turns[pos%n].Store(pos + n)
		q.dropped.Add(1)
	}
}

// Pop copies the oldest packet, which has the size of dst, into dst. It returns false if the queue is empty; then the content
// of dst is undefined.
func (q *Queue) Pop(dst []byte) bool {
	n, ok := q.PopSome(dst)
	return ok && n == len(dst)
}

// PopSome copies the oldest packet into dst, which has room for the largest one, and returns its size; ok is false if the
// queue is empty.
func (q *Queue) PopSome(dst []byte) (size int, ok bool) {
	n := uint64(len(q.slots))
	for range tries {
		pos := q.head.Load()
		waiting := q.tail.Load() - pos
		if waiting == 0 {
			if next := q.turns[pos%n]; next.Load()+n == pos+1 && next.CompareAndSwap(pos+1-n, pos) {
				q.damaged.Add(1) // the turn claims that this side is in the middle of a copy
			}
			return 0, false
		}
		if waiting > q.depth && q.head.Load() == pos {
			q.damaged.Add(1)
			q.head.CompareAndSwap(pos, pos+waiting)
			return 0, false
		}
		if q.limited && pos >= q.limit {
			return 0, false
		}
		if !q.head.CompareAndSwap(pos, pos+1) {
			continue // the writer discarded it
		}
		turn := q.turns[pos%n]
		if turn.Load() == pos+1 {
			slot := q.slots[pos%n]
			size = copy(dst, slot[:min(*q.sizes[pos%n], uint64(len(slot)))])
			if turn.CompareAndSwap(pos+1, pos+n) {
				return size, true
			}
		}
		q.damaged.Add(1)
		return 0, false
	}
	return 0, false
}

// Len returns the number of waiting packets, as the reader sees it.
func (q *Queue) Len() int {
	head, tail := q.head.Load(), q.tail.Load()
	if q.limited {
		tail = max(min(tail, q.limit), head)
	}
	return int(min(tail-head, q.depth))
}

// Limit makes the reader see the first n packets ever pushed only. The reader calls it, or it is called before there is one.
func (q *Queue) Limit(n uint64) { q.limited, q.limit = true, n }

// Pushed returns how many packets were pushed, those among them that were dropped to make room for later ones; after a restart it counts on from
// the number at which the queue began again. Only the writer may call it.
func (q *Queue) Pushed() uint64 { return q.tail.Load() }

// Dropped returns the number of packets dropped so far.
func (q *Queue) Dropped() uint64 { return q.dropped.Load() }

// Damaged returns how often this side has found numbers that no correct peer writes.
func (q *Queue) Damaged() uint64 { return q.damaged.Load() }
