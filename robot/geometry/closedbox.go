package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// boxBoxGap returns the greatest gap (m) between the boxes with half sizes h and g along the axes that can separate them: the three of
// each box and the nine across two of their edges (Gottschalk, Lin and Manocha 1996). f is the frame of the second box in the first.
// It is a lower bound of the distance and, where it is not positive, the depth. It stops at the first gap above limit. axis is 0…2 of
// the first box, 3…5 of the second, 6 + 3i + j across edges i and j.
func boxBoxGap(h, g spatial.Vec3, f *frame, limit float64) (most float64, axis int) {
	const tiny = 1e-14 // keeps parallel edges from counting
	xx, xy, xz := math.Abs(f.x.X), math.Abs(f.x.Y), math.Abs(f.x.Z)
	yx, yy, yz := math.Abs(f.y.X), math.Abs(f.y.Y), math.Abs(f.y.Z)
	zx, zy, zz := math.Abs(f.z.X), math.Abs(f.z.Y), math.Abs(f.z.Z)
	p := f.p
	most = math.Abs(p.X) - (h.X + g.X*xx + g.Y*xy + g.Z*xz)
	if d := math.Abs(p.Y) - (h.Y + g.X*yx + g.Y*yy + g.Z*yz); d > most {
		most, axis = d, 1
	}
	if d := math.Abs(p.Z) - (h.Z + g.X*zx + g.Y*zy + g.Z*zz); d > most {
		most, axis = d, 2
	}
	if most > limit {
		return most, axis
	}
	if d := math.Abs(p.X*f.x.X+p.Y*f.y.X+p.Z*f.z.X) - (g.X + h.X*xx + h.Y*yx + h.Z*zx); d > most {
		most, axis = d, 3
	}
	if d := math.Abs(p.X*f.x.Y+p.Y*f.y.Y+p.Z*f.z.Y) - (g.Y + h.X*xy + h.Y*yy + h.Z*zy); d > most {
		most, axis = d, 4
	}
	if d := math.Abs(p.X*f.x.Z+p.Y*f.y.Z+p.Z*f.z.Z) - (g.Z + h.X*xz + h.Y*yz + h.Z*zz); d > most {
		most, axis = d, 5
	}
	if most > limit {
		return most, axis
	}
	// e_i × column j; its squared length is 1 - R_ij². An edge axis must win clearly, since a face gives better contact points.
	across := func(i int, d, c float64) {
		l := 1 - c*c
		if l < tiny {
			return
		}
		if d > 0 || most < 0 { // a gap is needed as a length
			d /= math.Sqrt(l)
			if d > most+1e-9*math.Abs(most) {
				most, axis = d, i
			}
		}
	}
	across(6, math.Abs(p.Z*f.y.X-p.Y*f.z.X)-(h.Y*zx+h.Z*yx+g.Y*xz+g.Z*xy), f.x.X)
	across(7, math.Abs(p.Z*f.y.Y-p.Y*f.z.Y)-(h.Y*zy+h.Z*yy+g.X*xz+g.Z*xx), f.x.Y)
	across(8, math.Abs(p.Z*f.y.Z-p.Y*f.z.Z)-(h.Y*zz+h.Z*yz+g.X*xy+g.Y*xx), f.x.Z)
	across(9, math.Abs(p.X*f.z.X-p.Z*f.x.X)-(h.X*zx+h.Z*xx+g.Y*yz+g.Z*yy), f.y.X)
	across(10, math.Abs(p.X*f.z.Y-p.Z*f.x.Y)-(h.X*zy+h.Z*xy+g.X*yz+g.Z*yx), f.y.Y)
	across(11, math.Abs(p.X*f.z.Z-p.Z*f.x.Z)-(h.X*zz+h.Z*xz+g.X*yy+g.Y*yx), f.y.Z)
	across(12, math.Abs(p.Y*f.x.X-p.X*f.y.X)-(h.X*yx+h.Y*xx+g.Y*zz+g.Z*zy), f.z.X)
	across(13, math.Abs(p.Y*f.x.Y-p.X*f.y.Y)-(h.X*yy+h.Y*xy+g.X*zz+g.Z*zx), f.z.Y)
	across(14, math.Abs(p.Y*f.x.Z-p.X*f.y.Z)-(h.X*yz+h.Y*xz+g.X*zy+g.Y*zx), f.z.Z)
	return most, axis
}

// boxBoxHit reports whether two boxes overlap, with a lower bound of the distance otherwise. Unlike boxBoxGap it needs
// no root unless an edge separates.
func boxBoxHit(h, g spatial.Vec3, f *frame) (hit bool, bound float64) {
	xx, xy, xz := math.Abs(f.x.X), math.Abs(f.x.Y), math.Abs(f.x.Z)
	yx, yy, yz := math.Abs(f.y.X), math.Abs(f.y.Y), math.Abs(f.y.Z)
	zx, zy, zz := math.Abs(f.z.X), math.Abs(f.z.Y), math.Abs(f.z.Z)
	p := f.p
	d := max(math.Abs(p.X)-(h.X+g.X*xx+g.Y*xy+g.Z*xz), math.Abs(p.Y)-(h.Y+g.X*yx+g.Y*yy+g.Z*yz), math.Abs(p.Z)-(h.Z+g.X*zx+g.Y*zy+g.Z*zz))
	if d > 0 {
		return false, d
	}
	d = max(math.Abs(p.X*f.x.X+p.Y*f.y.X+p.Z*f.z.X)-(g.X+h.X*xx+h.Y*yx+h.Z*zx), math.Abs(p.X*f.x.Y+p.Y*f.y.Y+p.Z*f.z.Y)-(g.Y+h.X*xy+h.Y*yy+h.Z*zy),
		math.Abs(p.X*f.x.Z+p.Y*f.y.Z+p.Z*f.z.Z)-(g.Z+h.X*xz+h.Y*yz+h.Z*zz))
	if d > 0 {
		return false, d
	}
	d = max(
		math.Abs(p.Z*f.y.X-p.Y*f.z.X)-(h.Y*zx+h.Z*yx+g.Y*xz+g.Z*xy), math.Abs(p.Z*f.y.Y-p.Y*f.z.Y)-(h.Y*zy+h.Z*yy+g.X*xz+g.Z*xx),
		math.Abs(p.Z*f.y.Z-p.Y*f.z.Z)-(h.Y*zz+h.Z*yz+g.X*xy+g.Y*xx), math.Abs(p.X*f.z.X-p.Z*f.x.X)-(h.X*zx+h.Z*xx+g.Y*yz+g.Z*yy),
		math.Abs(p.X*f.z.Y-p.Z*f.x.Y)-(h.X*zy+h.Z*xy+g.X*yz+g.Z*yx), math.Abs(p.X*f.z.Z-p.Z*f.x.Z)-(h.X*zz+h.Z*xz+g.X*yy+g.Y*yx),
		math.Abs(p.Y*f.x.X-p.X*f.y.X)-(h.X*yx+h.Y*xx+g.Y*zz+g.Z*zy), math.Abs(p.Y*f.x.Y-p.X*f.y.Y)-(h.X*yy+h.Y*xy+g.X*zz+g.Z*zx),
		math.Abs(p.Y*f.x.Z-p.X*f.y.Z)-(h.X*yz+h.Y*xz+g.X*zy+g.Y*zx))
	// the axes are at most of unit length, so their gaps are lower bounds; rounding lets parallel edges show a gap
	if d > 1e-14*(h.X+h.Y+h.Z+g.X+g.Y+g.Z+math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z)) {
		return false, d
	}
	return true, 0
}

// boxBoxDepth returns the gap of boxes that overlap: the depth along the axis of least overlap, at the points where the boxes touch once
// they are moved apart by it.
func (q *Query) boxBoxDepth(a, b *Shape, f *frame) gap {
	d, n := boxBoxNormal(a, b, f)
	return q.apart(a, b, f, min(d, 0), n)
}

// boxBoxNormal returns the greatest gap of boxBoxGap and its direction from a to b.
func boxBoxNormal(a, b *Shape, f *frame) (d float64, n spatial.Vec3) {
	d, axis := boxBoxGap(a.half, b.half, f, math.Inf(1))
	switch {
	case axis < 3:
		n = [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[axis]
	case axis < 6:
		n = f.column(axis - 3)
	default:
		n = [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[(axis-6)/3].Cross(f.column((axis - 6) % 3)).Unit()
	}
	if n.Dot(f.p) < 0 {
		n = n.Neg()
	}
	return d, n
}

// apart finds witnesses of a known depth and direction: b is moved out until there is a small gap, whose nearest points are those of the contact.
func (q *Query) apart(a, b *Shape, f *frame, d float64, n spatial.Vec3) gap {
	moved := *f
	moved.p = f.p.Add(n.Scale(1e-6*(a.reach+b.reach) - d))
	g, result := q.gjk(a, b, &moved, math.Inf(1), -1, nil)
	if result == overlap {
		g.a = a.support(n, new(int32))
	}
	return gap{d, g.a, g.a.Add(n.Scale(d)), n}
}
