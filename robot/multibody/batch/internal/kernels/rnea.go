package main

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
)

// step is the step of forward kinematics: the frame of a body from that of its parent.
func step(c class) *tape.Tape {
	p := newStep(1)
	j := p.joint(c)
	f := p.Input("parent", record.Frame)
	x, y, z, o := vec(f[0:3]), vec(f[3:6]), vec(f[6:9]), vec(f[9:12])
	for i := range o {
		o[i] = p.Add(o[i], p.dot(x[i], j.origin[0], y[i], j.origin[1], z[i], j.origin[2]))
		x[i], y[i] = p.back(j.beta, x[i], y[i])
		y[i], z[i] = p.back(j.alpha, y[i], z[i])
		x[i], y[i] = p.back(j.theta, x[i], y[i])
	}
	for k, v := range []vec{x, y, z, o} {
		p.storeVec("frame", 3*k, v)
	}
	return p.Tape
}

// place is the pose of a link, twelve rows: rotation row by row and position, from the frame of its body.
func place() *tape.Tape {
	t := tape.New()
	l, f := t.Shared("link", 12), t.Input("frame", record.Frame)
	p := program{Tape: t}
	for row := range 3 {
		for col := range 3 {
			t.Store("pose", 3*row+col, p.dot(f[row], l[col], f[3+row], l[3+col], f[6+row], l[6+col]))
		}
		t.Store("pose", 9+row, t.Add(f[9+row], p.dot(f[row], l[9], f[3+row], l[10], f[6+row], l[11])))
	}
	return t
}

// move is the outward step of RNEA: motion of a body, and the force and moment that it needs.
func move(c class) *tape.Tape {
	p := newMove(1, 1)
	j := p.joint(c)
	qd, qdd := p.Input("v", 1)[0], p.Input("a", 1)[0]
	o := mat(p.Input("parent", record.Motion)[0:9])
	w, l, a := p.vector("parent", record.Motion, 9), p.vector("parent", record.Motion, 12), p.vector("parent", record.Motion, 15)
	a = p.down(j, p.addMul(a, o, j.origin))
	w, l = p.down(j, w), p.down(j, l)
	if c.slide {
		sd := p.Mul(p.body[record.Slide], qd)
		sd2 := p.Add(sd, sd)
		a[0] = p.Add(a[0], p.Mul(w[1], sd2))
		a[1] = p.Sub(a[1], p.Mul(w[0], sd2))
		a[2] = p.Add(a[2], p.Mul(p.body[record.Slide], qdd))
		qd, qdd = p.Mul(p.body[record.Turn], qd), p.Mul(p.body[record.Turn], qdd)
	}
	l = vec{p.Add(l[0], p.Mul(w[1], qd)), p.Sub(l[1], p.Mul(w[0], qd)), p.Add(l[2], qdd)}
	w[2] = p.Add(w[2], qd)
	p.load(w, l, a)
	return p.Tape
}

// load stores the motion (ω, ω̇, a) of the body with Ω = [ω̇]× + [ω]×[ω]×, and force and moment
//
//	f = m a + Ω h,   n = h × a + dual(Ω J - (Ω J)ᵀ).
func (p *program) load(w, l, a vec) {
	xx, yy, zz := p.Mul(w[0], w[0]), p.Mul(w[1], w[1]), p.Mul(w[2], w[2])
	xy, xz, yz := p.Mul(w[0], w[1]), p.Mul(w[0], w[2]), p.Mul(w[1], w[2])
	o := mat{
		p.Neg(p.Add(yy, zz)), p.Sub(xy, l[2]), p.Add(xz, l[1]),
		p.Add(xy, l[2]), p.Neg(p.Add(xx, zz)), p.Sub(yz, l[0]),
		p.Sub(xz, l[1]), p.Add(yz, l[0]), p.Neg(p.Add(xx, yy)),
	}
	for i, x := range o {
		p.Store("motion", i, x)
	}
	p.storeVec("motion", 9, w)
	p.storeVec("motion", 12, l)
	p.storeVec("motion", 15, a)
	h, s := p.constants(record.FirstMoment), sym(p.body[record.SecondMoment:record.SecondMoment+6]).mat()
	p.storeVec("force", 0, p.addMul(p.scale(p.body[record.Mass], a), o, h))
	n := p.cross(h, a)
	for i := range n {
		j, k := (i+1)%3, (i+2)%3
		for m := range 3 {
			n[i] = p.Add(n[i], p.Mul(o[3*k+m], s[3*m+j]))
			n[i] = p.Sub(n[i], p.Mul(o[3*j+m], s[3*m+k]))
		}
	}
	p.storeVec("force", 3, n)
}

// total returns force and moment of a body and all it carries.
func (p *program) total() (f, n vec) {
	return p.add(p.vector("force", 6, 0), p.vector("children", 6, 0)), p.add(p.vector("force", 6, 3), p.vector("children", 6, 3))
}

// balance is the inward step of RNEA: the joint force, and force and moment about the origin of the parent.
func balance(c class) *tape.Tape {
	p := newBalance(1, 1)
	j := p.joint(c)
	f, n := p.total()
	tau := n[2]
	if c.slide {
		tau = p.dot(p.body[record.Turn], n[2], p.body[record.Slide], f[2])
	}
	if c.armature {
		tau = p.Add(tau, p.Mul(p.body[record.Armature], p.Input("a", 1)[0]))
	}
	f, n = p.up(j, f), p.up(j, n)
	p.Store("tau", 0, tau)
	p.storeVec("carried", 0, f)
	p.storeVec("carried", 3, p.addCross(n, j.origin, f))
	return p.Tape
}

// balanceBase is balance for bodies on the world, which asks for no force.
func balanceBase() *tape.Tape {
	p := newBalance(1, 1)
	f, n := p.total()
	tau := p.dot(p.body[record.Turn], n[2], p.body[record.Slide], f[2])
	p.Store("tau", 0, p.Add(tau, p.Mul(p.body[record.Armature], p.Input("a", 1)[0])))
	return p.Tape
}
