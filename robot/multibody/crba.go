package multibody

// composite is the inertia of a body and everything that hangs on it, joints locked: second moment and first moment
// about the origin of the body's frame, and mass.
type composite struct {
	xx, xy, yy, xz, yz, zz float64
	hx, hy, hz             float64
	mass                   float64
}

// CRBA computes the joint-space mass matrix M(q), nv×nv row by row, both triangles, by the composite-rigid-body
// algorithm (Walker and Orin 1982; Featherstone 2008, section 6.2) in body frames. Armatures are included. q has length NQ.
func CRBA(d *Data, q, M []float64) {
	m := d.model
	want("CRBA", "q", len(q), m.nq)
	want("CRBA", "M", len(M), m.nv*m.nv)
	q = d.fullQ(q)
	d.setAngles(q, &m.turning)
	if m.mimic != nil {
		d.massMatrix(q, d.full.square, m.mimic.nv)
		d.reduceSquare(d.full.square, M)
		return
	}
	d.massMatrix(q, M, m.nv)
}

// massMatrix computes the mass matrix of the tree. The angles are set already.
func (d *Data) massMatrix(q, M []float64, nv int) {
	m := d.model
	node, comp := d.node[:len(m.body)], d.comp[:len(m.body)]
	if m.chain {
		comp[len(comp)-1] = m.own[len(comp)-1] // each of the others is made by the one that it carries
	} else {
		clear(M)
		copy(comp, m.own)
	}
	for i := 1; i < len(m.body); i++ {
		b, l := &m.body[i], &node[i]
		px, py, pz := b.p.X, b.p.Y, b.p.Z
		if b.kind != revolute {
			if b.kind >= spherical {
				b.setPlacement(l, q)
				continue
			}
			s := q[b.iq]
			if b.kind == helical {
				s *= b.pitch
			}
			px, py, pz = px+s*b.z.X, py+s*b.z.Y, pz+s*b.z.Z
		}
		l.px, l.py, l.pz = px, py, pz
	}
	for i := len(m.body) - 1; i > 0; i-- {
		b, l, c := &m.body[i], &node[i], &comp[i]
		if b.kind >= spherical {
			d.columnsQuaternion(i, M, nv)
			continue
		}
		var nx, ny, nz, fx, fy, fz, diag float64
		switch b.kind {
		case revolute:
			nx, ny, nz, fx, fy = -c.xz, -c.yz, c.xx+c.yy, -c.hy, c.hx
			diag = nz
		case prismatic:
			nx, ny, fz = c.hy, -c.hx, c.mass
			diag = fz
		default:
			s := b.pitch
			nx, ny, nz = s*c.hy-c.xz, -s*c.hx-c.yz, c.xx+c.yy
			fx, fy, fz = -c.hy, c.hx, s*c.mass
			diag = nz + s*fz
		}
		col := int(b.iv)
		M[col*nv+col] = diag + b.armature
		if b.parent > 0 {
			p := &comp[b.parent]
			so := p
			if m.chain {
				so = &m.own[b.parent]
			}
			b.compose(l, c, so, p)
			d.walk(i, col, nv, M, nx, ny, nz, fx, fy, fz)
		}
	}
}

// compose adds the composite inertia c to what is known so far of the parent's, and makes that p.
func (b *body) compose(l *node, c, so, p *composite) {
	xx, xy, yy, xz, yz, zz := c.xx, c.xy, c.yy, c.xz, c.yz, c.zz
	ss, sc := squares(l.s, l.c)
	xx, xy, yy = plane(xx, xy, yy, ss, sc)
	xz, yz = l.c*xz-l.s*yz, l.s*xz+l.c*yz
	if l.ca == 0 { // a quarter turn, as most joints have
		yy, yz, zz = zz, -yz, yy
		xy, xz = -l.sa*xz, l.sa*xy
	} else {
		ss, sc = squares(l.sa, l.ca)
		yy, yz, zz = plane(yy, yz, zz, ss, sc)
		xy, xz = l.ca*xy-l.sa*xz, l.sa*xy+l.ca*xz
	}
	hx, hy, hz := l.up(c.hx, c.hy, c.hz)
	if b.turned {
		ss, sc = squares(b.sb, b.cb)
		xx, xy, yy = plane(xx, xy, yy, ss, sc)
		xz, yz = b.out(xz, yz)
		hx, hy = b.out(hx, hy)
	}
	// second moment about the new origin: J + h pᵀ + p hᵀ + m p pᵀ
	px, py, pz, mass := l.px, l.py, l.pz, c.mass
	sx, sy, sz := hx+mass*px, hy+mass*py, hz+mass*pz
	p.xx = so.xx + xx + hx*px + px*sx
	p.xy = so.xy + xy + hx*py + px*sy
	p.yy = so.yy + yy + hy*py + py*sy
	p.xz = so.xz + xz + hx*pz + px*sz
	p.yz = so.yz + yz + hy*pz + py*sz
	p.zz = so.zz + zz + hz*pz + pz*sz
	p.hx = so.hx + sx
	p.hy = so.hy + sy
	p.hz = so.hz + sz
	p.mass = so.mass + mass
}

// walk carries the force that a unit acceleration of coordinate col needs from body i to the root and notes its
// component along each joint on the way.
func (d *Data) walk(i, col, nv int, M []float64, nx, ny, nz, fx, fy, fz float64) {
	m := d.model
	node := d.node[:len(m.body)]
	for {
		b, l := &m.body[i], &node[i]
		i = int(b.parent)
		if i <= 0 {
			return
		}
		if b.kind < spherical {
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
			px, py, pz := l.px, l.py, l.pz
			nx += py*fz - pz*fy
			ny += pz*fx - px*fz
			nz += px*fy - py*fx
		} else {
			nx, ny, nz, fx, fy, fz = l.shift(nx, ny, nz, fx, fy, fz)
		}
		p := &m.body[i]
		row := int(p.iv)
		var x float64
		switch p.kind {
		case revolute:
			x = nz
		case prismatic:
			x = fz
		case helical:
			x = nz + p.pitch*fz
		default:
			p.note(M, nv, col, nx, ny, nz, fx, fy, fz)
			continue
		}
		M[row*nv+col], M[col*nv+row] = x, x
	}
}
