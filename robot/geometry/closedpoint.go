package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// gap is the signed distance of two cores in one frame: b = a + d n, n from the first to the second.
type gap struct {
	d       float64
	a, b, n spatial.Vec3
}

// flipped returns the gap with its two sides exchanged.
func (g gap) flipped() gap { return gap{g.d, g.b, g.a, g.n.Neg()} }

// between returns the gap from a to b; for coincident points its direction is n.
func between(a, b, n spatial.Vec3) gap {
	v := b.Sub(a)
	d := v.Norm()
	if d == 0 {
		return gap{0, a, b, n}
	}
	return gap{d, a, b, v.Scale(1 / d)}
}

// pointBox returns the gap from the point p to the box with half sizes h around the origin. Inside, the nearest face counts.
func pointBox(p, h spatial.Vec3) gap {
	q := spatial.Vec3{X: clamp(p.X, h.X), Y: clamp(p.Y, h.Y), Z: clamp(p.Z, h.Z)}
	if q != p {
		return between(p, q, spatial.Vec3{X: 1})
	}
	dx, dy, dz := h.X-math.Abs(p.X), h.Y-math.Abs(p.Y), h.Z-math.Abs(p.Z)
	switch {
	case dx <= dy && dx <= dz:
		q.X = math.Copysign(h.X, p.X)
		return gap{-dx, p, q, spatial.Vec3{X: -math.Copysign(1, p.X)}}
	case dy <= dz:
		q.Y = math.Copysign(h.Y, p.Y)
		return gap{-dy, p, q, spatial.Vec3{Y: -math.Copysign(1, p.Y)}}
	}
	q.Z = math.Copysign(h.Z, p.Z)
	return gap{-dz, p, q, spatial.Vec3{Z: -math.Copysign(1, p.Z)}}
}

func clamp(x, h float64) float64 { return min(max(x, -h), h) }

// pointSegment returns the gap from p to the segment from z = -h to z = h.
func pointSegment(p spatial.Vec3, h float64) gap {
	return between(p, spatial.Vec3{Z: clamp(p.Z, h)}, spatial.Vec3{X: 1})
}

// pointCylinder returns the gap from p to the cylinder with radius h.X and half length h.Z.
func pointCylinder(p, h spatial.Vec3) gap {
	r := math.Hypot(p.X, p.Y)
	ux, uy := 1.0, 0.0
	if r > 0 {
		ux, uy = p.X/r, p.Y/r
	}
	if r <= h.X && math.Abs(p.Z) <= h.Z {
		side, end := h.X-r, h.Z-math.Abs(p.Z)
		if side < end {
			return gap{-side, p, spatial.Vec3{X: ux * h.X, Y: uy * h.X, Z: p.Z}, spatial.Vec3{X: -ux, Y: -uy}}
		}
		z := math.Copysign(1, p.Z)
		return gap{-end, p, spatial.Vec3{X: p.X, Y: p.Y, Z: z * h.Z}, spatial.Vec3{Z: -z}}
	}
	q := spatial.Vec3{X: p.X, Y: p.Y, Z: clamp(p.Z, h.Z)}
	if r > h.X {
		q.X, q.Y = ux*h.X, uy*h.X
	}
	return between(p, q, spatial.Vec3{X: 1})
}

// pointCone returns the gap from p to the cone, by the profile's two edges: the disc and the slanted side.
func pointCone(p, h spatial.Vec3) gap {
	r := math.Hypot(p.X, p.Y)
	ux, uy := 1.0, 0.0
	if r > 0 {
		ux, uy = p.X/r, p.Y/r
	}
	// side from (R, -H) to (0, H); its outer normal is (2H, R)/s
	s := math.Hypot(2*h.Z, h.X)
	if s == 0 {
		return between(p, spatial.Vec3{}, spatial.Vec3{X: 1})
	}
	nr, nz := 2*h.Z/s, h.X/s
	side := nr*r + nz*(p.Z-h.Z) // signed distance from the side's line
	base := -h.Z - p.Z          // and from the disc's plane
	inside := func() gap {
		if side > base {
			q := spatial.Vec3{X: ux * (r - side*nr), Y: uy * (r - side*nr), Z: p.Z - side*nz}
			return gap{side, p, q, spatial.Vec3{X: -ux * nr, Y: -uy * nr, Z: -nz}}
		}
		return gap{base, p, spatial.Vec3{X: p.X, Y: p.Y, Z: -h.Z}, spatial.Vec3{Z: 1}}
	}
	if side <= 0 && base <= 0 && p.Z <= h.Z { // a needle's side is too steep to exclude what lies above the tip
		return inside()
	}
	// outside: the nearer of both edges
	disc := min(r, h.X)
	q := spatial.Vec3{X: ux * disc, Y: uy * disc, Z: -h.Z}
	best := (r-disc)*(r-disc) + base*base
	t := min(max((nz*(h.X-r)+nr*(p.Z+h.Z))/s, 0), 1)
	er, ez := h.X*(1-t), h.Z*(2*t-1)
	if d := (r-er)*(r-er) + (p.Z-ez)*(p.Z-ez); d < best {
		q = spatial.Vec3{X: ux * er, Y: uy * er, Z: ez}
		best = d
	}
	if best < 1e-28*s*s { // at the tip, rounding must not choose the normal
		return inside()
	}
	return between(p, q, spatial.Vec3{X: 1})
}

// pointEllipsoid returns the gap from p to the ellipsoid with semi-axes h, by bisection of the equation of its nearest point
// (Eberly 2013, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, section 3). ok is false for a flat ellipsoid.
func pointEllipsoid(p, h spatial.Vec3) (g gap, ok bool) {
	if least := min(h.X, h.Y, h.Z); !(least > 1e-9*max(h.X, h.Y, h.Z)) {
		return gap{}, false
	}
	a := [3]float64{h.X, h.Y, h.Z}
	y := [3]float64{math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)}
	k := 0 // the least semi-axis
	for i := range a {
		if a[i] < a[k] {
			k = i
		}
	}
	// f(t) = sum (a y / (t + a²))² - 1 with t > -a_k² falls from ∞; lengths are scaled by a_k
	e := a[k]
	for i := range a {
		a[i], y[i] = a[i]/e, y[i]/e
	}
	value := func(t float64) float64 {
		sum := -1.0
		for i := range a {
			if y[i] > 0 {
				x := a[i] * y[i] / (t + a[i]*a[i])
				sum += x * x
			}
		}
		return sum
	}
	var x [3]float64
	low, high := -1+y[k], -1+math.Sqrt(a[0]*a[0]*y[0]*y[0]+a[1]*a[1]*y[1]*y[1]+a[2]*a[2]*y[2]*y[2])
	if y[k] == 0 && value(-1+1e-15) <= 0 { // the nearest point leaves the plane of symmetry
		rest := 1.0
		for i := range a {
			if i != k {
				if x[i] = y[i]; a[i]*a[i] > 1+1e-15 {
					x[i] = a[i] * a[i] * y[i] / (a[i]*a[i] - 1)
				}
				rest -= x[i] * x[i] / (a[i] * a[i])
			}
		}
		x[k] = math.Sqrt(max(rest, 0))
	} else {
		for range 200 {
			t := 0.5 * (low + high)
			if t <= low || t >= high {
				break
			}
			if value(t) > 0 {
				low = t
			} else {
				high = t
			}
		}
		for i := range a {
			x[i] = a[i] * a[i] * y[i] / (high + a[i]*a[i])
		}
	}
	q := spatial.Vec3{X: math.Copysign(x[0]*e, p.X), Y: math.Copysign(x[1]*e, p.Y), Z: math.Copysign(x[2]*e, p.Z)}
	n := spatial.Vec3{X: q.X / (a[0] * a[0]), Y: q.Y / (a[1] * a[1]), Z: q.Z / (a[2] * a[2])}.Unit().Neg()
	d := q.Sub(p).Norm()
	if inside := y[0]*y[0]/(a[0]*a[0]) + y[1]*y[1]/(a[1]*a[1]) + y[2]*y[2]/(a[2]*a[2]); inside <= 1 {
		d = -d
	}
	return gap{d, p, q, n}, true
}

// pointTriangle returns the gap from p to the triangle a, b, c (Ericson 2005, section 5.1.5); triangles without area are left to
// their edges.
func pointTriangle(p spatial.Vec3, t []spatial.Vec3) gap {
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	nn := n.Dot(n)
	q, best := spatial.Vec3{}, math.Inf(1)
	inside := nn > 0
	for i := range 3 {
		a, b := t[i], t[(i+1)%3]
		if nn > 0 && n.Cross(b.Sub(a)).Dot(p.Sub(a)) >= 0 {
			continue
		}
		inside = false
		c := onSegment(p, a, b)
		if v := p.Sub(c); v.Dot(v) < best {
			q, best = c, v.Dot(v)
		}
	}
	u := n.Unit()
	if inside {
		h := u.Dot(p.Sub(t[0]))
		if h < 0 {
			return gap{-h, p, p.Sub(u.Scale(h)), u}
		}
		return gap{h, p, p.Sub(u.Scale(h)), u.Neg()}
	}
	if u == (spatial.Vec3{}) {
		u.X = 1
	}
	return between(p, q, u)
}

// onSegment returns the point of the segment a, b nearest to p.
func onSegment(p, a, b spatial.Vec3) spatial.Vec3 {
	u := b.Sub(a)
	l := u.Dot(u)
	if l == 0 {
		return a
	}
	return a.Add(u.Scale(min(max(p.Sub(a).Dot(u)/l, 0), 1)))
}
