package lockfree

import (
	"sync/atomic"
	"unsafe"
)

// Latest passes the newest packet, of up to a fixed size, from one writer to one reader. Both sides are wait-free: the writer
// never waits for the reader, and the reader always gets a whole packet.
//
// Layout: the state word, the sizes of the packets in the three slots, then the slots, each on separate lines. The state maps slots to owners: bits 0–1 the
// writer's slot, 2–3 the middle one, 4–5 the reader's; bit 6 is set while the middle one is newer than the reader's.
// All of it is in one word, so that a side that restarts finds the slot it owned.
//
// A state that gives one slot to two sides was written by a damaged peer: the side that finds it resets the state,
// without a packet, and counts it.
type Latest struct {
	state   *atomic.Uint64
	slots   [3][]byte
	sizes   [3]*uint64 // of the packets in the slots; the state passes them on with the slot
	damaged atomic.Uint64
}

const (
	latestNew   = 1 << 6
	latestStart = 0 | 1<<2 | 2<<4

	// latestSound has the bit s set for each state s, bit 6 apart, that gives each slot to one side.
	latestSound = uint64(1)<<(0|1<<2|2<<4) | 1<<(0|2<<2|1<<4) | 1<<(1|0<<2|2<<4) | 1<<(1|2<<2|0<<4) | 1<<(2|0<<2|1<<4) | 1<<(2|1<<2|0<<4)
)

// tries limits how often a side repeats an exchange that its peer has disturbed. A correct peer disturbs it at most
// once for each packet that it passes meanwhile.
const tries = 1000

// LatestSize returns the memory that a Latest needs for packets of the given size, in bytes.
func LatestSize(packet int) int { return line + 3*roundUp(packet) }

// NewLatest places a Latest into zeroed memory of at least [LatestSize] bytes.
func NewLatest(mem []byte, packet int) *Latest {
	l := OpenLatest(mem, packet)
	l.state.Store(latestStart)
	return l
}

// OpenLatest opens an existing Latest in mem.
func OpenLatest(mem []byte, packet int) *Latest {
	mustHold("Latest", mem, LatestSize(packet))
	l := &Latest{state: word(mem, 0)}
	for i := range l.slots {
		off := line + i*roundUp(packet)
		l.slots[i] = mem[off : off+packet : off+packet]
		l.sizes[i] = (*uint64)(unsafe.Pointer(&mem[8+8*i]))
	}
	return l
}

// slot limits the index, which a damaged peer may have written, to the existing slots.
func (l *Latest) slot(i uint64) []byte { return l.slots[(i&3)%3] }

// Slot returns the writer's slot, to be filled before [Latest.Publish]. It contains an older packet.
func (l *Latest) Slot() []byte {
	s := l.state.Load()
	if !sound(s) {
		l.restart(s)
		s = l.state.Load()
	}
	return l.slot(s)
}

// Publish passes the writer's whole slot on as the newest packet.
func (l *Latest) Publish() { l.PublishSome(len(l.slots[0])) }

// PublishSome passes the first n bytes of the writer's slot on as the newest packet.
func (l *Latest) PublishSome(n int) {
	for range tries {
		s := l.state.Load()
		if !sound(s) {
			break
		}
		writer, middle := s&3, s>>2&3
		*l.sizes[writer] = uint64(n)
		if l.state.CompareAndSwap(s, s&(3<<4)|middle|writer<<2|latestNew) {
			return
		}
	}
	l.restart(l.state.Load())
}

// Fetch returns the newest packet and whether it is newer than at the last call. The slice belongs to the reader
// until the next Fetch. Before the first packet it returns no bytes and false.
func (l *Latest) Fetch() (packet []byte, fresh bool) {
	for range tries {
		s := l.state.Load()
		if !sound(s) {
			break
		}
		if s&latestNew == 0 {
			return l.filled(s >> 4), false
		}
		middle, reader := s>>2&3, s>>4&3
		if l.state.CompareAndSwap(s, s&3|reader<<2|middle<<4) {
			return l.filled(middle), true
		}
	}
	l.restart(l.state.Load())
	return l.filled(latestStart >> 4), false
}

// filled returns the packet in a slot.
func (l *Latest) filled(i uint64) []byte {
	slot := l.slot(i)
	return slot[:min(*l.sizes[(i&3)%3], uint64(len(slot)))]
}

// Holds reports whether packet, which the last Fetch returned, still belongs to the reader. A reader that shares
// memory with another process calls it after copying, because a damaged state may have given the slot to the writer.
func (l *Latest) Holds(packet []byte) bool {
	s := l.state.Load()
	if sound(s) && unsafe.SliceData(packet) == unsafe.SliceData(l.slot(s>>4)) {
		return true
	}
	l.damaged.Add(1)
	return false
}

// Damaged returns how often this side has found a state that no correct peer writes.
func (l *Latest) Damaged() uint64 { return l.damaged.Load() }

func sound(s uint64) bool { return s < 1<<7 && latestSound>>(s&63)&1 == 1 }

// restart replaces the damaged state s.
func (l *Latest) restart(s uint64) {
	l.damaged.Add(1)
	l.state.CompareAndSwap(s, latestStart)
}
