package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Trace returns a path whose edges are straight lines of the joints on which the tool keeps the constraint within the tolerances, along the curves that are
// the edges of a path in this space. It is valid until the next call, and nil if a curve jumps. That all of it keeps the constraint is proved as for a motion.
func (k *ConstrainedSpace) Trace(path *Path) *Path {
	k.path.points = append(k.path.points[:0], path.At(0)...)
	for i := 1; i < path.Len(); i++ {
		if !k.trace(path.At(i-1), path.At(i), 0, 1, traceDepth) {
			return nil
		}
	}
	return &k.path
}

const (
	traceDepth = 16
	longest    = 0.25 // straight piece of a curve, rad or m
	jump       = 2    // times that a curve may be as long as its chord
)

// trace appends the points of a curve behind that at the fraction from, to the one at the fraction to.
func (k *ConstrainedSpace) trace(a, b []float64, from, to float64, depth int) bool {
	last := k.path.Len() - 1
	end := b
	if to < 1 {
		k.Interpolate(a, b, to, k.a)
		end = k.a
	}
	if !k.proves(k.path.At(last), end, between) || k.Distance(k.path.At(last), end) > longest {
		if depth == 0 || !k.trace(a, b, from, from+(to-from)/2, depth-1) {
			return false
		}
		return k.trace(a, b, from+(to-from)/2, to, depth-1)
	}
	if k.Distance(k.path.At(last), end) > jump*(to-from)*k.Distance(a, b)+1e-9 {
		return false
	}
	k.path.Add(end)
	return true
}

// proves reports whether the tool keeps the constraint on all of the straight line between two points, within a part of the tolerances: in the middle it
// is off by so little that the way to either end cannot take it beyond, or both halves are proved.
func (k *ConstrainedSpace) proves(a, b []float64, part float64) bool {
	return k.provesPart(a, b, 0, 1, part)
}

func (k *ConstrainedSpace) provesPart(a, b []float64, from, to, part float64) bool {
	t := from + (to-from)/2
	k.joints.Interpolate(a, b, t, k.b)
	k.joints.Difference(a, b, k.still)
	for i := range k.still {
		k.still[i] = math.Abs(k.still[i]) * (to - from) / 2
	}
	switch kept, sure := k.sure(k.b, k.still, part); {
	case !kept || to-from < 1e-6:
		return false
	case sure:
		return true
	}
	return k.provesPart(a, b, from, t, part) && k.provesPart(a, b, t, to, part)
}

// sure reports whether the tool keeps the constraint at a point within a part of the tolerances, and whether it does so wherever the joints go that move by
// no more than these ways: values move the tool by at most their reach, and turn it by at most one rad each; a rotation vector of less than π
// changes by at most π/2 times the turn.
func (k *ConstrainedSpace) sure(p, ways []float64, part float64) (kept, sure bool) {
	e := k.constraint.off(k.tool(p))
	if !k.within(e, part) { // not a number is not within
		return false, false
	}
	var far, turn float64
	for i, d := range ways {
		far, turn = far+k.reach[i]*d, turn+math.Pi/2*k.turns[i]*d
	}
	off := math.Hypot(math.Hypot(e[0], e[1]), e[2])
	turned := math.Hypot(math.Hypot(e[3], e[4]), e[5])
	c := &k.constraint
	sure = (off+far <= part*k.Tolerance || math.IsInf(c.Position.X, 1) && math.IsInf(c.Position.Y, 1) && math.IsInf(c.Position.Z, 1)) &&
		(turned+turn <= part*k.Turn || math.IsInf(c.Rotation.X, 1) && math.IsInf(c.Rotation.Y, 1) && math.IsInf(c.Rotation.Z, 1))
	return true, sure
}

// Motion reports whether the tool keeps the constraint within the tolerances at all times of a motion that keeps limits; if it does not, it does not, or cannot
// be proved to, about the time (s). A motion of another number of joints is a mistake of the program and panics.
func (k *ConstrainedSpace) Motion(m trajectory.Motion, limits []trajectory.Limits) (time float64, keeps bool) {
	if m.Axes() != k.Dim() || len(limits) != k.Dim() {
		panic("planning: a motion of other joints than those of the constraint")
	}
	k.limits = limits
	return k.interval(m, 0, m.Duration())
}

// shortestInterval is the time below which an interval without a proof counts as a failure, s.
const shortestInterval = 1e-6

func (k *ConstrainedSpace) interval(m trajectory.Motion, from, to float64) (time float64, keeps bool) {
	h := (to - from) / 2
	t := from + h
	m.At(t, k.states)
	for i, x := range k.states {
		l := &k.limits[i]
		k.a[i] = x.Position
		k.still[i] = h * min(max(l.Velocity, -l.MinVelocity), math.Abs(x.Velocity)+h*max(l.Acceleration, -l.MinAcceleration))
	}
	switch kept, sure := k.sure(k.a, k.still, 1); {
	case !kept || !sure && h < shortestInterval:
		return t, false
	case sure:
		return 0, true
	}
	if time, keeps = k.interval(m, from, t); !keeps {
		return time, false
	}
	return k.interval(m, t, to)
}

// Rounding returns the deviation of corners that moves the tool by at most a quarter of the tolerances, as the norm over all joints, rad or m.
func (k *ConstrainedSpace) Rounding() float64 {
	far, turn := 0.0, 0.0
	for i := range k.reach {
		far, turn = math.Hypot(far, k.reach[i]), math.Hypot(turn, math.Pi/2*k.turns[i])
	}
	return min(k.Tolerance/max(far, 1e-9), k.Turn/max(turn, 1e-9)) / 4
}
