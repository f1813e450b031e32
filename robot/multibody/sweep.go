package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// The derivatives of RNEA and the Coriolis matrix are sums over pairs of joints, one above the other (Singh, Russell,
// Wensing 2022; Echeandia and Wensing 2021). sweep prepares both. Everything is in world axes about one point, the
// origin of the first body, so that subtrees add and nothing has to be carried from frame to frame.

// column holds, for one velocity coordinate k of a body i with parent p, motion vectors with these uses:
// S moves the body, Ṡ = v_i × S, Ψ̇ = v_p × S, Ψ̈ = a_p × S + v_p × Ψ̇. In these a falls with gravity taken off.
type column struct {
	s    spatial.Motion // S
	psi  spatial.Motion // Ψ̇
	psi2 spatial.Motion // Ψ̈
	rate spatial.Motion // Ψ̇ + Ṡ
}

// swept holds, for a subtree, inertia, linear momentum l, force f and the matrix D of the operator
//
//	2B s = (2 s_ω × l, 2 D s_ω),
//
// the velocity dependence 2B = (v×*) I - I (v×) + (I v) ×̄* of Echeandia and Wensing. Written out about a point, with
// first moment h and second moment J, all that is left of its 36 entries is l and D = -[ω]× J - [h]× [v]×.
type swept struct {
	subtree
	l spatial.Vec3
	f spatial.Force
	d spatial.Mat3
}

// sweep computes the columns of the tree's coordinates and the sums over subtrees for the motion (q, v, a) of the tree.
func (d *Data) sweep(q, v, a []float64) {
	m := d.model
	d.place(q)
	if len(m.body) == 1 {
		return
	}
	o := d.frame[1].p
	g := &d.node[0]
	d.twist[0] = spatial.Motion{}
	d.surge[0] = spatial.Motion{Linear: spatial.Vec3{X: g.ax, Y: g.ay, Z: g.az}}
	for i := 1; i < len(m.body); i++ {
		b := &m.body[i]
		if b.kind < spherical {
			d.sweepAxis(i, o, v[b.iv], a[b.iv])
		} else {
			d.sweepAxes(i, o, v, a)
		}
		d.load(i, o)
	}
	for i := len(m.body) - 1; i > 0; i-- {
		if p := m.body[i].parent; p > 0 {
			d.swept[p].add(&d.swept[i])
		}
	}
}

// sweepAxis computes column, velocity and acceleration of a body with a single axis. It works on components because
// the compiler keeps a Vec3 in registers but not a Motion.
func (d *Data) sweepAxis(i int, o spatial.Vec3, v, a float64) {
	b, f := &d.model.body[i], &d.frame[i]
	c := &d.col[b.iv]
	p, pa := &d.twist[b.parent], &d.surge[b.parent]
	w, u := p.Angular, p.Linear
	dw, du := pa.Angular, pa.Linear
	ang := f.z
	lin := f.p.Sub(o).Cross(f.z)
	switch b.kind {
	case prismatic:
		ang, lin = spatial.Vec3{}, f.z
	case helical:
		lin = lin.Add(f.z.Scale(b.pitch))
	}
	psiAng := w.Cross(ang)
	psiLin := w.Cross(lin).Add(u.Cross(ang))
	c.s.Angular, c.s.Linear = ang, lin
	c.psi.Angular, c.psi.Linear = psiAng, psiLin
	c.rate.Angular, c.rate.Linear = psiAng.Add(psiAng), psiLin.Add(psiLin) // S × S = 0, so Ṡ = Ψ̇
	c.psi2.Angular = dw.Cross(ang).Add(w.Cross(psiAng))
	c.psi2.Linear = dw.Cross(lin).Add(du.Cross(ang)).Add(w.Cross(psiLin)).Add(u.Cross(psiAng))
	t, r := &d.twist[i], &d.surge[i]
	t.Angular, t.Linear = w.Add(ang.Scale(v)), u.Add(lin.Scale(v))
	r.Angular = dw.Add(ang.Scale(a)).Add(psiAng.Scale(v))
	r.Linear = du.Add(lin.Scale(a)).Add(psiLin.Scale(v))
}

// sweepAxes does what sweepAxis does for spherical and floating bodies.
func (d *Data) sweepAxes(i int, o spatial.Vec3, v, a []float64) {
	b, f := &d.model.body[i], &d.frame[i]
	vp, ap := d.twist[b.parent], d.surge[b.parent]
	cols := d.col[b.iv:][:b.kind.nv()]
	var sv, sa spatial.Motion // S v, S a
	for k := range cols {
		lin, ang := b.axis(f, k)
		c := &cols[k]
		c.s = spatial.Motion{Linear: lin.Add(f.p.Sub(o).Cross(ang)), Angular: ang}
		c.psi = vp.Cross(c.s)
		c.psi2 = ap.Cross(c.s).Add(vp.Cross(c.psi))
		sv, sa = sv.Add(c.s.Scale(v[int(b.iv)+k])), sa.Add(c.s.Scale(a[int(b.iv)+k]))
	}
	vi := vp.Add(sv)
	d.twist[i] = vi
	d.surge[i] = ap.Add(sa).Add(vi.Cross(sv))
	for k := range cols {
		c := &cols[k]
		c.rate = c.psi.Add(vi.Cross(c.s))
	}
}

// load computes the quantities of body i alone.
func (d *Data) load(i int, o spatial.Vec3) {
	t := &d.swept[i]
	u, w := d.twist[i].Linear, d.twist[i].Angular
	du, dw := d.surge[i].Linear, d.surge[i].Angular
	d.own(i, o, &t.subtree)
	h, j := t.h, &t.j
	l, n := t.momentum(u, w)
	t.l = l
	fl, fn := t.momentum(du, dw)
	t.f.Linear = fl.Add(w.Cross(l))
	t.f.Angular = fn.Add(w.Cross(n)).Add(u.Cross(l))
	k := h.Dot(u)
	t.d = spatial.Mat3{
		{w.Z*j.XY - w.Y*j.XZ - u.X*h.X + k, w.Z*j.YY - w.Y*j.YZ - u.X*h.Y, w.Z*j.YZ - w.Y*j.ZZ - u.X*h.Z},
		{w.X*j.XZ - w.Z*j.XX - u.Y*h.X, w.X*j.YZ - w.Z*j.XY - u.Y*h.Y + k, w.X*j.ZZ - w.Z*j.XZ - u.Y*h.Z},
		{w.Y*j.XX - w.X*j.XY - u.Z*h.X, w.Y*j.XY - w.X*j.YY - u.Z*h.Y, w.Y*j.XZ - w.X*j.YZ - u.Z*h.Z + k},
	}
}

// add adds the subtree s.
func (t *swept) add(s *swept) {
	t.subtree.add(&s.subtree)
	t.l = t.l.Add(s.l)
	t.f.Linear = t.f.Linear.Add(s.f.Linear)
	t.f.Angular = t.f.Angular.Add(s.f.Angular)
	for i := range t.d {
		t.d[i][0] += s.d[i][0]
		t.d[i][1] += s.d[i][1]
		t.d[i][2] += s.d[i][2]
	}
}

// twoB returns 2B s; of s only the angular part matters.
func (t *swept) twoB(w spatial.Vec3) (lin, ang spatial.Vec3) {
	w = w.Add(w)
	m := &t.d
	return w.Cross(t.l), spatial.Vec3{
		X: m[0][0]*w.X + m[0][1]*w.Y + m[0][2]*w.Z,
		Y: m[1][0]*w.X + m[1][1]*w.Y + m[1][2]*w.Z,
		Z: m[2][0]*w.X + m[2][1]*w.Y + m[2][2]*w.Z,
	}
}

// twoBT returns the angular part of (2B)ᵀ s; its linear part is zero.
func (t *swept) twoBT(lin, w spatial.Vec3) spatial.Vec3 {
	w, lin = w.Add(w), lin.Add(lin)
	m := &t.d
	return t.l.Cross(lin).Add(spatial.Vec3{
		X: m[0][0]*w.X + m[1][0]*w.Y + m[2][0]*w.Z,
		Y: m[0][1]*w.X + m[1][1]*w.Y + m[2][1]*w.Z,
		Z: m[0][2]*w.X + m[1][2]*w.Y + m[2][2]*w.Z,
	})
}
