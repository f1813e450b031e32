package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Simplifier shortens paths by shortcuts: first between their points, then between random places on them (Geraerts and Overmars 2007). It does
// not check again the parts that it does not shorten.
type Simplifier struct {
	Seed     uint64
	Attempts int         // random shortcuts that may fail in turn before it ends
	Stop     func() bool // nil: never; the path is then the best up to that time

	places   bool // only between random places, because edges between the points may have been tried before
	space    space.Space
	verifier *Verifier
	sampler  space.Uniform
	a, b     []float64
	at       []float64 // lengths from the start to the points, in use during a call
}

// NewSimplifier returns a simplifier that verifies with v.
func NewSimplifier(v *Verifier) *Simplifier {
	n := v.space.Dim()
	return &Simplifier{Attempts: 10, space: v.space, verifier: v, a: make([]float64, n), b: make([]float64, n), at: make([]float64, 0, 2*DefaultNodes)}
}

// StopWith sets Stop.
func (s *Simplifier) StopWith(stop func() bool) { s.Stop = stop }

// Simplify shortens a free path; its ends stay.
func (s *Simplifier) Simplify(p *Path) {
	s.sampler.Reset(s.Seed)
	if !s.places {
		s.reduce(p)
	}
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

// shortcut tries to join two random places on different edges, at least a thousandth of the length shorter than the way between them.
func (s *Simplifier) shortcut(p *Path) bool {
	s.at = append(s.at[:0], 0)
	for i := 1; i < p.Len(); i++ {
		s.at = append(s.at, s.at[i-1]+s.space.Distance(p.At(i-1), p.At(i)))
	}
	length := s.at[len(s.at)-1]
	var u [2]float64
	s.sampler.Next(u[:])
	from, to := length*min(u[0], u[1]), length*max(u[0], u[1])
	i, j := s.place(p, from, s.a), s.place(p, to, s.b)
	if i == j || to-from-s.space.Distance(s.a, s.b) < 1e-3*length || !s.verifier.Edge(s.a, s.b) ||
		!s.verifier.Edge(p.At(i), s.a) || !s.verifier.way(s.b, p.At(j+1)) { // parts of edges that were checked elsewhere
		return false
	}
	// The points i+1 … j give way to both places.
	p.remove(i+1, j+1)
	copy(p.insert(i+1), s.a)
	copy(p.insert(i+2), s.b)
	return true
}

// place writes the place at a length along the path to out, and returns the index of its edge.
func (s *Simplifier) place(p *Path, at float64, out []float64) (edge int) {
	for edge < p.Len()-2 && s.at[edge+1] <= at {
		edge++
	}
	a, b := p.At(edge), p.At(edge+1)
	t := 0.0
	if l := s.at[edge+1] - s.at[edge]; l > 0 {
		t = math.Min(1, (at-s.at[edge])/l)
	}
	s.space.Interpolate(a, b, t, out)
	return edge
}
