package main

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
)

// composite is the inertia of a body and all it carries, joints locked, about the origin of the body.
type composite struct {
	second sym
	first  vec
	mass   value
}

// composite adds what the children carry to the body itself.
func (p *program) composite() composite {
	x := p.Input("children", record.Comp)
	t := composite{second: sym(x[0:6]), first: p.add(vec(x[6:9]), p.constants(record.FirstMoment))}
	for k, y := range p.body[record.SecondMoment : record.SecondMoment+6] {
		t.second[k] = p.Add(t.second[k], y)
	}
	t.mass = p.Add(x[9], p.body[record.Mass])
	return t
}

// compose is the inward step of CRBA: force and moment that a unit acceleration of the joint needs, the part of them that
// the joint gives, and the composite inertia for the parent.
func compose(c class) *tape.Tape {
	p := newCompose()
	j := p.joint(c)
	t := p.composite()
	zero := p.Const(0)
	s, h := t.second, t.first
	f, n := vec{p.Neg(h[1]), h[0], zero}, vec{p.Neg(s[2]), p.Neg(s[4]), p.Add(s[0], s[3])}
	diagonal := n[2]
	if c.slide {
		turn, slide := p.body[record.Turn], p.body[record.Slide]
		f = p.add(p.scale(turn, f), vec{zero, zero, p.Mul(slide, t.mass)})
		n = p.add(p.scale(turn, n), p.scale(slide, vec{h[1], p.Neg(h[0]), zero}))
		diagonal = p.dot(turn, n[2], slide, f[2])
	}
	if c.armature {
		diagonal = p.Add(diagonal, p.body[record.Armature])
	}
	p.Store("diagonal", 0, diagonal)
	p.storeVec("force", 0, f)
	p.storeVec("force", 3, n)

	s = p.turning(j.theta, 0, 1).sym(s)
	s = p.turning(j.alpha, 1, 2).sym(s)
	s = p.turning(j.beta, 0, 1).sym(s)
	h = p.up(j, h)
	// second moment about the new origin: J + h oᵀ + o (h + m o)ᵀ
	o := j.origin
	moved := p.add(h, p.scale(t.mass, o))
	for k, ij := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		x := p.Add(s[k], p.Mul(h[ij[0]], o[ij[1]]))
		p.Store("carried", k, p.Add(x, p.Mul(o[ij[0]], moved[ij[1]])))
	}
	p.storeVec("carried", 6, moved)
	p.Store("carried", 9, t.mass)
	return p.Tape
}

// walk refers force and moment to the parent.
func walk(c class) *tape.Tape {
	p := newWalk()
	j := p.joint(c)
	f, n := p.up(j, p.vector("force", 6, 0)), p.up(j, p.vector("force", 6, 3))
	p.storeVec("carried", 0, f)
	p.storeVec("carried", 3, p.addCross(n, j.origin, f))
	return p.Tape
}

// composeFloating gives the 6×6 mass matrix of a floating body, as its result force.
func composeFloating() *tape.Tape {
	p := newCompose()
	t := p.composite()
	s, h, zero := t.second, t.first, p.Const(0)
	turn := sym{p.Add(s[3], s[5]), p.Neg(s[1]), p.Neg(s[2]), p.Add(s[0], s[5]), p.Neg(s[4]), p.Add(s[0], s[3])}.mat()
	cross := mat{zero, h[2], p.Neg(h[1]), p.Neg(h[2]), zero, h[0], h[1], p.Neg(h[0]), zero} // -[h]×
	for i := range 3 {
		for j := range 3 {
			mass := zero
			if i == j {
				mass = t.mass
			}
			p.Store("force", 6*i+j, mass)
			p.Store("force", 6*i+3+j, cross[3*i+j])
			p.Store("force", 6*(3+i)+j, cross[3*j+i])
			p.Store("force", 6*(3+i)+3+j, turn[3*i+j])
		}
	}
	return p.Tape
}

// column is the column of the Jacobian of a body with an axis.
func column() *tape.Tape {
	p := newColumn()
	z, arm := p.vector("frame", record.Frame, 6), p.sub(p.vector("pose", record.Frame, 9), p.vector("frame", record.Frame, 9))
	turn, slide := p.body[record.Turn], p.body[record.Slide]
	p.storeVec("columns", 0, p.add(p.scale(slide, z), p.scale(turn, p.cross(z, arm))))
	p.storeVec("columns", 3, p.scale(turn, z))
	return p.Tape
}

// columnFloating are the six columns of a floating body, one after the other.
func columnFloating() *tape.Tape {
	p := newColumn()
	arm := p.sub(p.vector("pose", record.Frame, 9), p.vector("frame", record.Frame, 9))
	zero := p.Const(0)
	for k := range 3 {
		axis := p.vector("frame", record.Frame, 3*k)
		p.storeVec("columns", 6*k, axis)
		p.storeVec("columns", 6*k+3, vec{zero, zero, zero})
		p.storeVec("columns", 18+6*k, p.cross(axis, arm))
		p.storeVec("columns", 18+6*k+3, axis)
	}
	return p.Tape
}
