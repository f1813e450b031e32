package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// This file has the steps of the recursions for bodies whose orientation is a quaternion: spherical and floating.

// setPlacement computes rotation and origin of the body against its parent.
func (b *body) setPlacement(l *node, q []float64) spatial.Mat3 {
	at, k := b.p, b.iq
	if b.kind == floating {
		at = at.Add(b.r.MulVec(spatial.Vec3{X: q[k], Y: q[k+1], Z: q[k+2]}))
		k += 3
	}
	r := b.r.Mul(rotation(q[k : k+4]))
	l.px, l.py, l.pz = at.X, at.Y, at.Z
	l.e = [9]float64{r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2]}
	return r
}

// velocity returns the linear and angular coordinates of the body in x (v or a).
func (b *body) velocity(x []float64) (lin, ang spatial.Vec3) {
	k := b.iv
	if b.kind == floating {
		lin = spatial.Vec3{X: x[k], Y: x[k+1], Z: x[k+2]}
		k += 3
	}
	return lin, spatial.Vec3{X: x[k], Y: x[k+1], Z: x[k+2]}
}

// moveQuaternion returns angular velocity, angular acceleration and acceleration of the origin of the body:
//
//	ω = ω_p + w,  ω̇ = ω̇_p + ω_p × w + ẇ,  a = a_p + Ω_p r + 2 ω_p × u + w × u + u̇
//
// with the joint's coordinates u, w and all in axes of the body.
func (b *body) moveQuaternion(p, l *node, q, v, a []float64) (wx, wy, wz, lx, ly, lz, ax, ay, az float64) {
	e := b.setPlacement(l, q)
	u, w := b.velocity(v)
	du, dw := b.velocity(a)
	px, py, pz, o := l.px, l.py, l.pz, &p.o
	wp := e.TMulVec(spatial.Vec3{X: p.wx, Y: p.wy, Z: p.wz})
	lp := e.TMulVec(spatial.Vec3{X: p.lx, Y: p.ly, Z: p.lz})
	ap := e.TMulVec(spatial.Vec3{
		X: p.ax + o[0]*px + o[1]*py + o[2]*pz,
		Y: p.ay + o[3]*px + o[4]*py + o[5]*pz,
		Z: p.az + o[6]*px + o[7]*py + o[8]*pz,
	})
	om := wp.Add(w)
	al := lp.Add(wp.Cross(w)).Add(dw)
	ac := ap.Add(wp.Add(om).Cross(u)).Add(du)
	return om.X, om.Y, om.Z, al.X, al.Y, al.Z, ac.X, ac.Y, ac.Z
}

// collectQuaternion writes the joint forces and adds force and moment to the parent.
func (b *body) collectQuaternion(p, l *node, tau []float64) {
	k := b.iv
	if b.kind == floating {
		tau[k] = l.fx
		tau[k+1] = l.fy
		tau[k+2] = l.fz
		k += 3
	}
	tau[k] = l.nx
	tau[k+1] = l.ny
	tau[k+2] = l.nz
	l.send(p)
}

// send adds force and moment of a quaternion body to its parent.
func (l *node) send(p *node) {
	e := &l.e
	fx, fy, fz := l.fx, l.fy, l.fz
	gx, gy, gz := e[0]*fx+e[1]*fy+e[2]*fz, e[3]*fx+e[4]*fy+e[5]*fz, e[6]*fx+e[7]*fy+e[8]*fz
	p.fx += gx
	p.fy += gy
	p.fz += gz
	px, py, pz := l.px, l.py, l.pz
	nx, ny, nz := l.nx, l.ny, l.nz
	p.nx += e[0]*nx + e[1]*ny + e[2]*nz + py*gz - pz*gy
	p.ny += e[3]*nx + e[4]*ny + e[5]*nz + pz*gx - px*gz
	p.nz += e[6]*nx + e[7]*ny + e[8]*nz + px*gy - py*gx
}
