package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Enclosing returns the box, cylinder or ball of the least volume (m³) among those tried that holds all points, with its place in their frame. Boxes and cylinders are
// tried along the axes of the frame, the principal axes and the faces of the convex hull. It fails as [NewHull] does.
func Enclosing(points []spatial.Vec3) (part Part, volume float64, err error) {
	hull, err := NewHull(points)
	if err != nil {
		return Part{}, 0, err
	}
	points = hull.points
	e := enclosing{points: points, volume: math.Inf(1)}
	e.ball()
	e.along(spatial.Identity())
	var mean spatial.Vec3
	for _, p := range points {
		mean = mean.Add(p.Scale(1 / float64(len(points))))
	}
	var moment spatial.Sym3
	for _, p := range points {
		moment = moment.Add(spatial.SymOuter(1, p.Sub(mean)))
	}
	_, principal := moment.Eigen()
	e.along(principal)
	corners, triangles := hullSurface(points)
	seen := map[[2]spatial.Vec3]bool{}
	for _, t := range triangles {
		for i := range 3 {
			x := corners[t[(i+1)%3]].Sub(corners[t[i]])
			n := x.Cross(corners[t[(i+2)%3]].Sub(corners[t[i]]))
			if n.Norm() == 0 || x.Norm() == 0 {
				continue
			}
			x, n = x.Unit(), n.Unit()
			key := [2]spatial.Vec3{rounded4(n), rounded4(x)}
			if !seen[key] && !seen[[2]spatial.Vec3{key[0], rounded4(x.Neg())}] {
				seen[key] = true
				e.along(spatial.FromColumns(x, n.Cross(x), n))
			}
		}
	}
	part.Pose = e.pose
	slack := 1e-9*math.Cbrt(e.volume) + 1e-12 // above the rounding of what writes and reads it
	switch e.kind {
	case Box:
		part.Shape, err = NewBox(e.size.Add(spatial.Vec3{X: slack, Y: slack, Z: slack}))
	case Cylinder:
		part.Shape, err = NewCylinder(e.size.X+slack, e.size.Z+slack)
	default:
		part.Shape, err = NewSphere(e.size.X + slack)
	}
	return part, e.volume, err
}

// rounded4 rounds a unit vector, to find those that are nearly equal.
func rounded4(a spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{X: math.Round(1e4*a.X) + 0, Y: math.Round(1e4*a.Y) + 0, Z: math.Round(1e4*a.Z) + 0}
}

// enclosing is the best shape so far.
type enclosing struct {
	points []spatial.Vec3
	kind   Kind
	size   spatial.Vec3 // of a box its edges; radius and length in X and Z; radius in X
	pose   spatial.Pose
	volume float64
}

func (e *enclosing) keep(kind Kind, volume float64, size spatial.Vec3, pose spatial.Pose) {
	if volume < e.volume {
		e.kind, e.volume, e.size, e.pose = kind, volume, size, pose
	}
}

// ball tries a ball, by steps towards the farthest point (Badoiu and Clarkson 2003).
func (e *enclosing) ball() {
	c := e.points[0]
	radius := 0.0
	for k := range 2000 {
		var far spatial.Vec3
		radius = -1
		for _, p := range e.points {
			if d := p.Sub(c).Norm(); d > radius {
				far, radius = p, d
			}
		}
		if k < 1999 {
			c = c.Add(far.Sub(c).Scale(1 / float64(k+2)))
		}
	}
	e.keep(Sphere, 4*math.Pi/3*radius*radius*radius, spatial.Vec3{X: radius}, spatial.Translation(c))
}

// along tries a box along the columns of r, and a cylinder along each of them.
func (e *enclosing) along(r spatial.Mat3) {
	low, high := spatial.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, spatial.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	turned := make([]spatial.Vec3, len(e.points))
	for i, p := range e.points {
		t := r.TMulVec(p)
		turned[i] = t
		low = spatial.Vec3{X: min(low.X, t.X), Y: min(low.Y, t.Y), Z: min(low.Z, t.Z)}
		high = spatial.Vec3{X: max(high.X, t.X), Y: max(high.Y, t.Y), Z: max(high.Z, t.Z)}
	}
	size, middle := high.Sub(low), low.Lerp(high, 0.5)
	e.keep(Box, size.X*size.Y*size.Z, size, spatial.Pose{R: r, P: r.MulVec(middle)})
	x, y, radius := circleAround(turned)
	e.keep(Cylinder, math.Pi*radius*radius*size.Z, spatial.Vec3{X: radius, Z: size.Z},
		spatial.Pose{R: r, P: r.MulVec(spatial.Vec3{X: x, Y: y, Z: middle.Z})})
}

// circleAround returns the least circle around x and y of points (Welzl 1991, without recursion).
func circleAround(points []spatial.Vec3) (x, y, radius float64) {
	var c [3]float64
	out := func(p spatial.Vec3) bool { return math.Hypot(p.X-c[0], p.Y-c[1]) > c[2]*(1+1e-14)+1e-300 }
	two := func(p, q spatial.Vec3) [3]float64 {
		m := p.Lerp(q, 0.5)
		return [3]float64{m.X, m.Y, max(math.Hypot(p.X-m.X, p.Y-m.Y), math.Hypot(q.X-m.X, q.Y-m.Y))}
	}
	c = [3]float64{points[0].X, points[0].Y, 0}
	for i, p := range points {
		if !out(p) {
			continue
		}
		c = [3]float64{p.X, p.Y, 0}
		for j, q := range points[:i] {
			if !out(q) {
				continue
			}
			c = two(p, q)
			for _, s := range points[:j] {
				if !out(s) {
					continue
				}
				ax, ay, bx, by := q.X-p.X, q.Y-p.Y, s.X-p.X, s.Y-p.Y
				det := 2 * (ax*by - ay*bx)
				if det == 0 {
					continue
				}
				a, b := ax*ax+ay*ay, bx*bx+by*by
				ux, uy := (by*a-ay*b)/det, (ax*b-bx*a)/det
				c = [3]float64{p.X + ux, p.Y + uy, math.Hypot(ux, uy)}
			}
		}
	}
	for _, p := range points { // what rounding left outside
		c[2] = max(c[2], math.Hypot(p.X-c[0], p.Y-c[1]))
	}
	return c[0], c[1], c[2]
}
