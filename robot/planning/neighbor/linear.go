package neighbor

import (
	"math/bits"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Linear compares with all points, on processors with AVX2 eight at once where the space has an embedding; the answers are the same.
type Linear struct {
	points
	finder
	space  space.Space
	filter *embedded // nil: points are compared one by one
}

// NewLinear returns an index of at most capacity points; capacity is at least 0.
func NewLinear(s space.Space, capacity int) *Linear { return newLinear(s, capacity, processor()) }

// newLinear returns an index that uses the given kernels, which may be none.
func newLinear(s space.Space, capacity int, k *kernels) *Linear {
	l := &Linear{points: newPoints(s, capacity), space: s, filter: newEmbedded(k, s, (capacity+lanes-1)/lanes*lanes)}
	l.by = l
	return l
}

// Reset removes all points.
func (l *Linear) Reset() {
	l.values = l.values[:0]
	if l.filter != nil {
		l.filter.reach = 0
	}
}

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (l *Linear) Add(p []float64) int32 {
	i := l.append(p)
	if l.filter != nil {
		l.filter.put(i, p)
	}
	return i
}

func (l *Linear) search(p []float64, q *query) {
	if l.filter == nil || !l.filter.aim(p) {
		for i := range int32(l.Len()) {
			q.offer(i, l.space.Distance(l.At(i), p))
		}
		return
	}
	groups := (l.Len() + lanes - 1) / lanes
	for group := 0; group < groups; group++ {
		var hit uint32
		l.filter.within(q.bound * q.bound)
		if group, hit = l.filter.next(0, group, groups); hit == 0 {
			return
		}
		for ; hit != 0; hit &= hit - 1 {
			i := int32(group*lanes + bits.TrailingZeros32(hit))
			q.offer(i, l.space.Distance(l.At(i), p))
		}
	}
}
