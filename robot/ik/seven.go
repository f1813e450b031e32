package ik

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// swivel solves seven axes of which 1, 2, 3 meet in the shoulder and 5, 6, 7 in the wrist (Shimizu et al. 2008): the
// distance of the two gives the elbow, the swivel angle what remains free, the rest are two spherical joints.
type swivel struct {
	upper, lower spherical
	top, center  spatial.Vec3 // shoulder and wrist
	elbow        elbowJoint
	fallback     spatial.Vec3 // reference normal where the wrist stands on axis 1
}

// newSwivel recognizes the class; miss is how far the chain is from it.
func newSwivel(c *chain) (s *swivel, miss float64, err error) {
	top, off1, err1 := c.meet(0, 2)
	center, off2, err2 := c.meet(4, 6)
	if err := errors.Join(err1, err2, c.crossing(0, 1, 4, 5)); err != nil {
		return nil, 0, err
	}
	if err := errors.Join(c.off(3, top, "the shoulder"), c.off(3, center, "the wrist")); err != nil {
		return nil, 0, err
	}
	x := c.axes
	return &swivel{
		upper: newSpherical(x[0].h, x[1].h, x[2].h), lower: newSpherical(x[4].h, x[5].h, x[6].h),
		top: top, center: center, elbow: newElbow(x[3], top, center), fallback: square(x[0].h),
	}, math.Max(off1, off2), nil
}

// frame returns the axes about which the swivel angle is measured: u from shoulder to wrist, n the normal of the plane
// of u and axis 1, and u × n.
func (s *swivel) frame(reach spatial.Vec3) (u, n, b spatial.Vec3) {
	u = reach.Scale(1 / reach.Norm())
	n = s.upper.a.Cross(u)
	if n.Dot(n) < 1e-18 {
		n = s.fallback.Sub(u.Scale(u.Dot(s.fallback)))
	}
	n = n.Scale(1 / n.Norm())
	return u, n, u.Cross(n)
}

// angle returns the swivel angle of a configuration.
func (s *swivel) angle(q *[7]float64) float64 {
	z, e := s.elbow.reach(turnOf(q[3]))
	turned := func(v spatial.Vec3) spatial.Vec3 {
		return turnOf(q[0]).about(s.upper.a, turnOf(q[1]).about(s.upper.b, turnOf(q[2]).about(s.upper.c, v)))
	}
	_, n, b := s.frame(turned(z))
	e = turned(e)
	return math.Atan2(e.Dot(b), e.Dot(n))
}

func (s *swivel) solve(goal *spatial.Pose, redundancy float64, out *candidates) {
	reach := goal.Apply(s.center).Sub(s.top)
	var bent bentElbow
	s.elbow.solve(reach, &bent)
	if out.misses(bent.excess) {
		return
	}
	u, n, b := s.frame(reach)
	psi := turnOf(redundancy)
	e := n.Scale(psi.c).Add(b.Scale(psi.s)) // where axis 4 shall point, square to u
	f := u.Cross(e)
	along, across := goal.R.MulVec(s.lower.c), goal.R.MulVec(s.lower.side)
	var uppers, lowers triples
	for j, t4 := range bent.t {
		if !out.wants(1, j) {
			continue
		}
		z, e0 := s.elbow.reach(t4)
		z = z.Scale(1 / z.Norm())
		f0 := z.Cross(e0)
		turned := func(v spatial.Vec3) spatial.Vec3 { // by axes 1, 2, 3
			return u.Scale(z.Dot(v)).Add(e.Scale(e0.Dot(v))).Add(f.Scale(f0.Dot(v)))
		}
		back := func(v spatial.Vec3) spatial.Vec3 { // by axes 4, 3, 2, 1
			return t4.back().about(s.elbow.h, z.Scale(u.Dot(v)).Add(e0.Scale(e.Dot(v))).Add(f0.Scale(f.Dot(v))))
		}
		s.upper.solve(turned(s.upper.c), turned(s.upper.side), out.free[0], &uppers)
		s.lower.solve(back(along), back(across), out.free[4], &lowers)
		if out.misses(uppers.excess) || out.misses(lowers.excess) {
			continue
		}
		singular := shoulder.when(uppers.singular) | elbow.when(bent.singular) | wrist.when(lowers.singular)
		q4 := t4.angle()
		for i, a := range uppers.t {
			if !out.wants(0, i) {
				continue
			}
			q1, q2, q3 := a[0].angle(), a[1].angle(), a[2].angle()
			for k, w := range lowers.t {
				if !out.wants(2, k) {
					continue
				}
				out.add(branch(i, j, k), singular, [7]float64{q1, q2, q3, q4, w[0].angle(), w[1].angle(), w[2].angle()})
			}
		}
	}
}

// offset solves seven axes of which 1, 2, 3 meet in the shoulder and 5 and 6 meet, while 7 stands off, as Franka builds
// them (He and Liu 2021): with q7 given, the point where 5 and 6 meet is known.
type offset struct {
	upper      spherical
	top, meet  spatial.Vec3 // shoulder; where axes 5 and 6 meet
	elbow      elbowJoint
	h5, h6, h7 spatial.Vec3
	p7         spatial.Vec3
}

// newOffset recognizes the class; miss is how far the chain is from it.
func newOffset(c *chain) (o *offset, miss float64, err error) {
	top, off1, err1 := c.meet(0, 2)
	meet, off2, err2 := c.meet(4, 5)
	if err := errors.Join(err1, err2, c.crossing(0, 1, 4)); err != nil {
		return nil, 0, err
	}
	if err := errors.Join(c.off(3, top, "the shoulder"), c.off(3, meet, "the wrist")); err != nil {
		return nil, 0, err
	}
	x := c.axes
	return &offset{
		upper: newSpherical(x[0].h, x[1].h, x[2].h), top: top, meet: meet, elbow: newElbow(x[3], top, meet),
		h5: x[4].h, h6: x[5].h, h7: x[6].h, p7: x[6].p,
	}, math.Max(off1, off2), nil
}

func (o *offset) solve(goal *spatial.Pose, redundancy float64, out *candidates) {
	t7 := turnOf(redundancy)
	reach := goal.Apply(t7.back().about(o.h7, o.meet.Sub(o.p7)).Add(o.p7)).Sub(o.top)
	var bent bentElbow
	o.elbow.solve(reach, &bent)
	if out.misses(bent.excess) {
		return
	}
	g := t7.about(o.h7, goal.R.TMulVec(reach)) // shoulder to wrist as link 6 sees it
	var uppers triples
	for j, t4 := range bent.t {
		if !out.wants(1, j) {
			continue
		}
		z, _ := o.elbow.reach(t4)
		z = t4.back().about(o.elbow.h, z) // as link 4 sees it: z = R5 R6 g
		last := newCone(o.h6, o.h5, o.h5.Dot(z), 1)
		r := last.solve(g, out.free[5])
		if out.misses(r.excess) {
			continue
		}
		for k, t6 := range r.t {
			if !out.wants(2, k) {
				continue
			}
			y := t6.about(o.h6, g)
			flat := z.Sub(o.h5.Scale(o.h5.Dot(z)))
			s, c := y.Dot(flat.Cross(o.h5)), y.Dot(flat)
			t5, free5 := turnOf(out.free[4]), true
			if s*s+c*c > closed*closed {
				t5, free5 = toward(s, c), false
			}
			turned := func(v spatial.Vec3) spatial.Vec3 { // by axes 1, 2, 3: all seven but the last four
				v = t5.back().about(o.h5, t4.back().about(o.elbow.h, v))
				return goal.R.MulVec(t7.back().about(o.h7, t6.back().about(o.h6, v)))
			}
			o.upper.solve(turned(o.upper.c), turned(o.upper.side), out.free[0], &uppers)
			if out.misses(uppers.excess) {
				continue
			}
			singular := shoulder.when(uppers.singular) | elbow.when(bent.singular) | wrist.when(r.singular || free5)
			q4, q5, q6 := t4.angle(), t5.angle(), t6.angle()
			for i, a := range uppers.t {
				if !out.wants(0, i) {
					continue
				}
				out.add(branch(i, j, k), singular,
					[7]float64{a[0].angle(), a[1].angle(), a[2].angle(), q4, q5, q6, redundancy})
			}
		}
	}
}

// elbowJoint is axis 4 of seven: it sets the distance from shoulder to wrist.
type elbowJoint struct {
	h     spatial.Vec3
	a, b  spatial.Vec3 // from the shoulder to the axis, from there to the wrist
	along float64      // from shoulder to wrist in the direction of the axis
	hinge hinge
}

func newElbow(x axis, top, center spatial.Vec3) elbowJoint {
	foot := x.p.Add(x.h.Scale(x.h.Dot(top.Sub(x.p)))) // of the shoulder on the axis
	a, b := foot.Sub(top), center.Sub(foot)
	along := x.h.Dot(b)
	return elbowJoint{h: x.h, a: a, b: b, along: along, hinge: newHinge(x.h, a, b.Sub(x.h.Scale(along)), 1)}
}

// reach returns the vector from shoulder to wrist with axes 1, 2, 3 at zero, and the unit vector square to it that is
// nearest to axis 4.
func (e *elbowJoint) reach(t4 turn) (z, normal spatial.Vec3) {
	z = e.a.Add(t4.about(e.h, e.b))
	normal = e.h.Sub(z.Scale(e.h.Dot(z) / z.Dot(z)))
	return z, normal.Scale(1 / normal.Norm())
}

// bentElbow is what axis 4 can be: two turns.
type bentElbow struct {
	t        [2]turn
	excess   float64 // m
	singular bool
}

func (e *elbowJoint) solve(reach spatial.Vec3, out *bentElbow) {
	cos, sin, excess := e.hinge.bend(reach.Dot(reach) - e.along*e.along)
	out.excess, out.singular = excess, sin < nearSingular
	out.t = [2]turn{e.hinge.joint(sin, cos), e.hinge.joint(-sin, cos)}
}
