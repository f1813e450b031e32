package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// broad finds the checked pairs of bodies that may be near each other. Bodies that rest stand in a tree of balls, which each body that moves
// descends: a scene of a thousand obstacles costs little more than one of ten.
type broad struct {
	direct [][2]int32 // pairs without the tree: both move, or the one that rests has no end
	nodes  []node
	order  []int32 // the bodies in the leaves
	moving []mover
}

// node is a ball around bodies. The nodes below it follow it, and then comes the node after.
type node struct {
	ball        scene.Ball
	after       int32
	first, last int32 // its bodies in the order of the leaves; empty above the leaves
}

// mover is a body that moves, with the bodies of the tree that it is checked against, as bits in the order of the leaves.
type mover struct {
	body    int32
	checked []uint64
}

const leafBodies = 4 // of a leaf, at most

// newBroad returns the broad phase of a scene. The balls are those of its bodies where they rest.
func newBroad(s *scene.Scene, bodies []body) *broad {
	b := &broad{}
	for i := range bodies {
		if bodies[i].rests && !math.IsInf(bodies[i].ball.Radius, 1) {
			b.order = append(b.order, int32(i))
		}
	}
	if len(b.order) > 0 {
		b.grow(bodies, 0, len(b.order))
	}
	inTree := func(i int) bool { return bodies[i].rests && !math.IsInf(bodies[i].ball.Radius, 1) }
	for i := range bodies {
		for j := range i {
			if !inTree(i) && !inTree(j) && s.Checked(j, i) {
				b.direct = append(b.direct, [2]int32{int32(j), int32(i)})
			}
		}
		if bodies[i].rests || len(b.order) == 0 {
			continue
		}
		m := mover{body: int32(i), checked: make([]uint64, (len(b.order)+63)/64)}
		for k, j := range b.order {
			if s.Checked(i, int(j)) {
				m.checked[k/64] |= 1 << (k % 64)
			}
		}
		b.moving = append(b.moving, m)
	}
	return b
}

// grow appends the subtree of the bodies from first to last: halves along the longest side of their centers.
func (b *broad) grow(bodies []body, first, last int) {
	part := b.order[first:last]
	var balls []scene.Ball
	low, high := bodies[part[0]].center, bodies[part[0]].center
	for _, i := range part {
		c := bodies[i].center
		balls = append(balls, scene.Ball{Center: c, Radius: bodies[i].ball.Radius})
		low = spatial.Vec3{X: min(low.X, c.X), Y: min(low.Y, c.Y), Z: min(low.Z, c.Z)}
		high = spatial.Vec3{X: max(high.X, c.X), Y: max(high.Y, c.Y), Z: max(high.Z, c.Z)}
	}
	n := len(b.nodes)
	b.nodes = append(b.nodes, node{ball: scene.EnclosingBalls(balls)})
	if len(part) <= leafBodies {
		b.nodes[n].first, b.nodes[n].last = int32(first), int32(last)
	} else {
		side := high.Sub(low)
		along := func(v spatial.Vec3) float64 { return v.X }
		if side.Y > max(side.X, side.Z) {
			along = func(v spatial.Vec3) float64 { return v.Y }
		} else if side.Z > side.X {
			along = func(v spatial.Vec3) float64 { return v.Z }
		}
		slices.SortFunc(part, func(i, j int32) int { return cmp.Compare(along(bodies[i].center), along(bodies[j].center)) })
		middle := (first + last) / 2
		b.grow(bodies, first, middle)
		b.grow(bodies, middle, last)
	}
	b.nodes[n].after = int32(len(b.nodes))
}

// never is a limit below every distance: it ends [Engine.near].
var never = math.Inf(-1)

// near calls visit for the checked pairs of bodies that may be no farther apart than limit, with their parts placed; visit returns the limit from then on.
func (e *Engine) near(limit float64, visit func(a, b *body) (float64, error)) (err error) {
	for _, p := range e.broad.direct {
		if a, b := &e.bodies[p[0]], &e.bodies[p[1]]; beyond(a.center, a.ball.Radius, b.center, b.ball.Radius, limit) {
			continue
		}
		if limit, err = visit(e.body(p[0]), e.body(p[1])); err != nil || limit == never {
			return err
		}
	}
	for m := range e.broad.moving {
		mover := &e.broad.moving[m]
		x := &e.bodies[mover.body]
		for n := int32(0); n < int32(len(e.broad.nodes)); {
			at := &e.broad.nodes[n]
			if beyond(x.center, x.ball.Radius, at.ball.Center, at.ball.Radius, limit) {
				n = at.after
				continue
			}
			n++
			for k := at.first; k < at.last; k++ {
				j := e.broad.order[k]
				y := &e.bodies[j]
				if mover.checked[k/64]&(1<<(k%64)) == 0 || beyond(x.center, x.ball.Radius, y.center, y.ball.Radius, limit) {
					continue
				}
				if limit, err = visit(e.body(min(j, mover.body)), e.body(max(j, mover.body))); err != nil || limit == never {
					return err
				}
			}
		}
	}
	return nil
}

// beyond reports whether things in these balls are farther apart than limit.
func beyond(a spatial.Vec3, ra float64, b spatial.Vec3, rb, limit float64) bool {
	x, y, z, r := a.X-b.X, a.Y-b.Y, a.Z-b.Z, ra+rb+limit
	return r < 0 || x*x+y*y+z*z > r*r
}
