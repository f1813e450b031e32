package main

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
)

// bias is the first outward step of ABA: velocity, bias acceleration and bias force of a body.
func bias(c class) *tape.Tape {
	p := newBias(1, 1)
	j := p.joint(c)
	qd := p.Input("v", 1)[0]
	w := p.vector("parent", 3, 0)
	acc := p.down(j, p.spin(w, j.origin))
	w = p.down(j, w)
	if c.slide {
		sd := p.Mul(p.body[record.Slide], qd)
		sd = p.Add(sd, sd)
		acc[0] = p.Add(acc[0], p.Mul(w[1], sd))
		acc[1] = p.Sub(acc[1], p.Mul(w[0], sd))
		qd = p.Mul(p.body[record.Turn], qd)
	}
	p.storeVec("bias", 0, acc)
	p.Store("bias", 3, p.Mul(w[1], qd))
	p.Store("bias", 4, p.Neg(p.Mul(w[0], qd)))
	w[2] = p.Add(w[2], qd)
	p.gyrate(w)
	return p.Tape
}

// spin returns ω × (ω × r).
func (p *program) spin(w, r vec) vec {
	k, n := p.dot(w[0], r[0], w[1], r[1], w[2], r[2]), p.dot(w[0], w[0], w[1], w[1], w[2], w[2])
	return p.sub(p.scale(k, w), p.scale(n, r))
}

// gyrate stores the velocity of a body and the force and moment that it takes without acceleration.
func (p *program) gyrate(w vec) {
	p.storeVec("velocity", 0, w)
	p.storeVec("force", 0, p.spin(w, p.constants(record.FirstMoment)))
	i := sym(p.body[record.Inertia : record.Inertia+6]).mat()
	p.storeVec("force", 3, p.cross(w, p.mulVec(i, w)))
}

// articulated is an articulated inertia, which takes angular and linear acceleration to moment and force, and a bias:
//
//	n = I ω̇ + H a,   f = Hᵀ ω̇ + M a.
type articulated struct {
	i, m sym
	h    mat
	n, f vec
}

// articulated adds what the children show to the inertia of the body itself.
func (p *program) articulated() articulated {
	x := p.Input("children", record.Art)
	t := articulated{i: sym(x[0:6]), h: mat(x[6:15]), m: sym(x[15:21]), n: vec(x[21:24]), f: vec(x[24:27])}
	for k, y := range p.body[record.Inertia : record.Inertia+6] {
		t.i[k] = p.Add(t.i[k], y)
	}
	h, mass := p.constants(record.FirstMoment), p.body[record.Mass]
	t.h[1], t.h[2], t.h[5] = p.Sub(t.h[1], h[2]), p.Add(t.h[2], h[1]), p.Sub(t.h[5], h[0])
	t.h[3], t.h[6], t.h[7] = p.Add(t.h[3], h[2]), p.Sub(t.h[6], h[1]), p.Add(t.h[7], h[0])
	t.m[0], t.m[3], t.m[5] = p.Add(t.m[0], mass), p.Add(t.m[3], mass), p.Add(t.m[5], mass)
	t.f = p.add(t.f, p.vector("force", 6, 0))
	t.n = p.add(t.n, p.vector("force", 6, 3))
	return t
}

// project stores U = I S, 1/D and the joint force left for acceleration.
func (p *program) project(t *articulated, c class) (u [6]value, di, rest value) {
	tau := p.Input("tau", 1)[0]
	u = [6]value{t.i[2], t.i[4], t.i[5], t.h[6], t.h[7], t.h[8]}
	d := t.i[5]
	rest = p.Sub(tau, t.n[2])
	if c.slide {
		turn, slide := p.body[record.Turn], p.body[record.Slide]
		s := [6]value{t.h[2], t.h[5], t.h[8], t.m[2], t.m[4], t.m[5]}
		for k := range u {
			u[k] = p.dot(turn, u[k], slide, s[k])
		}
		d = p.dot(turn, u[2], slide, u[5])
		rest = p.Sub(p.Sub(tau, p.Mul(turn, t.n[2])), p.Mul(slide, t.f[2]))
	}
	if c.armature {
		d = p.Add(d, p.body[record.Armature])
	}
	di = p.Div(p.Const(1), d)
	for k, x := range u {
		p.Store("joint", k, x)
	}
	p.Store("joint", 6, di)
	p.Store("joint", 7, rest)
	return u, di, rest
}

// release takes from the articulated inertia what the joint gives way to, I - U Uᵀ/D, and completes the bias force.
func (p *program) release(t *articulated, c class) {
	u, di, rest := p.project(t, c)
	var g [6]value
	for k := range g {
		g[k] = p.Mul(u[k], di)
	}
	less := func(x, a, b value) value { return p.Sub(x, p.Mul(a, b)) }
	for k, ij := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		i, j := ij[0], ij[1]
		t.i[k] = less(t.i[k], g[i], u[j])
		t.m[k] = less(t.m[k], g[3+i], u[3+j])
	}
	for i := range 3 {
		for j := range 3 {
			t.h[3*i+j] = less(t.h[3*i+j], g[i], u[3+j])
		}
	}
	zero := p.Const(0)
	if !c.slide { // along the joint's own axis the difference vanishes
		t.i[2], t.i[4], t.i[5] = zero, zero, zero
		t.h[6], t.h[7], t.h[8] = zero, zero, zero
	}
	b := p.Input("bias", record.Bias)
	acc, ang := vec(b[0:3]), vec{b[3], b[4], zero}
	n := p.addMul(p.addMul(t.n, t.i.mat(), ang), t.h, acc)
	f := p.addMul(p.addMul(t.f, t.h.transposed(), ang), t.m.mat(), acc)
	for k := range 3 {
		n[k] = p.Add(n[k], p.Mul(g[k], rest))
		f[k] = p.Add(f[k], p.Mul(g[3+k], rest))
	}
	if !c.slide {
		n[2] = p.Input("tau", 1)[0]
	}
	t.n, t.f = n, f
}

// articulate is the inward step of ABA: what the parent feels of a body through its joint.
func articulate(c class) *tape.Tape {
	p := newArticulate()
	j := p.joint(c)
	t := p.articulated()
	p.release(&t, c)
	for _, turn := range []struct {
		angle
		plane [2]int
	}{{j.theta, [2]int{0, 1}}, {j.alpha, [2]int{1, 2}}, {j.beta, [2]int{0, 1}}} {
		x := p.turning(turn.angle, turn.plane[0], turn.plane[1])
		t.i, t.m, t.h = x.sym(t.i), x.sym(t.m), x.mat(t.h)
	}
	t.n, t.f = p.up(j, t.n), p.up(j, t.f)
	p.shift(&t, j.origin)
	p.storeArticulated(&t)
	return p.Tape
}

// shift refers t to the origin of the parent: H + [o]× M, I - H [o]× + [o]× (H + [o]× M)ᵀ.
func (p *program) shift(t *articulated, o vec) {
	t.n = p.addCross(t.n, o, t.f)
	m, b := t.m.mat(), t.h
	for k := range 3 { // each column
		col := p.addCross(vec{b[k], b[3+k], b[6+k]}, o, vec{m[k], m[3+k], m[6+k]})
		b[k], b[3+k], b[6+k] = col[0], col[1], col[2]
	}
	h := t.h
	for k, ij := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		i, j := ij[0], ij[1]
		// ([o]× hᵢ)ⱼ of row i of H, and ([o]× bⱼ)ᵢ of row j of B
		t.i[k] = p.crossPart(t.i[k], o, vec(h[3*i:3*i+3]), j)
		t.i[k] = p.crossPart(t.i[k], o, vec(b[3*j:3*j+3]), i)
	}
	t.h = b
}

// crossPart returns x + (a × b)ᵢ.
func (p *program) crossPart(x value, a, b vec, i int) value {
	j, k := (i+1)%3, (i+2)%3
	return p.Sub(p.Add(x, p.Mul(a[j], b[k])), p.Mul(a[k], b[j]))
}

func (p *program) storeArticulated(t *articulated) {
	for k, x := range t.i {
		p.Store("carried", k, x)
	}
	for k, x := range t.h {
		p.Store("carried", 6+k, x)
	}
	for k, x := range t.m {
		p.Store("carried", 15+k, x)
	}
	p.storeVec("carried", 21, t.n)
	p.storeVec("carried", 24, t.f)
}

// articulateBase is articulate for bodies on the world, which feels nothing.
func articulateBase() *tape.Tape {
	p := newArticulate()
	t := p.articulated()
	p.project(&t, class{slide: true, armature: true})
	return p.Tape
}

// accelerate is the second outward step of ABA.
func accelerate(c class) *tape.Tape {
	p := newAccelerate()
	j := p.joint(c)
	l, a := p.vector("parent", 6, 0), p.vector("parent", 6, 3)
	b := p.Input("bias", record.Bias)
	x := p.Input("joint", record.Joint)
	a = p.add(p.down(j, p.addCross(a, l, j.origin)), vec(b[0:3]))
	l = p.down(j, l)
	l[0], l[1] = p.Add(l[0], b[3]), p.Add(l[1], b[4])
	felt := p.Add(p.dot(x[0], l[0], x[1], l[1], x[2], l[2]), p.dot(x[3], a[0], x[4], a[1], x[5], a[2]))
	qdd := p.Mul(p.Sub(x[7], felt), x[6])
	p.Store("a", 0, qdd)
	if c.slide {
		a[2] = p.Add(a[2], p.Mul(p.body[record.Slide], qdd))
		qdd = p.Mul(p.body[record.Turn], qdd)
	}
	l[2] = p.Add(l[2], qdd)
	p.storeVec("acc", 0, l)
	p.storeVec("acc", 3, a)
	return p.Tape
}
