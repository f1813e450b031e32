package multibody

// RNEA computes inverse dynamics: the joint forces that the motion (q, v, a) needs,
//
//	tau = M(q) a + C(q, v) v + g(q)
//
// by the recursive Newton–Euler algorithm (Luh, Walker, Paul 1980) in the form of Balafoutis and Patel (1991): with
// the tensor Ω = [ω̇]× + [ω]×[ω]× no linear velocity is needed, and force and moment of a body with mass m, first
// moment h and second moment J are
//
//	f = m a + Ω h,   n = h × a + dual(Ω J - (Ω J)ᵀ).
//
// q has length NQ; v, a and tau have NV.
func RNEA(d *Data, q, v, a, tau []float64) {
	m := d.model
	want("RNEA", "q", len(q), m.nq)
	want("RNEA", "v", len(v), m.nv)
	want("RNEA", "a", len(a), m.nv)
	want("RNEA", "tau", len(tau), m.nv)
	q, v, a = d.fullQ(q), d.fullV(v), d.fullA(a)
	full := d.fullTau(tau)
	d.setAngles(q, &m.turning)
	d.newtonEuler(q, v, a)
	d.collect(a, full)
	d.reduce(full, tau)
}

// newtonEuler computes motion, force and moment of every body, outwards. The angles are set already.
func (d *Data) newtonEuler(q, v, a []float64) {
	m := d.model
	node := d.node[:len(m.body)]
	for i := 1; i < len(m.body); i++ {
		b, l := &m.body[i], &node[i]
		p := &node[b.parent]
		var wx, wy, wz, lx, ly, lz, ax, ay, az float64
		if b.kind >= spherical {
			wx, wy, wz, lx, ly, lz, ax, ay, az = b.moveQuaternion(p, l, q, v, a)
		} else {
			px, py, pz := b.p.X, b.p.Y, b.p.Z
			qd, qdd := v[b.iv], a[b.iv]
			if b.kind != revolute {
				t := q[b.iq]
				if b.kind == helical {
					t *= b.pitch
				}
				px, py, pz = px+t*b.z.X, py+t*b.z.Y, pz+t*b.z.Z
			}
			l.px, l.py, l.pz = px, py, pz
			o := &p.o
			ax = p.ax + o[0]*px + o[1]*py + o[2]*pz
			ay = p.ay + o[3]*px + o[4]*py + o[5]*pz
			az = p.az + o[6]*px + o[7]*py + o[8]*pz
			wx, wy, wz = p.wx, p.wy, p.wz
			lx, ly, lz = p.lx, p.ly, p.lz
			if b.turned {
				ax, ay = b.in(ax, ay)
				wx, wy = b.in(wx, wy)
				lx, ly = b.in(lx, ly)
			}
			if b.ca == 0 { // a quarter turn, as most joints have
				ax, ay, az = l.downQuarter(ax, ay, az)
				wx, wy, wz = l.downQuarter(wx, wy, wz)
				lx, ly, lz = l.downQuarter(lx, ly, lz)
			} else {
				ax, ay, az = l.down(ax, ay, az)
				wx, wy, wz = l.down(wx, wy, wz)
				lx, ly, lz = l.down(lx, ly, lz)
			}
			if b.kind == revolute {
				lx += wy * qd
				ly -= wx * qd
				lz += qdd
				wz += qd
			} else {
				sd, sdd := qd, qdd // speed along z
				if b.kind == helical {
					sd, sdd = b.pitch*qd, b.pitch*qdd
				}
				ax += 2 * wy * sd
				ay -= 2 * wx * sd
				az += sdd
				if b.kind == helical {
					lx += wy * qd
					ly -= wx * qd
					lz += qdd
					wz += qd
				}
			}
		}
		l.wx, l.wy, l.wz = wx, wy, wz
		l.lx, l.ly, l.lz = lx, ly, lz
		l.ax, l.ay, l.az = ax, ay, az
		xx, yy, zz := -wx*wx, -wy*wy, -wz*wz
		xy, xz, yz := wx*wy, wx*wz, wy*wz
		o0, o1, o2 := yy+zz, xy-lz, xz+ly
		o3, o4, o5 := xy+lz, xx+zz, yz-lx
		o6, o7, o8 := xz-ly, yz+lx, xx+yy
		o := &l.o
		o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8] = o0, o1, o2, o3, o4, o5, o6, o7, o8
		mass, hx, hy, hz := b.mass, b.h.X, b.h.Y, b.h.Z
		l.fx = mass*ax + o0*hx + o1*hy + o2*hz
		l.fy = mass*ay + o3*hx + o4*hy + o5*hz
		l.fz = mass*az + o6*hx + o7*hy + o8*hz
		j := &b.j
		l.nx = hy*az - hz*ay + (o6*j.XY + o7*j.YY + o8*j.YZ) - (o3*j.XZ + o4*j.YZ + o5*j.ZZ)
		l.ny = hz*ax - hx*az + (o0*j.XZ + o1*j.YZ + o2*j.ZZ) - (o6*j.XX + o7*j.XY + o8*j.XZ)
		l.nz = hx*ay - hy*ax + (o3*j.XX + o4*j.XY + o5*j.XZ) - (o0*j.XY + o1*j.YY + o2*j.YZ)
	}
}

// collect projects forces on the joints and adds them to the parents, inwards. It leaves in node[0] the force on
// the world.
func (d *Data) collect(a, tau []float64) {
	m := d.model
	node := d.node[:len(m.body)]
	w := &node[0]
	w.fx, w.fy, w.fz, w.nx, w.ny, w.nz = 0, 0, 0, 0, 0, 0
	for i := len(m.body) - 1; i > 0; i-- {
		b, l := &m.body[i], &node[i]
		p := &node[b.parent]
		fx, fy, fz := l.fx, l.fy, l.fz
		nx, ny, nz := l.nx, l.ny, l.nz
		switch b.kind {
		case revolute:
			tau[b.iv] = nz + b.armature*a[b.iv]
		case prismatic:
			tau[b.iv] = fz + b.armature*a[b.iv]
		case helical:
			tau[b.iv] = nz + b.pitch*fz + b.armature*a[b.iv]
		default:
			b.collectQuaternion(p, l, tau)
			continue
		}
		if b.ca == 0 {
			fx, fy, fz = l.upQuarter(fx, fy, fz)
			nx, ny, nz = l.upQuarter(nx, ny, nz)
		} else {
			fx, fy, fz = l.up(fx, fy, fz)
			nx, ny, nz = l.up(nx, ny, nz)
		}
		if b.turned {
			fx, fy = b.out(fx, fy)
			nx, ny = b.out(nx, ny)
		}
		p.fx += fx
		p.fy += fy
		p.fz += fz
		px, py, pz := l.px, l.py, l.pz
		p.nx += nx + py*fz - pz*fy
		p.ny += ny + pz*fx - px*fz
		p.nz += nz + px*fy - py*fx
	}
}
