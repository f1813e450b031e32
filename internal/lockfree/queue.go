package lockfree

import "sync/atomic"

// Overflow says what a full queue drops.
type Overflow uint8

const (
	DropOldest Overflow = iota // the oldest packet makes room: the reader sees the newest n
	DropNewest                 // the new packet is refused: the reader sees the first n
)

// String returns the policy's name in system files.
func (o Overflow) String() string {
	if o == DropNewest {
		return "drop_newest"
	}
	return "drop_oldest"
}

// Queue passes packets of fixed size in order from one writer to one reader, at most depth of them at a time.
// Both sides are wait-free. What is dropped is counted.
//
// Every slot carries its turn (Vyukov's bounded queue, 2010): turn = p means free for the packet number p, p+1 means
// it holds it. The writer may discard the oldest packet by taking its number from head like a reader. Two slots
// more than depth keep it from ever waiting for a reader that is in the middle of a copy.
type Queue struct {
	head, tail, dropped *atomic.Uint64
	turns               []*atomic.Uint64
	slots               [][]byte
	depth               uint64
	policy              Overflow
}

// queueSpare is how many slots a queue has beyond its depth.
const queueSpare = 2

// QueueSize returns the memory that a queue needs, in bytes.
func QueueSize(packet, depth int) int { return 3*line + (depth+queueSpare)*(line+roundUp(packet)) }

// NewQueue lays a queue of depth ≥ 1 packets into memory of at least [QueueSize] bytes. What the memory held is forgotten.
func NewQueue(mem []byte, packet, depth int, policy Overflow) *Queue {
	q := OpenQueue(mem, packet, depth, policy)
	for _, w := range []*atomic.Uint64{q.head, q.tail, q.dropped} {
		w.Store(0)
	}
	for i, turn := range q.turns {
		turn.Store(uint64(i))
	}
	return q
}

// OpenQueue takes up a queue that lies in mem already.
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
		q.slots = append(q.slots, mem[off+line:off+line+packet:off+line+packet])
	}
	return q
}

// Push appends a copy of packet, or drops as the policy says.
func (q *Queue) Push(packet []byte) {
	n := uint64(len(q.slots))
	pos := q.tail.Load()
	if oldest := q.head.Load(); pos-oldest >= q.depth {
		if q.policy == DropNewest {
			q.dropped.Add(1)
			return
		}
		q.discard(oldest)
	}
	turn := q.turns[pos%n]
	if turn.Load() != pos { // the reader is still copying a packet two rounds old
		q.dropped.Add(1)
		return
	}
	copy(q.slots[pos%n], packet)
	turn.Store(pos + 1)
	q.tail.Store(pos + 1)
}

// discard takes the oldest packet, number pos, away from the reader, unless the reader takes it first.
func (q *Queue) discard(pos uint64) {
	if q.head.CompareAndSwap(pos, pos+1) {
		n := uint64(len(q.slots))
		q.turns[pos%n].Store(pos + n)
		q.dropped.Add(1)
	}
}

// Pop copies the oldest packet into dst; false where the queue is empty.
func (q *Queue) Pop(dst []byte) bool {
	n := uint64(len(q.slots))
	for {
		pos := q.head.Load()
		if pos >= q.tail.Load() {
			return false
		}
		if !q.head.CompareAndSwap(pos, pos+1) {
			continue // the writer discarded it
		}
		copy(dst, q.slots[pos%n])
		q.turns[pos%n].Store(pos + n)
		return true
	}
}

// Len returns how many packets wait.
func (q *Queue) Len() int {
	head := q.head.Load()
	return int(min(q.tail.Load()-head, q.depth))
}

// Dropped returns how many packets were dropped so far.
func (q *Queue) Dropped() uint64 { return q.dropped.Load() }
