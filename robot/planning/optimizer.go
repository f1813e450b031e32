package planning

import "github.com/sinew-robotics/sinew/robot/planning/space"

// Optimizer shortens or smooths free paths. It belongs to one goroutine, and allocates only where a path needs more memory than any before.
type Optimizer interface {
	// Simplify changes a free path; its ends stay, and it stays free at the resolution of the verifier. It does not become longer.
	Simplify(p *Path)
	// StopWith sets a function that is asked between changes and ends them once it returns true; nil: never.
	StopWith(stop func() bool)
}

// SimpleOptimizer leaves out points whose neighbours a free edge joins (Rickert and Gaschler 2017, simple optimizer).
type SimpleOptimizer struct {
	Stop func() bool // nil: never

	space    space.Space
	verifier *Verifier
}

// NewSimple returns an optimizer that verifies with v.
func NewSimple(v *Verifier) *SimpleOptimizer {
	v.wantStraight()
	return &SimpleOptimizer{space: v.space, verifier: v}
}

// StopWith sets Stop.
func (s *SimpleOptimizer) StopWith(stop func() bool) { s.Stop = stop }

// Simplify leaves out points until no more can be. After a point is gone, only the two triples that changed are tried again.
func (s *SimpleOptimizer) Simplify(p *Path) {
	for i := 1; i < p.Len()-1; {
		if s.Stop != nil && s.Stop() {
			return
		}
		if s.verifier.way(p.At(i-1), p.At(i+1)) {
			p.remove(i, i+1)
			i = max(1, i-1)
		} else {
			i++
		}
	}
}

// AdvancedOptimizer cuts corners (Rickert and Gaschler 2017, advanced optimizer): after [SimpleOptimizer] it divides the edges at corners in the middle and leaves out
// the corners between, until these edges are short or all cuts together would gain little.
type AdvancedOptimizer struct {
	Stop   func() bool // nil: never
	Length float64     // edges that are not longer are not divided, in the distance of the space
	Ratio  float64     // of the length that cuts have to gain

	simple *SimpleOptimizer
}

// NewAdvanced returns an optimizer that verifies with v. It divides edges longer than two resolutions, and ends when cuts could gain less than
// 0.1 % of the length.
func NewAdvanced(v *Verifier) *AdvancedOptimizer {
	return &AdvancedOptimizer{Length: 2 * v.Resolution, Ratio: 1e-3, simple: NewSimple(v)}
}

// StopWith sets Stop.
func (s *AdvancedOptimizer) StopWith(stop func() bool) { s.Stop = stop }

// Simplify cuts the corners of a path.
func (s *AdvancedOptimizer) Simplify(p *Path) {
	s.simple.Stop = s.Stop
	s.simple.Simplify(p)
	for s.gain(p) > s.Ratio*p.Length(s.simple.space) && s.divide(p) && s.cut(p) {
	}
	s.simple.Simplify(p)
}

// gain returns how much shorter a path would be without any of its corners.
func (s *AdvancedOptimizer) gain(p *Path) (sum float64) {
	for i := 1; i < p.Len()-1; i++ {
		sum += s.corner(p, i)
	}
	return sum
}

// straight is the part of its length by which a way through a point that counts as no corner is longer: one that turns by less than 0.03 rad.
const straight = 1e-4

// corner returns how much longer the way through point i is than that between its neighbours; 0 for the ends and what counts as no corner.
func (s *AdvancedOptimizer) corner(p *Path, i int) float64 {
	if i <= 0 || i >= p.Len()-1 {
		return 0
	}
	d := s.simple.space.Distance
	long := d(p.At(i-1), p.At(i)) + d(p.At(i), p.At(i+1))
	if gain := long - d(p.At(i-1), p.At(i+1)); gain > straight*long {
		return gain
	}
	return 0
}

// divide inserts the middle of each long edge at a corner whose halves are free, which their own points decide. It reports whether there was one.
func (s *AdvancedOptimizer) divide(p *Path) (divided bool) {
	for i := p.Len() - 1; i > 0; i-- {
		if s.corner(p, i-1) > 0 || s.corner(p, i) > 0 {
			divided = s.simple.verifier.divide(p, i, s.Length) || divided
		}
	}
	return divided
}

// divide inserts the middle of the edge to point i, if it is longer than a length and its halves are free.
func (v *Verifier) divide(p *Path, i int, length float64) bool {
	a, b := p.At(i-1), p.At(i)
	if v.space.Distance(a, b) <= length {
		return false
	}
	middle := p.insert(i)
	a, b = p.At(i-1), p.At(i+1)
	v.space.Interpolate(a, b, 0.5, middle)
	if v.Edge(a, middle) && v.way(middle, b) {
		return true
	}
	p.remove(i, i+1)
	return false
}

// cut leaves out corners. It reports false if it was stopped.
func (s *AdvancedOptimizer) cut(p *Path) bool {
	for i := 1; i < p.Len()-1; i++ {
		if s.Stop != nil && s.Stop() {
			return false
		}
		if s.corner(p, i) > 0 && s.simple.verifier.way(p.At(i-1), p.At(i+1)) {
			p.remove(i, i+1)
		}
	}
	return true
}
