package curve

import (
	"math"
	"sort"
)

// Piecewise is a sequence of functions, one after the other. Each runs through the whole of its own domain; the pieces
// are moved along the axis so that one begins where the one before ends. At a knot the later piece counts. The zero
// value is no function; make one with NewPiecewise.
type Piecewise struct {
	pieces []Function
	knots  []float64 // one more than pieces
}

// NewPiecewise returns the sequence of the pieces, beginning at start. It panics if there is none.
func NewPiecewise(start float64, pieces ...Function) Piecewise {
	if len(pieces) == 0 {
		panic("curve: Piecewise of no pieces")
	}
	p := Piecewise{pieces: append([]Function(nil), pieces...), knots: make([]float64, len(pieces)+1)}
	p.knots[0] = start
	for i, f := range pieces {
		lower, upper := f.Domain()
		p.knots[i+1] = p.knots[i] + (upper - lower)
	}
	return p
}

// Domain returns the interval from the first knot to the last.
func (p Piecewise) Domain() (lower, upper float64) { return p.knots[0], p.knots[len(p.knots)-1] }

// Pieces returns the number of pieces.
func (p Piecewise) Pieces() int { return len(p.pieces) }

// Piece returns piece i and the interval on which it is used. Its own domain may be another one of the same length.
func (p Piecewise) Piece(i int) (f Function, lower, upper float64) {
	return p.pieces[i], p.knots[i], p.knots[i+1]
}

// At returns the derivative of the piece at t; beyond the ends the outermost pieces go on.
func (p Piecewise) At(t float64, order int) float64 {
	i := p.find(t)
	return p.pieces[i].At(p.local(i, t), order)
}

// Range returns the extremes over all pieces that lie in the interval.
func (p Piecewise) Range(order int, lower, upper float64) Range {
	mustBeInterval("Range", lower, upper)
	r := nothing(lower)
	first, last := p.find(lower), p.find(upper)
	if first > 0 && lower == p.knots[first] {
		first-- // the value just before the knot counts too
	}
	for i := first; i <= last; i++ {
		a, b := lower, upper
		if i > 0 {
			a = max(a, p.knots[i])
		}
		if i < len(p.pieces)-1 {
			b = min(b, p.knots[i+1])
		}
		q := p.pieces[i].Range(order, p.local(i, a), p.local(i, b))
		shift := a - p.local(i, a)
		r.include(min(max(q.MinAt+shift, a), b), q.Min)
		r.include(min(max(q.MaxAt+shift, a), b), q.Max)
	}
	return r
}

// Jump returns the largest jump of the derivative of the given order at the inner knots, and where it is. Without inner
// knots it is 0.
func (p Piecewise) Jump(order int) (at, size float64) {
	at = p.knots[0]
	for i := 1; i < len(p.pieces); i++ {
		t := p.knots[i]
		before, after := p.pieces[i-1].At(p.local(i-1, t), order), p.pieces[i].At(p.local(i, t), order)
		if d := math.Abs(after - before); !(d <= size) {
			at, size = t, d
		}
	}
	return at, size
}

// Continuity returns the highest order up to which no derivative jumps by more than tolerance at a knot or within a piece.
func (p Piecewise) Continuity(tolerance float64) int {
	least := continuity(p, tolerance)
	for _, f := range p.pieces {
		least = min(least, f.Continuity(tolerance))
	}
	return least
}

// continuity returns the highest order up to which the jumps between pieces are at most tolerance.
func continuity(p interface {
	Jump(order int) (at, size float64)
}, tolerance float64) int {
	for order := 0; order <= MaxOrder; order++ {
		if _, size := p.Jump(order); !(size <= tolerance) {
			return order - 1
		}
	}
	return MaxOrder
}

// find returns the piece that counts at t.
func (p Piecewise) find(t float64) int {
	if len(p.pieces) == 0 {
		panic("curve: Piecewise without pieces; make it with NewPiecewise")
	}
	inner := p.knots[1 : len(p.knots)-1]
	return sort.Search(len(inner), func(i int) bool { return inner[i] > t })
}

// local takes t into the domain of piece i.
func (p Piecewise) local(i int, t float64) float64 {
	lower, _ := p.pieces[i].Domain()
	return lower + (t - p.knots[i])
}
