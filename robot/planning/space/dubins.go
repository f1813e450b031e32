package space

import "math"

// Dubins is the space of a car that drives only forwards, with the shortest paths of Dubins (1957). Points are x, y (m) and the heading (rad). A
// path from a to b is in general not one from b to a. The formulas are those of Shkel and Lumelsky (2001).
type Dubins struct{ car }

// NewDubins returns the space of a car with a radius of its tightest turn (m, > 0) whose places are x, y and a circle. It fails for others.
func NewDubins(places *Axes, radius float64) (Dubins, error) {
	c, err := newCar(places, radius)
	return Dubins{c}, err
}

// Distance returns the length of the path from a to b, m.
func (s Dubins) Distance(a, b []float64) float64 {
	_, length := s.path(a, b)
	return s.radius * length
}

// Symmetric returns false.
func (s Dubins) Symmetric() bool { return false }

// Interpolate writes to out the point at the fraction t of the length of the path from a to b.
func (s Dubins) Interpolate(a, b []float64, t float64, out []float64) {
	path, length := s.path(a, b)
	drive(a, path[:], t*length, s.radius, out)
}

// path returns the shortest path from a to b, and its length in radii.
func (s Dubins) path(a, b []float64) (path [3]arc, length float64) {
	dx, dy := (b[0]-a[0])/s.radius, (b[1]-a[1])/s.radius
	d, line := math.Hypot(dx, dy), math.Atan2(dy, dx)
	if d < none && math.Abs(half(b[2]-a[2])) < none {
		return path, 0
	}
	alpha, beta := a[2]-line, b[2]-line
	length = math.Inf(1)
	try := func(first, middle, last, t, p, q float64) {
		if t, q = turn(t), turn(q); t+p+q < length {
			length = t + p + q
			path = [3]arc{{first, t}, {middle, p}, {last, q}}
		}
	}
	sa, ca := math.Sincos(alpha)
	sb, cb := math.Sincos(beta)
	c := math.Cos(alpha - beta)
	// Circles on the same side: the straight piece is parallel to the line of their centers.
	x, y := d+sa-sb, cb-ca
	at := math.Atan2(y, x)
	try(1, 0, 1, at-alpha, math.Hypot(x, y), beta-at)
	if u := (6 - d*d + 2*c - 2*d*(sa-sb)) / 8; math.Abs(u) <= 1 {
		p := 2*math.Pi - math.Acos(u)
		t := at - alpha + p/2
		try(1, -1, 1, t, p, beta-alpha-t+p)
	}
	x, y = d-sa+sb, ca-cb
	at = math.Atan2(y, x)
	try(-1, 0, -1, alpha-at, math.Hypot(x, y), at-beta)
	if u := (6 - d*d + 2*c + 2*d*(sa-sb)) / 8; math.Abs(u) <= 1 {
		p := 2*math.Pi - math.Acos(u)
		t := alpha - at + p/2
		try(-1, 1, -1, t, p, alpha-beta-t+p)
	}
	// Circles on different sides: it crosses the line of their centers.
	if u := d*d - 2 + 2*c + 2*d*(sa+sb); u >= -1e-11 {
		p := math.Sqrt(max(0, u)) // rounding makes two turns without a straight piece negative
		at := math.Atan2(-ca-cb, d+sa+sb) + math.Atan2(2, p)
		try(1, 0, -1, at-alpha, p, at-beta)
	}
	if u := d*d - 2 + 2*c - 2*d*(sa+sb); u >= -1e-11 {
		p := math.Sqrt(max(0, u))
		at := math.Atan2(ca+cb, d-sa-sb) - math.Atan2(2, p)
		try(-1, 0, 1, alpha-at, p, beta-at)
	}
	return path, length
}

// none is what counts as no arc, radii: rounding would make a full turn of it.
const none = 1e-7

// turn returns an angle from 0 to 2π.
func turn(angle float64) float64 {
	angle = math.Mod(angle, 2*math.Pi)
	if angle < 0 {
		angle += 2 * math.Pi
	}
	if 2*math.Pi-angle < none {
		return 0
	}
	return angle
}
