package multibody

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Reference tells how motion vectors of a link are expressed.
type Reference uint8

const (
	Local Reference = iota // at the origin of the link, in the axes of the link
	World                  // at the origin of the world, in the axes of the world
	Mixed                  // at the origin of the link, in the axes of the world
)

// Jacobian computes the geometric Jacobian J of a link, 6×nv row by row: rows 0–2 linear, rows 3–5 angular velocity,
//
//	(v, ω) = J(q) v.
//
// It returns the pose of the link in the world, which comes out on the way.
func Jacobian(d *Data, q []float64, link int, ref Reference, J []float64) spatial.Pose {
	m := d.model
	want("Jacobian", "q", len(q), m.nq)
	want("Jacobian", "J", len(J), 6*m.nv)
	l := &m.links[link]
	clear(J)
	pose := d.trace(d.fullQ(q), l)
	c := columns{J: J, nv: m.nv, ref: ref, pose: pose}
	c.at = pose.P
	if ref == World {
		c.at = spatial.Vec3{}
	}
	if ref == Mixed && m.mimic == nil {
		d.mixed(m.path[l.body], &c)
		return pose
	}
	for _, i := range m.path[l.body] {
		d.column(int(i), &c)
	}
	return pose
}

// trace computes the frames along the path to a link and returns the link's pose.
func (d *Data) trace(q []float64, l *modelLink) spatial.Pose {
	m := d.model
	for _, i := range m.path[l.body] {
		b, n := &m.body[i], &d.node[i]
		if b.kind == revolute || b.kind == helical {
			n.s, n.c = sincos(q[b.iq] + b.gamma)
		}
		b.step(&d.chain[b.parent], &d.chain[i], n, q)
	}
	return d.chain[l.body].place(&l.place)
}

// mixed writes the columns of a path for Reference Mixed.
func (d *Data) mixed(path []int32, c *columns) {
	m := d.model
	J, nv, at := c.J, m.nv, c.at
	for _, i := range path {
		b, f := &m.body[i], &d.chain[i]
		k := int(b.iv)
		if b.kind != revolute {
			d.column(int(i), c)
			continue
		}
		z := f.z
		v := z.Cross(at.Sub(f.p))
		s := J[k : k+5*nv+1]
		s[0], s[nv], s[2*nv], s[3*nv], s[4*nv], s[5*nv] = v.X, v.Y, v.Z, z.X, z.Y, z.Z
	}
}

// columns is where the columns of a Jacobian go.
type columns struct {
	J    []float64
	nv   int
	ref  Reference
	at   spatial.Vec3 // the point whose velocity is wanted, in the world
	pose spatial.Pose
}

// column writes the columns of one body.
func (d *Data) column(i int, c *columns) {
	b, f := &d.model.body[i], &d.chain[i]
	for k := range b.kind.nv() {
		lin, ang := b.axis(f, k)
		lin = lin.Add(ang.Cross(c.at.Sub(f.p)))
		if c.ref == Local {
			lin, ang = c.pose.R.TMulVec(lin), c.pose.R.TMulVec(ang)
		}
		d.addColumn(c.J, int(b.iv)+k, spatial.Motion{Linear: lin, Angular: ang})
	}
}

func (r Reference) String() string {
	switch r {
	case Local:
		return "local"
	case World:
		return "world"
	case Mixed:
		return "mixed"
	}
	return fmt.Sprintf("Reference(%d)", uint8(r))
}
