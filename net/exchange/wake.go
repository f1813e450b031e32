package exchange

// Wake runs a triggered thread when another thread has written data for it.
type Wake struct {
	Thread int // index of the thread to wake
	counts []*uint64
	last   uint64
}

// Watch adds a source's count of values or events to those that Due compares.
func (w *Wake) Watch(count *uint64) { w.counts = append(w.counts, count) }

// Due reports whether data was written for the thread since the last call.
func (w *Wake) Due() bool {
	sum := uint64(0)
	for _, c := range w.counts {
		sum += *c
	}
	due := sum != w.last
	w.last = sum
	return due
}
