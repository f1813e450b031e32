package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// KineticEnergy returns ½ vᵀ M(q) v (J), armatures included. q has length NQ, v NV.
func KineticEnergy(d *Data, q, v []float64) float64 {
	FKVelocity(d, q, v)
	m := d.model
	v = d.fullV(v)
	sum := 0.0
	for i := 1; i < len(m.body); i++ {
		b, f := &m.body[i], &d.frame[i]
		lin, w := f.back(d.vel[i].Linear), f.back(d.vel[i].Angular)
		sum += b.mass*lin.Dot(lin) + 2*lin.Dot(w.Cross(b.h)) + w.Dot(b.i.MulVec(w))
		if b.armature != 0 {
			sum += b.armature * v[b.iv] * v[b.iv]
		}
	}
	return sum / 2
}

// PotentialEnergy returns -m gᵀ c (J), zero when the centre of mass is at the world's origin. q has length NQ.
func PotentialEnergy(d *Data, q []float64) float64 {
	return -d.model.mass * d.model.gravity.Dot(COM(d, q))
}

// back takes a vector from the axes of the world to those of the body.
func (f *frame) back(a spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{X: f.x.Dot(a), Y: f.y.Dot(a), Z: f.z.Dot(a)}
}
