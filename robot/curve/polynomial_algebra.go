package curve

// Derivative returns p' on the same interval.
func (p Polynomial) Derivative() Polynomial {
	return Polynomial{c: differentiate(p.c), lower: p.lower, upper: p.upper}
}

// Integral returns the polynomial on the same interval whose derivative is p and whose value at the lower end is
// start.
func (p Polynomial) Integral(start float64) Polynomial {
	c := make([]float64, len(p.c)+1)
	c[0] = start
	for i, x := range p.c {
		c[i+1] = x / float64(i+1)
	}
	return Polynomial{c: c, lower: p.lower, upper: p.upper}
}

// On returns the same function on another interval, which may lie outside the first. It panics unless lower ≤ upper.
func (p Polynomial) On(lower, upper float64) Polynomial {
	mustBeInterval("Polynomial", lower, upper)
	c := append([]float64(nil), p.c...)
	d := lower - p.lower
	for i := range c { // Taylor shift by repeated synthetic division
		for j := len(c) - 2; j >= i; j-- {
			c[j] += d * c[j+1]
		}
	}
	return Polynomial{c: c, lower: lower, upper: upper}
}

// Plus returns p + q on the interval of p.
func (p Polynomial) Plus(q Polynomial) Polynomial {
	q = q.On(p.lower, p.upper)
	c := make([]float64, max(len(p.c), len(q.c)))
	copy(c, p.c)
	for i, x := range q.c {
		c[i] += x
	}
	return Polynomial{c: c, lower: p.lower, upper: p.upper}
}

// Scale returns k p.
func (p Polynomial) Scale(k float64) Polynomial {
	c := make([]float64, len(p.c))
	for i, x := range p.c {
		c[i] = k * x
	}
	return Polynomial{c: c, lower: p.lower, upper: p.upper}
}

// Times returns p q on the interval of p.
func (p Polynomial) Times(q Polynomial) Polynomial {
	q = q.On(p.lower, p.upper)
	return Polynomial{c: product(p.c, q.c), lower: p.lower, upper: p.upper}
}

// Of returns the composition p(inner(t)) on the interval of inner: a polynomial of the product of the degrees.
func (p Polynomial) Of(inner Polynomial) Polynomial {
	g := make([]float64, max(1, len(inner.c)))
	copy(g, inner.c)
	g[0] -= p.lower
	var c []float64
	for i := len(p.c) - 1; i >= 0; i-- {
		c = product(c, g)
		if len(c) == 0 {
			c = []float64{0}
		}
		c[0] += p.c[i]
	}
	return Polynomial{c: c, lower: inner.lower, upper: inner.upper}
}

func differentiate(c []float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	d := make([]float64, len(c)-1)
	for i := range d {
		d[i] = float64(i+1) * c[i+1]
	}
	return d
}

func product(a, b []float64) []float64 {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	c := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			c[i+j] += x * y
		}
	}
	return c
}
