package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// JointForce returns the force (N) and moment (N m) that the moving joint of a link transmits: the wrench that what carries the link
// exerts on it, as of the last [RNEA], [Gravity] or [BiasForce]. It is what the bearings of the joint bear, and what a sensor of forces and
// torques measures in its place. With the motion subspace S of the joint,
//
//	τ = Sᵀ f + armature · a,
//
// where τ is the force of this joint alone, also where others mimic it (Featherstone 2008, section 5.3). A link that fixed joints join to
// others shares their body and its force, expressed at its own frame; for a link fixed to the world it is the force that holds the whole
// robot. Forces of loop joints and of [AddForces] are not in it.
//
// In Local and Mixed the moment is about the origin of the link, in World about that of the world. Call it before another algorithm uses d.
// It takes time in proportion to the joints between world and link, except in Local.
func (d *Data) JointForce(link int, ref Reference) spatial.Force {
	l := &d.model.links[link]
	n := &d.node[l.body]
	f, moment := spatial.Vec3{X: n.fx, Y: n.fy, Z: n.fz}, spatial.Vec3{X: n.nx, Y: n.ny, Z: n.nz}
	switch ref {
	case Local:
		return l.place.ForceInverse(spatial.Force{Linear: f, Angular: moment})
	case Mixed:
		moment = moment.Sub(l.place.P.Cross(f))
	}
	for i := l.body; i > 0; i = d.model.body[i].parent {
		f, moment = d.toParent(i, f), d.toParent(i, moment)
		if n := &d.node[i]; ref == World {
			moment = moment.Add(spatial.Vec3{X: n.px, Y: n.py, Z: n.pz}.Cross(f))
		}
	}
	return spatial.Force{Linear: f, Angular: moment}
}

// toParent takes a vector from the axes of body i to those of its parent, where the last recursion placed it.
func (d *Data) toParent(i int32, a spatial.Vec3) spatial.Vec3 {
	b, l := &d.model.body[i], &d.node[i]
	if b.kind >= spherical {
		e := &l.e
		return spatial.Vec3{X: e[0]*a.X + e[1]*a.Y + e[2]*a.Z, Y: e[3]*a.X + e[4]*a.Y + e[5]*a.Z, Z: e[6]*a.X + e[7]*a.Y + e[8]*a.Z}
	}
	x, y, z := l.up(a.X, a.Y, a.Z)
	if b.turned {
		x, y = b.out(x, y)
	}
	return spatial.Vec3{X: x, Y: y, Z: z}
}
