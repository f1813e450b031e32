package neighbor

import "github.com/sinew-robotics/sinew/robot/planning/space"

// Linear compares with all points.
type Linear struct {
	points
	finder
	space space.Space
}

// NewLinear returns an index of at most capacity points; capacity is at least 0.
func NewLinear(s space.Space, capacity int) *Linear {
	l := &Linear{points: newPoints(s, capacity), space: s}
	l.by = l
	return l
}

// Reset removes all points.
func (l *Linear) Reset() { l.values = l.values[:0] }

// Add adds a copy of a point and returns its number. p has as many values as the space; it panics above the capacity.
func (l *Linear) Add(p []float64) int32 { return l.append(p) }

func (l *Linear) search(p []float64, q *query) {
	for i := range int32(l.Len()) {
		q.offer(i, l.space.Distance(l.At(i), p))
	}
}
