package curve

import (
	"sort"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// PiecewiseRotation is a sequence of rotations, one after the other. Each runs through the whole of its own domain; the pieces are moved
// along the axis so that one begins where the one before ends. At a knot the later piece counts. The zero value is no rotation;
// make one with NewPiecewiseRotation.
type PiecewiseRotation struct {
	pieces []Rotation
	knots  []float64 // one more than pieces
}

// NewPiecewiseRotation returns the sequence of the pieces, beginning at start. It panics if there is none. Jump and Continuity report
// whether they fit together.
func NewPiecewiseRotation(start float64, pieces ...Rotation) PiecewiseRotation {
	if len(pieces) == 0 {
		panic("curve: PiecewiseRotation of no pieces")
	}
	p := PiecewiseRotation{pieces: append([]Rotation(nil), pieces...), knots: make([]float64, len(pieces)+1)}
	p.knots[0] = start
	for i, f := range pieces {
		lower, upper := f.Domain()
		p.knots[i+1] = p.knots[i] + (upper - lower)
	}
	return p
}

// Domain returns the interval from the first knot to the last.
func (p PiecewiseRotation) Domain() (lower, upper float64) {
	return p.knots[0], p.knots[len(p.knots)-1]
}

// Pieces returns the number of pieces.
func (p PiecewiseRotation) Pieces() int { return len(p.pieces) }

// Piece returns piece i and the interval on which it is used. Its own domain may be another one of the same length.
func (p PiecewiseRotation) Piece(i int) (r Rotation, lower, upper float64) {
	return p.pieces[i], p.knots[i], p.knots[i+1]
}

// At returns the derivative of the quaternion of the piece at t; beyond the ends the outermost pieces go on. Successive pieces may have
// opposite quaternions, which are the same rotation.
func (p PiecewiseRotation) At(t float64, order int) spatial.Quat {
	if len(p.pieces) == 0 {
		panic("curve: PiecewiseRotation without pieces; make it with NewPiecewiseRotation")
	}
	inner := p.knots[1 : len(p.knots)-1]
	i := sort.Search(len(inner), func(i int) bool { return inner[i] > t })
	return p.pieces[i].At(p.local(i, t), order)
}

// Jump returns the largest jump at the inner knots, and where it is: of the rotation (order 0) the angle in rad, of the angular velocity
// (order 1) and its derivatives (order 2, …, up to MaxOrder) the length of the difference. Without inner knots it is 0.
func (p PiecewiseRotation) Jump(order int) (at, size float64) {
	mustBeOrder(order)
	at = p.knots[0]
	for i := 1; i < len(p.pieces); i++ {
		t := p.knots[i]
		if d := rotationGap(p.pieces[i-1], p.local(i-1, t), p.pieces[i], p.local(i, t), order); !(d <= size) {
			at, size = t, d
		}
	}
	return at, size
}

// Continuity returns the highest order up to which nothing jumps by more than tolerance at a knot or within a piece.
func (p PiecewiseRotation) Continuity(tolerance float64) int {
	least := continuity(p, tolerance)
	for _, r := range p.pieces {
		least = min(least, r.Continuity(tolerance))
	}
	return least
}

// local takes t into the domain of piece i.
func (p PiecewiseRotation) local(i int, t float64) float64 {
	lower, _ := p.pieces[i].Domain()
	return lower + (t - p.knots[i])
}

// rotationGap returns the difference of a at s and b at t in the sense of PiecewiseRotation.Jump.
func rotationGap(a Rotation, s float64, b Rotation, t float64, order int) float64 {
	if order > 0 {
		return AngularVelocity(b, t, order-1).Sub(AngularVelocity(a, s, order-1)).Norm()
	}
	return a.At(s, 0).Conj().Mul(b.At(t, 0)).Log().Norm()
}
