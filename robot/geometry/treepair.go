package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// visit is a pair of nodes that waits, with a lower bound of the distance of what is in them.
type visit struct {
	a, b  int32
	bound float64
}

// treeStack holds the waiting pairs of two trees of at most 2³¹ pieces each: descending a level leaves one behind.
const treeStack = 128

// tie is the part of a distance by which another pair of pieces must be closer to be looked at. Around a nearest corner many triangles have the same distance.
const tie = 1e-12

// turned is a frame with the absolute values of its rotation: the axes of all nodes of two trees have this rotation between them.
type turned struct {
	frame
	ax, ay, az spatial.Vec3 // rows
}

func turnedOf(f *frame) turned {
	return turned{*f, absolute(f.x), absolute(f.y), absolute(f.z)}
}

func absolute(v spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
}

// bound returns a lower bound of the signed distance of what lies in two boxes: the gap along the axes of one box and of the other.
func (f *turned) bound(a, b *node) float64 {
	tx, ty, tz := f.x.Dot(b.c)+f.p.X-a.c.X, f.y.Dot(b.c)+f.p.Y-a.c.Y, f.z.Dot(b.c)+f.p.Z-a.c.Z
	x := math.Abs(tx) - (a.h.X + f.ax.X*b.h.X + f.ax.Y*b.h.Y + f.ax.Z*b.h.Z)
	y := math.Abs(ty) - (a.h.Y + f.ay.X*b.h.X + f.ay.Y*b.h.Y + f.ay.Z*b.h.Z)
	z := math.Abs(tz) - (a.h.Z + f.az.X*b.h.X + f.az.Y*b.h.Y + f.az.Z*b.h.Z)
	u := math.Abs(f.x.X*tx+f.y.X*ty+f.z.X*tz) - (b.h.X + f.ax.X*a.h.X + f.ay.X*a.h.Y + f.az.X*a.h.Z)
	v := math.Abs(f.x.Y*tx+f.y.Y*ty+f.z.Y*tz) - (b.h.Y + f.ax.Y*a.h.X + f.ay.Y*a.h.Y + f.az.Y*a.h.Z)
	w := math.Abs(f.x.Z*tx+f.y.Z*ty+f.z.Z*tz) - (b.h.Z + f.ax.Z*a.h.X + f.ay.Z*a.h.Y + f.az.Z*a.h.Z)
	most := max(x, y, z, u, v, w)
	if most <= 0 {
		return most
	}
	x, y, z, u, v, w = max(x, 0), max(y, 0), max(z, 0), max(u, 0), max(v, 0), max(w, 0)
	return math.Sqrt(max(x*x+y*y+z*z, u*u+v*v+w*w))
}

// planeBound is bound for the half-space z ≤ 0 of the first frame.
func (f *turned) planeBound(b *node) float64 {
	return f.z.Dot(b.c) + f.p.Z - (f.az.X*b.h.X + f.az.Y*b.h.Y + f.az.Z*b.h.Z)
}

// axis is a direction from the first shape to the second, at first between the centres of both, then that of the nearest pair so far. The gap along it is
// a close lower bound for what lies near that pair.
type axis struct {
	known      bool
	a, b       spatial.Vec3 // in the first frame, and the opposite one in the second frame
	absA, absB spatial.Vec3 // of both
	offset     float64      // of the second frame's origin
}

func (x *axis) set(f *frame, n spatial.Vec3) {
	x.known, x.a, x.b, x.offset = true, n, f.back(n.Neg()), n.Dot(f.p)
	x.absA, x.absB = absolute(x.a), absolute(x.b)
}

// bound returns the gap of two nodes along the axis.
func (x *axis) bound(a, b *node) float64 {
	return x.offset - a.farthest(&x.a, &x.absA) - b.farthest(&x.b, &x.absB)
}

// triangles is bound for triangle i of one mesh and j of another one.
func (x *axis) triangles(a, b *tree, i, j int32) float64 {
	return x.offset - a.highest(i, &x.a) - b.highest(j, &x.b)
}

// descend is pair where b has many pieces: it visits the pairs of pieces that may be closer than limit, the nearer first. With first it ends at the first of at most limit.
// If there is none, exact is false and the gap has a lower bound of the distance.
func (q *Query) descend(a, b *Shape, f *frame, limit float64, first bool) (best gap, exact bool) {
	t := turnedOf(f)
	alone := [1]node{}
	nodesA, nodesB := alone[:], b.tree.nodes
	plane := a.kind == Plane
	if a.tree != nil {
		nodesA = a.tree.nodes
	} else if !plane {
		if a.kind == piece {
			a.bounds = boundsOf(a.points)
		}
		alone[0] = a.root()
	} else {
		alone[0].left, alone[0].count = -1, 1
	}
	slotA, slotB := 0, 1
	if a == &q.pieces[1] {
		slotA, slotB = 1, 0
	}
	best.d = limit
	enough := limit // a pair that is farther does not count
	free := math.Inf(1)
	if nodesA[0].count == 0 || nodesB[0].count == 0 { // a cloud without points
		return gap{d: free}, false
	}
	var stack [treeStack]visit
	var along axis
	meshes := a.kind == Mesh && b.kind == Mesh
	bound := func(i, j int32) float64 {
		if plane {
			return t.planeBound(&nodesB[j])
		}
		d := math.Inf(-1)
		if along.known {
			if d = along.bound(&nodesA[i], &nodesB[j]); d > enough {
				return d
			}
		}
		return max(d, t.bound(&nodesA[i], &nodesB[j]))
	}
	if !plane && !first {
		if n := f.point(nodesB[0].c).Sub(nodesA[0].c); n != (spatial.Vec3{}) {
			along.set(f, n.Unit())
		}
	}
	stack[0] = visit{0, 0, bound(0, 0)}
	for n := 1; n > 0; {
		n--
		v := stack[n]
		if along.known {
			v.bound = max(v.bound, along.bound(&nodesA[v.a], &nodesB[v.b]))
		}
		if v.bound > enough {
			free = min(free, v.bound)
			continue
		}
		na, nb := &nodesA[v.a], &nodesB[v.b]
		if na.left < 0 && nb.left < 0 {
			for i := na.first; i < na.first+na.count; i++ {
				for j := nb.first; j < nb.first+nb.count; j++ {
					if meshes && along.known {
						if d := along.triangles(a.tree, b.tree, i, j); d > enough {
							free = min(free, d)
							continue
						}
					}
					g, ok := q.pieceGap(a, b, i, j, slotA, slotB, &t.frame, best.d, first)
					if ok && g.d <= best.d {
						best, exact = g, true
						enough = g.d - tie*math.Abs(g.d)
						if first {
							return best, true
						}
						if !plane && g.d > 0 {
							along.set(&t.frame, g.n)
						}
					} else {
						free = min(free, g.d)
					}
				}
			}
			continue
		}
		x, y := v, v
		if nb.left < 0 || na.left >= 0 && na.h.X+na.h.Y+na.h.Z > nb.h.X+nb.h.Y+nb.h.Z {
			x.a, y.a = na.left, na.left+1
		} else {
			x.b, y.b = nb.left, nb.left+1
		}
		x.bound, y.bound = bound(x.a, x.b), bound(y.a, y.b)
		if x.bound < y.bound {
			x, y = y, x
		}
		// x, the farther one, waits
		if x.bound <= enough {
			stack[n] = x
			n++
		} else {
			free = min(free, x.bound)
		}
		if y.bound <= enough {
			stack[n] = y
			n++
		} else {
			free = min(free, y.bound)
		}
	}
	if !exact {
		return gap{d: free}, false
	}
	return best, true
}

// piece returns piece i of a shape, in a slot of the workspace if it is not a shape of its own, and its frame if it has another one.
func (q *Query) piece(s *Shape, i int32, slot int) (*Shape, *frame) {
	t := s.tree
	if t == nil {
		return s, nil
	}
	if t.parts != nil {
		k := t.order[i]
		return t.parts[k].Shape, &t.frames[k]
	}
	p, c := &q.pieces[slot], &q.corner[slot]
	if t.dots != nil {
		d, f := &t.dots[i], &q.place[slot]
		p.kind, p.round, p.reach, p.bounds = Sphere, d.r, 0, Bounds{}
		*f = frame{spatial.Vec3{X: 1}, spatial.Vec3{Y: 1}, spatial.Vec3{Z: 1}, d.c}
		return p, f
	}
	p.kind, p.round = piece, 0
	if t.field != nil {
		t.field.prism(t.order[i], c)
		p.points = c[:]
	} else {
		at := &t.triangles[i]
		c[0], c[1], c[2] = t.corners[at[0]], t.corners[at[1]], t.corners[at[2]]
		p.points = c[:3]
	}
	p.reach = s.reach
	return p, nil
}

// pieceGap returns the gap of two pieces in the frame of a; ok is false if it is greater than limit and only a lower bound.
func (q *Query) pieceGap(a, b *Shape, i, j int32, slotA, slotB int, f *frame, limit float64, first bool) (g gap, ok bool) {
	sa, fa := q.piece(a, i, slotA)
	sb, fb := q.piece(b, j, slotB)
	var moved frame
	if fb != nil {
		moved = f.then(fb)
		f = &moved
	}
	if fa != nil {
		inverse := fa.inverse()
		moved = inverse.then(f)
		f = &moved
	}
	var ra, rb float64
	if sa != a {
		ra = sa.round
	}
	if sb != b {
		rb = sb.round
	}
	limit += ra + rb
	swapped := sa.kind > sb.kind
	var inverse frame
	if swapped {
		inverse = f.inverse()
		sa, sb = sb, sa
	}
	rel := f
	if swapped {
		rel = &inverse
	}
	if first {
		ok, g.d = q.hit(sa, sb, rel, limit, nil)
		if ok {
			return gap{d: math.Inf(-1)}, true // how deep is not asked
		}
		g.d -= ra + rb
		return g, false
	}
	g, ok = q.pair(sa, sb, rel, limit, nil)
	if !ok {
		g.d -= ra + rb
		return g, false
	}
	if swapped {
		g = g.flipped()
		g = gap{g.d, f.point(g.a), f.point(g.b), f.turn(g.n)}
	}
	g = rounded(g, ra, rb)
	if fa != nil {
		g = gap{g.d, fa.point(g.a), fa.point(g.b), fa.turn(g.n)}
	}
	return g, true
}
