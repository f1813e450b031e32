package lockfree

import (
	"encoding/binary"
	"sync/atomic"
)

// Ring carries records of any length from one writer to one reader. A record without room is dropped and counted, so
// that a slow reader loses records but never delays the writer.
//
// Layout: head (the reader's position), tail (the writer's), the count of lost records, then the data. A record is
// its length in 4 bytes, its position in 4 bytes and its bytes, padded to 8; a length of ringWrap sends the reader back to
// the start.
//
// If positions or lengths are not those of a correct peer, the reader discards the waiting records and counts it. The
// position in each record keeps the reader from taking remains of an earlier round. The reader must check the content
// of a record.
type Ring struct {
	head, tail, lost *atomic.Uint64
	data             []byte
	damaged          atomic.Uint64
	begin, pending   uint64 // where the reserved record begins, and the bytes that Commit will publish
	at, taken        uint64 // where the taken record begins, and the bytes that Release will free
}

const (
	ringHeader = 8
	ringWrap   = ^uint32(0)
)

// RingSize returns the memory that a ring of the given capacity needs, in bytes.
func RingSize(capacity int) int { return 3*line + roundUp(capacity) }

// NewRing places a ring into zeroed memory of at least [RingSize] bytes.
func NewRing(mem []byte, capacity int) *Ring {
	mustHold("Ring", mem, RingSize(capacity))
	return &Ring{
		head: word(mem, 0), tail: word(mem, line), lost: word(mem, 2*line),
		data: mem[3*line : 3*line+roundUp(capacity)],
	}
}

// ringBytes returns the size of a record of n bytes in the ring.
func ringBytes(n uint64) uint64 { return (n + ringHeader + 7) &^ 7 }

// Reserve returns n bytes to be filled before [Ring.Commit]. Without room it returns nil and counts a loss.
func (r *Ring) Reserve(n int) []byte {
	b := r.TryReserve(n)
	if b == nil {
		r.Lose(1)
	}
	return b
}

// Lose counts n records as dropped.
func (r *Ring) Lose(n uint64) { r.lost.Add(n) }

// TryReserve is [Ring.Reserve] for a writer that tries later again: without room it returns nil and counts nothing.
func (r *Ring) TryReserve(n int) []byte {
	size := ringBytes(uint64(n))
	length := uint64(len(r.data))
	tail := (r.tail.Load() + 7) &^ 7 // a damaged peer may write any value
	used := tail - r.head.Load()
	at := tail % length
	skip := uint64(0)
	if at+size > length { // records do not wrap
		skip = length - at
	}
	if used > length || skip+size > length-used {
		return nil
	}
	if skip > 0 {
		r.putHeader(at, ringWrap, tail)
		at = 0
	}
	r.putHeader(at, uint32(n), tail+skip)
	r.begin, r.pending = tail, skip+size
	return r.data[at+ringHeader : at+ringHeader+uint64(n)]
}

func (r *Ring) putHeader(at uint64, n uint32, position uint64) {
	binary.LittleEndian.PutUint64(r.data[at:], uint64(n)|position<<32)
}

// header returns the length of the record at an offset in the data; false if it does not belong to that position.
func (r *Ring) header(at, position uint64) (n uint32, ok bool) {
	word := binary.LittleEndian.Uint64(r.data[at:])
	return uint32(word), uint32(word>>32) == uint32(position)
}

// Commit publishes the record that [Ring.Reserve] returned.
func (r *Ring) Commit() {
	r.tail.Store(r.begin + r.pending)
	r.pending = 0
}

// Put appends a copy of record; it returns false without room.
func (r *Ring) Put(record []byte) bool {
	b := r.Reserve(len(record))
	if b == nil {
		return false
	}
	copy(b, record)
	r.Commit()
	return true
}

// Next returns the oldest record, or nil if there is none. It stays valid until [Ring.Release].
func (r *Ring) Next() []byte {
	length := uint64(len(r.data))
	head, tail := r.head.Load(), r.tail.Load()&^7
	waiting := tail - head
	if waiting == 0 {
		return nil
	}
	if head%8 != 0 || waiting > length {
		return r.giveUp(tail)
	}
	at, skip := head%length, uint64(0)
	n, ok := r.header(at, head)
	if n == ringWrap {
		skip, at = length-at, 0
		if ok {
			n, ok = r.header(at, head+skip)
		}
	}
	size := ringBytes(uint64(n))
	if !ok || skip+size > waiting || at+size > length {
		return r.giveUp(tail)
	}
	r.at, r.taken = head, skip+size
	return r.data[at+ringHeader : at+ringHeader+uint64(n)]
}

// Empty reports whether no record waits. The compiler inlines it, but not [Ring.Next]: a reader whose ring is mostly empty
// calls Empty first.
func (r *Ring) Empty() bool { return r.tail.Load()&^7 == r.head.Load() }

// giveUp discards everything that a damaged peer has written up to tail.
func (r *Ring) giveUp(tail uint64) []byte {
	r.damaged.Add(1)
	r.head.Store(tail)
	return nil
}

// Release frees the record that [Ring.Next] returned.
func (r *Ring) Release() {
	r.head.Store(r.at + r.taken)
	r.taken = 0
}

// Fill returns the used share of the ring, from 0 to 1.
func (r *Ring) Fill() float64 {
	return min(float64(r.tail.Load()-r.head.Load())/float64(len(r.data)), 1)
}

// Lost returns the number of records dropped for lack of room.
func (r *Ring) Lost() uint64 { return r.lost.Load() }

// Damaged returns how often this side has found positions or lengths that no correct peer writes.
func (r *Ring) Damaged() uint64 { return r.damaged.Load() }
