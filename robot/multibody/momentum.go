package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// subtree is the inertia of a body and everything that hangs on it, in world axes about one point: mass, first moment
// and second moment.
type subtree struct {
	mass float64
	h    spatial.Vec3
	j    spatial.Sym3
}

// COM returns the centre of mass of everything that moves, in m in the world frame; q has length NQ. A robot without mass has none: NaN.
func COM(d *Data, q []float64) spatial.Vec3 {
	FK(d, q)
	m := d.model
	var h spatial.Vec3
	for i := 1; i < len(m.body); i++ {
		b, f := &m.body[i], &d.frame[i]
		h = h.Add(f.p.Scale(b.mass)).Add(f.turn(b.h))
	}
	return h.Scale(1 / m.mass)
}

// COMJacobian computes the Jacobian of the centre of mass, 3×nv row by row: ċ = J v. It returns the centre of mass. q has length NQ.
func COMJacobian(d *Data, q, J []float64) spatial.Vec3 {
	m := d.model
	want("COMJacobian", "J", len(J), 3*m.nv)
	c := COM(d, q)
	d.gather(c)
	clear(J)
	for i := 1; i < len(m.body); i++ {
		b, f, s := &m.body[i], &d.frame[i], &d.sub[i]
		r := s.h.Sub(f.p.Sub(c).Scale(s.mass)) // first moment about the body's origin
		for k := range b.kind.nv() {
			lin, ang := b.axis(f, k)
			x := lin.Scale(s.mass).Add(ang.Cross(r)).Scale(1 / m.mass)
			d.addRow(J, 0, int(b.iv)+k, x)
		}
	}
	return c
}

// CentroidalMatrix computes the centroidal momentum matrix A, 6×nv row by row (Orin and Goswami 2008): A v is the
// momentum of the robot about its centre of mass in world axes, linear part first. It returns the centre of mass. q has length NQ.
func CentroidalMatrix(d *Data, q, A []float64) spatial.Vec3 {
	m := d.model
	want("CentroidalMatrix", "A", len(A), 6*m.nv)
	c := COM(d, q)
	d.gather(c)
	clear(A)
	for i := 1; i < len(m.body); i++ {
		b, f, s := &m.body[i], &d.frame[i], &d.sub[i]
		for k := range b.kind.nv() {
			lin, ang := b.axis(f, k)
			lin = lin.Add(ang.Cross(c.Sub(f.p))) // of the point at the centre of mass
			l, n := s.momentum(lin, ang)
			d.addColumn(A, int(b.iv)+k, l, n)
		}
	}
	return c
}

// CentroidalMomentum returns the momentum of the robot about its centre of mass in world axes: linear m ċ (N s),
// angular (N m s). q has length NQ, v NV.
func CentroidalMomentum(d *Data, q, v []float64) spatial.Force {
	c := COM(d, q)
	FKVelocity(d, q, v)
	m := d.model
	var sum spatial.Force
	for i := 1; i < len(m.body); i++ {
		var s subtree
		d.own(i, c, &s)
		u, w := d.vel[i].Linear, d.vel[i].Angular
		l, n := s.momentum(u.Add(w.Cross(c.Sub(d.frame[i].p))), w)
		sum = sum.Add(spatial.Force{Linear: l, Angular: n})
	}
	return sum
}

// momentum returns the linear and angular momentum of s moving with the velocity u of the point of reference and w.
func (s *subtree) momentum(u, w spatial.Vec3) (lin, ang spatial.Vec3) {
	h, j := s.h, &s.j
	t := j.XX + j.YY + j.ZZ
	return u.Scale(s.mass).Add(w.Cross(h)), h.Cross(u).Add(spatial.Vec3{
		X: (t-j.XX)*w.X - j.XY*w.Y - j.XZ*w.Z,
		Y: (t-j.YY)*w.Y - j.XY*w.X - j.YZ*w.Z,
		Z: (t-j.ZZ)*w.Z - j.XZ*w.X - j.YZ*w.Y,
	})
}

// add adds the inertia s.
func (t *subtree) add(s *subtree) {
	t.mass += s.mass
	t.h = t.h.Add(s.h)
	t.j.XX += s.j.XX
	t.j.XY += s.j.XY
	t.j.XZ += s.j.XZ
	t.j.YY += s.j.YY
	t.j.YZ += s.j.YZ
	t.j.ZZ += s.j.ZZ
}

// own sets s to the inertia of body i alone about the point c, in world axes.
func (d *Data) own(i int, c spatial.Vec3, s *subtree) {
	b, f := &d.model.body[i], &d.frame[i]
	p, h, j := f.p.Sub(c), f.turn(b.h), &b.j
	g := h.Add(p.Scale(b.mass))
	s.mass, s.h = b.mass, g
	// R J Rᵀ + h pᵀ + p gᵀ, with the columns of R J in x, y, z
	x := f.x.Scale(j.XX).Add(f.y.Scale(j.XY)).Add(f.z.Scale(j.XZ))
	y := f.x.Scale(j.XY).Add(f.y.Scale(j.YY)).Add(f.z.Scale(j.YZ))
	z := f.x.Scale(j.XZ).Add(f.y.Scale(j.YZ)).Add(f.z.Scale(j.ZZ))
	s.j.XX = x.X*f.x.X + y.X*f.y.X + z.X*f.z.X + h.X*p.X + p.X*g.X
	s.j.XY = x.X*f.x.Y + y.X*f.y.Y + z.X*f.z.Y + h.X*p.Y + p.X*g.Y
	s.j.XZ = x.X*f.x.Z + y.X*f.y.Z + z.X*f.z.Z + h.X*p.Z + p.X*g.Z
	s.j.YY = x.Y*f.x.Y + y.Y*f.y.Y + z.Y*f.z.Y + h.Y*p.Y + p.Y*g.Y
	s.j.YZ = x.Y*f.x.Z + y.Y*f.y.Z + z.Y*f.z.Z + h.Y*p.Z + p.Y*g.Z
	s.j.ZZ = x.Z*f.x.Z + y.Z*f.y.Z + z.Z*f.z.Z + h.Z*p.Z + p.Z*g.Z
}

// gather computes the inertias of all subtrees about the point c.
func (d *Data) gather(c spatial.Vec3) {
	m := d.model
	for i := 1; i < len(m.body); i++ {
		d.own(i, c, &d.sub[i])
	}
	for i := len(m.body) - 1; i > 0; i-- {
		if p := m.body[i].parent; p > 0 {
			d.sub[p].add(&d.sub[i])
		}
	}
}

// addRow adds x to rows row… of column k (of the tree) of the matrix J.
func (d *Data) addRow(J []float64, row, k int, x spatial.Vec3) {
	if t := d.model.mimic; t != nil {
		x = x.Scale(t.v[k].scale)
		k = int(t.v[k].from)
	}
	n := d.model.nv
	J[row*n+k] += x.X
	J[(row+1)*n+k] += x.Y
	J[(row+2)*n+k] += x.Z
}
