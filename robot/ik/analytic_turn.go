package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The canonical subproblems into which every closed form of this package falls apart (Paden 1986; Elias and Wen 2022).
// Angles travel as sine and cosine; the arc tangent is taken once, at the end.

const (
	closed       = 1e-11 // m or rad: what a subproblem may miss and still counts as solved
	nearSingular = 1e-5  // sine below which a configuration counts as singular
)

// turn is an angle by its sine and cosine.
type turn struct{ s, c float64 }

func turnOf(angle float64) turn {
	s, c := math.Sincos(angle)
	return turn{s, c}
}

// toward returns the turn whose sine and cosine are proportional to s and c, not both zero.
func toward(s, c float64) turn {
	k := 1 / math.Sqrt(s*s+c*c)
	return turn{s * k, c * k}
}

func (t turn) back() turn           { return turn{-t.s, t.c} }
func (t turn) then(u turn) turn     { return turn{t.s*u.c + t.c*u.s, t.c*u.c - t.s*u.s} }
func (t turn) by(sign float64) turn { return turn{sign * t.s, t.c} }

// angle returns the angle in [-π, π], to two units in the last place. The smaller coordinate divided by the larger, once
// more reduced at π/8, goes through the minimax polynomial of fdlibm (Sun 1993): one division, where math.Atan2 has
// two to three.
func (t turn) angle() float64 {
	const (
		a0, a1, a2, a3 = 3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01
		a4, a5, a6, a7 = 9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02
		a8, a9, a10    = 4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02
		eighth         = 0.41421356237309503
	)
	s, c := math.Abs(t.s), math.Abs(t.c)
	num, den := min(s, c), max(s, c)
	base := 0.0
	if num > eighth*den {
		num, den, base = num-den, num+den, math.Pi/4
	}
	x := num / den
	z := x * x
	w := z * z
	odd := z * (a0 + w*(a2+w*(a4+w*(a6+w*(a8+w*a10)))))
	even := w * (a1 + w*(a3+w*(a5+w*(a7+w*a9))))
	angle := base + (x - x*(odd+even))
	if s > c {
		angle = math.Pi/2 - angle
	}
	if t.c < 0 {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, t.s)
}

// about returns v turned by t about the unit vector h (Rodrigues).
func (t turn) about(h, v spatial.Vec3) spatial.Vec3 {
	k := (1 - t.c) * (h.X*v.X + h.Y*v.Y + h.Z*v.Z)
	return spatial.Vec3{
		X: t.c*v.X + t.s*(h.Y*v.Z-h.Z*v.Y) + k*h.X,
		Y: t.c*v.Y + t.s*(h.Z*v.X-h.X*v.Z) + k*h.Y,
		Z: t.c*v.Z + t.s*(h.X*v.Y-h.Y*v.X) + k*h.Z,
	}
}

// cone solves g · Rot(h, ±θ) p = d for θ, given p: where does a point that circles an axis meet a plane (subproblem 4)?
type cone struct {
	h        spatial.Vec3
	sin, cos spatial.Vec3 // p·sin and p·cos are the coefficients of sin θ and cos θ
	gh, d    float64
}

// newCone prepares a cone; sign is that of θ.
func newCone(h, g spatial.Vec3, d, sign float64) cone {
	gh := g.Dot(h)
	return cone{h: h, sin: g.Cross(h).Scale(sign), cos: g.Sub(h.Scale(gh)), gh: gh, d: d}
}

// roots are what a cone has: two turns, which coincide at the border of the range. The first has sin(θ - middle) ≥ 0.
type roots struct {
	t        [2]turn
	excess   float64 // how far the plane is out of reach, in the unit of p; not positive when it is met
	singular bool
}

// solve finds θ. If p lies on the axis every θ is a solution: it returns free and the opposite angle.
func (k *cone) solve(p spatial.Vec3, free float64) (r roots) {
	a, b := p.Dot(k.sin), p.Dot(k.cos)
	c := k.d - k.gh*p.Dot(k.h)
	n2 := a*a + b*b
	n := math.Sqrt(n2)
	if n < closed {
		t := turnOf(free)
		r.t = [2]turn{t, {-t.s, -t.c}}
		r.excess, r.singular = math.Abs(c)-n, true
		return r
	}
	w := 0.0
	if w2 := (n - c) * (n + c); w2 > 0 {
		w = math.Sqrt(w2)
	} else {
		r.excess = math.Abs(c) - n
		c = math.Copysign(n, c)
	}
	k2 := 1 / n2
	r.t[0] = turn{(a*c + b*w) * k2, (b*c - a*w) * k2}
	r.t[1] = turn{(a*c - b*w) * k2, (b*c + a*w) * k2}
	r.singular = w < nearSingular
	return r
}

// hinge is the triangle of two bars, lengths near and far, joined by an axis: which angle of the axis makes the ends a
// given distance apart (subproblem 3)? phi is the angle between the bars at the joint's zero.
type hinge struct {
	near, far float64
	phi       turn
	sign      float64 // of the joint about the axis of the plane
}

// newHinge prepares the hinge of bars a and b, vectors in the plane with normal h, at the zero of the joint.
func newHinge(h, a, b spatial.Vec3, sign float64) hinge {
	near, far := a.Norm(), b.Norm()
	k := 1 / (near * far)
	return hinge{near: near, far: far, phi: toward(h.Dot(a.Cross(b))*k, a.Dot(b)*k), sign: sign}
}

// bend returns cosine and (not negative) sine of the angle between the bars when their ends are the square root of d2
// apart, and how far that is out of reach (m).
func (g *hinge) bend(d2 float64) (cos, sin, excess float64) {
	cos = (d2 - g.near*g.near - g.far*g.far) / (2 * g.near * g.far)
	switch {
	case cos > 1:
		return 1, 0, math.Sqrt(d2) - (g.near + g.far)
	case cos < -1:
		return -1, 0, math.Abs(g.near-g.far) - math.Sqrt(d2)
	}
	return cos, math.Sqrt((1 - cos) * (1 + cos)), 0
}

// joint returns the turn of the joint for an angle between the bars.
func (g *hinge) joint(sin, cos float64) turn {
	return turn{sin, cos}.then(g.phi.back()).by(g.sign)
}

// spherical is a joint of three axes a, b, c that meet: which three turns make up a given rotation?
type spherical struct {
	a, b       spatial.Vec3
	first      cone
	sinB, cosB spatial.Vec3
	c, side    spatial.Vec3 // axis c, and a direction square to it
	cside      spatial.Vec3
}

// newSpherical prepares the joint of three unit axes, of which neighbours must not be parallel.
func newSpherical(a, b, c spatial.Vec3) spherical {
	side := square(c)
	return spherical{
		a: a, b: b, c: c, side: side, cside: c.Cross(side),
		first: newCone(a, b, b.Dot(c), -1),
		sinB:  b.Cross(c), cosB: c.Sub(b.Scale(b.Dot(c))),
	}
}

// triples are the decompositions of a rotation, two unless out of the range of the axes.
type triples struct {
	t        [2][3]turn
	excess   float64 // rad
	singular bool
}

// solve decomposes the rotation that takes the axis c to along, and the direction side to across.
func (s *spherical) solve(along, across spatial.Vec3, free float64, out *triples) {
	r := s.first.solve(along, free)
	out.excess, out.singular = r.excess, r.singular
	for i, ta := range r.t {
		u := ta.back().about(s.a, along)
		tb := toward(u.Dot(s.sinB), u.Dot(s.cosB))
		w := tb.back().about(s.b, ta.back().about(s.a, across))
		out.t[i] = [3]turn{ta, tb, {w.Dot(s.cside), w.Dot(s.side)}}
	}
}

// square returns a unit vector square to h.
func square(h spatial.Vec3) spatial.Vec3 {
	e := spatial.Vec3{X: 1}
	if math.Abs(h.X) > 0.6 {
		e = spatial.Vec3{Y: 1}
	}
	return e.Sub(h.Scale(h.Dot(e))).Unit()
}
