package planning

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// explorer finds a tunnel of free spheres between two points of the workspace, by wavefront expansion (Brock and Kavraki 2001): each sphere is as
// large as its distance to the obstacles allows, its successors have their centers on its surface, and the one nearest to the goal is next, where
// wide ones count as nearer. Obstacles
// are the bodies that rest; the robot itself is none.
type explorer struct {
	radius float64         // least one of a sphere
	extent float64         // of the hand
	region geometry.Bounds // of the centers; no sphere is larger than its diagonal

	scene     *scene.Scene // whose obstacles these are
	obstacles []obstacle
	query     geometry.Query
	point     *geometry.Shape
	source    space.Uniform

	spheres []scene.Ball
	parent  []int32
	queue   []candidate // heap, the best first
	tunnel  []scene.Ball
}

// obstacle is a part of a body that rests.
type obstacle struct {
	shape *geometry.Shape
	pose  spatial.Pose
	ball  scene.Ball
}

// candidate is a sphere that may be added.
type candidate struct {
	scene.Ball
	parent int32
	left   float64 // distance to the goal, less what the width of the sphere counts
}

const (
	mostSpheres    = 2000
	mostCandidates = 20_000 // more are dropped
	directions     = 32     // in which a sphere gets successors
)

func newExplorer() (*explorer, error) {
	point, err := geometry.NewSphere(0)
	return &explorer{
		point: point, spheres: make([]scene.Ball, 0, mostSpheres), parent: make([]int32, 0, mostSpheres), queue: make([]candidate, 0, mostCandidates),
		tunnel: make([]scene.Ball, 0, mostSpheres),
	}, err
}

// use takes the obstacles of a scene. It allocates only if the scene is another one than before.
func (x *explorer) use(s *scene.Scene) {
	if x.scene == s {
		return
	}
	x.scene, x.obstacles = s, x.obstacles[:0]
	bodies := s.Bodies()
	for i := range bodies {
		b := &bodies[i]
		for k := range b.Parts {
			p := &b.Parts[k]
			if b.Model < 0 {
				ball := scene.EnclosingBall(p)
				x.obstacles = append(x.obstacles, obstacle{p.Shape, b.Pose.Mul(p.Pose), scene.Ball{Center: b.Pose.Apply(ball.Center), Radius: ball.Radius}})
			}
		}
	}
}

// explore writes the spheres from one point to another to tunnel; neighbours overlap. Without a way, or once stop returns true, the tunnel is empty.
func (x *explorer) explore(from, to spatial.Vec3, seed uint64, stop func() bool) {
	x.source.Reset(seed)
	x.spheres, x.parent, x.queue, x.tunnel = x.spheres[:0], x.parent[:0], x.queue[:0], x.tunnel[:0]
	for x.propose(from, -1, to); len(x.queue) > 0 && len(x.spheres) < mostSpheres && !stop(); {
		next := x.pop()
		if x.covered(next.Center) {
			continue
		}
		i := int32(len(x.spheres))
		x.spheres, x.parent = append(x.spheres, next.Ball), append(x.parent, next.parent)
		if contains(next.Ball, to) {
			x.trace(i)
			return
		}
		for range directions {
			center := next.Center.Add(x.direction().Scale(next.Radius))
			if x.inside(center) && !x.covered(center) {
				x.propose(center, i, to)
			}
		}
	}
}

// trace writes the spheres from the first one to sphere i to tunnel.
func (x *explorer) trace(i int32) {
	for ; i >= 0; i = x.parent[i] {
		x.tunnel = append(x.tunnel, x.spheres[i])
	}
	for i, j := 0, len(x.tunnel)-1; i < j; i, j = i+1, j-1 {
		x.tunnel[i], x.tunnel[j] = x.tunnel[j], x.tunnel[i]
	}
}

// propose makes a candidate of a point, unless its sphere would be too small; the first one may have any size.
func (x *explorer) propose(center spatial.Vec3, parent int32, to spatial.Vec3) {
	r := x.clearance(center)
	if !(r > 0) || parent >= 0 && r < x.radius || len(x.queue) == mostCandidates {
		return
	}
	x.push(candidate{scene.Ball{Center: center, Radius: r}, parent, to.Sub(center).Norm() - r - (width-1)*min(r, x.extent)})
}

// width is how many of its radii a sphere counts as nearer to the end, up to the extent of the hand. At 1 the tunnel takes short ways along walls, where the
// hand does not fit.
const width = 3

// clearance returns the distance from a point to the obstacles, at most the diagonal of the region; 0 in an obstacle or where it has no distance.
func (x *explorer) clearance(p spatial.Vec3) float64 {
	best, at := x.region.Max.Sub(x.region.Min).Norm(), spatial.Translation(p)
	for i := range x.obstacles {
		o := &x.obstacles[i]
		if gap := o.ball.Center.Sub(p).Norm() - o.ball.Radius; gap >= best {
			continue
		}
		c, err := x.query.Distance(x.point, &at, o.shape, &o.pose, nil)
		if err != nil || c.Distance <= 0 {
			return 0
		}
		best = min(best, c.Distance)
	}
	return best
}

// direction returns a random unit vector. It has no part along axes in which the region is thinner than the least sphere, as that of a planar robot.
func (x *explorer) direction() spatial.Vec3 {
	size := x.region.Max.Sub(x.region.Min)
	along := func(size float64) float64 {
		if g := gauss(&x.source); size >= x.radius {
			return g
		}
		return 0
	}
	v := spatial.Vec3{X: along(size.X), Y: along(size.Y), Z: along(size.Z)}
	if n := v.Norm(); n > 0 {
		return v.Scale(1 / n)
	}
	return v
}

// inside reports whether the region has a point.
func (x *explorer) inside(p spatial.Vec3) bool {
	return x.region.Overlaps(geometry.Bounds{Min: p, Max: p}, 0)
}

// covered reports whether a point is in a sphere, not only on its surface.
func (x *explorer) covered(p spatial.Vec3) bool {
	for i := range x.spheres {
		if s := &x.spheres[i]; s.Center.Sub(p).Norm() < s.Radius*(1-1e-9) {
			return true
		}
	}
	return false
}

// contains reports whether a ball contains a point.
func contains(b scene.Ball, p spatial.Vec3) bool { return b.Center.Sub(p).Norm() < b.Radius }

// push adds a candidate to the heap.
func (x *explorer) push(c candidate) {
	i := len(x.queue)
	x.queue = append(x.queue, c)
	for up := (i - 1) / 2; i > 0 && x.queue[i].left < x.queue[up].left; i, up = up, (up-1)/2 {
		x.queue[i], x.queue[up] = x.queue[up], x.queue[i]
	}
}

// pop removes the best candidate from the heap.
func (x *explorer) pop() candidate {
	best, last := x.queue[0], len(x.queue)-1
	x.queue[0] = x.queue[last]
	x.queue = x.queue[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && x.queue[down+1].left < x.queue[down].left {
			down++
		}
		if down >= last || x.queue[i].left <= x.queue[down].left {
			return best
		}
		x.queue[i], x.queue[down] = x.queue[down], x.queue[i]
		i = down
	}
}

// gauss returns a sample of the standard normal distribution (Box and Muller 1958).
func gauss(source *space.Uniform) float64 {
	var u [2]float64
	source.Next(u[:])
	return math.Sqrt(-2*math.Log(1-u[0])) * math.Cos(2*math.Pi*u[1])
}
