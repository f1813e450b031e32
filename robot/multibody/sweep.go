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
		b, f := &m.body[i], &d.frame[i]
		vp, ap := d.twist[b.parent], d.surge[b.parent]
		r := f.p.Sub(o)
		var sv, sa spatial.Motion // S v, S a
		k0 := int(b.iv)
		if b.kind == revolute {
			s := spatial.Motion{Linear: r.Cross(f.z), Angular: f.z}
			psi := vp.Cross(s)
			c := &d.col[k0]
			c.s, c.psi, c.rate = s, psi, psi.Add(psi)
			c.psi2 = ap.Cross(s).Add(vp.Cross(psi))
			sv, sa = s.Scale(v[k0]), s.Scale(a[k0])
			d.twist[i] = vp.Add(sv)
			d.surge[i] = ap.Add(sa).Add(psi.Scale(v[k0]))
		} else {
			n := b.kind.nv()
			for k := range n {
				lin, ang := b.axis(f, k)
				s := spatial.Motion{Linear: lin.Add(r.Cross(ang)), Angular: ang}
				c := &d.col[k0+k]
				c.s, c.psi = s, vp.Cross(s)
				c.psi2 = ap.Cross(s).Add(vp.Cross(c.psi))
				sv, sa = sv.Add(s.Scale(v[k0+k])), sa.Add(s.Scale(a[k0+k]))
			}
			vi := vp.Add(sv)
			d.twist[i] = vi
			d.surge[i] = ap.Add(sa).Add(vi.Cross(sv))
			for k := range n {
				c := &d.col[k0+k]
				c.rate = c.psi.Add(vi.Cross(c.s))
			}
		}
		d.load(i, o)
	}
	for i := len(m.body) - 1; i > 0; i-- {
		if p := m.body[i].parent; p > 0 {
			d.swept[p].add(&d.swept[i])
		}
	}
}

// load computes the quantities of body i alone.
func (d *Data) load(i int, o spatial.Vec3) {
	t, v, a := &d.swept[i], d.twist[i], d.surge[i]
	t.subtree = d.own(i, o, true)
	u, w, h, j := v.Linear, v.Angular, t.h, &t.j
	p := t.momentum(u, w)
	t.l = p.Linear
	t.f = t.momentum(a.Linear, a.Angular).Add(v.CrossForce(p))
	k := h.Dot(u)
	t.d = spatial.Mat3{
		{w.Z*j.XY - w.Y*j.XZ - u.X*h.X + k, w.Z*j.YY - w.Y*j.YZ - u.X*h.Y, w.Z*j.YZ - w.Y*j.ZZ - u.X*h.Z},
		{w.X*j.XZ - w.Z*j.XX - u.Y*h.X, w.X*j.YZ - w.Z*j.XY - u.Y*h.Y + k, w.X*j.ZZ - w.Z*j.XZ - u.Y*h.Z},
		{w.Y*j.XX - w.X*j.XY - u.Z*h.X, w.Y*j.XY - w.X*j.YY - u.Z*h.Y, w.Y*j.XZ - w.X*j.YZ - u.Z*h.Z + k},
	}
}

// add adds the subtree s.
func (t *swept) add(s *swept) {
	t.mass += s.mass
	t.h = t.h.Add(s.h)
	t.j = t.j.Add(s.j)
	t.l = t.l.Add(s.l)
	t.f = t.f.Add(s.f)
	for i := range t.d {
		for j := range t.d[i] {
			t.d[i][j] += s.d[i][j]
		}
	}
}

// twoB returns 2B s.
func (t *swept) twoB(s *spatial.Motion) spatial.Force {
	w := s.Angular.Add(s.Angular)
	return spatial.Force{Linear: w.Cross(t.l), Angular: t.d.MulVec(w)}
}

// twoBT returns the angular part of (2B)ᵀ s; its linear part is zero.
func (t *swept) twoBT(s *spatial.Motion) spatial.Vec3 {
	x := t.l.Cross(s.Linear).Add(t.d.TMulVec(s.Angular))
	return x.Add(x)
}
