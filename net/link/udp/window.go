package udp

// window tells which counters of a session have come already. It remembers the last 64.
type window struct {
	top  uint64 // one above the highest counter seen
	seen uint64 // bit i: top-1-i has come
}

// take reports whether the counter n is new, and notes it. Only counters of authenticated datagrams may be noted.
func (w *window) take(n uint64) bool {
	if n >= w.top {
		if shift := n - w.top + 1; shift < 64 {
			w.seen = w.seen<<shift | 1
		} else {
			w.seen = 1
		}
		w.top = n + 1
		return true
	}
	back := w.top - 1 - n
	if back >= 64 || w.seen>>back&1 != 0 {
		return false
	}
	w.seen |= 1 << back
	return true
}
