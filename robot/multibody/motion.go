package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// FKVelocity computes placement and velocity of every body for the state (q, v).
// [Data.Pose] and [Data.Velocity] then answer for any link. q has length NQ, v NV.
func FKVelocity(d *Data, q, v []float64) {
	m := d.model
	want("FKVelocity", "q", len(q), m.nq)
	want("FKVelocity", "v", len(v), m.nv)
	d.place(d.fullQ(q))
	d.move(d.fullV(v))
}

// FKAcceleration computes placement, velocity and acceleration of every body for the motion (q, v, a).
// [Data.Pose], [Data.Velocity] and [Data.Acceleration] then answer for any link. q has length NQ; v and a have NV.
func FKAcceleration(d *Data, q, v, a []float64) {
	m := d.model
	want("FKAcceleration", "q", len(q), m.nq)
	want("FKAcceleration", "v", len(v), m.nv)
	want("FKAcceleration", "a", len(a), m.nv)
	d.place(d.fullQ(q))
	v = d.fullV(v)
	d.move(v)
	d.speedUp(v, d.fullA(a))
}

// move computes the velocity of each body: of its origin and angular, in world axes.
func (d *Data) move(v []float64) {
	m := d.model
	for i := 1; i < len(m.body); i++ {
		b, f := &m.body[i], &d.frame[i]
		u, w := b.rates(f, v)
		p := d.vel[b.parent]
		d.vel[i] = spatial.Motion{
			Linear:  p.Linear.Add(p.Angular.Cross(f.p.Sub(d.frame[b.parent].p))).Add(u),
			Angular: p.Angular.Add(w),
		}
	}
}

// rates returns the velocity of the body against its parent that the coordinates x (v or a) mean, in world axes.
func (b *body) rates(f *frame, x []float64) (lin, ang spatial.Vec3) {
	switch b.kind {
	case revolute:
		return spatial.Vec3{}, f.z.Scale(x[b.iv])
	case prismatic:
		return f.z.Scale(x[b.iv]), spatial.Vec3{}
	case helical:
		return f.z.Scale(b.pitch * x[b.iv]), f.z.Scale(x[b.iv])
	}
	lin, ang = b.velocity(x)
	return f.turn(lin), f.turn(ang)
}

// turn takes a vector from the axes of the body to those of the world.
func (f *frame) turn(a spatial.Vec3) spatial.Vec3 {
	return f.x.Scale(a.X).Add(f.y.Scale(a.Y)).Add(f.z.Scale(a.Z))
}

// speedUp computes the classical acceleration of the origin of each body and its angular acceleration, in world axes.
func (d *Data) speedUp(v, a []float64) {
	m := d.model
	for i := 1; i < len(m.body); i++ {
		b, f := &m.body[i], &d.frame[i]
		u, w := b.rates(f, v)
		du, dw := b.rates(f, a)
		vel, acc := d.vel[b.parent], d.acc[b.parent]
		r := f.p.Sub(d.frame[b.parent].p)
		wp, own := vel.Angular, d.vel[i].Angular
		// the joint's own velocity u is fixed in the parent (helical, prismatic) or in the body (floating)
		turn := wp
		if b.kind == floating {
			turn = own
		}
		d.acc[i] = spatial.Motion{
			Linear: acc.Linear.Add(acc.Angular.Cross(r)).Add(wp.Cross(wp.Cross(r))).
				Add(wp.Add(turn).Cross(u)).Add(du),
			Angular: acc.Angular.Add(wp.Cross(w)).Add(dw),
		}
	}
}

// Velocity returns the velocity of a link, as of the last [FKVelocity] or [FKAcceleration].
// In Mixed it is the velocity of the link's origin and the angular velocity, both in world axes.
func (d *Data) Velocity(link int, ref Reference) spatial.Motion {
	l := &d.model.links[link]
	m := d.vel[l.body]
	r := d.frame[l.body].turn(l.place.P)
	m.Linear = m.Linear.Add(m.Angular.Cross(r))
	return express(m, d.Pose(link), ref)
}

// express takes a velocity from Mixed to ref; x is the pose of the link.
func express(m spatial.Motion, x spatial.Pose, ref Reference) spatial.Motion {
	switch ref {
	case Local:
		return spatial.Motion{Linear: x.R.TMulVec(m.Linear), Angular: x.R.TMulVec(m.Angular)}
	case World:
		return spatial.Motion{Linear: m.Linear.Add(x.P.Cross(m.Angular)), Angular: m.Angular}
	}
	return m
}

// Acceleration returns the derivative of the components of Velocity(link, ref), as of the last [FKAcceleration].
// That is the spatial acceleration in Local and World, and the classical one of the link's origin in Mixed.
func (d *Data) Acceleration(link int, ref Reference) spatial.Motion {
	l := &d.model.links[link]
	w := d.vel[l.body].Angular
	a := d.acc[l.body]
	r := d.frame[l.body].turn(l.place.P)
	a.Linear = a.Linear.Add(a.Angular.Cross(r)).Add(w.Cross(w.Cross(r)))
	v := d.Velocity(link, Mixed)
	return expressRate(a, v, v, d.Pose(link), ref)
}

// expressRate takes the derivative dm of a Mixed motion vector m of a link to that of the same vector in ref; v is the
// Mixed velocity of the link, x its pose.
func expressRate(dm, m, v spatial.Motion, x spatial.Pose, ref Reference) spatial.Motion {
	switch ref {
	case Local: // d/dt Rᵀ m = Rᵀ (ṁ - ω × m)
		return express(spatial.Motion{
			Linear:  dm.Linear.Sub(v.Angular.Cross(m.Linear)),
			Angular: dm.Angular.Sub(v.Angular.Cross(m.Angular)),
		}, x, Local)
	case World: // d/dt (m_lin + P × m_ang)
		dm = express(dm, x, World)
		dm.Linear = dm.Linear.Add(v.Linear.Cross(m.Angular))
	}
	return dm
}

// JacobianDot computes the time derivative of [Jacobian] at the state (q, v), 6×nv row by row, so that
//
//	Acceleration(link, ref) = J a + J̇ v.
//
// q has length NQ, v NV.
func JacobianDot(d *Data, q, v []float64, link int, ref Reference, dJ []float64) {
	m := d.model
	want("JacobianDot", "dJ", len(dJ), 6*m.nv)
	FKVelocity(d, q, v)
	clear(dJ)
	x, vel := d.Pose(link), d.Velocity(link, Mixed)
	for _, i := range m.path[m.links[link].body] {
		b, f := &m.body[i], &d.frame[i]
		w, p := d.vel[i].Angular, d.vel[i].Linear
		for k := range b.kind.nv() {
			lin, ang := b.axis(f, k)
			// column (lin + ang × r, ang) with r from the body to the link; lin and ang turn with the body
			r, dr := x.P.Sub(f.p), vel.Linear.Sub(p)
			dlin, dang := w.Cross(lin), w.Cross(ang)
			col := spatial.Motion{Linear: lin.Add(ang.Cross(r)), Angular: ang}
			rate := spatial.Motion{Linear: dlin.Add(dang.Cross(r)).Add(ang.Cross(dr)), Angular: dang}
			rate = expressRate(rate, col, vel, x, ref)
			d.addColumn(dJ, int(b.iv)+k, rate.Linear, rate.Angular)
		}
	}
}

// axis returns the velocity of the body's origin and the angular velocity against its parent for a unit rate of its
// coordinate k, in world axes.
func (b *body) axis(f *frame, k int) (lin, ang spatial.Vec3) {
	switch b.kind {
	case revolute:
		return lin, f.z
	case prismatic:
		return f.z, ang
	case helical:
		return f.z.Scale(b.pitch), f.z
	}
	axes := [3]spatial.Vec3{f.x, f.y, f.z}
	if b.kind == floating && k < 3 {
		return axes[k], ang
	}
	return lin, axes[k%3]
}

// addColumn adds the column (lin, ang) for coordinate k of the tree to the 6×nv matrix J.
func (d *Data) addColumn(J []float64, k int, lin, ang spatial.Vec3) {
	d.addRow(J, 0, k, lin)
	d.addRow(J, 3, k, ang)
}
