package exact

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Clearance proves that bodies stay apart in an interval of a motion: the workspace of one goroutine.
//
// A lever is the greatest distance of a body from the axis of a joint, in any configuration within the limits of sliding joints, and 1 for a joint that
// slides. If the joints between two bodies turn by at most travel, no point of the one moves against the other one by more than
//
//	Σ travel lever
//
// (F. Schwarzer, M. Saha, J.-C. Latombe, "Adaptive Dynamic Collision Checking for Single and Multiple Articulated Robots in Complex Environments", IEEE
// Transactions on Robotics, 2005). A body in a ball of radius r around c moves by at most
//
//	h (|v(c)| + |ω| r) + h²/2 (Σ A lever + Σ V · Σ V lever)
//
// in the time h, where V and A bound speeds and accelerations of its joints: less where joints make up for each other. A pair
// whose distance is greater than the lesser bound stays apart.
type Clearance struct {
	engine *Engine
	pairs  [][2]int32 // of bodies, checked
	levers []float64  // of each pair, a value for each coordinate
	order  []int32    // of the pairs
	data   []*multibody.Data
	first  []int // coordinate of each model
	moving []moving
	travel []float64
	speed  []float64 // greatest in the interval
}

// moving is a body with what bounds its way.
type moving struct {
	data   *multibody.Data // nil: it rests, or a joint has several coordinates
	link   int
	center spatial.Vec3 // of the ball around it, in the frame of the link
	levers []lever
	twice  bool    // a joint slides
	way    float64 // in the interval; negative: not computed yet
}

// Interval is a time of a motion, Half before its middle to Half behind it.
type Interval struct {
	Half         float64   // s
	Q, V         []float64 // configuration and velocity in the middle, rad or m, and s
	Speed        []float64 // that no coordinate exceeds
	Acceleration []float64 // that none exceeds
}

// NewClearance returns a clearance for a scene. Joints of several coordinates have infinite levers: with them no interval is proved in which they move.
func NewClearance(s *scene.Scene) *Clearance {
	e := New(s)
	nq := s.NQ()
	c := &Clearance{engine: e, travel: make([]float64, nq), speed: make([]float64, nq)}
	next := 0
	for _, m := range s.Models() {
		c.data, c.first = append(c.data, multibody.NewData(m.Model)), append(c.first, next)
		next += m.Model.NQ()
	}
	for i := range e.bodies {
		b := &s.Bodies()[i]
		m := moving{levers: leversOf(s, i, e.bodies[i].ball)}
		if b.Model >= 0 {
			if model := s.Models()[b.Model].Model; model.NQ() == model.NV() {
				m.data = c.data[b.Model]
			}
			m.link, m.center = b.Link, b.Pose.Apply(e.bodies[i].ball.Center)
		}
		for _, l := range m.levers {
			m.twice = m.twice || l.turn == 0
		}
		c.moving = append(c.moving, m)
	}
	for i := range e.bodies {
		for j := range i {
			if s.Checked(j, i) {
				c.pairs = append(c.pairs, [2]int32{int32(j), int32(i)})
			}
		}
	}
	for k, p := range c.pairs {
		a, b := c.moving[p[0]].levers, c.moving[p[1]].levers
		for len(a) > 0 && len(b) > 0 && a[len(a)-1].joint == b[len(b)-1].joint {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		first := len(c.levers)
		c.levers = append(c.levers, make([]float64, nq)...)
		for _, chain := range [2][]lever{a, b} {
			for _, l := range chain {
				for i := l.first; i < l.after; i++ {
					c.levers[first+i] += l.length
				}
			}
		}
		c.order = append(c.order, int32(k))
	}
	return c
}

// Pairs returns the number of checked pairs.
func (c *Clearance) Pairs() int { return len(c.order) }

// Test examines the first n pairs of its list in an interval: all at first, n = [Clearance.Pairs]. It moves those to the front that may touch in
// it, and returns their number: 0 is a proof that all n stay apart. Intervals within this one need to test only them. hit reports that the bodies
// of pair touch in the middle; the order of the list is then any. A coordinate that is not finite is an error; vectors of the wrong length panic.
func (c *Clearance) Test(x *Interval, n int) (left int, pair scene.Pair, hit bool, err error) {
	e, nq := c.engine, len(c.travel)
	if len(x.V) != nq || len(x.Speed) != nq || len(x.Acceleration) != nq {
		panic(fmt.Sprintf("exact: Clearance: velocity, speed and acceleration of %d, %d and %d coordinates, want %d", len(x.V), len(x.Speed), len(x.Acceleration), nq))
	}
	if err := e.place(x.Q); err != nil {
		return n, pair, false, err
	}
	h := x.Half
	for i, v := range x.V {
		c.speed[i] = min(x.Speed[i], math.Abs(v)+x.Acceleration[i]*h)
		c.travel[i] = min(x.Speed[i]*h, h*(math.Abs(v)+x.Acceleration[i]*h/2))
	}
	for i, d := range c.data {
		if m := d.Model(); m.NQ() == m.NV() {
			multibody.FKVelocity(d, x.Q[c.first[i]:c.first[i]+m.NQ()], x.V[c.first[i]:c.first[i]+m.NQ()])
		}
	}
	for i := range c.moving {
		c.moving[i].way = -1
	}
	for at, k := range c.order[:n] {
		p := c.pairs[k]
		reach := rounding
		for i, l := range c.levers[int(k)*nq : (int(k)+1)*nq] {
			if c.travel[i] > 0 {
				reach += c.travel[i] * l
			}
		}
		a, b := &e.bodies[p[0]], &e.bodies[p[1]]
		apart := gap(a.center, a.ball.Radius, b.center, b.ball.Radius)
		if apart > reach {
			continue
		}
		if reach = min(reach, rounding+c.way(p[0], x)+c.way(p[1], x)); apart > reach {
			continue
		}
		near, hit, err := e.within(e.body(p[0]), e.body(p[1]), reach)
		if err != nil || hit {
			return n, scene.Pair{A: a.name, B: b.name}, hit, err
		}
		if near {
			c.order[left], c.order[at] = k, c.order[left]
			left++
		}
	}
	return left, pair, false, nil
}

// way returns how far a body moves at most from where it is in the middle of an interval.
func (c *Clearance) way(body int32, x *Interval) float64 {
	m := &c.moving[body]
	switch {
	case m.way >= 0:
	case len(m.levers) == 0:
		m.way = 0
	case m.data == nil:
		m.way = math.Inf(1)
	default:
		velocity := m.data.Velocity(m.link, multibody.Mixed)
		center := m.data.Pose(m.link).R.MulVec(m.center)
		first := velocity.Linear.Add(velocity.Angular.Cross(center)).Norm() + velocity.Angular.Norm()*c.engine.bodies[body].ball.Radius
		turns, ways, second := 0.0, 0.0, 0.0
		for _, l := range m.levers {
			for i := l.first; i < l.after; i++ {
				if c.speed[i] > 0 || x.Acceleration[i] > 0 {
					turns += c.speed[i] * l.turn
					ways += c.speed[i] * l.length
					second += x.Acceleration[i] * l.length
				}
			}
		}
		if m.twice { // an outer joint that slides may have a longer lever than the inner one that turns it
			turns *= 2
		}
		m.way = x.Half*first + x.Half*x.Half/2*(second+turns*ways)
	}
	return m.way
}

// rounding covers the errors of poses and distances, m.
const rounding = 1e-9

// within reports whether two bodies may be within reach of each other, and whether they touch.
func (e *Engine) within(a, b *body, reach float64) (near, hit bool, err error) {
	for i := range a.parts {
		x := &a.parts[i]
		if gap(x.at, x.ball.Radius, b.center, b.ball.Radius) > reach {
			continue
		}
		for j := range b.parts {
			y := &b.parts[j]
			if gap(x.at, x.ball.Radius, y.at, y.ball.Radius) > reach || apart(x, y, reach) {
				continue
			}
			closeBy, touch, err := e.partsWithin(x, y, reach)
			if err != nil || touch {
				return true, touch, err
			}
			if closeBy {
				near, reach = true, 0 // what remains is whether they touch
			}
		}
	}
	return near, false, nil
}

// partsWithin does what within does for two parts.
func (e *Engine) partsWithin(x, y *part, reach float64) (near, hit bool, err error) {
	if x.shape.Kind() == geometry.Sphere || y.shape.Kind() == geometry.Sphere { // the distance is as fast as a hit
		c, err := e.query.Distance(x.shape, &x.pose, y.shape, &y.pose, nil)
		return c.Distance <= reach, c.Distance <= 0, err
	}
	if 0 < reach && reach <= geometry.Limit {
		if near, _, err = e.query.Hit(x.shape, &x.pose, y.shape, &y.pose, reach, nil); err != nil || !near {
			return near, false, err
		}
	}
	hit, _, err = e.query.Hit(x.shape, &x.pose, y.shape, &y.pose, 0, nil)
	return reach > 0 || hit, hit, err
}

// lever is the greatest distance of a body from the axis of a joint that moves it.
type lever struct {
	joint        int // of the model, counted over all models
	first, after int // coordinates of the scene
	length       float64
	turn         float64 // angle of the joint for a unit of the coordinate, 0 if it slides
}

// leversOf returns the levers of a body in a ball of its frame, from the body to the base; none if it rests. On the way the ball becomes what the
// ball sweeps when the joint moves.
func leversOf(s *scene.Scene, index int, ball scene.Ball) (list []lever) {
	b := &s.Bodies()[index]
	if b.Model < 0 {
		return nil
	}
	joints, first := 0, 0
	for i := range b.Model {
		joints += len(s.Models()[i].Model.Joints())
		first += s.Models()[i].Model.NQ()
	}
	m := s.Models()[b.Model].Model
	body, frame := m.LinkFrame(b.Link)
	ball.Center = frame.Mul(b.Pose).Apply(ball.Center)
	all := m.Joints()
	for {
		k := carrier(m, all, body)
		if k < 0 {
			return list
		}
		j := &all[k]
		child, _ := m.Link(j.Child) // the model has checked its names
		_, frame := m.LinkFrame(child)
		ball.Center = frame.Inverse().Apply(ball.Center)
		l := lever{joint: joints + k, first: first + j.Q, after: first + j.Q + j.Type.NQ()}
		ball, l.length = sweep(j, ball)
		scale := math.Abs(ratio(m, j))
		if l.length *= scale; j.Type != multibody.Prismatic {
			l.turn = scale
		}
		list = append(list, l)
		if j.Placement.R != (spatial.Mat3{}) {
			ball.Center = j.Placement.Apply(ball.Center)
		}
		parent, _ := m.Link(j.Parent)
		body, frame = m.LinkFrame(parent)
		ball.Center = frame.Apply(ball.Center)
	}
}

// carrier returns the joint that moves a body against its parent, or -1.
func carrier(m *multibody.Model, joints []multibody.ModelJoint, body int) int {
	for k := range joints {
		child, _ := m.Link(joints[k].Child)
		if at, _ := m.LinkFrame(child); at == body {
			return k
		}
	}
	return -1
}

// sweep returns a ball around what a ball sweeps when a joint moves within its limits, in the frame of the child at zero, and the lever.
func sweep(j *multibody.ModelJoint, b scene.Ball) (scene.Ball, float64) {
	n := j.Axis.Scale(1 / j.Axis.Norm())
	axial := b.Center.Dot(n)
	off := b.Center.Sub(n.Scale(axial)).Norm() + b.Radius
	switch j.Type {
	case multibody.Revolute, multibody.Continuous:
		return scene.Ball{Center: n.Scale(axial), Radius: off}, off
	case multibody.Prismatic:
		if j.Limits == nil {
			break
		}
		if l, u := j.Limits.Lower, j.Limits.Upper; u-l < math.Inf(1) {
			return scene.Ball{Center: b.Center.Add(n.Scale((l + u) / 2)), Radius: b.Radius + (u-l)/2}, 1
		}
		return scene.Ball{Radius: math.Inf(1)}, 1
	}
	return scene.Ball{Radius: math.Inf(1)}, math.Inf(1)
}

// ratio returns by how much a joint moves for a unit of its coordinate: 1 unless it follows another one.
func ratio(m *multibody.Model, j *multibody.ModelJoint) float64 {
	scale := 1.0
	for j.Mimic != nil {
		scale *= j.Mimic.Multiplier
		leader, _ := m.Joint(j.Mimic.Joint)
		j = &leader
	}
	return scale
}
