package space

import "math"

// ReedsShepp is the space of a car that drives forwards and backwards, with the shortest paths of Reeds and Shepp (1990). Points are x, y (m) and
// the heading (rad).
type ReedsShepp struct{ car }

// NewReedsShepp returns the space of a car with a radius of its tightest turn (m, > 0) whose places are x, y and a circle. It fails for others.
func NewReedsShepp(places *Axes, radius float64) (ReedsShepp, error) {
	c, err := newCar(places, radius)
	return ReedsShepp{c}, err
}

// Distance returns the length of the path from a to b, m. Points have 3 values: x and y, m, and heading, rad.
func (s ReedsShepp) Distance(a, b []float64) float64 {
	_, length := s.path(a, b)
	return s.radius * length
}

// Symmetric returns true: a path can be driven back.
func (s ReedsShepp) Symmetric() bool { return true }

// Interpolate writes to out the point at the fraction t, from 0 to 1, of the length of the path from a to b. Points have 3 values: x and y,
// m, and heading, rad. out may be a or b.
func (s ReedsShepp) Interpolate(a, b []float64, t float64, out []float64) {
	path, length := s.path(a, b)
	drive(a, path[:], t*length, s.radius, out)
}

// word is a family of paths: its turns (1 left, 0 straight, -1 right), and the arcs of its member that leads from the origin to (x, y, heading). Its
// other members are found by symmetry (Reeds and Shepp, section 8).
type word struct {
	turns   [5]float64
	arcs    int
	reverse bool // the arcs in the opposite order are a family of their own
	solve   func(x, y, heading float64) (lengths [5]float64, ok bool)
}

// words are the families, by the number of the formula in the paper.
var words = [...]word{
	{turns: [5]float64{1, 0, 1}, arcs: 3, solve: formula1},
	{turns: [5]float64{1, 0, -1}, arcs: 3, solve: formula2},
	{turns: [5]float64{1, -1, 1}, arcs: 3, solve: formula3, reverse: true},
	{turns: [5]float64{1, -1, 1, -1}, arcs: 4, solve: formula7},
	{turns: [5]float64{1, -1, 1, -1}, arcs: 4, solve: formula8},
	{turns: [5]float64{1, -1, 0, 1}, arcs: 4, solve: formula9, reverse: true},
	{turns: [5]float64{1, -1, 0, -1}, arcs: 4, solve: formula10, reverse: true},
	{turns: [5]float64{1, -1, 0, 1, -1}, arcs: 5, solve: formula11},
}

// path returns the shortest path from a to b, and its length in radii.
func (s ReedsShepp) path(a, b []float64) (path [5]arc, length float64) {
	sin, cos := math.Sincos(a[2])
	dx, dy := (b[0]-a[0])/s.radius, (b[1]-a[1])/s.radius
	x, y, heading := dx*cos+dy*sin, dy*cos-dx*sin, b[2]-a[2]
	sin, cos = math.Sincos(heading)
	back := [2]float64{x*cos + y*sin, x*sin - y*cos} // the goal of the arcs in the opposite order
	length = math.Inf(1)
	for i := range words {
		w := &words[i]
		for _, flip := range [2]float64{1, -1} { // driven the other way
			for _, mirror := range [2]float64{1, -1} { // left and right exchanged
				if lengths, ok := w.solve(flip*x, mirror*y, flip*mirror*heading); ok {
					w.choose(lengths, flip, mirror, false, &path, &length)
				}
				if !w.reverse {
					continue
				}
				if lengths, ok := w.solve(flip*back[0], mirror*back[1], flip*mirror*heading); ok {
					w.choose(lengths, flip, mirror, true, &path, &length)
				}
			}
		}
	}
	return path, length
}

// choose makes a path of the family the best if it is shorter.
func (w *word) choose(lengths [5]float64, flip, mirror float64, reverse bool, path *[5]arc, best *float64) {
	sum := 0.0
	for _, l := range lengths {
		sum += math.Abs(l)
	}
	if sum >= *best {
		return
	}
	*best = sum
	*path = [5]arc{}
	for i := range w.arcs {
		k := i
		if reverse {
			k = w.arcs - 1 - i
		}
		path[i] = arc{mirror * w.turns[k], flip * lengths[k]}
	}
}

// half returns an angle from -π to π.
func half(angle float64) float64 { return math.Remainder(angle, 2*math.Pi) }

const zero = -1e-10 // what counts as no negative length

func formula1(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x-sin, y-1+cos
	t := math.Atan2(y, x)
	v := half(heading - t)
	return [5]float64{t, math.Hypot(x, y), v}, t >= zero && v >= zero
}

func formula2(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x+sin, y-1-cos
	u := x*x + y*y - 4
	if u < -1e-11 {
		return l, false
	}
	u = math.Sqrt(max(0, u))
	t := half(math.Atan2(y, x) + math.Atan2(2, u))
	v := half(t - heading)
	return [5]float64{t, u, v}, t >= zero && v >= zero
}

func formula3(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x-sin, y-1+cos
	r := math.Hypot(x, y)
	if r > 4 {
		return l, false
	}
	u := -2 * math.Asin(r/4)
	t := half(math.Atan2(y, x) + u/2 + math.Pi)
	v := half(heading - t + u)
	return [5]float64{t, u, v}, t >= zero && u <= -zero
}

func formula7(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x+sin, y-1-cos
	r := (2 + math.Hypot(x, y)) / 4
	if r > 1 {
		return l, false
	}
	u := math.Acos(r)
	t, v := outer(u, -u, x, y, heading)
	return [5]float64{t, u, -u, v}, t >= zero && v <= -zero
}

func formula8(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x+sin, y-1-cos
	r := (20 - x*x - y*y) / 16
	if r < 0 || r > 1 {
		return l, false
	}
	u := -math.Acos(r)
	t, v := outer(u, u, x, y, heading)
	return [5]float64{t, u, u, v}, t >= zero && v >= zero
}

// outer returns the first and last arcs of four turns of which the inner two are u and v.
func outer(u, v, x, y, heading float64) (first, last float64) {
	d := half(u - v)
	sinU, cosU := math.Sincos(u)
	sinD, cosD := math.Sincos(d)
	a, b := sinU-sinD, cosU-cosD-1
	first = math.Atan2(y*a-x*b, x*a+y*b)
	if 2*(cosD-math.Cos(v)-cosU)+3 < 0 {
		first += math.Pi
	}
	first = half(first)
	return first, half(first - u + v - heading)
}

func formula9(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x-sin, y-1+cos
	r := x*x + y*y - 4
	if r < 0 {
		return l, false
	}
	r = math.Sqrt(r)
	u := 2 - r
	t := half(math.Atan2(y, x) + math.Atan2(r, -2))
	v := half(heading - math.Pi/2 - t)
	return [5]float64{t, -math.Pi / 2, u, v}, t >= zero && u <= -zero && v <= -zero
}

func formula10(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x+sin, y-1-cos
	r := math.Hypot(x, y)
	if r < 2 {
		return l, false
	}
	u, t := 2-r, math.Atan2(x, -y)
	v := half(t + math.Pi/2 - heading)
	return [5]float64{t, -math.Pi / 2, u, v}, t >= zero && u <= -zero && v <= -zero
}

func formula11(x, y, heading float64) (l [5]float64, ok bool) {
	sin, cos := math.Sincos(heading)
	x, y = x+sin, y-1-cos
	r := x*x + y*y - 4
	if r < 0 {
		return l, false
	}
	u := 4 - math.Sqrt(r)
	t := half(math.Atan2((4-u)*x-2*y, (u-4)*y-2*x))
	v := half(t - heading)
	return [5]float64{t, -math.Pi / 2, u, -math.Pi / 2, v}, u <= -zero && t >= zero && v >= zero
}
