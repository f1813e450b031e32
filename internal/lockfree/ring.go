package lockfree

import (
	"encoding/binary"
	"sync/atomic"
)

// Ring carries records of any length from one writer to one reader. A record that finds no room is refused and
// counted, so that a slow reader loses records but never delays the writer.
//
// Layout: head (the reader's position), tail (the writer's), the count of lost records, then the data. A record is
// its length in 4 bytes and its bytes, padded to 8; a length of ringWrap sends the reader back to the start.
type Ring struct {
	head, tail, lost *atomic.Uint64
	data             []byte
	pending          uint64 // bytes that Commit will publish
	taken            uint64 // bytes that Release will free
}

const (
	ringHeader = 4
	ringWrap   = ^uint32(0)
)

// RingSize returns the memory that a ring of the given capacity needs, in bytes.
func RingSize(capacity int) int { return 3*line + roundUp(capacity) }

// NewRing lays a ring into zeroed memory of at least [RingSize] bytes.
func NewRing(mem []byte, capacity int) *Ring {
	mustHold("Ring", mem, RingSize(capacity))
	return &Ring{
		head: word(mem, 0), tail: word(mem, line), lost: word(mem, 2*line),
		data: mem[3*line : 3*line+roundUp(capacity)],
	}
}

// Reserve returns n bytes to be filled before [Ring.Commit], or nil, and counts a loss, where there is no room.
func (r *Ring) Reserve(n int) []byte {
	size := uint64(n+ringHeader+7) &^ 7
	length := uint64(len(r.data))
	tail := r.tail.Load()
	free := length - (tail - r.head.Load())
	at := tail % length
	skip := uint64(0)
	if at+size > length { // records do not wrap
		skip = length - at
	}
	if skip+size > free {
		r.lost.Add(1)
		return nil
	}
	if skip > 0 {
		binary.LittleEndian.PutUint32(r.data[at:], ringWrap)
		at = 0
	}
	binary.LittleEndian.PutUint32(r.data[at:], uint32(n))
	r.pending = skip + size
	return r.data[at+ringHeader : at+ringHeader+uint64(n)]
}

// Commit publishes the record that [Ring.Reserve] returned.
func (r *Ring) Commit() {
	r.tail.Store(r.tail.Load() + r.pending)
	r.pending = 0
}

// Put appends a copy of record; false where there is no room.
func (r *Ring) Put(record []byte) bool {
	b := r.Reserve(len(record))
	if b == nil {
		return false
	}
	copy(b, record)
	r.Commit()
	return true
}

// Next returns the oldest record, or nil where there is none. It stays valid until [Ring.Release].
func (r *Ring) Next() []byte {
	length := uint64(len(r.data))
	head, tail := r.head.Load(), r.tail.Load()
	if head == tail {
		return nil
	}
	at := head % length
	n := binary.LittleEndian.Uint32(r.data[at:])
	skip := uint64(0)
	if n == ringWrap {
		skip, at = length-at, 0
		n = binary.LittleEndian.Uint32(r.data)
	}
	r.taken = skip + uint64(n+ringHeader+7)&^7
	if r.taken > tail-head { // a damaged peer: give up what it wrote
		r.head.Store(tail)
		return nil
	}
	return r.data[at+ringHeader : at+ringHeader+uint64(n)]
}

// Release frees the record that [Ring.Next] returned.
func (r *Ring) Release() {
	r.head.Store(r.head.Load() + r.taken)
	r.taken = 0
}

// Fill returns the share of the ring that waits to be read, from 0 to 1.
func (r *Ring) Fill() float64 {
	return float64(r.tail.Load()-r.head.Load()) / float64(len(r.data))
}

// Lost returns how many records found no room so far.
func (r *Ring) Lost() uint64 { return r.lost.Load() }
