package curve

import "fmt"

// Polynomial is a polynomial in the distance from the lower end of its domain:
//
//	p(t) = c[0] + c[1] (t-lower) + c[2] (t-lower)² + …      on [lower, upper]
//
// The zero value is the zero polynomial on [0, 0].
type Polynomial struct {
	c            []float64
	lower, upper float64
}

// NewPolynomial returns the polynomial with the given coefficients, lowest power first, on [lower, upper]. It panics
// if the interval is reversed.
func NewPolynomial(lower, upper float64, coefficients ...float64) Polynomial {
	mustBeInterval("Polynomial", lower, upper)
	return Polynomial{c: append([]float64(nil), coefficients...), lower: lower, upper: upper}
}

// Domain returns the interval of definition.
func (p Polynomial) Domain() (lower, upper float64) { return p.lower, p.upper }

// Degree returns the exact degree: the highest power whose coefficient is not 0; -1 for the zero polynomial.
func (p Polynomial) Degree() int {
	n := len(p.c) - 1
	for n >= 0 && p.c[n] == 0 {
		n--
	}
	return n
}

// Coefficient returns the coefficient of (t-lower)^power, which is 0 above the degree.
func (p Polynomial) Coefficient(power int) float64 {
	if power < 0 || power >= len(p.c) {
		return 0
	}
	return p.c[power]
}

// At returns the derivative of the given order at t, by Horner's scheme. Orders above the degree are exactly 0.
func (p Polynomial) At(t float64, order int) float64 {
	if order < 0 {
		panic("curve: negative order of derivative")
	}
	s := t - p.lower
	n := len(p.c) - 1
	if order > n {
		return 0
	}
	falling := 1.0 // n! / (n-order)!, an integer
	for k := range order {
		falling *= float64(n - k)
	}
	y := 0.0
	for i := n; i >= order; i-- {
		y = y*s + falling*p.c[i]
		falling = falling * float64(i-order) / float64(i)
	}
	return y
}

func mustBeInterval(what string, lower, upper float64) {
	if !(lower <= upper) {
		panic(fmt.Sprintf("curve: %s on [%v, %v]: lower must not exceed upper", what, lower, upper))
	}
}

// Continuity returns MaxOrder: a polynomial is smooth.
func (p Polynomial) Continuity(float64) int { return MaxOrder }
