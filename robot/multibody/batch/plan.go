package batch

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// body is where the kernels find what they need of a body, and which kernels they are.
type body struct {
	class       class
	q, v        int // first coordinates
	parent      int // among the bodies; -1 is the world
	turn, slide float64

	// rows of eight numbers, but for the constants
	constants, angle              *float64
	frame, motion, velocity, acc  *float64
	force, bias, joint            *float64
	frameOf, motionOf, velocityOf *float64 // of the parent
	accOf                         *float64
	balance, articulate, compose  load
	floating                      coordinates // packed rows of a floating body
}

// load is what bodies hand on to their parents in an inward recursion.
type load struct {
	carried     *float64 // what the parent feels of the body
	children    *float64 // what the children of the body add up to
	before, sum *float64 // of its parent, before and after the body adds to it; nil: it is the only child
}

// coordinates are rows of a floating body, which the kernels want one after another.
type coordinates struct {
	q, v, a, tau []float64
}

// class is the class of kernels that serves a body.
type class uint8

const (
	flat     class = iota // turns; α = β = 0
	quarter               // turns; α = π/2, β = 0
	turning               // turns
	axis                  // turns, slides or both, with armature
	floating              // floats in the world
	classes
)

// spin is a run of bodies with consecutive coordinates that turn.
type spin struct {
	q, rows  int
	shift    []float64 // γ
	sin, cos []float64 // of the first body, the others every two rows
}

type link struct {
	body  int
	place []float64 // rotation row by row and position, in the frame of the body
}

// world is what the bodies on the world find there.
type world struct {
	frame, motion, velocity, acc []float64
	zero                         []float64
}

// served reports whether the kernels can evaluate the model.
func served(m *multibody.Model) bool {
	if m.Mimics() {
		return false
	}
	for _, b := range m.Bodies()[1:] {
		if b.Kind == multibody.BallMounted || b.Kind == multibody.FreelyFloating && b.Parent != 0 {
			return false
		}
	}
	return true
}

// plan lays out the memory and chooses the kernels.
func (b *Batch) plan(k *kernels) {
	m := b.model
	source := m.Bodies()
	b.setLinks(straighten(source))
	b.setWorld()
	b.scratch = &aligned(scratchLen)[0]
	b.pose = rows(record.Frame)
	b.packed = packed{rows(m.NQ()), rows(m.NV()), rows(m.NV()), rows(m.NV())}
	b.walked = [2][]float64{rows(record.Force), rows(record.Force)}
	b.square = rows(36)
	b.bodies = make([]body, len(source)-1)
	angles := rows(2 * len(source))
	for i := range b.bodies {
		s, angle := &source[i+1], angles[2*i*Lanes:]
		b.setBody(&b.bodies[i], s, k.classify(s))
		b.bodies[i].angle = &angle[0]
		b.addSpin(s, angle)
	}
	b.addUp(func(o *body) *load { return &o.balance }, record.Force)
	b.addUp(func(o *body) *load { return &o.articulate }, record.Art)
	b.addUp(func(o *body) *load { return &o.compose }, record.Comp)
}

// rows returns n rows of eight numbers.
func rows(n int) []float64 { return aligned(n * Lanes) }

// setBody gives a body its memory.
func (b *Batch) setBody(o *body, s *multibody.Body, c class) {
	w := &b.world
	*o = body{
		class: c, q: s.Q, v: s.V, parent: s.Parent - 1,
		constants: &constants(s)[0],
		frame:     &rows(record.Frame)[0], motion: &rows(record.Motion)[0], velocity: &rows(3)[0], acc: &rows(record.Acc)[0],
		force: &rows(record.Force)[0], bias: &rows(record.Bias)[0], joint: &rows(record.Joint)[0],
		frameOf: &w.frame[0], motionOf: &w.motion[0], velocityOf: &w.velocity[0], accOf: &w.acc[0],
		balance:    load{carried: &rows(record.Force)[0]},
		articulate: load{carried: &rows(record.Art)[0]},
		compose:    load{carried: &rows(record.Comp)[0]},
	}
	o.turn, o.slide = turnAndSlide(s)
	if o.parent >= 0 {
		p := &b.bodies[o.parent]
		o.frameOf, o.motionOf, o.velocityOf, o.accOf = p.frame, p.motion, p.velocity, p.acc
	}
	if c == floating {
		o.floating = coordinates{rows(7), rows(6), rows(6), rows(6)}
	}
}

// setLinks notes the places of the links in the frames of their bodies, some of which were turned by half a turn.
func (b *Batch) setLinks(turned []bool) {
	for i := range b.model.Links() {
		body, place := b.model.LinkFrame(i)
		if turned[body] {
			place.R, place.P = halfTurn(place.R), halfTurnVec(place.P)
		}
		r, p := &place.R, place.P
		b.links = append(b.links, link{body - 1, []float64{
			r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2], p.X, p.Y, p.Z,
		}})
	}
}

// setWorld fills the rows of the world, which rises against gravity.
func (b *Batch) setWorld() {
	w := &b.world
	*w = world{rows(record.Frame), rows(record.Motion), rows(3), rows(record.Acc), rows(record.Art)}
	g := b.model.Gravity()
	for s := range Lanes {
		for k := range 3 {
			w.frame[4*k*Lanes+s] = 1
		}
		for k, x := range []float64{g.X, g.Y, g.Z} {
			w.motion[(15+k)*Lanes+s] = -x
			w.acc[(3+k)*Lanes+s] = -x
		}
	}
}

// addSpin notes where sine and cosine of the body come from: its angle, or once for all where it does not turn.
func (b *Batch) addSpin(s *multibody.Body, angle []float64) {
	switch s.Kind {
	case multibody.Sliding:
		sin, cos := math.Sincos(s.Gamma)
		for lane := range Lanes {
			angle[lane], angle[Lanes+lane] = sin, cos
		}
	case multibody.Turning, multibody.Screwing:
		if n := len(b.spins); n > 0 {
			if last := &b.spins[n-1]; last.q+last.rows == s.Q && &last.sin[2*Lanes*last.rows] == &angle[0] {
				last.rows++
				last.shift = append(last.shift, s.Gamma)
				return
			}
		}
		b.spins = append(b.spins, spin{s.Q, 1, []float64{s.Gamma}, angle, angle[Lanes:]})
	}
}

// addUp notes where the sums over children are: nothing, what the only child gives, or a place of their own.
func (b *Batch) addUp(of func(*body) *load, rows int) {
	children := make([]int, len(b.bodies))
	for i := range b.bodies {
		of(&b.bodies[i]).children = &b.world.zero[0]
		if p := b.bodies[i].parent; p >= 0 {
			children[p]++
		}
	}
	begun := make([]bool, len(b.bodies))
	for i := len(b.bodies) - 1; i >= 0; i-- {
		p := b.bodies[i].parent
		if p < 0 {
			continue
		}
		child, parent := of(&b.bodies[i]), of(&b.bodies[p])
		if children[p] == 1 {
			parent.children = child.carried
			continue
		}
		child.before = parent.children
		if !begun[p] {
			begun[p] = true
			parent.children = &aligned(rows * Lanes)[0]
		}
		child.sum = parent.children
	}
}

// turnAndSlide returns how many radians and metres a body moves about and along its axis for a unit of q.
func turnAndSlide(s *multibody.Body) (turn, slide float64) {
	switch s.Kind {
	case multibody.Sliding:
		return 0, 1
	case multibody.Screwing:
		return 1, s.Pitch
	}
	return 1, 0
}

// constants returns the constants of a body in the order of package record.
func constants(s *multibody.Body) []float64 {
	c := make([]float64, record.Len)
	vec := func(at int, v spatial.Vec3) { c[at], c[at+1], c[at+2] = v.X, v.Y, v.Z }
	sym := func(at int, m spatial.Sym3) {
		c[at], c[at+1], c[at+2], c[at+3], c[at+4], c[at+5] = m.XX, m.XY, m.XZ, m.YY, m.YZ, m.ZZ
	}
	turn, slide := turnAndSlide(s)
	vec(record.Origin, s.Origin)
	c[record.CosAlpha], c[record.SinAlpha], c[record.CosBeta], c[record.SinBeta] = s.CosAlpha, s.SinAlpha, s.CosBeta, s.SinBeta
	c[record.Turn], c[record.Slide] = turn, slide
	vec(record.Advance, s.Axis.Scale(slide))
	c[record.Mass], c[record.Armature] = s.Mass, s.Armature
	vec(record.FirstMoment, s.FirstMoment)
	sym(record.SecondMoment, s.SecondMoment)
	sym(record.Inertia, s.Inertia)
	for i := range 3 {
		for j := range 3 {
			c[record.Rotation+3*i+j] = s.Rotation[i][j]
		}
	}
	return c
}
