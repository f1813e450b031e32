package planning

import (
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Simplifier shortens paths by shortcuts: first between their points, then between random places on them (Geraerts and Overmars 2007). Places are among those
// where the edges were checked, at the resolution of the verifier: on straight ways the parts that a shortcut leaves of two edges are then checked already, as they
// are divided as before. Attempts at random cover pairs of places evenly, by Halton's sequence, and none of the last ones is made twice.
type Simplifier struct {
	Seed     uint64
	Attempts int         // random shortcuts that may fail in turn before it ends
	Stop     func() bool // nil: never; the path is then the best up to that time

	gain     float64 // least part of the length by which a shortcut shortens
	space    space.Space
	verifier *Verifier
	sampler  space.Halton
	a, b     []float64
	at       []float64 // lengths from the start to the points, in use during a call
	tried    []uint64  // ways between places: sets of those whose numbers are alike, the last one first
	epoch    uint64    // whose ways are remembered
}

// A simplifier remembers the last ways between places that it has tried, some thousands.
const (
	triedSets = 512
	triedWays = 8 // of a set
)

// NewSimplifier returns a simplifier that verifies with v.
func NewSimplifier(v *Verifier) *Simplifier {
	n := v.space.Dim()
	return &Simplifier{Attempts: 14, gain: 5e-3, space: v.space, verifier: v, a: make([]float64, n), b: make([]float64, n), at: make([]float64, 0, 2*DefaultNodes), tried: make([]uint64, triedSets*triedWays)}
}

// StopWith sets Stop.
func (s *Simplifier) StopWith(stop func() bool) { s.Stop = stop }

// Simplify shortens a free path; its ends stay.
func (s *Simplifier) Simplify(p *Path) {
	s.forget()
	s.reduce(p)
	s.shortcuts(p)
}

// forget forgets the ways that have been tried.
func (s *Simplifier) forget() { s.epoch++ }

// shortcuts tries shortcuts between random places until Attempts have failed in turn.
func (s *Simplifier) shortcuts(p *Path) {
	s.sampler.Reset(s.Seed)
	for failed := 0; failed < s.Attempts && p.Len() > 2; {
		if s.Stop != nil && s.Stop() {
			return
		}
		if s.shortcut(p) {
			failed = 0
		} else {
			failed++
		}
	}
}

// reduce joins each point with the last one that a free edge reaches.
func (s *Simplifier) reduce(p *Path) {
	for i := 0; i < p.Len()-2; i++ {
		for j := p.Len() - 1; j > i+1; j-- {
			if s.Stop != nil && s.Stop() {
				return
			}
			if s.verifier.way(p.At(i), p.At(j)) {
				p.remove(i+1, j)
				break
			}
		}
	}
}

// shortcut tries to join two random places, unless that gains too little. It reports whether it did.
func (s *Simplifier) shortcut(p *Path) bool {
	s.at = append(s.at[:0], 0)
	for i := 1; i < p.Len(); i++ {
		s.at = append(s.at, s.at[i-1]+s.space.Distance(p.At(i-1), p.At(i)))
	}
	length := s.at[len(s.at)-1]
	var u [2]float64
	s.sampler.Next(u[:])
	a, b := s.place(p, length*min(u[0], u[1]), s.a), s.place(p, length*max(u[0], u[1]), s.b)
	if b.at-a.at-s.space.Distance(s.a, s.b) < s.gain*length || s.known(a, b) || !s.verifier.way(s.a, s.b) || !s.leaves(p, a, b) {
		return false
	}
	p.remove(a.before+1, b.after)
	if b.before < b.after {
		copy(p.insert(a.before+1), s.b)
	}
	if a.before < a.after {
		copy(p.insert(a.before+1), s.a)
	}
	return true
}

// known reports whether the way between two places has been tried, and notes that it is now. Edges between points of the path may have been tried before.
func (s *Simplifier) known(a, b place) bool {
	way := s.way()
	alike := s.tried[way%triedSets*triedWays:][:triedWays]
	if a.before == a.after && b.before == b.after || slices.Contains(alike, way) {
		return true
	}
	copy(alike[1:], alike)
	alike[0] = way
	return false
}

// way returns a number for the way between two places: a hash (FNV-1a) of their values, without what rounding changes, and of the epoch.
func (s *Simplifier) way() uint64 {
	h := 14695981039346656037 ^ s.epoch
	for i, x := range s.a {
		for _, x := range [2]float64{x, s.b[i]} {
			h = (h ^ uint64(int64(math.Floor(x*1e9+0.5)))) * 1099511628211
		}
	}
	return h
}

// leaves reports whether the ways to a and from b, which a shortcut leaves over of two edges, are free.
func (s *Simplifier) leaves(p *Path, a, b place) bool {
	if s.verifier.nests() {
		return true
	}
	return (a.before == a.after || s.verifier.Edge(p.At(a.before), s.a)) &&
		(b.before == b.after || s.verifier.Free(s.b) && s.verifier.way(s.b, p.At(b.after)))
}

// place is a place on a path.
type place struct {
	before, after int     // the points about it; a point of the path is both
	at            float64 // its length from the start
}

// place writes the place nearest to a length along the path to out, among those where its edges were checked.
func (s *Simplifier) place(p *Path, at float64, out []float64) place {
	i := 0
	for i < p.Len()-2 && s.at[i+1] <= at {
		i++
	}
	a, b, long := p.At(i), p.At(i+1), s.at[i+1]-s.at[i]
	n := max(1, float64(s.verifier.parts(long)))
	k := 0.0
	if long > 0 {
		k = math.Round(n * min(1, (at-s.at[i])/long))
	}
	switch k {
	case 0:
		copy(out, a)
		return place{i, i, s.at[i]}
	case n:
		copy(out, b)
		return place{i + 1, i + 1, s.at[i+1]}
	}
	s.space.Interpolate(a, b, k/n, out)
	return place{i, i + 1, s.at[i] + k/n*long}
}
