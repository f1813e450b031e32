package exact

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Engine answers queries about one scene: the workspace of one goroutine.
type Engine struct {
	scene  *scene.Scene
	placer *scene.Placer
	bodies []body
	broad  *broad
	query  geometry.Query
}

// body is a body of the scene with the poses of its parts, which are computed when a query needs them first.
type body struct {
	name   string
	parts  []part
	ball   scene.Ball   // in the frame of the body
	center spatial.Vec3 // of the ball in the scene
	rests  bool
	placed bool // the parts are where the body is
}

// part is a shape with its place.
type part struct {
	shape *geometry.Shape
	local spatial.Pose // in the frame of the body
	pose  spatial.Pose // in the scene
	ball  scene.Ball   // in the frame of the body
	at    spatial.Vec3 // center of the ball in the scene
	box   *box         // around the shape; nil: it has none
}

// New returns an engine for a scene.
func New(s *scene.Scene) *Engine {
	e := &Engine{scene: s, placer: scene.NewPlacer(s)}
	list := s.Bodies()
	for i := range list {
		b := body{name: list[i].Name, rests: list[i].Model < 0}
		var balls []scene.Ball
		for k := range list[i].Parts {
			p := &list[i].Parts[k]
			ball := scene.EnclosingBall(p)
			balls = append(balls, ball)
			b.parts = append(b.parts, part{shape: p.Shape, local: p.Pose, ball: ball, box: boxOf(p.Shape)})
		}
		b.ball = scene.EnclosingBalls(balls)
		b.center = e.placer.Poses[i].Apply(b.ball.Center)
		e.bodies = append(e.bodies, b)
	}
	e.broad = newBroad(s, e.bodies)
	return e
}

// Name returns "exact".
func (e *Engine) Name() string { return "exact" }

// Scene returns the scene of the engine.
func (e *Engine) Scene() *scene.Scene { return e.scene }

// place places the bodies, and marks the parts of those that move.
func (e *Engine) place(q []float64) error {
	if err := e.placer.Place(q); err != nil {
		return err
	}
	for i := range e.bodies {
		if b := &e.bodies[i]; !b.rests {
			b.center = e.placer.Poses[i].Apply(b.ball.Center)
			b.placed = false
		}
	}
	return nil
}

// body returns a body with its parts placed.
func (e *Engine) body(i int32) *body {
	b := &e.bodies[i]
	if !b.placed {
		b.placed = true
		pose := &e.placer.Poses[i]
		for k := range b.parts {
			p := &b.parts[k]
			p.pose = pose.Mul(p.local)
			p.at = pose.Apply(p.ball.Center)
		}
	}
	return b
}

// Collide reports whether bodies of a checked pair touch or overlap at the configuration q, and names the first such pair. q has length NQ.
func (e *Engine) Collide(q []float64) (pair scene.Pair, hit bool, err error) {
	if err := e.place(q); err != nil {
		return pair, false, err
	}
	err = e.near(0, func(a, b *body) (limit float64, err error) {
		if hit, err = e.touch(a, b); hit {
			pair, limit = scene.Pair{A: a.name, B: b.name}, never
		}
		return limit, err
	})
	return pair, hit, err
}

// touch reports whether two bodies touch or overlap.
func (e *Engine) touch(a, b *body) (bool, error) {
	for i := range a.parts {
		x := &a.parts[i]
		if beyond(x.at, x.ball.Radius, b.center, b.ball.Radius, 0) {
			continue
		}
		for j := range b.parts {
			y := &b.parts[j]
			if beyond(x.at, x.ball.Radius, y.at, y.ball.Radius, 0) || apart(x, y, 0) {
				continue
			}
			if hit, _, err := e.query.Hit(x.shape, &x.pose, y.shape, &y.pose, 0, nil); err != nil || hit {
				return hit, err
			}
		}
	}
	return false, nil
}

// Touching appends to list all checked pairs that touch or overlap at the configuration q of length NQ.
func (e *Engine) Touching(q []float64, list []scene.Pair) ([]scene.Pair, error) {
	if err := e.place(q); err != nil {
		return list, err
	}
	err := e.near(0, func(a, b *body) (limit float64, err error) {
		hit, err := e.touch(a, b)
		if hit {
			list = append(list, scene.Pair{A: a.name, B: b.name})
		}
		return 0, err
	})
	return list, err
}

// Contacts appends to list all checked pairs that touch or overlap at the configuration q of length NQ, each with its deepest contact.
func (e *Engine) Contacts(q []float64, list []scene.Contact) ([]scene.Contact, error) {
	if err := e.place(q); err != nil {
		return list, err
	}
	err := e.near(0, func(a, b *body) (limit float64, err error) {
		c, err := e.nearest(a, b, 0)
		if err == nil && c.Distance <= 0 {
			list = append(list, scene.Contact{Pair: scene.Pair{A: a.name, B: b.name}, Contact: c})
		}
		return 0, err
	})
	return list, err
}

// Distance returns the nearest or deepest contact of all checked pairs at the configuration q of length NQ; its distance, m, is infinite if no pair is checked.
func (e *Engine) Distance(q []float64) (scene.Contact, error) {
	best := scene.Contact{Contact: geometry.Contact{Distance: math.Inf(1)}}
	if err := e.place(q); err != nil {
		return best, err
	}
	err := e.near(best.Distance, func(a, b *body) (limit float64, err error) {
		c, err := e.nearest(a, b, best.Distance)
		if err == nil && c.Distance < best.Distance {
			best = scene.Contact{Pair: scene.Pair{A: a.name, B: b.name}, Contact: c}
		}
		return best.Distance, err
	})
	return best, err
}

// gap returns a lower bound of the distance of two things in these balls.
func gap(a spatial.Vec3, ra float64, b spatial.Vec3, rb float64) float64 {
	return a.Sub(b).Norm() - ra - rb
}

// nearest returns the nearest or deepest contact of two bodies if it is below limit.
func (e *Engine) nearest(a, b *body, limit float64) (geometry.Contact, error) {
	best := geometry.Contact{Distance: math.Nextafter(limit, math.Inf(1))}
	for i := range a.parts {
		x := &a.parts[i]
		for j := range b.parts {
			y := &b.parts[j]
			if gap(x.at, x.ball.Radius, y.at, y.ball.Radius) >= best.Distance {
				continue
			}
			c, err := e.query.Distance(x.shape, &x.pose, y.shape, &y.pose, nil)
			if err != nil {
				return c, err
			}
			if c.Distance < best.Distance {
				best = c
			}
		}
	}
	return best, nil
}
