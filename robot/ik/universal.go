package ik

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// universal solves six axes of which 2, 3, 4 are parallel and 5 and 6 meet, as Universal Robots builds them (Hawkins
// 2013): what the parallel axes cannot change gives q1, q6 and q5; what is left is an arm in a plane.
type universal struct {
	h1, h2, h5, h6 spatial.Vec3
	p1             spatial.Vec3 // on axis 1
	p4             spatial.Vec3 // on axis 4, from center
	center         spatial.Vec3 // where axes 5 and 6 meet
	first          cone         // q1: center keeps its distance along axis 2
	last           cone         // q6: axis 2 keeps its angle to axis 5
	sin5, cos5     spatial.Vec3
	side, up       spatial.Vec3 // square to axis 2 and each other
	arm            planar
	sign           float64 // of axis 4 along axis 2
}

// newUniversal recognizes the class; miss is how far the chain is from it.
func newUniversal(c *chain) (u *universal, miss float64, err error) {
	center, off, err1 := c.meet(4, 5)
	along3, err2 := c.parallel(1, 2)
	along4, err3 := c.parallel(1, 3)
	if err := errors.Join(err1, err2, err3, c.crossing(0, 3, 4)); err != nil {
		return nil, 0, err
	}
	x := c.axes
	if err := errors.Join(
		c.off(1, x[2].p, "the axis of "+quoted(x[2].name)), c.off(2, x[3].p, "the axis of "+quoted(x[3].name)),
	); err != nil {
		return nil, 0, err
	}
	h1, h2, h5, h6 := x[0].h, x[1].h, x[4].h, x[5].h
	side := square(h2)
	return &universal{
		h1: h1, h2: h2, h5: h5, h6: h6, p1: x[0].p, p4: x[3].p.Sub(center), center: center,
		first: newCone(h1, h2, h2.Dot(center.Sub(x[0].p)), -1),
		last:  newCone(h6, h5, h5.Dot(h2), 1),
		sin5:  h2.Cross(h5), cos5: h2.Sub(h5.Scale(h2.Dot(h5))),
		side: side, up: h2.Cross(side),
		arm:  newPlanar(x[1], x[2], x[3].p),
		sign: math.Copysign(1, h2.Dot(x[3].h)),
	}, max(off, along3, along4), nil
}

func (u *universal) solve(goal *spatial.Pose, _ float64, out *candidates) {
	center := goal.Apply(u.center).Sub(u.p1)
	r := u.first.solve(center, out.free[0])
	if out.misses(r.excess) {
		return
	}
	var arms bends
	for i, t1 := range r.t {
		q1 := t1.angle()
		back1 := t1.back()
		center1 := back1.about(u.h1, center).Add(u.p1)
		axis2 := goal.R.TMulVec(t1.about(u.h1, u.h2)) // seen from the last link
		last := u.last.solve(axis2, out.free[5])
		if out.misses(last.excess) {
			continue
		}
		for k, t6 := range last.t {
			y := t6.about(u.h6, axis2)
			t5 := toward(y.Dot(u.sin5), y.Dot(u.cos5))
			// from the link behind axis 4 to the world turned back by q1
			out4 := func(v spatial.Vec3) spatial.Vec3 {
				return back1.about(u.h1, goal.R.MulVec(t6.back().about(u.h6, t5.back().about(u.h5, v))))
			}
			u.arm.solve(center1.Add(out4(u.p4)), out.free[1], &arms)
			if out.misses(arms.excess) {
				continue
			}
			v := out4(u.side)
			sum := turn{v.Dot(u.up), v.Dot(u.side)}
			q5, q6 := t5.angle(), t6.angle()
			singular := shoulder.when(r.singular) | elbow.when(arms.singular) | wrist.when(last.singular)
			for j, a := range arms.t {
				t4 := sum.then(a.sum.back()).by(u.sign)
				out.add(branch(i, j, k), singular, [7]float64{q1, a.near.angle(), a.far.angle(), t4.angle(), q5, q6})
			}
		}
	}
}
