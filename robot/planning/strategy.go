package planning

import "github.com/sinew-robotics/sinew/robot/planning/space"

// Strategy decides where a roadmap gets its nodes. It belongs to one goroutine, and its calls allocate nothing.
type Strategy interface {
	// Reset begins the sequence that belongs to a seed.
	Reset(seed uint64)
	// Next makes one attempt, and reports whether it found a free point, which it writes to p.
	Next(v *Verifier, p []float64) bool
}

// WholeSpace covers the whole space by a sampler of the unit cube.
type WholeSpace struct{ space.Sampler }

// Next writes a sample of Dim values to p; it returns false if it is not free.
func (s WholeSpace) Next(v *Verifier, p []float64) bool {
	s.Sampler.Next(p)
	v.space.Scale(p)
	return v.Free(p)
}

// Gaussian finds free points near obstacles (Boor, Overmars and van der Stappen 1999): of two points near each other one is free. One sample
// of six is from everywhere, to join what lies far apart.
type Gaussian struct {
	Sigma float64 // standard deviation of the distance between them by each value

	near near
}

// Reset begins the sequence that belongs to a seed.
func (s *Gaussian) Reset(seed uint64) { s.near.reset(seed) }

// Next samples a pair of points and writes the free one, of Dim values, to p where the other is not; otherwise it returns false.
func (s *Gaussian) Next(v *Verifier, p []float64) bool {
	if s.near.everywhere() {
		return WholeSpace{&s.near.source}.Next(v, p)
	}
	other := s.near.pair(v, p, s.Sigma)
	if other == nil {
		return false
	}
	first, second := v.Free(p), v.Free(other)
	if second {
		copy(p, other)
	}
	return s.near.end(first != second)
}

// Bridge finds free points in narrow passages (Hsu, Jiang, Reif and Sun 2003): between two points that are not free. One sample of six is
// from everywhere, because open space has no bridges.
type Bridge struct {
	Sigma float64 // standard deviation of the distance between the ends by each value

	near near
}

// Reset begins the sequence that belongs to a seed.
func (s *Bridge) Reset(seed uint64) { s.near.reset(seed) }

// Next writes a sample of Dim values to p, the free middle of a bridge; it returns false if it found none.
func (s *Bridge) Next(v *Verifier, p []float64) bool {
	if s.near.everywhere() {
		return WholeSpace{&s.near.source}.Next(v, p)
	}
	other := s.near.pair(v, p, s.Sigma)
	if other == nil || v.Free(p) || v.Free(other) {
		return false
	}
	v.space.Interpolate(p, other, 0.5, p)
	return s.near.end(v.Free(p))
}

// near samples pairs of points near each other.
type near struct {
	source space.Uniform
	tries  int // attempts for the present sample
	other  []float64
}

func (n *near) reset(seed uint64) {
	n.source.Reset(seed)
	n.tries = 0
}

// patience is how many attempts may fail before one everywhere, as in a space without obstacles.
const patience = 100

// everywhere reports whether the next attempt is one everywhere: for one sample of six, and when patience ends.
func (n *near) everywhere() bool {
	if n.tries++; n.tries > patience {
		n.tries = 0
		return true
	}
	if n.tries > 1 {
		return false
	}
	var u [1]float64
	if n.source.Next(u[:]); u[0] < 1./6 {
		n.tries = 0
		return true
	}
	return false
}

// end ends an attempt.
func (n *near) end(found bool) bool {
	if found {
		n.tries = 0
	}
	return found
}

// pair writes a point to p and returns one near it, valid until the next call; nil if that is outside the limits.
func (n *near) pair(v *Verifier, p []float64, sigma float64) []float64 {
	if len(n.other) != len(p) {
		n.other = make([]float64, len(p))
	}
	n.source.Next(p)
	v.space.Scale(p)
	n.displace(v.space, p, sigma, n.other)
	if v.space.Outside(n.other) >= 0 {
		return nil
	}
	return n.other
}

// displace writes to out a point normally distributed about p. out may be p.
func (n *near) displace(s space.Space, p []float64, sigma float64, out []float64) {
	if len(n.other) != len(p) {
		n.other = make([]float64, len(p))
	}
	for i := range n.other {
		n.other[i] = sigma * gauss(&n.source)
	}
	s.Move(p, n.other, out)
}
