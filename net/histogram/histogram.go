// Package histogram counts durations while a thread runs: the lateness of its activations and the time that they take. It allocates
// nothing and takes no lock.
package histogram

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Durations is a histogram of durations, in buckets of at most 12 % width, from 1 ns to about 18 minutes; a longer one counts in the
// last bucket. One thread adds while any others read. The zero value is empty. It holds no pointers, so it may lie in memory that processes
// share.
type Durations struct {
	buckets [bucketCount]atomic.Uint32
	max     atomic.Int64
}

const (
	exact       = 16 // below this each nanosecond has its own bucket
	octave      = 8  // buckets for each doubling above it
	octaves     = 37
	bucketCount = exact + octave*octaves
)

func bucketOf(ns int64) int {
	if ns < exact {
		return int(max(ns, 0))
	}
	e := bits.Len64(uint64(ns)) - 1
	return min(exact+(e-4)*octave+int(ns>>(e-3))&7, bucketCount-1)
}

// bucketStart returns the least duration that falls into bucket i.
func bucketStart(i int) int64 {
	if i < exact {
		return int64(i)
	}
	e, sub := (i-exact)/octave+4, (i-exact)%octave
	return int64(8+sub) << (e - 3)
}

// Add counts one duration in ns; a negative one counts as 0.
func (h *Durations) Add(ns int64) {
	b := &h.buckets[bucketOf(ns)]
	b.Store(b.Load() + 1)
	if ns > h.max.Load() {
		h.max.Store(ns)
	}
}

// Count returns how many durations were counted.
func (h *Durations) Count() uint64 {
	n := uint64(0)
	for i := range h.buckets {
		n += uint64(h.buckets[i].Load())
	}
	return n
}

// Max returns the longest duration, exactly.
func (h *Durations) Max() time.Duration { return time.Duration(h.max.Load()) }

// Quantile returns the q-quantile of the durations, 0 ≤ q ≤ 1, to the width of a bucket; 0 if there are none. q is not checked.
func (h *Durations) Quantile(q float64) time.Duration {
	n := h.Count()
	if n == 0 {
		return 0
	}
	rank, sum := uint64(q*float64(n-1))+1, uint64(0)
	for i := range h.buckets {
		if sum += uint64(h.buckets[i].Load()); sum >= rank {
			mid := (bucketStart(i) + bucketStart(i+1)) / 2
			return time.Duration(min(mid, h.max.Load()))
		}
	}
	return h.Max()
}

// Bucket is one class of a histogram: the number of durations d with From ≤ d < To.
type Bucket struct {
	From, To time.Duration // From included, To not
	Count    uint64
}

// Buckets returns the classes that are not empty, in rising order.
func (h *Durations) Buckets() []Bucket {
	var list []Bucket
	for i := range h.buckets {
		if n := h.buckets[i].Load(); n > 0 {
			list = append(list, Bucket{time.Duration(bucketStart(i)), time.Duration(bucketStart(i + 1)), uint64(n)})
		}
	}
	return list
}
