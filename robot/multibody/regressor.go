package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// ParametersPerJoint is how many inertial parameters the body behind each moving joint has, in the frame of the joint's
// child link: m, m cx, m cy, m cz, and the rotational inertia about the origin Ixx, Ixy, Ixz, Iyy, Iyz, Izz.
const ParametersPerJoint = 10

// Parameters writes the inertial parameters of the model to p, ParametersPerJoint for each of [Model.Joints]. A link
// fixed to the child link of a joint counts with it.
func (m *Model) Parameters(p []float64) {
	want("Parameters", "p", len(p), ParametersPerJoint*len(m.joints))
	for i := range m.joints {
		l := &m.links[m.byLink[m.joints[i].Child]]
		b := &m.body[l.body]
		// the child's frame is only turned against the internal one
		rt := l.place.R.T()
		h := rt.MulVec(b.h)
		s := b.i.Rotate(rt)
		copy(p[i*ParametersPerJoint:], []float64{b.mass, h.X, h.Y, h.Z, s.XX, s.XY, s.XZ, s.YY, s.YZ, s.ZZ})
	}
}

// Regressor computes the matrix Y(q, v, a), nv × ParametersPerJoint·joints row by row, in which RNEA is linear
// (Atkeson, An, Hollerbach 1986):
//
//	RNEA(q, v, a) = Y p + armature · a,   p from [Model.Parameters].
//
// q has length NQ; v and a have NV.
func Regressor(d *Data, q, v, a, Y []float64) {
	m := d.model
	cols := ParametersPerJoint * len(m.joints)
	want("Regressor", "Y", len(Y), m.nv*cols)
	FKAcceleration(d, q, v, a)
	clear(Y)
	for i := range m.joints {
		l := &m.links[m.byLink[m.joints[i].Child]]
		f := &d.frame[l.body]
		r := d.Pose(m.byLink[m.joints[i].Child]).R
		w, al := r.TMulVec(d.vel[l.body].Angular), r.TMulVec(d.acc[l.body].Angular)
		ac := r.TMulVec(d.acc[l.body].Linear.Sub(m.gravity))
		for k, u := range unitForces(w, al, ac) {
			// from the link's axes to those of the world, about the origin of the body
			lin, ang := r.MulVec(u.Linear), r.MulVec(u.Angular)
			for _, n := range m.path[l.body] {
				b, g := &m.body[n], &d.frame[n]
				moment := ang.Add(f.p.Sub(g.p).Cross(lin))
				for c := range b.kind.nv() {
					x, y := b.axis(g, c)
					d.addEntry(Y, cols, int(b.iv)+c, i*ParametersPerJoint+k, x.Dot(lin)+y.Dot(moment))
				}
			}
		}
	}
}

// unitForces returns the forces that a body with angular velocity w, angular acceleration al and acceleration ac of its
// origin (less gravity) needs for a unit of each of its inertial parameters.
func unitForces(w, al, ac spatial.Vec3) (u [ParametersPerJoint]spatial.Force) {
	u[0].Linear = ac
	axes := [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	for k, e := range axes {
		u[1+k] = spatial.Force{Linear: al.Cross(e).Add(w.Cross(w.Cross(e))), Angular: e.Cross(ac)}
	}
	for k, s := range [6]spatial.Sym3{{XX: 1}, {XY: 1}, {XZ: 1}, {YY: 1}, {YZ: 1}, {ZZ: 1}} {
		u[4+k].Angular = s.MulVec(al).Add(w.Cross(s.MulVec(w)))
	}
	return u
}

// addEntry adds x to the entry of row k (of the tree) and column c of a matrix with that many columns.
func (d *Data) addEntry(Y []float64, cols, k, c int, x float64) {
	if t := d.model.mimic; t != nil {
		x *= t.v[k].scale
		k = int(t.v[k].from)
	}
	Y[k*cols+c] += x
}
