package geometry

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ErrRay refuses a ray without direction or with a number that is not finite or beyond [Limit].
var ErrRay = errors.New("geometry: cast a ray: the origin, the direction or the length is not finite, or the direction is zero; check where the ray comes from")

// Ray is a segment in the world, which begins at a point and has a direction.
type Ray struct {
	Origin    spatial.Vec3 // m; each coordinate at most [Limit] from 0
	Direction spatial.Vec3 // of any length but zero; it need not be a unit vector
	Length    float64      // m, from 0 to [Limit]
}

// Check returns [ErrRay] for a ray that is refused.
func (r *Ray) Check() error {
	o, n := r.Origin, r.Direction.Norm()
	if !(max(math.Abs(o.X), math.Abs(o.Y), math.Abs(o.Z)) <= Limit && n > 0 && n <= math.MaxFloat64 && r.Length >= 0 && r.Length <= Limit) {
		return ErrRay
	}
	return nil
}

// RayHit is where a ray meets a shape first, in the world.
type RayHit struct {
	Distance float64      // from the origin of the ray, m; 0 if it begins inside
	Point    spatial.Vec3 // m
	Normal   spatial.Vec3 // outer unit normal of the shape, against the ray for a triangle of a mesh
}

// raySteps bounds the advances along a ray; a ray that grazes a curved surface needs about thirty.
const raySteps = 100

// Raycast returns where a ray meets the shape first; ok is false if it does not. Spheres, boxes, planes and the triangles of meshes have closed
// forms; for all others the ray advances to the plane through the nearest point of the shape until it is there (van den Bergen 2004, Ray Casting against
// General Convex Objects). The error is [ErrPose] or [ErrRay].
func (q *Query) Raycast(s *Shape, pose *spatial.Pose, ray Ray) (hit RayHit, ok bool, err error) {
	if !valid(pose) {
		return RayHit{}, false, ErrPose
	}
	if err := ray.Check(); err != nil {
		return RayHit{}, false, err
	}
	o, n := ray.Origin, ray.Direction.Norm()
	d := pose.R.TMulVec(ray.Direction).Unit()
	t, normal, ok := q.ray(s, into(pose, o), d, ray.Length, s.round)
	if !ok {
		return RayHit{}, false, nil
	}
	return RayHit{t, o.Add(ray.Direction.Scale(t / n)), pose.R.MulVec(normal)}, true, nil
}

// ray is Raycast in the frame of the shape, for its core with a ball of radius round.
func (q *Query) ray(s *Shape, o, d spatial.Vec3, length, round float64) (t float64, n spatial.Vec3, ok bool) {
	switch {
	case s.tree != nil:
		return q.rayTree(s, o, d, length, round)
	case s.kind == Plane:
		h := o.Z - round
		if h <= 0 {
			return 0, spatial.Vec3{Z: 1}, true
		}
		if !(d.Z < 0) || h > -d.Z*length {
			return 0, n, false
		}
		return h / -d.Z, spatial.Vec3{Z: 1}, true
	case s.kind == Sphere:
		return raySphere(o, d, length, round)
	case s.kind == Box && round == 0:
		return rayBox(o, d, length, s.half)
	case s.kind == piece && len(s.points) == 3 && round == 0:
		return rayTriangle(o, d, length, s.points)
	}
	// a bounding ball saves rays that miss; it begins the advance where they enter it
	r := s.reach + round
	t, _, ok = raySphere(o, d, length, r)
	if !ok {
		return 0, n, false
	}
	tiny := 1e-12*r + 1e-15*length
	for range raySteps {
		x := o.Add(d.Scale(t))
		f := frame{spatial.Vec3{X: 1}, spatial.Vec3{Y: 1}, spatial.Vec3{Z: 1}, x.Neg()}
		g, _ := q.pair(&q.point, s, &f, math.Inf(1), nil)
		gap := g.d - round
		if gap <= tiny {
			if n == (spatial.Vec3{}) {
				n = g.n.Neg()
			}
			return t, n, true // the plane of the last advance, which rounding has not turned
		}
		closing := g.n.Dot(d)
		if closing <= 0 {
			return 0, n, false
		}
		n = g.n.Neg()
		if t += gap / closing; t > length {
			return 0, n, false
		}
	}
	return 0, n, false // it grazes
}

func raySphere(o, d spatial.Vec3, length, r float64) (t float64, n spatial.Vec3, ok bool) {
	b := -o.Dot(d)            // to the point nearest to the centre
	near := o.Add(d.Scale(b)) // which keeps its digits for far origins
	c := r*r - near.Dot(near) // half the chord, squared
	if o.Dot(o) <= r*r {
		if n = o.Unit(); n == (spatial.Vec3{}) {
			n = d.Neg()
		}
		return 0, n, true
	}
	if c < 0 || b < 0 {
		return 0, n, false
	}
	if t = max(b-math.Sqrt(c), 0); t > length {
		return 0, n, false
	}
	return t, o.Add(d.Scale(t)).Unit(), true
}

// rayBox intersects the stretches of the ray within the three slabs of the box.
func rayBox(o, d spatial.Vec3, length float64, h spatial.Vec3) (t float64, n spatial.Vec3, ok bool) {
	low, high, axis := 0.0, length, -1
	for i := range 3 {
		x, v, s := o.X, d.X, h.X
		switch i {
		case 1:
			x, v, s = o.Y, d.Y, h.Y
		case 2:
			x, v, s = o.Z, d.Z, h.Z
		}
		if v == 0 {
			if math.Abs(x) > s {
				return 0, n, false
			}
			continue
		}
		t0, t1 := (-s-x)/v, (s-x)/v
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		if t0 > low {
			low, axis = t0, i
		}
		high = min(high, t1)
	}
	if low > high {
		return 0, n, false
	}
	switch axis {
	case 0:
		n.X = -math.Copysign(1, d.X)
	case 1:
		n.Y = -math.Copysign(1, d.Y)
	case 2:
		n.Z = -math.Copysign(1, d.Z)
	default:
		return 0, pointBox(o, h).n.Neg(), true
	}
	return low, n, true
}

// rayTriangle follows Möller and Trumbore (1997); both sides count.
func rayTriangle(o, d spatial.Vec3, length float64, c []spatial.Vec3) (t float64, n spatial.Vec3, ok bool) {
	e, g := c[1].Sub(c[0]), c[2].Sub(c[0])
	p := d.Cross(g)
	det := e.Dot(p)
	if det == 0 {
		return 0, n, false
	}
	k := 1 / det
	s := o.Sub(c[0])
	u := k * s.Dot(p)
	x := s.Cross(e)
	v := k * d.Dot(x)
	t = k * g.Dot(x)
	if !(u >= 0 && v >= 0 && u+v <= 1 && t >= 0 && t <= length) {
		return 0, n, false
	}
	if n = e.Cross(g).Unit(); n.Dot(d) > 0 {
		n = n.Neg()
	}
	return t, n, true
}

// rayTree visits the boxes that the ray enters, the nearer first.
func (q *Query) rayTree(s *Shape, o, d spatial.Vec3, length, round float64) (best float64, n spatial.Vec3, ok bool) {
	type entered struct {
		node int32
		at   float64
	}
	var stack [treeStack]entered
	grown := spatial.Vec3{X: round, Y: round, Z: round}
	nodes := s.tree.nodes
	enter := func(i int32) (entered, bool) {
		t, _, ok := rayBox(o.Sub(nodes[i].c), d, best, nodes[i].h.Scale(1+1e-12).Add(grown))
		return entered{i, t}, ok
	}
	best = length
	top := 0
	if e, in := enter(0); in {
		stack[0], top = e, 1
	}
	for top > 0 {
		top--
		e := stack[top]
		if e.at > best {
			continue
		}
		x := &nodes[e.node]
		if x.left >= 0 {
			l, inL := enter(x.left)
			r, inR := enter(x.left + 1)
			if inL && inR && l.at < r.at {
				l, r = r, l
			}
			if inL {
				stack[top] = l
				top++
			}
			if inR {
				stack[top] = r
				top++
			}
			continue
		}
		for i := x.first; i < x.first+x.count; i++ {
			p, f := q.piece(s, i, 0)
			po, pd, pr := o, d, round
			if f != nil {
				po, pd, pr = f.back(o.Sub(f.p)), f.back(d), round+p.round
			}
			if t, pn, hit := q.ray(p, po, pd, best, pr); hit && (t < best || !ok) {
				if best, n, ok = t, pn, true; f != nil {
					n = f.turn(pn)
				}
			}
		}
	}
	return best, n, ok
}
