package multibody

// This file has the inward pass of the articulated-body algorithm, where nearly all of its arithmetic is.

// articulate adds the articulated inertia and bias force that each body shows through its joint to its parent, inwards.
func (d *Data) articulate(tau []float64) {
	m := d.model
	node, art := d.node[:len(m.body)], d.art[:len(m.body)]
	for i := len(m.body) - 1; i > 0; i-- {
		b, t := &m.body[i], &art[i]
		if b.kind >= spherical {
			b.articulateQuaternion(&node[i], &art[b.parent], t, tau)
			continue
		}
		if b.kind == revolute && b.armature == 0 {
			b.passTurning(&node[i], t, &art[b.parent], tau[b.iv])
			continue
		}
		b.project(t, tau[b.iv])
		if b.parent > 0 {
			t.release(b)
			b.hang(&node[i], t, &art[b.parent])
		}
	}
}

// project computes the inertia felt along the joint and the force that is left for acceleration.
func (b *body) project(t *articulated, tau float64) {
	switch b.kind {
	case revolute:
		t.u = [6]float64{t.ixz, t.iyz, t.izz, t.h[6], t.h[7], t.h[8]}
		t.di, t.r = 1/(t.izz+b.armature), tau-t.nz
	case prismatic:
		t.u = [6]float64{t.h[2], t.h[5], t.h[8], t.mxz, t.myz, t.mzz}
		t.di, t.r = 1/(t.mzz+b.armature), tau-t.fz
	default:
		s := b.pitch
		t.u = [6]float64{
			t.ixz + s*t.h[2], t.iyz + s*t.h[5], t.izz + s*t.h[8],
			t.h[6] + s*t.mxz, t.h[7] + s*t.myz, t.h[8] + s*t.mzz,
		}
		t.di, t.r = 1/(t.u[2]+s*t.u[5]+b.armature), tau-t.nz-s*t.fz
	}
}

// release takes from the articulated inertia what the joint gives way to, I - U Uᵀ/D, and completes the bias force.
func (t *articulated) release(b *body) {
	u0, u1, u2, u3, u4, u5 := t.u[0], t.u[1], t.u[2], t.u[3], t.u[4], t.u[5]
	di := -t.di
	g0, g1, g2, g3, g4, g5 := u0*di, u1*di, u2*di, u3*di, u4*di, u5*di
	h := &t.h
	t.ixx += g0 * u0
	t.ixy += g0 * u1
	t.iyy += g1 * u1
	h[0] += g0 * u3
	h[1] += g0 * u4
	h[3] += g1 * u3
	h[4] += g1 * u4
	t.mxx += g3 * u3
	t.mxy += g3 * u4
	t.myy += g4 * u4
	// along the joint's own axis the difference cancels but for the armature: exactly, not to rounding
	k := b.armature * t.di
	switch b.kind {
	case revolute:
		t.ixz, t.iyz, t.izz = k*u0, k*u1, k*u2
		h[6], h[7], h[8] = k*u3, k*u4, k*u5
		h[2] += g0 * u5
		h[5] += g1 * u5
		t.mxz += g3 * u5
		t.myz += g4 * u5
		t.mzz += g5 * u5
	case prismatic:
		h[2], h[5], h[8] = k*u0, k*u1, k*u2
		t.mxz, t.myz, t.mzz = k*u3, k*u4, k*u5
		h[6] += g2 * u3
		h[7] += g2 * u4
		t.ixz += g0 * u2
		t.iyz += g1 * u2
		t.izz += g2 * u2
	default:
		t.ixz += g0 * u2
		t.iyz += g1 * u2
		t.izz += g2 * u2
		h[2] += g0 * u5
		h[5] += g1 * u5
		h[6] += g2 * u3
		h[7] += g2 * u4
		h[8] += g2 * u5
		t.mxz += g3 * u5
		t.myz += g4 * u5
		t.mzz += g5 * u5
	}
	kx, ky, cx, cy, cz, r := t.kx, t.ky, t.cx, t.cy, t.cz, -t.r
	t.nx += t.ixx*kx + t.ixy*ky + h[0]*cx + h[1]*cy + h[2]*cz + g0*r
	t.ny += t.ixy*kx + t.iyy*ky + h[3]*cx + h[4]*cy + h[5]*cz + g1*r
	t.nz += t.ixz*kx + t.iyz*ky + h[6]*cx + h[7]*cy + h[8]*cz + g2*r
	t.fx += h[0]*kx + h[3]*ky + t.mxx*cx + t.mxy*cy + t.mxz*cz + g3*r
	t.fy += h[1]*kx + h[4]*ky + t.mxy*cx + t.myy*cy + t.myz*cz + g4*r
	t.fz += h[2]*kx + h[5]*ky + t.mxz*cx + t.myz*cy + t.mzz*cz + g5*r
}

// squares returns s² and s c, of the sine and cosine of an angle.
func squares(s, c float64) (ss, sc float64) { return s * s, s * c }

// plane turns the symmetric matrix (xx xy; xy yy) by the angle with these squares of its sine and cosine.
func plane(xx, xy, yy, ss, sc float64) (float64, float64, float64) {
	d, e := yy-xx, xy+xy
	g, k := ss*d-sc*e, sc*d+ss*e
	return xx + g, xy - k, yy - g
}

// square turns the general matrix (a b; c d) likewise.
func square(a, b, c, d, ss, sc float64) (float64, float64, float64, float64) {
	f, e := d-a, b+c
	g, k := ss*f-sc*e, sc*f+ss*e
	return a + g, b - k, c - k, d - g
}

// hang adds articulated inertia and bias force of t to its parent's, seen from there: three plane rotations (γ+q about
// z, α about x, β about z) and a shift of the origin.
func (b *body) hang(l *node, t, p *articulated) {
	ixx, ixy, iyy, ixz, iyz, izz := t.ixx, t.ixy, t.iyy, t.ixz, t.iyz, t.izz
	mxx, mxy, myy, mxz, myz, mzz := t.mxx, t.mxy, t.myy, t.mxz, t.myz, t.mzz
	h := &t.h
	h0, h1, h2, h3, h4, h5, h6, h7, h8 := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8]

	s, c := l.s, l.c
	ss, sc := squares(s, c)
	ixx, ixy, iyy = plane(ixx, ixy, iyy, ss, sc)
	mxx, mxy, myy = plane(mxx, mxy, myy, ss, sc)
	h0, h1, h3, h4 = square(h0, h1, h3, h4, ss, sc)
	ixz, iyz = c*ixz-s*iyz, s*ixz+c*iyz
	mxz, myz = c*mxz-s*myz, s*mxz+c*myz
	h2, h5 = c*h2-s*h5, s*h2+c*h5
	h6, h7 = c*h6-s*h7, s*h6+c*h7

	s, c = l.sa, l.ca
	switch {
	case c == 0: // a quarter turn, as most joints have
		iyy, iyz, izz = izz, -iyz, iyy
		myy, myz, mzz = mzz, -myz, myy
		h4, h5, h7, h8 = h8, -h7, -h5, h4
		ixy, ixz = -s*ixz, s*ixy
		mxy, mxz = -s*mxz, s*mxy
		h1, h2 = -s*h2, s*h1
		h3, h6 = -s*h6, s*h3
	case s == 0:
		ixy, ixz = c*ixy, c*ixz
		mxy, mxz = c*mxy, c*mxz
		h1, h2 = c*h1, c*h2
		h3, h6 = c*h3, c*h6
	default:
		ss, sc = squares(s, c)
		iyy, iyz, izz = plane(iyy, iyz, izz, ss, sc)
		myy, myz, mzz = plane(myy, myz, mzz, ss, sc)
		h4, h5, h7, h8 = square(h4, h5, h7, h8, ss, sc)
		ixy, ixz = c*ixy-s*ixz, s*ixy+c*ixz
		mxy, mxz = c*mxy-s*mxz, s*mxy+c*mxz
		h1, h2 = c*h1-s*h2, s*h1+c*h2
		h3, h6 = c*h3-s*h6, s*h3+c*h6
	}

	fx, fy, fz := l.up(t.fx, t.fy, t.fz)
	nx, ny, nz := l.up(t.nx, t.ny, t.nz)
	if b.turned {
		fx, fy = b.out(fx, fy)
		nx, ny = b.out(nx, ny)
		s, c = b.sb, b.cb
		ss, sc = squares(s, c)
		ixx, ixy, iyy = plane(ixx, ixy, iyy, ss, sc)
		mxx, mxy, myy = plane(mxx, mxy, myy, ss, sc)
		h0, h1, h3, h4 = square(h0, h1, h3, h4, ss, sc)
		ixz, iyz = c*ixz-s*iyz, s*ixz+c*iyz
		mxz, myz = c*mxz-s*myz, s*mxz+c*myz
		h2, h5 = c*h2-s*h5, s*h2+c*h5
		h6, h7 = c*h6-s*h7, s*h6+c*h7
	}
	x, y, z := l.px, l.py, l.pz
	p.fx += fx
	p.fy += fy
	p.fz += fz
	p.nx += nx + y*fz - z*fy
	p.ny += ny + z*fx - x*fz
	p.nz += nz + x*fy - y*fx
	p.mxx += mxx
	p.mxy += mxy
	p.myy += myy
	p.mxz += mxz
	p.myz += myz
	p.mzz += mzz
	// H about the new origin: H + [p]× M
	b0, b1, b2 := h0+y*mxz-z*mxy, h1+y*myz-z*myy, h2+y*mzz-z*myz
	b3, b4, b5 := h3+z*mxx-x*mxz, h4+z*mxy-x*myz, h5+z*mxz-x*mzz
	b6, b7, b8 := h6+x*mxy-y*mxx, h7+x*myy-y*mxy, h8+x*myz-y*mxz
	o := &p.h
	o[0] += b0
	o[1] += b1
	o[2] += b2
	o[3] += b3
	o[4] += b4
	o[5] += b5
	o[6] += b6
	o[7] += b7
	o[8] += b8
	// I about the new origin: I - H [p]× + [p]× (H + [p]× M)ᵀ
	p.ixx += ixx + (y*h2 - z*h1) + (y*b2 - z*b1)
	p.ixy += ixy + (z*h0 - x*h2) + (y*b5 - z*b4)
	p.iyy += iyy + (z*h3 - x*h5) + (z*b3 - x*b5)
	p.ixz += ixz + (x*h1 - y*h0) + (y*b8 - z*b7)
	p.iyz += iyz + (x*h4 - y*h3) + (z*b6 - x*b8)
	p.izz += izz + (x*h7 - y*h6) + (x*b7 - y*b6)
}
