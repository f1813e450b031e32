package multibody

// This file has the inward step of the articulated-body algorithm for a body that turns and whose rotor has no inertia: nearly
// all bodies of nearly all robots. It is project, release and hang in one, without what is zero: a body free to turn about z
// shows nothing of its inertia about z. The arithmetic of hang is written out here too: as a call it made ABA a fifth slower.

// passTurning computes what the joint feels, and adds to the parent p what the body shows through it.
func (b *body) passTurning(l *node, t, p *articulated, tau float64) {
	h := &t.h
	u0, u1, u2, u3, u4, u5 := t.ixz, t.iyz, t.izz, h[6], h[7], h[8]
	di, rest := 1/u2, tau-t.nz
	t.u = [6]float64{u0, u1, u2, u3, u4, u5}
	t.di, t.r = di, rest
	if b.parent == 0 {
		return
	}
	// I - U Uᵀ/D: the third rows of I and H vanish
	g0, g1, g3, g4, g5 := u0*di, u1*di, u3*di, u4*di, u5*di
	ixx, ixy, iyy := t.ixx-g0*u0, t.ixy-g0*u1, t.iyy-g1*u1
	h0, h1, h2 := h[0]-g0*u3, h[1]-g0*u4, h[2]-g0*u5
	h3, h4, h5 := h[3]-g1*u3, h[4]-g1*u4, h[5]-g1*u5
	mxx, mxy, myy := t.mxx-g3*u3, t.mxy-g3*u4, t.myy-g4*u4
	mxz, myz, mzz := t.mxz-g3*u5, t.myz-g4*u5, t.mzz-g5*u5
	kx, ky, cx, cy, cz := t.kx, t.ky, t.cx, t.cy, t.cz
	nx := t.nx + ixx*kx + ixy*ky + h0*cx + h1*cy + h2*cz + g0*rest
	ny := t.ny + ixy*kx + iyy*ky + h3*cx + h4*cy + h5*cz + g1*rest
	nz := tau // all that is left of the moment about z
	fx := t.fx + h0*kx + h3*ky + mxx*cx + mxy*cy + mxz*cz + g3*rest
	fy := t.fy + h1*kx + h4*ky + mxy*cx + myy*cy + myz*cz + g4*rest
	fz := t.fz + h2*kx + h5*ky + mxz*cx + myz*cy + mzz*cz + g5*rest

	fx, fy, fz = l.up(fx, fy, fz)
	nx, ny, nz = l.up(nx, ny, nz)

	// γ+q about z
	s, c := l.s, l.c
	ss, sc := squares(s, c)
	ixx, ixy, iyy = plane(ixx, ixy, iyy, ss, sc)
	mxx, mxy, myy = plane(mxx, mxy, myy, ss, sc)
	h0, h1, h3, h4 = square(h0, h1, h3, h4, ss, sc)
	mxz, myz = c*mxz-s*myz, s*mxz+c*myz
	h2, h5 = c*h2-s*h5, s*h2+c*h5

	// α about x
	s, c = l.sa, l.ca
	var ixz, iyz, izz, h6, h7, h8 float64
	switch {
	case c == 0:
		ixy, ixz = 0, s*ixy
		iyy, izz = 0, iyy
		myy, myz, mzz = mzz, -myz, myy
		mxy, mxz = -s*mxz, s*mxy
		h4, h5, h7, h8 = 0, 0, -h5, h4
		h1, h2 = -s*h2, s*h1
		h3, h6 = 0, s*h3
	case s == 0:
		ixy *= c
		mxy, mxz = c*mxy, c*mxz
		h1, h2, h3 = c*h1, c*h2, c*h3
	default:
		ss, sc = squares(s, c)
		iyy, iyz, izz = plane(iyy, 0, 0, ss, sc)
		myy, myz, mzz = plane(myy, myz, mzz, ss, sc)
		h4, h5, h7, h8 = square(h4, h5, 0, 0, ss, sc)
		ixy, ixz = c*ixy, s*ixy
		mxy, mxz = c*mxy-s*mxz, s*mxy+c*mxz
		h1, h2 = c*h1-s*h2, s*h1+c*h2
		h3, h6 = c*h3, s*h3
	}
	// β about z
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

	// the origin
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
	p.ixx += ixx + (y*h2 - z*h1) + (y*b2 - z*b1)
	p.ixy += ixy + (z*h0 - x*h2) + (y*b5 - z*b4)
	p.iyy += iyy + (z*h3 - x*h5) + (z*b3 - x*b5)
	p.ixz += ixz + (x*h1 - y*h0) + (y*b8 - z*b7)
	p.iyz += iyz + (x*h4 - y*h3) + (z*b6 - x*b8)
	p.izz += izz + (x*h7 - y*h6) + (x*b7 - y*b6)
}
