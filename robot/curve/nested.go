package curve

// Nested is the composition of two functions, such as a path run through under a law of time:
//
//	h(t) = outer(inner(t))     on the domain of inner
//
// Its derivatives follow from those of the two, up to MaxOrder. Make one with Nest.
type Nested struct {
	outer, inner Function
}

// Nest returns the composition outer(inner(t)). Where inner leaves the domain of outer, outer is continued by its own formula.
func Nest(outer, inner Function) Nested { return Nested{outer, inner} }

// Domain returns the domain of the inner function.
func (h Nested) Domain() (lower, upper float64) { return h.inner.Domain() }

// Continuity returns the lesser of the two: a jump of either may be one of the composition.
func (h Nested) Continuity(tolerance float64) int {
	return min(h.outer.Continuity(tolerance), h.inner.Continuity(tolerance))
}

// At returns the derivative by the formula of Faà di Bruno.
func (h Nested) At(t float64, order int) float64 {
	mustBeOrder(order)
	var f, g series
	g.expand(h.inner, t, order)
	f.expand(h.outer, g[0], order)
	y := f.of(&g, order)
	return y[order] * factorial(order)
}

// Range finds the extremes by branch and bound, to 1e-10 of the greatest magnitude: interval arithmetic on the ranges of
// the two functions and their derivatives bounds what a part of the interval can hold, and parts that cannot hold an
// extreme are left out. So no extreme is missed between samples. The order must be below MaxOrder.
//
// R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, 2009, chapters 6 and 11.
func (h Nested) Range(order int, lower, upper float64) Range {
	mustBeInterval("Range", lower, upper)
	mustBeOrder(order + 1)
	r := nothing(lower)
	r.include(lower, h.At(lower, order))
	r.include(upper, h.At(upper, order))
	const (
		tolerance = 1e-10
		halvings  = 45 // down to neighbouring numbers
	)
	type part struct {
		a, b  float64
		depth int
	}
	for parts := []part{{lower, upper, 0}}; len(parts) > 0; {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		middle := p.a + (p.b-p.a)/2
		y := h.At(middle, order)
		r.include(middle, y)
		value, slope := h.enclose(p.a, p.b, order)
		if h.smooth(p.a, p.b) {
			if slope.lower >= 0 || slope.upper <= 0 { // monotone: the extremes are at the ends
				r.include(p.a, h.At(p.a, order))
				r.include(p.b, h.At(p.b, order))
				continue
			}
			w := (p.b - p.a) / 2 // mean value theorem
			value.lower = max(value.lower, y+w*min(slope.lower, -slope.upper))
			value.upper = min(value.upper, y+w*max(slope.upper, -slope.lower))
		}
		least := tolerance * max(-r.Min, r.Max)
		if p.depth < halvings && (value.upper > r.Max+least || value.lower < r.Min-least) {
			parts = append(parts, part{p.a, middle, p.depth + 1}, part{middle, p.b, p.depth + 1})
		}
	}
	return r
}

// enclose returns intervals that hold all values of the derivatives of orders order and order+1 on [a, b].
func (h Nested) enclose(a, b float64, order int) (value, slope interval) {
	n := order + 1
	var f, g intervalSeries
	g.expand(h.inner, a, b, n)
	f.expand(h.outer, g[0].lower, g[0].upper, n)
	y := f.of(&g, n)
	return y[order].scale(factorial(order)), y[n].scale(factorial(n))
}

// smooth reports that no knot of either function lies within the part.
func (h Nested) smooth(a, b float64) bool {
	if knotWithin(h.inner, a, b) {
		return false
	}
	g := h.inner.Range(0, a, b)
	return !knotWithin(h.outer, g.Min, g.Max)
}

// knotWithin reports whether derivatives of f may jump between a and b.
func knotWithin(f Function, a, b float64) bool {
	switch f := f.(type) {
	case Piecewise:
		for _, t := range f.knots[1 : len(f.knots)-1] {
			if a < t && t < b {
				return true
			}
		}
		for i := f.find(a); i <= f.find(b); i++ {
			if knotWithin(f.pieces[i], f.local(i, a), f.local(i, b)) {
				return true
			}
		}
	case Nested:
		return !f.smooth(a, b)
	}
	return false
}

// interval is a closed interval of numbers. Rounding is not directed: it is far below the tolerance asked for.
type interval struct{ lower, upper float64 }

func (a interval) add(b interval) interval { return interval{a.lower + b.lower, a.upper + b.upper} }

func (a interval) times(b interval) interval {
	p, q, r, s := a.lower*b.lower, a.lower*b.upper, a.upper*b.lower, a.upper*b.upper
	return interval{min(p, q, r, s), max(p, q, r, s)}
}

func (a interval) scale(k float64) interval { return interval{k * a.lower, k * a.upper} } // k positive

// intervalSeries is a series whose coefficients are known to lie in intervals.
type intervalSeries [MaxOrder + 1]interval

func (s *intervalSeries) expand(f Function, a, b float64, n int) {
	for k := 0; k <= n; k++ {
		r := f.Range(k, a, b)
		s[k] = interval{r.Min, r.Max}.scale(1 / factorial(k))
	}
}

func (s *intervalSeries) of(g *intervalSeries, n int) (y intervalSeries) {
	for k := n; k >= 0; k-- {
		var p intervalSeries
		for i := 0; i <= n; i++ {
			for j := 1; i+j <= n; j++ { // the constant term of g is taken out
				p[i+j] = p[i+j].add(y[i].times(g[j]))
			}
		}
		y = p
		y[0] = y[0].add(s[k])
	}
	return y
}
