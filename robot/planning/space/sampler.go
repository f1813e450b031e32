package space

import "math/rand/v2"

// Sampler returns points of the unit cube. It belongs to one goroutine, and its calls allocate nothing.
type Sampler interface {
	// Reset begins the sequence that belongs to a seed.
	Reset(seed uint64)
	// Next writes the next point; each coordinate is from 0 up to, not including, 1.
	Next(p []float64)
}

// Uniform samples independent uniform coordinates. The zero value must be reset before use.
type Uniform struct{ source rand.PCG }

// Reset begins the sequence that belongs to a seed.
func (u *Uniform) Reset(seed uint64) { u.source.Seed(seed, 0) }

// Next writes the next point. p has Dim values.
func (u *Uniform) Next(p []float64) {
	for i := range p {
		p[i] = float64(u.source.Uint64()>>11) / (1 << 53)
	}
}

// Halton samples the sequence of Halton (1960), which covers the cube more evenly than chance: coordinate i of point n is n in the base of prime
// i, mirrored behind the point. Seeds other than 0 turn the whole sequence by a random vector (Cranley and Patterson 1976). It has at most
// 64 coordinates.
type Halton struct {
	count [len(primes)]mirrored
	shift [len(primes)]float64
}

// mirrored is a number in a base whose digits are mirrored behind the point: a fraction whose denominator is a power of the base. It counts from
// zero, its zero value.
type mirrored struct {
	numerator, denominator uint64
	first                  uint64  // what 1 in the first place adds to the numerator
	unit                   float64 // 1 / denominator
}

// next adds 1 to the number, from its first digit behind the point on, and returns the fraction.
func (m *mirrored) next(base uint64) float64 {
	switch rest := m.denominator - m.numerator; {
	case rest > m.first:
		m.numerator += m.first
	case rest <= 1: // all digits are the greatest ones: the next number has one more
		m.first = max(m.denominator, 1)
		m.numerator, m.denominator = 1, m.first*base
		m.unit = 1 / float64(m.denominator)
	default: // the first digits are the greatest ones: they become zero, and the one behind them grows
		place := m.first / base
		for rest <= place {
			place /= base
		}
		m.numerator = (base+1)*place - rest
	}
	return float64(m.numerator) * m.unit
}

var primes = [...]uint64{
	2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131,
	137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
}

// Reset begins the sequence that belongs to a seed.
func (h *Halton) Reset(seed uint64) {
	*h = Halton{}
	if seed == 0 {
		return
	}
	var u Uniform
	u.Reset(seed)
	u.Next(h.shift[:])
}

// Next writes the next point. p has Dim values.
func (h *Halton) Next(p []float64) {
	for i := range p {
		x := h.count[i].next(primes[i]) + h.shift[i]
		if x >= 1 {
			x--
		}
		p[i] = x
	}
}
