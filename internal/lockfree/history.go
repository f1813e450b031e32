package lockfree

import "sync/atomic"

// HistoryKept is for how many numbers a [History] keeps a packet.
const HistoryKept = 4

// History passes numbered packets of one size from one writer to one reader within a process. Numbers begin at 0 and never fall. For each
// of the last HistoryKept numbers it keeps the packet that was published last, until the reader takes it: the reader asks for a
// number, and does not see what was published for later ones. Both sides are wait-free.
//
// A slot is a word with the number of its packet and the buffer that the packet lies in. Each side owns one buffer more and
// exchanges it for that of a slot, so that no buffer is ever visible to both.
type History struct {
	_       [line]byte
	slots   [HistoryKept]slot
	buffers [HistoryKept + 2][]byte
	_       [line]byte
	writes  uint64 // buffer of the writer
	_       [line]byte
	reads   uint64 // buffer of the reader
	taken   int64  // number of the packet in it
	_       [line]byte
}

// slot is a word on a line of its own: from the lowest bit on, whether there is a packet, the buffer (3 bits), and 1 + the number of the packet.
type slot struct {
	word atomic.Uint64
	_    [line - 8]byte
}

const (
	slotFull   = 1
	slotBuffer = 1 // bits from here on
	slotNumber = 4
)

func slotWord(number int64, buffer uint64) uint64 {
	return uint64(number+1)<<slotNumber | buffer<<slotBuffer | slotFull
}

func bufferOf(word uint64) uint64 { return word >> slotBuffer & 7 }

// HistorySize returns the memory that a History takes for packets of the given size, in bytes.
func HistorySize(packet int) int { return (HistoryKept + 2) * roundUp(packet) }

// NewHistory returns a History for packets of the given size, in bytes.
func NewHistory(packet int) *History {
	h := &History{writes: HistoryKept, reads: HistoryKept + 1, taken: -1}
	mem := Memory(HistorySize(packet))
	for i := range h.buffers {
		at := i * roundUp(packet)
		h.buffers[i] = mem[at : at+packet : at+packet]
	}
	for i := range h.slots {
		h.slots[i].word.Store(uint64(i) << slotBuffer)
	}
	return h
}

// Slot returns the writer's buffer, to be filled before [History.Publish]. It contains an older packet.
func (h *History) Slot() []byte { return h.buffers[h.writes] }

// Publish passes the writer's buffer on as the packet of a number: the last one, which replaces its packet, or a later one.
func (h *History) Publish(number int64) {
	s := &h.slots[uint64(number)%HistoryKept].word
	h.writes = bufferOf(s.Swap(slotWord(number, h.writes)))
}

// Passed reports whether the writer is so far ahead that a packet of a number may have been replaced before it was fetched.
func (h *History) Passed(number int64) bool {
	word := h.slots[uint64(number)%HistoryKept].word.Load()
	return word&slotFull != 0 && word>>slotNumber > uint64(number+1)
}

// Fetch returns the newest packet up to a number, and whether it was not returned before. It belongs to the reader until the next
// Fetch. A packet whose number lies HistoryKept or more below is no longer found.
func (h *History) Fetch(number int64) (packet []byte, fresh bool) {
	for n := number; n >= max(h.taken, 0) && n > number-HistoryKept; n-- {
		s := &h.slots[uint64(n)%HistoryKept].word
		for range tries {
			word := s.Load()
			if word&slotFull == 0 || word>>slotNumber != uint64(n+1) {
				break
			}
			// It fails where the writer replaces the packet meanwhile.
			if s.CompareAndSwap(word, h.reads<<slotBuffer) {
				h.reads, h.taken = bufferOf(word), n
				return h.buffers[h.reads], true
			}
		}
	}
	return h.buffers[h.reads], false
}
