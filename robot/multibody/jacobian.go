package multibody

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Reference defines how motion vectors of a link are expressed.
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
// It returns the pose of the link in the world, which comes out on the way. q has length NQ.
func Jacobian(d *Data, q []float64, link int, ref Reference, J []float64) (pose spatial.Pose) {
	m := d.model
	want("Jacobian", "q", len(q), m.nq)
	want("Jacobian", "J", len(J), 6*m.nv)
	l := &m.links[link]
	clear(J)
	d.trace(d.fullQ(q), l, &pose)
	at := pose.P
	if ref == World {
		at = spatial.Vec3{}
	}
	for _, i := range m.path[l.body] {
		b, f := &m.body[i], &d.chain[i]
		if b.kind == revolute && ref != Local && m.mimic == nil { // the common case
			z := f.z
			v := z.Cross(at.Sub(f.p))
			k, n := int(b.iv), m.nv
			s := J[k : k+5*n+1]
			s[0], s[n], s[2*n], s[3*n], s[4*n], s[5*n] = v.X, v.Y, v.Z, z.X, z.Y, z.Z
			continue
		}
		for k := range b.kind.nv() {
			lin, ang := b.axis(f, k)
			lin = lin.Add(ang.Cross(at.Sub(f.p)))
			if ref == Local {
				lin, ang = pose.R.TMulVec(lin), pose.R.TMulVec(ang)
			}
			d.addColumn(J, int(b.iv)+k, lin, ang)
		}
	}
	return pose
}

// trace computes the frames along the path to a link and the link's pose.
func (d *Data) trace(q []float64, l *modelLink, pose *spatial.Pose) {
	m := d.model
	d.setAngles(q, &m.turns[l.body])
	for _, i := range m.path[l.body] {
		b := &m.body[i]
		b.step(&d.chain[b.parent], &d.chain[i], &d.node[i], q)
	}
	d.chain[l.body].place(&l.place, pose)
}

// String returns "local", "world" or "mixed".
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
