package planning

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Verifier decides by an engine whether points and edges of a space are free.
type Verifier struct {
	// Sequential makes edges be checked from their start to their end. By default they are bisected: the points come in the order of van der
	// Corput, coarse before fine, because neighbours tend to agree. An engine for lines gets all points of an edge at once where ways are straight.
	Sequential bool
	// Continuous examines edges between these points too: a prover of the same joints and scene proves them free, or samples them at its own resolution where it
	// cannot. nil: at the points only. It is for spaces of joints without a constraint; an engine for another scene needs another prover.
	Continuous *proof.Prover
	// Resolution is how far points of an edge are apart at most, in the distance of the space, > 0.
	Resolution float64
	// Checked counts the configurations that were asked; an engine for lines counts as asked for all points of an edge.
	Checked int

	engine     scene.Engine
	lines      scene.LineEngine // nil: the engine is none
	space      space.Robots
	straight   space.Straight    // nil: the space is not
	kept       *ConstrainedSpace // nil: the space has no constraint
	q, point   []float64
	step, last []float64
}

// NewVerifier returns a verifier that checks points of an edge at most resolution apart (in the distance of the space, > 0).
func NewVerifier(e scene.Engine, s space.Robots, resolution float64) (*Verifier, error) {
	if !(resolution > 0) {
		return nil, fmt.Errorf("verify edges at the resolution %g: want a length above 0, for example 1/32 rad", resolution)
	}
	v := &Verifier{space: s, Resolution: resolution, q: make([]float64, s.NQ()), step: make([]float64, s.NQ()), point: make([]float64, s.Dim()), last: make([]float64, s.Dim())}
	v.straight, _ = s.(space.Straight)
	v.kept, _ = s.(*ConstrainedSpace)
	return v, v.Use(e) // nothing uses v after an error
}

// wantStraight panics for a space with a constraint, whose edges are curves.
func (v *Verifier) wantStraight() {
	if v.kept != nil {
		panic("planning: paths in a space with a constraint are shortened by Simplifier only")
	}
}

// Use changes the engine, as when obstacles have moved. It fails for a scene with configurations of another length.
func (v *Verifier) Use(e scene.Engine) error {
	if v.space.NQ() != e.Scene().NQ() {
		return fmt.Errorf("verify edges: the space has configurations of %d coordinates, the scene of %d; both must be of the same robots", v.space.NQ(), e.Scene().NQ())
	}
	v.engine = e
	v.lines, _ = e.(scene.LineEngine)
	return nil
}

// Kept returns the space with a constraint whose edges are verified; nil: the space has none.
func (v *Verifier) Kept() *ConstrainedSpace { return v.kept }

// Free reports whether a point is free. A point that the engine refuses is not, nor is one that does not satisfy the constraint of its space.
// p has Dim values.
func (v *Verifier) Free(p []float64) bool { return (v.kept == nil || v.kept.Keeps(p)) && v.clear(p) }

// clear reports whether a point is free that is known to satisfy the constraint of its space, if that has one.
func (v *Verifier) clear(p []float64) bool {
	v.Checked++
	v.space.Configuration(p, v.q)
	if v.blocks() { // faster than Collide, which decides about what touches or almost does
		clear(v.step)
		if hit, err := v.lines.CollideAlong(v.q, v.step, 1, 1); !hit && err == nil {
			return true
		}
	}
	_, hit, err := v.engine.Collide(v.q)
	return !hit && err == nil
}

// Edge reports whether b and the way from a to b, points of Dim values, are free. It does not check a.
func (v *Verifier) Edge(a, b []float64) bool { return v.edge(a, b, v.space.Distance(a, b)) }

// edge is Edge for points whose distance is known.
func (v *Verifier) edge(a, b []float64, distance float64) bool {
	if v.blocks() {
		n := max(1, v.parts(distance))
		return v.along(a, b, n, n)
	}
	return v.Free(b) && v.way(a, b)
}

// blocks reports whether edges are checked all at once.
func (v *Verifier) blocks() bool {
	return v.lines != nil && v.straight != nil && !v.Sequential && v.Continuous == nil
}

// parts returns into how many parts an edge of a length is divided. A length that rounding makes too great by a billionth of a part adds none: edges of a
// tree are as long as its range.
func (v *Verifier) parts(length float64) int { return int(math.Ceil(length/v.Resolution - 1e-9)) }

// nests reports whether the parts of a checked edge between points where it was checked are checked, too: they are divided there as the edge was.
func (v *Verifier) nests() bool { return v.straight != nil && v.kept == nil && v.Continuous == nil }

// along reports whether the first points of n on the way from a to b are free.
func (v *Verifier) along(a, b []float64, points, n int) bool {
	v.Checked += points
	v.straight.Line(a, b, v.q, v.step)
	hit, err := v.lines.CollideAlong(v.q, v.step, points, n)
	return !hit && err == nil
}

// way reports whether the way from a to b is free, without its ends.
func (v *Verifier) way(a, b []float64) bool {
	if v.kept != nil {
		return v.curve(a, b)
	}
	if v.Continuous != nil {
		verdict, err := v.Continuous.Edge(a, b)
		v.Checked += verdict.Checked
		return verdict.Free && err == nil
	}
	n := v.parts(v.space.Distance(a, b))
	if n > 1 && v.blocks() {
		return v.along(a, b, n-1, n)
	}
	if v.Sequential {
		for k := 1; k < n; k++ {
			if !v.between(a, b, k, n) {
				return false
			}
		}
		return true
	}
	stride := 1
	for 2*stride < n {
		stride *= 2
	}
	for ; stride >= 1; stride /= 2 {
		for k := stride; k < n; k += 2 * stride {
			if !v.between(a, b, k, n) {
				return false
			}
		}
	}
	return true
}

// between reports whether point k of n on the way from a to b is free.
func (v *Verifier) between(a, b []float64, k, n int) bool {
	v.space.Interpolate(a, b, float64(k)/float64(n), v.point)
	return v.clear(v.point)
}

// stretch is how much longer a way along a constraint may be than its chord.
const stretch = 1.5

// curve reports whether the projected way from a to b is free, without its ends. Points are so near each other that none may be farther from the one before
// than the resolution: there the way would jump.
func (v *Verifier) curve(a, b []float64) bool {
	n := int(math.Ceil(stretch * v.space.Distance(a, b) / v.Resolution))
	copy(v.last, a)
	for k := 1; k < n; k++ {
		if !v.between(a, b, k, n) || v.space.Distance(v.last, v.point) > v.Resolution {
			return false
		}
		copy(v.last, v.point)
	}
	return n == 0 || v.space.Distance(v.last, b) <= v.Resolution
}

// Path reports whether all points and edges of a path are free.
func (v *Verifier) Path(p *Path) bool {
	if p.Len() == 0 || !v.Free(p.At(0)) {
		return false
	}
	for i := 1; i < p.Len(); i++ {
		if !v.Edge(p.At(i-1), p.At(i)) {
			return false
		}
	}
	return true
}
