package ik

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// puma solves six axes of which 2 and 3 are parallel and 4, 5, 6 meet in the wrist: the point of the wrist gives the
// first three (Pieper 1968), the orientation the last.
type puma struct {
	h1, h2 spatial.Vec3
	p1     spatial.Vec3 // on axis 1
	center spatial.Vec3 // of the wrist
	tool   spherical    // axes 4, 5, 6
	first  cone         // q1: the wrist keeps its distance along axis 2
	arm    planar
}

// newPuma recognizes the class; miss is how far the chain is from it.
func newPuma(c *chain) (p *puma, miss float64, err error) {
	center, off, err1 := c.meet(3, 5)
	along, err2 := c.parallel(1, 2)
	if err := errors.Join(err1, err2, c.crossing(0, 3, 4)); err != nil {
		return nil, 0, err
	}
	x := c.axes
	if err := errors.Join(c.off(1, x[2].p, "the axis of "+quoted(x[2].name)), c.off(2, center, "the wrist")); err != nil {
		return nil, 0, err
	}
	return &puma{
		h1: x[0].h, h2: x[1].h, p1: x[0].p, center: center,
		tool:  newSpherical(x[3].h, x[4].h, x[5].h),
		first: newCone(x[0].h, x[1].h, x[1].h.Dot(center.Sub(x[0].p)), -1),
		arm:   newPlanar(x[1], x[2], center),
	}, math.Max(off, along), nil
}

func (p *puma) solve(goal *spatial.Pose, _ float64, out *candidates) {
	center := goal.Apply(p.center).Sub(p.p1)
	along, across := goal.R.MulVec(p.tool.c), goal.R.MulVec(p.tool.side)
	r := p.first.solve(center, out.free[0])
	if out.misses(r.excess) {
		return
	}
	var arms bends
	var tools triples
	for i, t1 := range r.t {
		if !out.wants(0, i) {
			continue
		}
		back := t1.back()
		p.arm.solve(back.about(p.h1, center).Add(p.p1), out.free[1], &arms)
		if out.misses(arms.excess) {
			continue
		}
		q1 := t1.angle()
		along1, across1 := back.about(p.h1, along), back.about(p.h1, across)
		for j, a := range arms.t {
			if !out.wants(1, j) {
				continue
			}
			back := a.sum.back()
			p.tool.solve(back.about(p.h2, along1), back.about(p.h2, across1), out.free[3], &tools)
			if out.misses(tools.excess) {
				continue
			}
			q2, q3 := a.near.angle(), a.far.angle()
			singular := shoulder.when(r.singular) | elbow.when(arms.singular) | wrist.when(tools.singular)
			for k, t := range tools.t {
				out.add(branch(i, j, k), singular, [7]float64{q1, q2, q3, t[0].angle(), t[1].angle(), t[2].angle()})
			}
		}
	}
}

// planar is an arm of two parallel axes: which turns take a point to where it shall be?
type planar struct {
	p, u, v spatial.Vec3 // a point on the first axis, the plane
	hinge   hinge
}

// newPlanar prepares the arm of axes a and b that moves the point end.
func newPlanar(a, b axis, end spatial.Vec3) planar {
	flat := func(v spatial.Vec3) spatial.Vec3 { return v.Sub(a.h.Scale(a.h.Dot(v))) }
	bar := flat(b.p.Sub(a.p))
	u := bar.Unit()
	return planar{
		p: a.p, u: u, v: a.h.Cross(u),
		hinge: newHinge(a.h, bar, flat(end.Sub(b.p)), math.Copysign(1, a.h.Dot(b.h))),
	}
}

// bends are the turns of the two joints, and their sum about the first axis.
type bends struct {
	t        [2]struct{ near, far, sum turn }
	excess   float64 // m
	singular bool
}

func (a *planar) solve(end spatial.Vec3, free float64, out *bends) {
	end = end.Sub(a.p)
	x, y := end.Dot(a.u), end.Dot(a.v)
	d2 := x*x + y*y
	g := &a.hinge
	cos, sin, excess := g.bend(d2)
	out.excess, out.singular = excess, sin < nearSingular
	for i := range out.t {
		zx, zy := g.near+g.far*cos, g.far*sin // the end with the first joint at zero
		var near turn
		if d2 < closed*closed {
			near, out.singular = turnOf(free), true
		} else {
			near = toward(zx*y-zy*x, zx*x+zy*y)
		}
		far := g.joint(sin, cos)
		out.t[i].near, out.t[i].far, out.t[i].sum = near, far, near.then(far.by(g.sign))
		sin = -sin
	}
}
