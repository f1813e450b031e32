package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// This file has the steps of the articulated-body algorithm for spherical and floating bodies.

// biasQuaternion returns the angular velocity of the body and sets its bias acceleration: that of [body.moveQuaternion]
// without the accelerations of parent and joint.
func (b *body) biasQuaternion(p, l *node, t *articulated, q, v []float64) (wx, wy, wz float64) {
	e := b.setPlacement(l, q)
	u, w := b.velocity(v)
	om := spatial.Vec3{X: p.wx, Y: p.wy, Z: p.wz}
	wp := e.TMulVec(om)
	ang := wp.Cross(w)
	lin := e.TMulVec(om.Cross(om.Cross(spatial.Vec3{X: l.px, Y: l.py, Z: l.pz})))
	w = wp.Add(w)
	lin = lin.Add(wp.Add(w).Cross(u))
	t.u = [6]float64{ang.X, ang.Y, ang.Z, lin.X, lin.Y, lin.Z}
	return w.X, w.Y, w.Z
}

// inertia returns the articulated inertia as a spatial value.
func (t *articulated) inertia() spatial.ArticulatedInertia {
	h := &t.h
	return spatial.ArticulatedInertia{
		Mass:       spatial.Sym3{XX: t.mxx, XY: t.mxy, XZ: t.mxz, YY: t.myy, YZ: t.myz, ZZ: t.mzz},
		Coupling:   spatial.Mat3{{h[0], h[1], h[2]}, {h[3], h[4], h[5]}, {h[6], h[7], h[8]}},
		Rotational: spatial.Sym3{XX: t.ixx, XY: t.ixy, XZ: t.ixz, YY: t.iyy, YZ: t.iyz, ZZ: t.izz},
	}
}

// setInertia inverts inertia.
func (t *articulated) setInertia(a spatial.ArticulatedInertia) {
	i, m, h := &a.Rotational, &a.Mass, &a.Coupling
	t.ixx, t.ixy, t.ixz, t.iyy, t.iyz, t.izz = i.XX, i.XY, i.XZ, i.YY, i.YZ, i.ZZ
	t.mxx, t.mxy, t.mxz, t.myy, t.myz, t.mzz = m.XX, m.XY, m.XZ, m.YY, m.YZ, m.ZZ
	t.h = [9]float64{h[0][0], h[0][1], h[0][2], h[1][0], h[1][1], h[1][2], h[2][0], h[2][1], h[2][2]}
}

// articulateQuaternion shows the parent what a spherical or floating joint lets through: of a floating one only the
// joint force itself, of a spherical one the inertia against translation.
func (b *body) articulateQuaternion(l *node, p, t *articulated, tau []float64) {
	if b.parent == 0 {
		return
	}
	e := spatial.Mat3{{l.e[0], l.e[1], l.e[2]}, {l.e[3], l.e[4], l.e[5]}, {l.e[6], l.e[7], l.e[8]}}
	x := spatial.Pose{R: e, P: spatial.Vec3{X: l.px, Y: l.py, Z: l.pz}}
	lin, ang := b.velocity(tau)
	f := spatial.Force{Linear: lin, Angular: ang}
	if b.kind == spherical {
		a := t.inertia()
		di := a.Rotational.Mat3().Inverse()
		m := a.Mass.Add(spatial.SymOf(a.Coupling.T().Mul(di.Mul(a.Coupling))).Scale(-1))
		rest := ang.Sub(spatial.Vec3{X: t.nx, Y: t.ny, Z: t.nz})
		f.Linear = spatial.Vec3{X: t.fx, Y: t.fy, Z: t.fz}.
			Add(m.MulVec(spatial.Vec3{X: t.u[3], Y: t.u[4], Z: t.u[5]})).
			Add(a.Coupling.TMulVec(di.MulVec(rest)))
		p.setInertia(p.inertia().Add(x.ArticulatedInertia(spatial.ArticulatedInertia{Mass: m})))
	}
	f = x.Force(f)
	p.fx += f.Linear.X
	p.fy += f.Linear.Y
	p.fz += f.Linear.Z
	p.nx += f.Angular.X
	p.ny += f.Angular.Y
	p.nz += f.Angular.Z
}

// accelerateQuaternion solves for the acceleration of the body and subtracts what the parent contributes.
func (b *body) accelerateQuaternion(p, l *node, t *articulated, tau, a []float64) {
	e := spatial.Mat3{{l.e[0], l.e[1], l.e[2]}, {l.e[3], l.e[4], l.e[5]}, {l.e[6], l.e[7], l.e[8]}}
	al := spatial.Vec3{X: p.lx, Y: p.ly, Z: p.lz}
	ac := spatial.Vec3{X: p.ax, Y: p.ay, Z: p.az}.Add(al.Cross(spatial.Vec3{X: l.px, Y: l.py, Z: l.pz}))
	al = e.TMulVec(al).Add(spatial.Vec3{X: t.u[0], Y: t.u[1], Z: t.u[2]})
	ac = e.TMulVec(ac).Add(spatial.Vec3{X: t.u[3], Y: t.u[4], Z: t.u[5]})
	lin, ang := b.velocity(tau)
	n := ang.Sub(spatial.Vec3{X: t.nx, Y: t.ny, Z: t.nz})
	k := b.iv
	var w, u spatial.Vec3
	if b.kind == spherical {
		art := t.inertia()
		u = ac
		w = art.Rotational.Mat3().Inverse().MulVec(n.Sub(art.Coupling.MulVec(u)))
	} else {
		f := lin.Sub(spatial.Vec3{X: t.fx, Y: t.fy, Z: t.fz})
		w, u = t.solve(n, f)
		du := u.Sub(ac)
		a[k], a[k+1], a[k+2] = du.X, du.Y, du.Z
		k += 3
	}
	dw := w.Sub(al)
	a[k], a[k+1], a[k+2] = dw.X, dw.Y, dw.Z
	l.ax, l.ay, l.az = u.X, u.Y, u.Z
	l.lx, l.ly, l.lz = w.X, w.Y, w.Z
}

// solve returns the angular and linear acceleration that moment n and force f cause, by the decomposition L D Lᵀ of
// the 6×6 articulated inertia.
func (t *articulated) solve(n, f spatial.Vec3) (w, u spatial.Vec3) {
	h := &t.h
	s := [6][6]float64{
		{t.ixx},
		{t.ixy, t.iyy},
		{t.ixz, t.iyz, t.izz},
		{h[0], h[3], h[6], t.mxx},
		{h[1], h[4], h[7], t.mxy, t.myy},
		{h[2], h[5], h[8], t.mxz, t.myz, t.mzz},
	}
	x := [6]float64{n.X, n.Y, n.Z, f.X, f.Y, f.Z}
	for k := range s {
		row := &s[k]
		for j := range k {
			y := row[j] // becomes L D, then L
			for i := range j {
				y -= row[i] * s[j][i]
			}
			row[j] = y
		}
		for j := range k {
			y := row[j]
			row[j] = y / s[j][j]
			row[k] -= y * row[j]
			x[k] -= row[j] * x[j]
		}
	}
	for k := 5; k >= 0; k-- {
		x[k] /= s[k][k]
		for i := k + 1; i < 6; i++ {
			x[k] -= s[i][k] * x[i]
		}
	}
	return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}, spatial.Vec3{X: x[3], Y: x[4], Z: x[5]}
}
