package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// segmentSegment returns the gap between the segments p ± u and q ± v (half vectors), by clamping one parameter after the other
// (Ericson 2005, section 5.1.9), from both ends where they are parallel.
func segmentSegment(p, u, q, v spatial.Vec3) gap {
	w := p.Sub(q)
	a, b, c := u.Dot(u), u.Dot(v), v.Dot(v)
	d, e := u.Dot(w), v.Dot(w)
	s, t := 0.0, 0.0
	if x := u.Cross(v); a > 0 && c > 0 && x.Dot(x) > 1e-24*a*c {
		// s from the crossed form, which keeps its digits for nearly parallel segments
		s = clamp(v.Cross(w).Dot(x)/x.Dot(x), 1)
	} else if a > 0 && c > 0 {
		// parallel: any point of the common stretch; its middle
		l0, l1 := (-d-math.Abs(b))/a, (-d+math.Abs(b))/a
		s = clamp((max(l0, -1)+min(l1, 1))/2, 1)
	} else if a > 0 {
		s = clamp(-d/a, 1)
	}
	if c > 0 {
		t = clamp((b*s+e)/c, 1)
		if a > 0 {
			s = clamp((b*t-d)/a, 1)
		}
	}
	n := u.Cross(v)
	if n.Dot(n) <= 1e-24*a*c {
		n = perpendicular(u)
		if a == 0 {
			n = perpendicular(v)
		}
	}
	return between(p.Add(u.Scale(s)), q.Add(v.Scale(t)), n.Unit())
}

// perpendicular returns a unit vector across u, which may be zero.
func perpendicular(u spatial.Vec3) spatial.Vec3 {
	e := spatial.Vec3{X: 1}
	if x := math.Abs(u.X); x > math.Abs(u.Y) || x > math.Abs(u.Z) {
		if e = (spatial.Vec3{Y: 1}); math.Abs(u.Z) < math.Abs(u.Y) {
			e = spatial.Vec3{Z: 1}
		}
	}
	n := u.Cross(e).Unit()
	if n == (spatial.Vec3{}) {
		return spatial.Vec3{X: 1}
	}
	return n
}

// segmentBox returns the gap from the segment p ± u to the box with half sizes h around the origin. The squared distance of the
// point p + t u is convex and piecewise quadratic; its derivative is linear between the at most six parameters where the segment crosses
// a face's plane, so its root is found among them.
func segmentBox(p, u, h spatial.Vec3) gap {
	low, high := -1.0, 1.0
	fl, fh := segmentBoxSlope(p, u, h, low), segmentBoxSlope(p, u, h, high)
	t := 0.0
	switch {
	case fl >= 0 && fh > 0:
		t = low
	case fh <= 0 && fl < 0:
		t = high
	default:
		low, high, fl, fh = segmentBoxStretch(p.X, u.X, h.X, p, u, h, low, high, fl, fh)
		low, high, fl, fh = segmentBoxStretch(p.Y, u.Y, h.Y, p, u, h, low, high, fl, fh)
		low, high, fl, fh = segmentBoxStretch(p.Z, u.Z, h.Z, p, u, h, low, high, fl, fh)
		t = (low + high) / 2
		if fh > fl {
			t = low + (high-low)*(-fl/(fh-fl))
		}
	}
	a := p.Add(u.Scale(t))
	g := pointBox(a, h)
	if g.d > 1e-14*(u.Norm()+h.Norm()) { // less is rounding, and its direction too
		return g
	}
	return segmentBoxDepth(p, u, h)
}

// segmentBoxSlope returns half the derivative of the squared distance at p + t u.
func segmentBoxSlope(p, u, h spatial.Vec3, t float64) float64 {
	x, y, z := p.X+t*u.X, p.Y+t*u.Y, p.Z+t*u.Z
	return (x-clamp(x, h.X))*u.X + (y-clamp(y, h.Y))*u.Y + (z-clamp(z, h.Z))*u.Z
}

// segmentBoxStretch narrows [low, high] by the two parameters where coordinate c + t v meets ±size.
func segmentBoxStretch(c, v, size float64, p, u, h spatial.Vec3, low, high, fl, fh float64) (l, hi, fl2, fh2 float64) {
	if v == 0 {
		return low, high, fl, fh
	}
	for _, t := range [2]float64{(-size - c) / v, (size - c) / v} {
		if t > low && t < high {
			if f := segmentBoxSlope(p, u, h, t); f < 0 {
				low, fl = t, f
			} else if f > 0 {
				high, fh = t, f
			} else {
				return t, t, 0, 0
			}
		}
	}
	return low, high, fl, fh
}

// segmentBoxDepth returns the depth of a segment that touches the box: their Minkowski difference has the normals of the box's faces and
// those across the segment and an edge, and the least overlap along them is the depth.
func segmentBoxDepth(p, u, h spatial.Vec3) gap {
	best := gap{d: math.Inf(-1)}
	try := func(n spatial.Vec3) {
		if n.Dot(p) > 0 {
			n = n.Neg() // from the segment to the box
		}
		// a separates from b along n: the greatest of the segment against the least of the box
		d := -(n.Dot(p) + math.Abs(n.Dot(u)) + h.X*math.Abs(n.X) + h.Y*math.Abs(n.Y) + h.Z*math.Abs(n.Z))
		if d > best.d+1e-12*math.Abs(d) {
			best.d, best.n = d, n
		}
	}
	try(spatial.Vec3{X: 1})
	try(spatial.Vec3{Y: 1})
	try(spatial.Vec3{Z: 1})
	for _, n := range [3]spatial.Vec3{{Y: -u.Z, Z: u.Y}, {X: u.Z, Z: -u.X}, {X: -u.Y, Y: u.X}} {
		if l := n.Norm(); l > 1e-12*u.Norm() {
			try(n.Scale(1 / l))
		}
	}
	// witness: the segment moved out by the depth touches the box in its nearest point
	n, out := best.n, best.d
	moved := p.Add(n.Scale(out))
	s := segmentBoxTouch(moved, u, h, n)
	best.a = p.Add(u.Scale(s))
	best.b = best.a.Add(n.Scale(out))
	return best
}

// segmentBoxTouch returns the parameter of the point of the segment p ± u that touches the box, where n separates both.
func segmentBoxTouch(p, u, h, n spatial.Vec3) float64 {
	if e := n.Dot(u); math.Abs(e) > 1e-9*u.Norm() {
		return math.Copysign(1, e)
	}
	// the segment lies along the separating plane: the middle of the stretch within the box, widened for rounding
	low, high := -1.0, 1.0
	slack := 1e-9 * (h.X + h.Y + h.Z)
	for i := range 3 {
		c, v, size := p.X, u.X, h.X+slack
		switch i {
		case 1:
			c, v, size = p.Y, u.Y, h.Y+slack
		case 2:
			c, v, size = p.Z, u.Z, h.Z+slack
		}
		if v != 0 {
			t0, t1 := (-size-c)/v, (size-c)/v
			low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
		}
	}
	return clamp((low+high)/2, 1)
}
