package exact

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Between returns the nearest or deepest contact of a body among a with one among b at the configuration q, whether the pair is checked or not. Bodies are
// given by their indices: [scene.Scene.Find] and [scene.Scene.OfModel]. The distance is infinite if there are no two different bodies.
// q has length NQ.
func (e *Engine) Between(q []float64, a, b []int) (scene.Contact, error) {
	best := scene.Contact{Contact: geometry.Contact{Distance: math.Inf(1)}}
	if err := e.place(q); err != nil {
		return best, err
	}
	for _, i := range a {
		for _, j := range b {
			x, y := &e.bodies[i], &e.bodies[j]
			if i == j || gap(x.center, x.ball.Radius, y.center, y.ball.Radius) >= best.Distance {
				continue
			}
			x, y = e.body(int32(i)), e.body(int32(j))
			c, err := e.nearest(x, y, best.Distance)
			if err != nil {
				return best, err
			}
			if c.Distance < best.Distance {
				best = scene.Contact{Pair: scene.Pair{A: x.name, B: y.name}, Contact: c}
			}
		}
	}
	return best, nil
}

// RayHit is where a ray meets a body first.
type RayHit struct {
	Body string
	geometry.RayHit
}

// Raycast returns where a ray meets the first of the bodies at the configuration q; nil means all bodies of the scene. ok is false if it meets none. The error is
// [scene.ErrNotFinite] or [geometry.ErrRay]. q has length NQ.
func (e *Engine) Raycast(q []float64, ray geometry.Ray, bodies []int) (hit RayHit, ok bool, err error) {
	if err := ray.Check(); err != nil {
		return hit, false, err
	}
	if err := e.place(q); err != nil {
		return hit, false, err
	}
	n := len(e.bodies)
	if bodies != nil {
		n = len(bodies)
	}
	for k := range n {
		i := k
		if bodies != nil {
			i = bodies[k]
		}
		if misses(&ray, e.bodies[i].center, e.bodies[i].ball.Radius) {
			continue
		}
		b := e.body(int32(i))
		for j := range b.parts {
			p := &b.parts[j]
			if misses(&ray, p.at, p.ball.Radius) {
				continue
			}
			h, meets, err := e.query.Raycast(p.shape, &p.pose, ray)
			if err != nil {
				return RayHit{}, false, err
			}
			if meets && (!ok || h.Distance < hit.Distance) {
				hit, ok = RayHit{b.name, h}, true
				ray.Length = h.Distance
			}
		}
	}
	return hit, ok, nil
}

// misses reports whether a ray has no point in a ball.
func misses(ray *geometry.Ray, center spatial.Vec3, radius float64) bool {
	to := center.Sub(ray.Origin)
	n := ray.Direction.Norm()
	along := min(max(to.Dot(ray.Direction)/n, 0), ray.Length)
	return to.Sub(ray.Direction.Scale(along/n)).Norm() > radius*(1+1e-12)
}
