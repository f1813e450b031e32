package generate

import "github.com/sinew-robotics/sinew/robot/multibody"

// articulated is the state of a body in the articulated-body algorithm: n = I ω̇ + H a, f = Hᵀ ω̇ + M a, with bias force
// and bias acceleration.
type articulated struct {
	rot, h, mass mat
	n, f         vec // bias
	dw, a        vec // bias acceleration
	un, uf       vec // inertia along the joint's axis
	inverse      value
	left         value // force that is left for acceleration
}

// forwardDynamics stores a(q, v, tau), as [multibody.ABA] computes it.
func forwardDynamics(m *multibody.Model) *program {
	p := newProgram(m)
	v, tau := p.Input("v", m.NV()), p.Input("tau", m.NV())
	w := make([]vec, len(p.bodies))
	arts := make([]articulated, len(p.bodies))
	w[0] = p.zeros()
	for i := 1; i < len(p.bodies); i++ {
		w[i] = p.startBody(i, w[p.bodies[i].Parent], v, &arts[i])
	}
	for i := len(p.bodies) - 1; i > 0; i-- {
		b, t := &p.bodies[i], &arts[i]
		if b.Kind == multibody.FreelyFloating {
			if b.Parent > 0 { // it lets only the joint's force through
				f, n := p.up(i, vec(tau[b.V:b.V+3])), p.up(i, vec(tau[b.V+3:b.V+6]))
				above := &arts[b.Parent]
				above.f = p.add(above.f, f)
				above.n = p.add(above.n, p.add(n, p.cross(p.origin[i], f)))
			}
			continue
		}
		p.project(b, t, tau[b.V])
		if b.Parent > 0 {
			p.release(b, t)
			p.hang(i, t, &arts[b.Parent])
		}
	}
	p.accelerate(arts, tau)
	return p
}

// startBody returns the angular velocity of a body and sets its bias acceleration, bias force and own inertia.
func (p *program) startBody(i int, parent vec, v []value, t *articulated) vec {
	b := &p.bodies[i]
	at := p.origin[i]
	w := p.down(i, parent)
	t.a = p.down(i, p.cross(parent, p.cross(parent, at)))
	t.dw = p.zeros()
	if b.Kind == multibody.FreelyFloating {
		u, own := vec(v[b.V:b.V+3]), vec(v[b.V+3:b.V+6])
		t.dw = p.cross(w, own)
		twice := p.cross(w, u)
		w = p.add(w, own)
		t.a = p.add(t.a, p.add(twice, p.cross(w, u)))
	} else {
		qd := v[b.V]
		slide := p.zero
		switch b.Kind {
		case multibody.Sliding:
			slide = p.Mul(p.Const(2), qd)
		case multibody.Screwing:
			slide = p.Mul(p.Const(2*b.Pitch), qd)
		}
		t.a[0], t.a[1] = p.Add(t.a[0], p.Mul(w[1], slide)), p.Sub(t.a[1], p.Mul(w[0], slide))
		if b.Kind != multibody.Sliding {
			t.dw = vec{p.Mul(w[1], qd), p.Neg(p.Mul(w[0], qd)), p.zero}
			w[2] = p.Add(w[2], qd)
		}
	}
	h, inertia := p.vec(b.FirstMoment), p.symmetric(b.Inertia)
	t.f = p.cross(w, p.cross(w, h))
	t.n = p.cross(w, p.mulVec(inertia, w))
	t.rot = inertia
	t.h = mat{{p.zero, p.Neg(h[2]), h[1]}, {h[2], p.zero, p.Neg(h[0])}, {p.Neg(h[1]), h[0], p.zero}}
	mass := p.Const(b.Mass)
	t.mass = mat{{mass, p.zero, p.zero}, {p.zero, mass, p.zero}, {p.zero, p.zero, mass}}
	return w
}

// project computes the inertia along the joint and the force that is left.
func (p *program) project(b *multibody.Body, t *articulated, tau value) {
	x := p.axes(b)[0]
	t.un = p.add(p.mulVec(t.rot, x.angular), p.mulVec(t.h, x.linear))
	t.uf = p.add(p.mulVec(transpose(t.h), x.angular), p.mulVec(t.mass, x.linear))
	t.inverse = p.Div(p.Const(1), p.Add(p.felt(&x, t.uf, t.un), p.Const(b.Armature)))
	t.left = p.Sub(tau, p.felt(&x, t.f, t.n))
}

// release takes from the articulated inertia what the joint gives way to, I - U Uᵀ/D, and completes the bias force. Along
// the joint's own axis the difference cancels but for the armature.
func (p *program) release(b *multibody.Body, t *articulated) {
	gn, gf := p.scale(t.inverse, t.un), p.scale(t.inverse, t.uf)
	for r := range 3 {
		for c := range 3 {
			if c <= r {
				t.rot[r][c] = p.Sub(t.rot[r][c], p.Mul(gn[r], t.un[c]))
				t.rot[c][r] = t.rot[r][c]
				t.mass[r][c] = p.Sub(t.mass[r][c], p.Mul(gf[r], t.uf[c]))
				t.mass[c][r] = t.mass[r][c]
			}
			t.h[r][c] = p.Sub(t.h[r][c], p.Mul(gn[r], t.uf[c]))
		}
	}
	rest := p.Mul(p.Const(b.Armature), t.inverse)
	for c := range 3 {
		switch b.Kind {
		case multibody.Turning:
			t.rot[2][c] = p.Mul(rest, t.un[c])
			t.rot[c][2] = t.rot[2][c]
			t.h[2][c] = p.Mul(rest, t.uf[c])
		case multibody.Sliding:
			t.mass[2][c] = p.Mul(rest, t.uf[c])
			t.mass[c][2] = t.mass[2][c]
			t.h[c][2] = p.Mul(rest, t.un[c])
		}
	}
	t.n = p.add(t.n, p.add(p.add(p.mulVec(t.rot, t.dw), p.mulVec(t.h, t.a)), p.scale(t.left, gn)))
	t.f = p.add(t.f, p.add(p.add(p.mulVec(transpose(t.h), t.dw), p.mulVec(t.mass, t.a)), p.scale(t.left, gf)))
}

// hang adds articulated inertia and bias force of body i to its parent's, seen from there.
func (p *program) hang(i int, t, above *articulated) {
	rot, mass, h := p.turnSymmetric(i, t.rot), p.turnSymmetric(i, t.mass), p.turnGeneral(i, t.h)
	f, n, at := p.up(i, t.f), p.up(i, t.n), p.origin[i]
	above.f = p.add(above.f, f)
	above.n = p.add(above.n, p.add(n, p.cross(at, f)))
	// H about the new origin: B = H + [p]× M
	columns := transpose(mass)
	var b mat
	for c := range 3 {
		x := p.cross(at, columns[c])
		for r := range 3 {
			b[r][c] = p.Add(h[r][c], x[r])
		}
	}
	// I about the new origin: I - H [p]× + [p]× Bᵀ
	for r := range 3 {
		left, right := p.cross(at, h[r]), vec{} // row r of -H [p]× is p × H_r
		for c := range 3 {
			right[c] = p.cross(at, b[c])[r]
		}
		for c := range r + 1 {
			rot[r][c] = p.Add(rot[r][c], p.Add(left[c], right[c]))
			above.rot[r][c] = p.Add(above.rot[r][c], rot[r][c])
			above.rot[c][r] = above.rot[r][c]
			above.mass[r][c] = p.Add(above.mass[r][c], mass[r][c])
			above.mass[c][r] = above.mass[r][c]
		}
		for c := range 3 {
			above.h[r][c] = p.Add(above.h[r][c], b[r][c])
		}
	}
}

// turnGeneral turns a matrix from the axes of body i to those of its parent.
func (p *program) turnGeneral(i int, m mat) mat {
	b := &p.bodies[i]
	if b.Kind >= multibody.BallMounted {
		return p.mulMat(p.mulMat(p.turned[i], m), transpose(p.turned[i]))
	}
	m = p.planeGeneral(m, 0, 1, 2, p.sin[i], p.cos[i])
	m = p.planeGeneral(m, 1, 2, 0, p.Const(b.SinAlpha), p.Const(b.CosAlpha))
	return p.planeGeneral(m, 0, 1, 2, p.Const(b.SinBeta), p.Const(b.CosBeta))
}

// planeGeneral turns a matrix in the plane of the coordinates x and y.
func (p *program) planeGeneral(m mat, x, y, z int, s, c value) mat {
	if quarter, swaps := p.quarterTurns(s, c); quarter {
		if swaps {
			m[x][x], m[y][y] = m[y][y], m[x][x]
			m[x][y], m[y][x] = p.Neg(m[y][x]), p.Neg(m[x][y])
		}
		m[x][z], m[y][z] = p.plane(m[x][z], m[y][z], s, c)
		m[z][x], m[z][y] = p.plane(m[z][x], m[z][y], s, c)
		return m
	}
	g, k := p.shear(m, x, y, s, c)
	m[x][x], m[y][y] = p.Add(m[x][x], g), p.Sub(m[y][y], g)
	m[x][y], m[y][x] = p.Add(m[x][y], k), p.Add(m[y][x], k)
	m[x][z], m[y][z] = p.plane(m[x][z], m[y][z], s, c)
	m[z][x], m[z][y] = p.plane(m[z][x], m[z][y], s, c)
	return m
}

// accelerate solves for the accelerations, outwards.
func (p *program) accelerate(arts []articulated, tau []value) {
	rest := p.rest()
	dw, a := make([]vec, len(p.bodies)), make([]vec, len(p.bodies))
	dw[0], a[0] = rest.dw, rest.a
	for i := 1; i < len(p.bodies); i++ {
		b, t := &p.bodies[i], &arts[i]
		dw[i] = p.add(p.down(i, dw[b.Parent]), t.dw)
		a[i] = p.add(p.down(i, p.add(a[b.Parent], p.cross(dw[b.Parent], p.origin[i]))), t.a)
		if b.Kind == multibody.FreelyFloating {
			n, f := p.sub(vec(tau[b.V+3:b.V+6]), t.n), p.sub(vec(tau[b.V:b.V+3]), t.f)
			w, u := p.solve(t, n, f)
			for k := range 3 {
				p.Store("a", b.V+k, p.Sub(u[k], a[i][k]))
				p.Store("a", b.V+3+k, p.Sub(w[k], dw[i][k]))
			}
			dw[i], a[i] = w, u
			continue
		}
		qdd := p.Mul(p.Sub(t.left, p.Add(p.dot(t.un, dw[i]), p.dot(t.uf, a[i]))), t.inverse)
		p.Store("a", b.V, qdd)
		x := p.axes(b)[0]
		dw[i], a[i] = p.add(dw[i], p.scale(qdd, x.angular)), p.add(a[i], p.scale(qdd, x.linear))
	}
}

// solve returns the angular and linear acceleration that moment n and force f cause, by L D Lᵀ of the 6×6 inertia.
func (p *program) solve(t *articulated, n, f vec) (w, u vec) {
	var s [6][6]value
	for r := range 3 {
		for c := range r + 1 {
			s[r][c], s[3+r][3+c] = t.rot[r][c], t.mass[r][c]
		}
		for c := range 3 {
			s[3+r][c] = t.h[c][r]
		}
	}
	x := [6]value{n[0], n[1], n[2], f[0], f[1], f[2]}
	var inverse [6]value
	for k := range s {
		for j := range k {
			for i := range j {
				s[k][j] = p.Sub(s[k][j], p.Mul(s[k][i], s[j][i]))
			}
		}
		for j := range k {
			y := s[k][j]
			s[k][j] = p.Mul(y, inverse[j])
			s[k][k] = p.Sub(s[k][k], p.Mul(y, s[k][j]))
			x[k] = p.Sub(x[k], p.Mul(s[k][j], x[j]))
		}
		inverse[k] = p.Div(p.Const(1), s[k][k])
	}
	for k := 5; k >= 0; k-- {
		x[k] = p.Mul(x[k], inverse[k])
		for i := k + 1; i < 6; i++ {
			x[k] = p.Sub(x[k], p.Mul(s[i][k], x[i]))
		}
	}
	return vec{x[0], x[1], x[2]}, vec{x[3], x[4], x[5]}
}
