package lockfree

import "sync/atomic"

// Latest passes the newest packet of fixed size from one writer to one reader. Both sides are wait-free: the writer
// never waits for the reader, and the reader always gets a whole packet.
//
// Layout: the state word, then three slots, each on lines of its own. The state holds which slot belongs to whom:
// bits 0–1 the writer's, 2–3 the middle one, 4–5 the reader's; bit 6 is set while the middle one is newer than the
// reader's. All of it in one word, so that a side that starts again finds the slot it owned.
type Latest struct {
	state *atomic.Uint64
	slots [3][]byte
}

const (
	latestNew   = 1 << 6
	latestStart = 0 | 1<<2 | 2<<4
)

// LatestSize returns the memory that a Latest of packets of the given size needs, in bytes.
func LatestSize(packet int) int { return line + 3*roundUp(packet) }

// NewLatest lays a Latest into zeroed memory of at least [LatestSize] bytes.
func NewLatest(mem []byte, packet int) *Latest {
	l := OpenLatest(mem, packet)
	l.state.Store(latestStart)
	return l
}

// OpenLatest takes up a Latest that lies in mem already.
func OpenLatest(mem []byte, packet int) *Latest {
	mustHold("Latest", mem, LatestSize(packet))
	l := &Latest{state: word(mem, 0)}
	for i := range l.slots {
		off := line + i*roundUp(packet)
		l.slots[i] = mem[off : off+packet : off+packet]
	}
	return l
}

// slot bounds the index, which a damaged peer may have written, to the slots there are.
func (l *Latest) slot(i uint64) []byte { return l.slots[(i&3)%3] }

// Slot returns the writer's slot, to be filled before [Latest.Publish]. What it holds is some older packet.
func (l *Latest) Slot() []byte { return l.slot(l.state.Load()) }

// Publish hands the writer's slot over as the newest packet.
func (l *Latest) Publish() {
	for {
		s := l.state.Load()
		writer, middle := s&3, s>>2&3
		if l.state.CompareAndSwap(s, s&(3<<4)|middle|writer<<2|latestNew) {
			return
		}
	}
}

// Fetch returns the newest packet and whether it is newer than at the last call. The slice is the reader's until the
// next Fetch. Before the first packet it returns zeros and false.
func (l *Latest) Fetch() (packet []byte, fresh bool) {
	for {
		s := l.state.Load()
		if s&latestNew == 0 {
			return l.slot(s >> 4), false
		}
		middle, reader := s>>2&3, s>>4&3
		if l.state.CompareAndSwap(s, s&3|reader<<2|middle<<4) {
			return l.slot(middle), true
		}
	}
}
