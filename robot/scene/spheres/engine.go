package spheres

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Engine answers queries about one scene: the workspace of one goroutine. Contacts and distances are those of the exact engine.
type Engine struct {
	*exact.Engine
	data      []*multibody.Data // of the models
	links     []link
	order     []int32 // of the links: the one that hit last is tested first
	obstacles obstacles
	pairs     [][2]int32 // of links, checked
	block     *block     // nil: no kernels serve the scene
	at        []float64  // configuration on a line

	// The spheres of all links, a coordinate each.
	local struct{ x, y, z, r []float64 } // in the frame of the model's body
	world struct{ x, y, z []float64 }    // in the scene, of links that are placed
}

// link is a body of the scene that is made of spheres: a link of a robot or an object that one carries.
type link struct {
	name         string
	data         *multibody.Data
	model        int
	body         int           // of the model, to which the link is fixed
	base         *spatial.Pose // of the model; nil: the identity
	ball         scene.Ball    // around its spheres, in the frame of the model's body
	center       spatial.Vec3  // of the ball, in the scene
	first, after int32         // its spheres
	placed       bool          // its spheres are where the link is
	reach        scene.Ball    // which its spheres never leave
	near         []int32       // obstacles within reach that it is checked against
}

// New returns an engine for a scene. It fails if a link, or an object that a robot carries, has a shape that is not a sphere; the error lists
// all of them.
func New(s *scene.Scene) (*Engine, error) { return newEngine(s, processor()) }

// newEngine returns an engine that uses the given kernels, which may be none.
func newEngine(s *scene.Scene, k *kernels) (*Engine, error) {
	e := &Engine{Engine: exact.New(s), at: make([]float64, s.NQ())}
	for _, m := range s.Models() {
		e.data = append(e.data, multibody.NewData(m.Model))
	}
	bodies := s.Bodies()
	index := make([]int32, len(bodies)) // of carried bodies among the links
	var wrong []error
	for i := range bodies {
		b := &bodies[i]
		if b.Model < 0 {
			continue
		}
		index[i] = int32(len(e.links))
		if err := e.addLink(s, b); err != nil {
			wrong = append(wrong, err)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	for i := range bodies {
		if bodies[i].Model >= 0 {
			for j := range i {
				if bodies[j].Model >= 0 && s.Checked(j, i) {
					e.pairs = append(e.pairs, [2]int32{index[j], index[i]})
				}
			}
			continue
		}
		added := e.obstacles.add(&bodies[i])
		for j := range bodies {
			if bodies[j].Model < 0 || !s.Checked(j, i) {
				continue
			}
			l := &e.links[index[j]]
			for _, o := range added {
				if e.obstacles.meets(o, l.reach) {
					l.near = append(l.near, o)
				}
			}
		}
	}
	for i := range e.links {
		e.order = append(e.order, int32(i))
	}
	n := len(e.local.r)
	e.world.x, e.world.y, e.world.z = make([]float64, n), make([]float64, n), make([]float64, n)
	if k != nil {
		e.block = newBlock(k, e)
	}
	return e, nil
}

// addLink adds a carried body and its spheres.
func (e *Engine) addLink(s *scene.Scene, b *scene.Body) error {
	m := &s.Models()[b.Model]
	l := link{name: b.Name, model: b.Model, data: e.data[b.Model], first: int32(len(e.local.r))}
	if m.Base != spatial.IdentityPose() {
		l.base = &m.Base
	}
	var frame spatial.Pose
	l.body, frame = m.Model.LinkFrame(b.Link)
	frame = frame.Mul(b.Pose)
	var balls []scene.Ball
	for k := range b.Parts {
		p := &b.Parts[k]
		if kind := p.Shape.Kind(); kind != geometry.Sphere {
			return fmt.Errorf("prepare the sphere engine: %q has a %s; all shapes of links must be spheres, or use the exact engine", b.Name, kind)
		}
		ball := scene.Ball{Center: frame.Apply(p.Pose.P), Radius: p.Shape.Radius()}
		e.local.x, e.local.y, e.local.z = append(e.local.x, ball.Center.X), append(e.local.y, ball.Center.Y), append(e.local.z, ball.Center.Z)
		e.local.r = append(e.local.r, ball.Radius)
		balls = append(balls, ball)
	}
	l.after = int32(len(e.local.r))
	l.ball = scene.EnclosingBalls(balls)
	l.reach = reach(m, l.body, l.ball)
	e.links = append(e.links, l)
	return nil
}

// Name returns "spheres".
func (e *Engine) Name() string { return "spheres" }

// Collide reports whether bodies of a checked pair touch or overlap at the configuration q, and names one such pair. q has length NQ.
func (e *Engine) Collide(q []float64) (pair scene.Pair, hit bool, err error) {
	if n := e.Scene().NQ(); len(q) != n {
		panic(fmt.Sprintf("scene: a configuration has %d coordinates, want %d", len(q), n))
	}
	if !scene.Finite(q) {
		return pair, false, scene.ErrNotFinite
	}
	for _, d := range e.data {
		n := d.Model().NQ()
		multibody.FK(d, q[:n])
		q = q[n:]
	}
	for i := range e.links {
		l := &e.links[i]
		l.center, l.placed = l.point(l.ball.Center), false
	}
	for at, i := range e.order {
		l := &e.links[i]
		if o := e.hitObstacle(l); o >= 0 {
			copy(e.order[1:at+1], e.order[:at])
			e.order[0] = i
			return scene.Pair{A: l.name, B: e.obstacles.name[o]}, true, nil
		}
	}
	for at, p := range e.pairs {
		a, b := &e.links[p[0]], &e.links[p[1]]
		x, y, z, r := a.center.X-b.center.X, a.center.Y-b.center.Y, a.center.Z-b.center.Z, a.ball.Radius+b.ball.Radius
		if x*x+y*y+z*z <= r*r && e.hitLinks(a, b) {
			e.pairs[0], e.pairs[at] = p, e.pairs[0]
			return scene.Pair{A: a.name, B: b.name}, true, nil
		}
	}
	return pair, false, nil
}

// point returns a point of the model's body in the scene.
func (l *link) point(p spatial.Vec3) spatial.Vec3 {
	p = l.data.Point(l.body, p)
	if l.base != nil {
		p = l.base.Apply(p)
	}
	return p
}

// placeSpheres computes where the spheres of a link are.
func (e *Engine) placeSpheres(l *link) {
	if l.placed {
		return
	}
	l.placed = true
	for i := l.first; i < l.after; i++ {
		p := l.point(spatial.Vec3{X: e.local.x[i], Y: e.local.y[i], Z: e.local.z[i]})
		e.world.x[i], e.world.y[i], e.world.z[i] = p.X, p.Y, p.Z
	}
}

// hitObstacle returns an obstacle that a link touches, or -1.
func (e *Engine) hitObstacle(l *link) int32 {
	c, r := l.center, l.ball.Radius
	balls := e.obstacles.ball
	for _, o := range l.near {
		b := &balls[o]
		x, y, z, reach := c.X-b.x, c.Y-b.y, c.Z-b.z, r+b.r
		if x*x+y*y+z*z > reach*reach || !e.obstacles.touches(o, c, r) {
			continue
		}
		e.placeSpheres(l)
		for i := l.first; i < l.after; i++ {
			p := spatial.Vec3{X: e.world.x[i], Y: e.world.y[i], Z: e.world.z[i]}
			x, y, z, reach := p.X-b.x, p.Y-b.y, p.Z-b.z, e.local.r[i]+b.r
			if x*x+y*y+z*z <= reach*reach && e.obstacles.touches(o, p, e.local.r[i]) {
				return o
			}
		}
	}
	return -1
}

// hitLinks reports whether spheres of two links touch.
func (e *Engine) hitLinks(a, b *link) bool {
	e.placeSpheres(a)
	c, reach := b.center, b.ball.Radius
	for i := a.first; i < a.after; i++ {
		px, py, pz, pr := e.world.x[i], e.world.y[i], e.world.z[i], e.local.r[i]
		x, y, z, r := px-c.X, py-c.Y, pz-c.Z, pr+reach
		if x*x+y*y+z*z > r*r {
			continue
		}
		e.placeSpheres(b)
		for j := b.first; j < b.after; j++ {
			x, y, z, r := px-e.world.x[j], py-e.world.y[j], pz-e.world.z[j], pr+e.local.r[j]
			if x*x+y*y+z*z <= r*r {
				return true
			}
		}
	}
	return false
}
