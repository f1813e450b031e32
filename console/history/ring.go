package history

// chunk is the number of values that a ring allocates, and forgets, together.
const chunk = 256

// ring holds the newest values, in chunks that are allocated as they are needed and then used again.
type ring[T any] struct {
	chunks [][]T // all but the last are full
}

// push adds a value, and forgets the oldest chunks of more than most values.
func (r *ring[T]) push(v T, most int) {
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == chunk {
		fresh := []T(nil)
		for len(r.chunks) > 0 && (len(r.chunks)+1)*chunk > max(most, 2*chunk) {
			fresh = r.chunks[0][:0]
			copy(r.chunks, r.chunks[1:])
			r.chunks[len(r.chunks)-1] = nil
			r.chunks = r.chunks[:len(r.chunks)-1]
		}
		if fresh == nil {
			fresh = make([]T, 0, chunk)
		}
		r.chunks = append(r.chunks, fresh)
		last = len(r.chunks) - 1
	}
	r.chunks[last] = append(r.chunks[last], v)
}

// len returns the number of values.
func (r *ring[T]) len() int {
	if len(r.chunks) == 0 {
		return 0
	}
	return (len(r.chunks)-1)*chunk + len(r.chunks[len(r.chunks)-1])
}

// at returns a value, 0 being the oldest.
func (r *ring[T]) at(i int) T { return r.chunks[i/chunk][i%chunk] }
