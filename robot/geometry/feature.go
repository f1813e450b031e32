package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// feature is the face, edge or corner of a core that lies farthest in a direction, as a convex polygon.
type feature struct {
	n int
	p [MaxContacts]spatial.Vec3
}

func (f *feature) add(p spatial.Vec3) {
	f.p[f.n] = p
	f.n++
}

// normal returns the unit normal of a polygon (Newell), zero for an edge.
func (f *feature) normal() (n spatial.Vec3) {
	for i := 2; i < f.n; i++ {
		n = n.Add(f.p[i-1].Sub(f.p[0]).Cross(f.p[i].Sub(f.p[0])))
	}
	return n.Unit()
}

// feature finds the feature of a core in direction d (a unit vector of the shape's frame).
func (s *Shape) feature(d spatial.Vec3, out *feature) {
	h := s.half
	across := math.Hypot(d.X, d.Y)
	switch s.kind {
	case Capsule:
		out.add(spatial.Vec3{Z: -h.Z})
		out.add(spatial.Vec3{Z: h.Z})
	case Box:
		x, y, z := math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)
		for _, k := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			switch {
			case z >= x && z >= y:
				out.add(spatial.Vec3{X: k[0] * h.X, Y: k[1] * h.Y, Z: math.Copysign(h.Z, d.Z)})
			case x >= y:
				out.add(spatial.Vec3{X: math.Copysign(h.X, d.X), Y: k[0] * h.Y, Z: k[1] * h.Z})
			default:
				out.add(spatial.Vec3{X: k[0] * h.X, Y: math.Copysign(h.Y, d.Y), Z: k[1] * h.Z})
			}
		}
	case Cylinder:
		if x, y := radial(d, across); math.Abs(d.Z) < across {
			out.add(spatial.Vec3{X: h.X * x, Y: h.X * y, Z: -h.Z})
			out.add(spatial.Vec3{X: h.X * x, Y: h.X * y, Z: h.Z})
		} else {
			out.rim(h.X, x, y, math.Copysign(h.Z, d.Z))
		}
	case Cone:
		slant := math.Hypot(h.X, 2*h.Z)
		if x, y := radial(d, across); slant > 0 && (across*2*h.Z+d.Z*h.X)/slant > -d.Z {
			out.add(spatial.Vec3{X: h.X * x, Y: h.X * y, Z: -h.Z})
			out.add(spatial.Vec3{Z: h.Z})
		} else {
			out.rim(h.X, x, y, -h.Z)
		}
	case Hull:
		s.hullFeature(d, out)
	default:
		out.add(s.support(d, new(int32)))
	}
}

// radial returns the direction of d across the z axis.
func radial(d spatial.Vec3, across float64) (x, y float64) {
	if across < 1e-9 {
		return 1, 0
	}
	return d.X / across, d.Y / across
}

// rim adds the octagon of a disc with a corner in the direction (x, y).
func (f *feature) rim(radius, x, y, z float64) {
	const k = math.Sqrt2 / 2
	for range 8 {
		f.add(spatial.Vec3{X: radius * x, Y: radius * y, Z: z})
		x, y = k*(x-y), k*(x+y)
	}
}

// A face of a hull consists of the corners within one of these depths below the farthest corner, parts of the hull's reach, if those lie in a plane
// within flatness.
var faceDepths = [...]float64{0.02, 0.002, 1e-9}

const flatness = 1e-3

// hullFeature takes the greatest flat set of corners near the farthest one, and of these the extremes in eight directions across d.
func (s *Shape) hullFeature(d spatial.Vec3, out *feature) {
	x := axisAcross(d)
	y := d.Cross(x)
	top := math.Inf(-1)
	for _, p := range s.points {
		top = max(top, p.Dot(d))
	}
	for _, depth := range faceDepths {
		out.n = 0
		s.extremes(d, x, y, top-depth*s.reach, out)
		n, off := out.normal(), 0.0
		for _, p := range out.p[:out.n] {
			off = max(off, math.Abs(n.Dot(p.Sub(out.p[0]))))
		}
		if off <= flatness*s.reach {
			return
		}
	}
}

// extremes adds the corners at least this high along d that are extreme in eight directions between x and y.
func (s *Shape) extremes(d, x, y spatial.Vec3, least float64, out *feature) {
	const k = math.Sqrt2 / 2
	u, v := math.Cos(0.1), math.Sin(0.1) // off the edges of shapes that are aligned with their frame
	for range 8 {
		dir := x.Scale(u).Add(y.Scale(v))
		var best spatial.Vec3
		most := math.Inf(-1)
		for _, p := range s.points {
			if p.Dot(d) >= least {
				if h := p.Dot(dir); h > most {
					best, most = p, h
				}
			}
		}
		if out.n == 0 || best != out.p[out.n-1] && best != out.p[0] {
			out.add(best)
		}
		u, v = k*(u-v), k*(u+v)
	}
}

// axisAcross returns a unit vector across the unit vector d that changes with d as little as possible.
func axisAcross(d spatial.Vec3) spatial.Vec3 {
	x, y, z := math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)
	switch {
	case x <= y && x <= z:
		return spatial.Vec3{Y: -d.Z, Z: d.Y}.Unit()
	case y <= z:
		return spatial.Vec3{X: d.Z, Z: -d.X}.Unit()
	}
	return spatial.Vec3{X: -d.Y, Y: d.X}.Unit()
}
