package planning

import "github.com/sinew-robotics/sinew/robot/planning/space"

// Spline rounds corners by subdividing a path towards a cubic B-spline (Pan, Zhang and Manocha 2012): each round divides the edges and moves each old
// point to the middle between the middles of its new edges, where these stay free.
type Spline struct {
	Stop   func() bool // nil: never
	Rounds int         // at most; 0 or less leaves the path as it is
	Change float64     // points that would move less stay, in the distance of the space

	space    space.Space
	verifier *Verifier
	old      []float64
	middle   []float64
}

// NewSpline returns an optimizer that verifies with v, with 5 rounds and changes above a tenth of the resolution.
func NewSpline(v *Verifier) *Spline {
	v.wantStraight()
	n := v.space.Dim()
	return &Spline{Rounds: 5, Change: v.Resolution / 10, space: v.space, verifier: v, old: make([]float64, n), middle: make([]float64, n)}
}

// StopWith sets Stop.
func (s *Spline) StopWith(stop func() bool) { s.Stop = stop }

// Simplify rounds the corners of a path.
func (s *Spline) Simplify(p *Path) {
	for range s.Rounds {
		for i := p.Len() - 1; i > 0 && p.Len() > 2; i-- {
			s.verifier.divide(p, i, 2*s.Change)
		}
		moved := false
		for i := 1; i < p.Len()-1; i++ {
			if s.Stop != nil && s.Stop() {
				return
			}
			moved = s.round(p, i) || moved
		}
		if !moved {
			return
		}
	}
}

// round moves point i, and reports whether it did.
func (s *Spline) round(p *Path, i int) bool {
	a, b, c := p.At(i-1), p.At(i), p.At(i+1)
	s.space.Interpolate(a, b, 0.5, s.old)
	s.space.Interpolate(b, c, 0.5, s.middle)
	s.space.Interpolate(s.old, s.middle, 0.5, s.middle)
	if s.space.Distance(b, s.middle) <= s.Change || s.space.Distance(a, s.middle)+s.space.Distance(s.middle, c) > s.space.Distance(a, b)+s.space.Distance(b, c) {
		return false
	}
	if !s.verifier.Edge(a, s.middle) || !s.verifier.way(s.middle, c) {
		return false
	}
	copy(b, s.middle)
	return true
}
