package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// WarmStart keeps where a query of a pair ended: the next query of the same pair at nearby poses begins there. The zero value is a cold start. A WarmStart
// that is used for another pair gives right answers, slower.
type WarmStart struct {
	n            int
	a, b         [4]spatial.Vec3 // points of both cores in their frames
	hintA, hintB int32
	pairA, pairB *Shape
}

// outcome is how the algorithm of Gilbert, Johnson and Keerthi ended.
type outcome uint8

const (
	separated outcome = iota // the distance is found
	beyond                   // it is greater than the limit; a lower bound is known
	within                   // it is at most near; an upper bound is known
	overlap                  // the cores have a common point
)

// gjkSteps bounds the iterations; polytopes need fewer than ten, curved cores that nearly touch about forty.
const gjkSteps = 128

// gjk searches the point v of the Minkowski difference a - b that is nearest to the origin. It ends as soon as the distance is known to be
// greater than limit or at most near. f is the frame of b in that of a. The duality gap v·v - v·w bounds the error (van den Bergen 2003,
// section 4.3.4).
func (q *Query) gjk(a, b *Shape, f *frame, limit, near float64, warm *WarmStart) (gap, outcome) {
	tiny := 1e-14 * (a.reach + b.reach)
	var hintA, hintB int32 = -1, -1
	q.corners = 0
	v := a.centre().Sub(f.point(b.centre()))
	if warm != nil && warm.n > 0 && warm.pairA == a && warm.pairB == b {
		hintA, hintB = warm.hintA, warm.hintB
		for i := range warm.n {
			q.simplex[i] = corner{warm.a[i].Sub(f.point(warm.b[i])), warm.a[i], warm.b[i]}
		}
		q.corners = warm.n
		q.reduce()
		if q.corners == 4 {
			return gap{}, overlap
		}
		v = q.near.v
	}
	vv := v.Dot(v)
	result := separated
	certain := false
	restarts := 0
	for range gjkSteps {
		if vv <= tiny*tiny {
			if q.corners > 0 {
				result = overlap
				break
			}
			v, vv = spatial.Vec3{X: 1}, 1
		}
		pa := a.support(v.Neg(), &hintA)
		pb := b.support(f.back(v), &hintB)
		w := pa.Sub(f.point(pb))
		vw := v.Dot(w)
		if vw > 0 && vw*vw > limit*limit*vv {
			keep(q, a, b, warm, hintA, hintB)
			return gap{d: vw / math.Sqrt(vv)}, beyond
		}
		if q.corners > 0 {
			if vv-vw <= 1e-12*vv || vv-vw <= 0.25*tiny*math.Sqrt(vv) {
				certain = true
				break
			}
			if q.has(w) { // a corner again, but no proof: rounding has spoilt the simplex
				if restarts++; restarts > 3 || vv <= 1e14*tiny*tiny {
					break
				}
				q.corners = 0
			}
		}
		q.simplex[q.corners] = corner{w, pa, pb}
		q.corners++
		first := q.corners == 1
		before, n := q.simplex, q.corners
		q.reduce()
		if q.corners == 4 {
			result = overlap
			break
		}
		if !first && q.near.vv >= vv && n > 2 { // a needle has lost its digits; its edges keep them
			q.simplex, q.corners = before, n
			q.reduceToEdge()
		}
		v = q.near.v
		if !first && q.near.vv >= vv { // no progress but rounding
			if restarts++; restarts > 3 || vv <= 1e14*tiny*tiny {
				vv = q.near.vv
				break
			}
			q.simplex[0] = corner{w, pa, pb}
			q.corners = 1
			q.reduce()
			v = q.near.v
		}
		vv = q.near.vv
		if vv <= near*near && near > 0 {
			result = within
			break
		}
	}
	keep(q, a, b, warm, hintA, hintB)
	if result == overlap {
		return gap{}, overlap
	}
	d := math.Sqrt(vv)
	if d <= tiny {
		return gap{}, overlap
	}
	if result == separated && !certain { // rounding has kept the simplex from a proof: the polytope finds how they lie
		w := a.support(v.Neg(), &hintA).Sub(f.point(b.support(f.back(v), &hintB)))
		if d <= 1e7*tiny || vv-v.Dot(w) > 1e-5*vv {
			return gap{}, overlap
		}
	}
	pa, _ := q.witnesses(f)
	n := v.Scale(-1 / d)
	return gap{d, pa, pa.Sub(v), n}, result
}

// has reports whether the simplex has the corner w.
func (q *Query) has(w spatial.Vec3) bool {
	for i := range q.corners {
		if q.simplex[i].w == w {
			return true
		}
	}
	return false
}

// keep stores the simplex for the next query.
func keep(q *Query, a, b *Shape, warm *WarmStart, hintA, hintB int32) {
	if warm == nil {
		return
	}
	warm.n, warm.pairA, warm.pairB, warm.hintA, warm.hintB = q.corners, a, b, hintA, hintB
	for i := range q.corners {
		warm.a[i], warm.b[i] = q.simplex[i].a, q.simplex[i].b
	}
}
