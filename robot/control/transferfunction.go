package control

import (
	"errors"
	"fmt"
	"math"
)

// TransferFunction is a linear system of one input and one output, as a quotient of polynomials:
//
//	        b0 sⁿ + b1 sⁿ⁻¹ + … + bn                          b0 zⁿ + … + bn
//	H(s) = ──────────────────────────    or sampled   H(z) = ────────────────
//	        a0 sⁿ + a1 sⁿ⁻¹ + … + an                          a0 zⁿ + … + an
//
// in the controllable form x' = A x + B u, y = C x + D u. A continuous one is discretized by its exact response to an input
// that is held between two samples (zero-order hold):
//
//	x[k] = Φ x[k-1] + Γ u[k-1],   y[k] = C x[k] + D u[k],   ⎡Φ Γ⎤ = exp ⎡A B⎤ h
//	                                                        ⎣0 1⎦       ⎣0 0⎦
//
// with h the time that passed since the sample before. It starts at rest: x = 0. Make one with NewTransferFunction or
// NewSampledTransferFunction.
//
// K. J. Åström, B. Wittenmark, Computer-Controlled Systems, 3rd ed. 1997, section 2.3.
type TransferFunction struct {
	n       int
	a, c    []float64 // a1 … an and the output's weights, of time in units of 1/scale
	d       float64
	scale   float64 // 1/s; 0: sampled
	system  []float64
	power   []float64 // scratch, as the next two
	product []float64
	next    []float64

	x       []float64
	u, y    float64
	h       float64 // for which system is discretized
	missed  float64 // time of samples that were left out
	started bool
}

// MaxOrder is the greatest order of a [TransferFunction].
const MaxOrder = 20

var (
	errNoDenominator = errors.New("the denominator has no coefficient that is not 0")
	errNoNumerator   = errors.New("the numerator has no coefficients")
	errNotProper     = errors.New("the numerator is of a higher degree than the denominator: such a system cannot be built; raise the degree of the denominator")
)

// NewTransferFunction returns the continuous system num/den, both by falling powers of s (rad/s); zeros in front do not
// count. It fails where a coefficient is not finite, the denominator is 0, the numerator is of a higher degree than the
// denominator, or that degree is above [MaxOrder].
func NewTransferFunction(num, den []float64) (*TransferFunction, error) {
	f, err := newTransferFunction(num, den)
	if err != nil || f.n == 0 {
		return f, err
	}
	// With time in units of the fastest pole all coefficients are at most about 1: high orders keep their digits.
	f.scale = 0
	for i, a := range f.a {
		f.scale = max(f.scale, math.Pow(math.Abs(a), 1/float64(i+1)))
	}
	if f.scale == 0 {
		f.scale = 1
	}
	unit := 1.0
	for i := range f.a {
		unit *= f.scale
		f.a[i] /= unit
		f.c[i] /= unit
	}
	m := f.n + 1
	f.system, f.power, f.product = make([]float64, m*m), make([]float64, m*m), make([]float64, m*m)
	return f, nil
}

// NewSampledTransferFunction returns the system num/den that is sampled already, both by falling powers of z; its steps take
// no account of time. It fails as NewTransferFunction does.
func NewSampledTransferFunction(num, den []float64) (*TransferFunction, error) {
	f, err := newTransferFunction(num, den)
	if err != nil {
		return nil, err
	}
	m := f.n + 1
	f.system = make([]float64, m*m)
	f.companion(f.system, 1)
	return f, nil
}

func newTransferFunction(num, den []float64) (*TransferFunction, error) {
	if !allFinite(num) || !allFinite(den) {
		return nil, errors.New("a coefficient is not a finite number")
	}
	if len(num) == 0 {
		return nil, errNoNumerator
	}
	num, den = withoutZeros(num), withoutZeros(den)
	switch n := len(den) - 1; {
	case n < 0:
		return nil, errNoDenominator
	case len(num) > len(den):
		return nil, errNotProper
	case n > MaxOrder:
		return nil, fmt.Errorf("the denominator is of degree %d: at most %d is possible", n, MaxOrder)
	}
	n := len(den) - 1
	f := &TransferFunction{n: n, a: make([]float64, n), c: make([]float64, n), x: make([]float64, n), next: make([]float64, n)}
	b := make([]float64, n+1) // the numerator with as many coefficients
	copy(b[n+1-len(num):], num)
	f.d = b[0] / den[0]
	for i := range n {
		f.a[i] = den[i+1] / den[0]
		f.c[i] = b[i+1]/den[0] - f.a[i]*f.d
	}
	return f, nil
}

// withoutZeros returns a polynomial without the zeros in front.
func withoutZeros(p []float64) []float64 {
	for len(p) > 0 && p[0] == 0 {
		p = p[1:]
	}
	return p
}

// companion sets m to the matrix of (x, u) with A in the controllable form: times h, or sampled with the last row kept.
func (f *TransferFunction) companion(m []float64, h float64) {
	w := f.n + 1
	clear(m)
	for i := range f.n {
		m[i] = -f.a[i] * h
		if i > 0 {
			m[i*w+i-1] = h
		}
	}
	if f.n > 0 {
		m[f.n] = h
	}
}

// discretize sets system to the exponential of the companion matrix: its Taylor series after halving h until the matrix is
// small, and squaring as often (C. Moler, C. Van Loan, Nineteen Dubious Ways to Compute the Exponential of a Matrix, 2003,
// method 3).
func (f *TransferFunction) discretize(h float64) {
	w := f.n + 1
	halvings := 0
	for t := h * f.scale * float64(w); t > 0.5 && halvings < 60; t /= 2 {
		halvings++
	}
	f.companion(f.product, math.Ldexp(h*f.scale, -halvings))
	clear(f.system)
	for i := range w {
		f.system[i*w+i] = 1
	}
	const terms = 14             // 0.5¹⁵/15! is below the rounding
	for k := terms; k > 0; k-- { // Horner: E = 1 + M/k E
		mul(f.power, f.product, f.system, w, w, w)
		for i := range f.power {
			f.system[i] = f.power[i] / float64(k)
		}
		for i := range w {
			f.system[i*w+i]++
		}
	}
	for range halvings {
		mul(f.power, f.system, f.system, w, w, w)
		f.system, f.power = f.power, f.system
	}
	f.h = h
}

// Step returns the output after the input u, which comes h seconds after the previous one. Where the period h changes, the
// system is discretized again, which takes some 10 µs for 10th order. An input that is not finite, or a time that is not
// finite or negative, is left out, as is a step in which the state of an unstable system would leave the numbers: Step returns
// the previous output and false.
func (f *TransferFunction) Step(u, h float64) (y float64, ok bool) {
	if !finite(h) || h < 0 {
		return f.y, false
	}
	if !finite(u) {
		f.missed += h
		return f.y, false
	}
	next := f.next
	copy(next, f.x)
	if f.started && f.n > 0 {
		if h += f.missed; f.scale > 0 && h != f.h {
			f.discretize(h)
		}
		w := f.n + 1
		for i := range next {
			s := f.system[i*w+f.n] * f.u
			for k, x := range f.x {
				s += f.system[i*w+k] * x
			}
			next[i] = s
		}
	}
	y = f.d * u
	for i, c := range f.c {
		y += c * next[i]
	}
	if !finite(y) || !allFinite(next) {
		return f.y, false
	}
	copy(f.x, next)
	f.u, f.y, f.missed, f.started = u, y, 0, true
	return y, true
}

// Reset puts the system at rest.
func (f *TransferFunction) Reset() {
	clear(f.x)
	f.u, f.y, f.missed, f.started = 0, 0, 0, false
}
