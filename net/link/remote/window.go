package remote

// windowBits is how far a datagram may be overtaken by others and still be accepted.
const windowBits = 2048

// window records which counters of a session have arrived: the sliding window of RFC 4303, section 3.4.3, as a ring
// of words.
type window struct {
	top  uint64 // one above the highest counter seen
	seen [windowBits / 64]uint64
}

// take reports whether the counter n is new, and records it. Call it only for counters of authenticated datagrams.
func (w *window) take(n uint64) bool {
	if n+windowBits-64 < w.top { // its word may hold newer counters already
		return false
	}
	if n >= w.top {
		first, last := (w.top+63)/64, n/64
		for i := first; i <= last && i < first+uint64(len(w.seen)); i++ { // the words that the window enters
			w.seen[i%uint64(len(w.seen))] = 0
		}
		w.top = n + 1
	}
	word, bit := &w.seen[n/64%uint64(len(w.seen))], uint64(1)<<(n%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
