package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// subtree is the inertia of a body and everything that hangs on it, in world axes about one point: mass, first moment
// and second moment.
type subtree struct {
	mass float64
	h    spatial.Vec3
	j    spatial.Sym3
}

// COM returns the centre of mass of everything that moves, in the world frame. A robot without mass has none: NaN.
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

// COMJacobian computes the Jacobian of the centre of mass, 3×nv row by row: ċ = J v. It returns the centre of mass.
func COMJacobian(d *Data, q, J []float64) spatial.Vec3 {
	m := d.model
	want("COMJacobian", "J", len(J), 3*m.nv)
	c := COM(d, q)
	d.gather(c, false)
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
// momentum of the robot about its centre of mass in world axes, linear part first. It returns the centre of mass.
func CentroidalMatrix(d *Data, q, A []float64) spatial.Vec3 {
	m := d.model
	want("CentroidalMatrix", "A", len(A), 6*m.nv)
	c := COM(d, q)
	d.gather(c, true)
	clear(A)
	for i := 1; i < len(m.body); i++ {
		b, f, s := &m.body[i], &d.frame[i], &d.sub[i]
		for k := range b.kind.nv() {
			lin, ang := b.axis(f, k)
			lin = lin.Add(ang.Cross(c.Sub(f.p))) // of the point at the centre of mass
			p := s.momentum(lin, ang)
			d.addRow(A, 0, int(b.iv)+k, p.Linear)
			d.addRow(A, 3, int(b.iv)+k, p.Angular)
		}
	}
	return c
}

// CentroidalMomentum returns the momentum of the robot about its centre of mass in world axes: linear m ċ (N s),
// angular (N m s).
func CentroidalMomentum(d *Data, q, v []float64) spatial.Force {
	c := COM(d, q)
	FKVelocity(d, q, v)
	m := d.model
	var sum spatial.Force
	for i := 1; i < len(m.body); i++ {
		s := d.own(i, c, true)
		u := d.vel[i]
		u.Linear = u.Linear.Add(u.Angular.Cross(c.Sub(d.frame[i].p)))
		sum = sum.Add(s.momentum(u.Linear, u.Angular))
	}
	return sum
}

// momentum returns the momentum of s moving with the velocity lin of the point of reference and ang.
func (s *subtree) momentum(lin, ang spatial.Vec3) spatial.Force {
	return spatial.Force{
		Linear:  lin.Scale(s.mass).Add(ang.Cross(s.h)),
		Angular: s.h.Cross(lin).Add(ang.Scale(s.j.Trace())).Sub(s.j.MulVec(ang)),
	}
}

// own returns the inertia of body i alone about the point c, in world axes; its second moment only if wanted.
func (d *Data) own(i int, c spatial.Vec3, second bool) subtree {
	b, f := &d.model.body[i], &d.frame[i]
	p, h := f.p.Sub(c), f.turn(b.h)
	s := subtree{mass: b.mass, h: h.Add(p.Scale(b.mass))}
	if second {
		s.j = b.j.Rotate(spatial.FromColumns(f.x, f.y, f.z))
		g := s.h
		s.j.XX += h.X*p.X + p.X*g.X
		s.j.XY += h.X*p.Y + p.X*g.Y
		s.j.XZ += h.X*p.Z + p.X*g.Z
		s.j.YY += h.Y*p.Y + p.Y*g.Y
		s.j.YZ += h.Y*p.Z + p.Y*g.Z
		s.j.ZZ += h.Z*p.Z + p.Z*g.Z
	}
	return s
}

// gather computes the inertias of all subtrees about the point c.
func (d *Data) gather(c spatial.Vec3, second bool) {
	m := d.model
	for i := 1; i < len(m.body); i++ {
		d.sub[i] = d.own(i, c, second)
	}
	for i := len(m.body) - 1; i > 0; i-- {
		s, p := &d.sub[i], &d.sub[m.body[i].parent]
		p.mass += s.mass
		p.h = p.h.Add(s.h)
		if second {
			p.j = p.j.Add(s.j)
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
