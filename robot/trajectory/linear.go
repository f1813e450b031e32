package trajectory

import "math"

// halfPlane is the constraint a u + b x ≤ c.
type halfPlane struct{ a, b, c float64 }

// linearProgram maximizes linear functions of (u, x) under half planes. R. Seidel, "Small-Dimensional Linear Programming
// and Convex Hulls Made Easy", 1991: constraints are added one by one, and one that cuts off the best point so far
// carries the next one on its border.
type linearProgram struct {
	planes []halfPlane
	box    float64 // bound of |u|
	xMin   float64
	xMax   float64
}

// lpTolerance is how far a constraint may be broken by rounding, relative to its normal.
const lpTolerance = 1e-11

func (l *linearProgram) add(a, b, c float64) {
	n := math.Hypot(a, b)
	if n == 0 {
		if c < 0 { // cannot be kept: an empty half plane
			l.planes = append(l.planes, halfPlane{0, 0, c})
		}
		return
	}
	l.planes = append(l.planes, halfPlane{a / n, b / n, c / n})
}

// maximize returns the point where p u + q x is greatest; ok is false if there is none.
func (l *linearProgram) maximize(p, q float64) (u, x float64, ok bool) {
	u, x = math.Copysign(l.box, p), l.xMin
	if q > 0 {
		x = l.xMax
	}
	for k, h := range l.planes {
		slack := lpTolerance * (1 + math.Abs(h.c))
		if h.a*u+h.b*x <= h.c+slack {
			continue
		}
		if h.a == 0 && h.b == 0 {
			return 0, 0, false
		}
		// Along the border: (u, x) = foot + t (-b, a).
		footU, footX := h.a*h.c, h.b*h.c
		lower, upper := math.Inf(-1), math.Inf(1)
		cut := func(a, b, c float64) bool {
			d, rest := b*h.a-a*h.b, c-a*footU-b*footX
			switch {
			case d > 1e-14:
				upper = min(upper, rest/d)
			case d < -1e-14:
				lower = max(lower, rest/d)
			default:
				return rest >= -lpTolerance*(1+math.Abs(c))
			}
			return true
		}
		ok := cut(1, 0, l.box) && cut(-1, 0, l.box) && cut(0, 1, l.xMax) && cut(0, -1, -l.xMin)
		for _, g := range l.planes[:k] {
			ok = ok && cut(g.a, g.b, g.c)
		}
		if !ok || lower > upper+lpTolerance*(1+math.Abs(upper)) {
			return 0, 0, false
		}
		t := lower
		if q*h.a-p*h.b > 0 {
			t = upper
		}
		u, x = footU-t*h.b, footX+t*h.a
	}
	return u, x, true
}

// atX returns the interval of u for a given x; lower > upper if it is empty.
func (l *linearProgram) atX(x float64) (lower, upper float64) {
	lower, upper = -l.box, l.box
	for _, h := range l.planes {
		rest := h.c - h.b*x
		switch {
		case h.a > 1e-12:
			upper = min(upper, rest/h.a)
		case h.a < -1e-12:
			lower = max(lower, rest/h.a)
		}
	}
	return lower, upper
}
