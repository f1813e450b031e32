package multibody

// articulated is the state of a body in the articulated-body algorithm. Its articulated inertia, about the origin of
// its frame, takes angular and linear acceleration to moment and force:
//
//	n = I ω̇ + H a,   f = Hᵀ ω̇ + M a.
type articulated struct {
	ixx, ixy, iyy, ixz, iyz, izz float64
	h                            [9]float64
	mxx, mxy, myy, mxz, myz, mzz float64

	nx, ny, nz, fx, fy, fz float64    // bias force
	cx, cy, cz             float64    // bias acceleration of the origin
	kx, ky                 float64    // bias angular acceleration (its z component vanishes)
	u                      [6]float64 // inertia times joint axis; of quaternion bodies the bias acceleration, angular first
	di, r                  float64    // 1/D; remaining joint force
}

// ABA computes forward dynamics: the accelerations a that the joint forces tau cause in the state (q, v),
//
//	a = M(q)⁻¹ (tau - C(q, v) v - g(q)),
//
// by the articulated-body algorithm (Featherstone 2008, section 7.3), with classical accelerations and symmetric
// storage. Every subtree must have inertia along its joint, by mass or armature; otherwise the result is not finite.
// q has length NQ; v, tau and a have NV.
func ABA(d *Data, q, v, tau, a []float64) {
	m := d.model
	want("ABA", "q", len(q), m.nq)
	want("ABA", "v", len(v), m.nv)
	want("ABA", "tau", len(tau), m.nv)
	want("ABA", "a", len(a), m.nv)
	if m.mimic != nil {
		d.coupledForward(q, v, tau, a)
		return
	}
	d.setAngles(q, &m.turning)
	d.bias(q, v)
	d.articulate(tau)
	d.accelerate(tau, a)
}

// bias computes velocities, bias accelerations and bias forces, outwards, and starts the articulated inertias.
func (d *Data) bias(q, v []float64) {
	m := d.model
	node, art := d.node[:len(m.body)], d.art[:len(m.body)]
	for i := 1; i < len(m.body); i++ {
		b, l, t := &m.body[i], &node[i], &art[i]
		p := &node[b.parent]
		var wx, wy, wz float64
		if b.kind >= spherical {
			wx, wy, wz = b.biasQuaternion(p, l, t, q, v)
		} else {
			px, py, pz := b.p.X, b.p.Y, b.p.Z
			if b.kind != revolute {
				s := q[b.iq]
				if b.kind == helical {
					s *= b.pitch
				}
				px, py, pz = px+s*b.z.X, py+s*b.z.Y, pz+s*b.z.Z
			}
			l.px, l.py, l.pz = px, py, pz
			wx, wy, wz = p.wx, p.wy, p.wz
			// ω × (ω × p)
			k, n := wx*px+wy*py+wz*pz, wx*wx+wy*wy+wz*wz
			cx, cy, cz := wx*k-px*n, wy*k-py*n, wz*k-pz*n
			if b.turned {
				wx, wy = b.in(wx, wy)
				cx, cy = b.in(cx, cy)
			}
			if b.ca == 0 {
				wx, wy, wz = l.downQuarter(wx, wy, wz)
				cx, cy, cz = l.downQuarter(cx, cy, cz)
			} else {
				wx, wy, wz = l.down(wx, wy, wz)
				cx, cy, cz = l.down(cx, cy, cz)
			}
			qd := v[b.iv]
			if b.kind != prismatic {
				t.kx, t.ky = wy*qd, -wx*qd
				if b.kind == helical {
					s := 2 * b.pitch * qd
					cx += wy * s
					cy -= wx * s
				}
				wz += qd
			} else {
				t.kx, t.ky = 0, 0
				cx += 2 * wy * qd
				cy -= 2 * wx * qd
			}
			t.cx, t.cy, t.cz = cx, cy, cz
		}
		l.wx, l.wy, l.wz = wx, wy, wz
		mass, hx, hy, hz := b.mass, b.h.X, b.h.Y, b.h.Z
		k, n := wx*hx+wy*hy+wz*hz, wx*wx+wy*wy+wz*wz
		t.fx, t.fy, t.fz = wx*k-hx*n, wy*k-hy*n, wz*k-hz*n
		I := &b.i
		x := I.XX*wx + I.XY*wy + I.XZ*wz
		y := I.XY*wx + I.YY*wy + I.YZ*wz
		z := I.XZ*wx + I.YZ*wy + I.ZZ*wz
		t.nx, t.ny, t.nz = wy*z-wz*y, wz*x-wx*z, wx*y-wy*x
		t.ixx, t.ixy, t.iyy, t.ixz, t.iyz, t.izz = I.XX, I.XY, I.YY, I.XZ, I.YZ, I.ZZ
		h := &t.h
		h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8] = 0, -hz, hy, hz, 0, -hx, -hy, hx, 0
		t.mxx, t.mxy, t.myy, t.mxz, t.myz, t.mzz = mass, 0, mass, 0, 0, mass
	}
}

// accelerate solves for the accelerations, outwards.
func (d *Data) accelerate(tau, a []float64) {
	m := d.model
	node, art := d.node[:len(m.body)], d.art[:len(m.body)]
	for i := 1; i < len(m.body); i++ {
		b, l, t := &m.body[i], &node[i], &art[i]
		p := &node[b.parent]
		if b.kind >= spherical {
			b.accelerateQuaternion(p, l, t, tau, a)
			continue
		}
		lx, ly, lz := p.lx, p.ly, p.lz
		px, py, pz := l.px, l.py, l.pz
		ax := p.ax + ly*pz - lz*py
		ay := p.ay + lz*px - lx*pz
		az := p.az + lx*py - ly*px
		if b.turned {
			ax, ay = b.in(ax, ay)
			lx, ly = b.in(lx, ly)
		}
		if b.ca == 0 {
			ax, ay, az = l.downQuarter(ax, ay, az)
			lx, ly, lz = l.downQuarter(lx, ly, lz)
		} else {
			ax, ay, az = l.down(ax, ay, az)
			lx, ly, lz = l.down(lx, ly, lz)
		}
		ax += t.cx
		ay += t.cy
		az += t.cz
		lx += t.kx
		ly += t.ky
		u := &t.u
		qdd := (t.r - (u[0]*lx + u[1]*ly + u[2]*lz + u[3]*ax + u[4]*ay + u[5]*az)) * t.di
		a[b.iv] = qdd
		switch b.kind {
		case revolute:
			lz += qdd
		case prismatic:
			az += qdd
		default:
			lz += qdd
			az += b.pitch * qdd
		}
		l.ax, l.ay, l.az = ax, ay, az
		l.lx, l.ly, l.lz = lx, ly, lz
	}
}
