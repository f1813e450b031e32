package curve

import "fmt"

// series is a Taylor series cut after MaxOrder: coefficient k is the k-th derivative over k!. A function that takes n uses
// and sets coefficients 0 to n.
type series [MaxOrder + 1]float64

// expand sets s to the series of f about t.
func (s *series) expand(f Function, t float64, n int) {
	factorial := 1.0
	for k := 0; k <= n; k++ {
		s[k] = f.At(t, k) / factorial
		factorial *= float64(k + 1)
	}
}

// times returns a b.
func (s *series) times(b *series, n int) (p series) {
	for i := 0; i <= n; i++ {
		for j := 0; i+j <= n; j++ {
			p[i+j] += s[i] * b[j]
		}
	}
	return p
}

// of returns the series of f(g(t)), where s is that of f about g(t₀) and g that of g about t₀: the formula of Faà di
// Bruno, by Horner's scheme.
func (s *series) of(g *series, n int) series {
	d := *g
	d[0] = 0
	var y series
	for k := n; k >= 0; k-- {
		y = y.times(&d, n)
		y[0] += s[k]
	}
	return y
}

// factorial returns k!.
func factorial(k int) float64 {
	f := 1.0
	for i := 2; i <= k; i++ {
		f *= float64(i)
	}
	return f
}

func mustBeOrder(order int) {
	if order < 0 || order > MaxOrder {
		panic(fmt.Sprintf("curve: derivative of order %d, expected 0 to %d", order, MaxOrder))
	}
}
