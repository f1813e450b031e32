package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// Gravity computes g(q) (N m or N, length NV): the joint forces that hold the robot at rest. q has length NQ.
func Gravity(d *Data, q, g []float64) { RNEA(d, q, d.zero, d.zero, g) }

// BiasForce computes h = C(q, v) v + g(q) (N m or N, length NV): RNEA without acceleration. q has length NQ, v NV.
func BiasForce(d *Data, q, v, h []float64) { RNEA(d, q, v, d.zero, h) }

// CoriolisForce computes C(q, v) v (N m or N, length NV): the centrifugal and Coriolis forces. q has length NQ, v NV.
func CoriolisForce(d *Data, q, v, c []float64) {
	d.setGravity(spatial.Vec3{})
	RNEA(d, q, v, d.zero, c)
	d.setGravity(d.model.gravity)
}

// setGravity lets the world rise against gravity, so that gravity needs no term of its own.
func (d *Data) setGravity(g spatial.Vec3) {
	w := &d.node[0]
	w.ax, w.ay, w.az = -g.X, -g.Y, -g.Z
}

// LinkForce is a force that something outside the robot exerts on a link.
type LinkForce struct {
	Link  int           // index, as from Model.Link
	Ref   Reference     // in which the force is expressed
	Force spatial.Force // N, N m
}

// AddForces adds to tau (N m or N, length NV) the joint forces Jᵀ f of forces on links. So external forces enter any algorithm:
// forward dynamics takes tau + Jᵀ f; inverse dynamics returns tau + Jᵀ f, from which they are subtracted. q has length NQ.
func AddForces(d *Data, q []float64, forces []LinkForce, tau []float64) {
	m := d.model
	want("AddForces", "q", len(q), m.nq)
	want("AddForces", "tau", len(tau), m.nv)
	q = d.fullQ(q)
	for i := range forces {
		f := &forces[i]
		l := &m.links[f.Link]
		var x spatial.Pose
		d.trace(q, l, &x)
		w := f.Force // about the origin of the link, in world axes
		switch f.Ref {
		case Local:
			w = spatial.Force{Linear: x.R.MulVec(w.Linear), Angular: x.R.MulVec(w.Angular)}
		case World:
			w.Angular = w.Angular.Sub(x.P.Cross(w.Linear))
		}
		for _, i := range m.path[l.body] {
			b, c := &m.body[i], &d.chain[i]
			n := w.Angular.Add(x.P.Sub(c.p).Cross(w.Linear))
			for k := range b.kind.nv() {
				lin, ang := b.axis(c, k)
				d.addTo(tau, int(b.iv)+k, lin.Dot(w.Linear)+ang.Dot(n))
			}
		}
	}
}

// addTo adds x to the force of coordinate k of the tree.
func (d *Data) addTo(tau []float64, k int, x float64) {
	if t := d.model.mimic; t != nil {
		x *= t.v[k].scale
		k = int(t.v[k].from)
	}
	tau[k] += x
}
