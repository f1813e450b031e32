package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// This file has the steps of the composite-rigid-body algorithm for spherical and floating bodies.

// shift carries a force from a quaternion body to its parent.
func (l *node) shift(nx, ny, nz, fx, fy, fz float64) (_, _, _, _, _, _ float64) {
	e := &l.e
	gx, gy, gz := e[0]*fx+e[1]*fy+e[2]*fz, e[3]*fx+e[4]*fy+e[5]*fz, e[6]*fx+e[7]*fy+e[8]*fz
	px, py, pz := l.px, l.py, l.pz
	return e[0]*nx + e[1]*ny + e[2]*nz + py*gz - pz*gy,
		e[3]*nx + e[4]*ny + e[5]*nz + pz*gx - px*gz,
		e[6]*nx + e[7]*ny + e[8]*nz + px*gy - py*gx,
		gx, gy, gz
}

// note writes the components of a force along the coordinates of a quaternion body.
func (b *body) note(M []float64, nv, col int, nx, ny, nz, fx, fy, fz float64) {
	k := int(b.iv)
	if b.kind == floating {
		for i, x := range [3]float64{fx, fy, fz} {
			M[(k+i)*nv+col], M[col*nv+k+i] = x, x
		}
		k += 3
	}
	for i, x := range [3]float64{nx, ny, nz} {
		M[(k+i)*nv+col], M[col*nv+k+i] = x, x
	}
}

// columnsQuaternion writes the columns of a quaternion body and adds its composite inertia to the parent's.
func (d *Data) columnsQuaternion(i int, M []float64, nv int) {
	b, l, c := &d.model.body[i], &d.node[i], &d.comp[i]
	x, y, z, mass := c.hx, c.hy, c.hz, c.mass
	// forces for unit accelerations: (fx fy fz nx ny nz) of the coordinates linear, angular
	columns := [6][6]float64{
		{mass, 0, 0, 0, z, -y}, {0, mass, 0, -z, 0, x}, {0, 0, mass, y, -x, 0},
		{0, -z, y, c.yy + c.zz, -c.xy, -c.xz},
		{z, 0, -x, -c.xy, c.xx + c.zz, -c.yz},
		{-y, x, 0, -c.xz, -c.yz, c.xx + c.yy},
	}
	use := columns[:]
	if b.kind == spherical {
		use = use[3:]
	}
	for k := range use {
		f := &use[k]
		col := int(b.iv) + k
		b.note(M, nv, col, f[3], f[4], f[5], f[0], f[1], f[2])
		d.walk(i, col, nv, M, f[3], f[4], f[5], f[0], f[1], f[2])
	}
	if b.parent == 0 {
		return
	}
	p := &d.comp[b.parent]
	e := spatial.Mat3{{l.e[0], l.e[1], l.e[2]}, {l.e[3], l.e[4], l.e[5]}, {l.e[6], l.e[7], l.e[8]}}
	j := spatial.Sym3{XX: c.xx, XY: c.xy, XZ: c.xz, YY: c.yy, YZ: c.yz, ZZ: c.zz}
	j = j.Rotate(e)
	h := e.MulVec(spatial.Vec3{X: x, Y: y, Z: z})
	at := spatial.Vec3{X: l.px, Y: l.py, Z: l.pz}
	s := h.Add(at.Scale(mass))
	p.xx += j.XX + h.X*at.X + at.X*s.X
	p.xy += j.XY + h.X*at.Y + at.X*s.Y
	p.yy += j.YY + h.Y*at.Y + at.Y*s.Y
	p.xz += j.XZ + h.X*at.Z + at.X*s.Z
	p.yz += j.YZ + h.Y*at.Z + at.Y*s.Z
	p.zz += j.ZZ + h.Z*at.Z + at.Z*s.Z
	p.hx += s.X
	p.hy += s.Y
	p.hz += s.Z
	p.mass += mass
}
