package main

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
)

type (
	value = tape.Value
	vec   [3]value
	mat   [9]value // row by row
	sym   [6]value // xx xy xz yy yz zz
)

// program is a kernel under construction, with the constants of its body.
type program struct {
	*tape.Tape
	body []value
}

// newProgram starts a kernel whose arguments, after the constants of the body, are these, used or not.
func newProgram(arguments ...tape.Array) *program {
	p := &program{Tape: tape.New()}
	p.body = p.Shared("body", record.Len)
	p.Arrays = append(p.Arrays, arguments...)
	return p
}

func in(name string, rows int) tape.Array { return tape.Array{Name: name, Len: rows} }
func out(name string) tape.Array          { return tape.Array{Name: name, Result: true} }

func (p *program) constants(at int) vec { return vec(p.body[at : at+3]) }
func (p *program) vector(array string, rows, at int) vec {
	return vec(p.Input(array, rows)[at : at+3])
}

func (p *program) storeVec(array string, at int, v vec) {
	for i, x := range v {
		p.Store(array, at+i, x)
	}
}

// dot returns Σ xᵢ yᵢ of pairs.
func (p *program) dot(pairs ...value) value {
	s := p.Mul(pairs[0], pairs[1])
	for i := 2; i < len(pairs); i += 2 {
		s = p.Add(s, p.Mul(pairs[i], pairs[i+1]))
	}
	return s
}

func (p *program) add(a, b vec) vec {
	return vec{p.Add(a[0], b[0]), p.Add(a[1], b[1]), p.Add(a[2], b[2])}
}

func (p *program) sub(a, b vec) vec {
	return vec{p.Sub(a[0], b[0]), p.Sub(a[1], b[1]), p.Sub(a[2], b[2])}
}

func (p *program) scale(k value, a vec) vec {
	return vec{p.Mul(k, a[0]), p.Mul(k, a[1]), p.Mul(k, a[2])}
}

// addCross returns c + a × b.
func (p *program) addCross(c, a, b vec) vec {
	part := func(i, j, k int) value {
		return p.Sub(p.Add(c[i], p.Mul(a[j], b[k])), p.Mul(a[k], b[j]))
	}
	return vec{part(0, 1, 2), part(1, 2, 0), part(2, 0, 1)}
}

func (p *program) cross(a, b vec) vec {
	zero := p.Const(0)
	return p.addCross(vec{zero, zero, zero}, a, b)
}

// addMul returns c + m a.
func (p *program) addMul(c vec, m mat, a vec) vec {
	for i := range c {
		for k := range a {
			c[i] = p.Add(c[i], p.Mul(m[3*i+k], a[k]))
		}
	}
	return c
}

func (p *program) mulVec(m mat, a vec) vec {
	zero := p.Const(0)
	return p.addMul(vec{zero, zero, zero}, m, a)
}

func (m mat) transposed() mat {
	return mat{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}
}

func (p *program) mulMat(a, b mat) (c mat) {
	for i := range 3 {
		for j := range 3 {
			c[3*i+j] = p.dot(a[3*i], b[j], a[3*i+1], b[3+j], a[3*i+2], b[6+j])
		}
	}
	return c
}

func (s sym) mat() mat {
	return mat{s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]}
}

// angle is a turn about an axis by its sine and cosine.
type angle struct {
	kind alpha
	s, c value
}

// joint is the placement of a body: its turns from the parent's frame on, and its origin there.
type joint struct {
	beta, alpha, theta angle
	origin             vec
}

// joint reads the placement from the arguments: sine and cosine of γ+q, and q of a body that slides.
func (p *program) joint(c class) joint {
	zero, one := p.Const(0), p.Const(1)
	turn := p.Input("angle", 2)
	j := joint{
		beta:   angle{flat, zero, one},
		alpha:  angle{c.alpha, zero, one},
		theta:  angle{anyAlpha, turn[0], turn[1]},
		origin: p.constants(record.Origin),
	}
	switch c.alpha {
	case quarter:
		j.alpha.s, j.alpha.c = one, zero
	case anyAlpha:
		j.alpha.s, j.alpha.c = p.body[record.SinAlpha], p.body[record.CosAlpha]
	}
	if c.beta {
		j.beta = angle{anyAlpha, p.body[record.SinBeta], p.body[record.CosBeta]}
	}
	if c.slide {
		j.origin = p.add(j.origin, p.scale(p.Input("q", 1)[0], p.constants(record.Advance)))
	}
	return j
}

// turn turns (x, y) by the angle, back the other way.
func (p *program) turn(a angle, x, y value) (value, value) {
	return p.Sub(p.Mul(a.c, x), p.Mul(a.s, y)), p.Add(p.Mul(a.s, x), p.Mul(a.c, y))
}

func (p *program) back(a angle, x, y value) (value, value) {
	return p.Add(p.Mul(a.c, x), p.Mul(a.s, y)), p.Sub(p.Mul(a.c, y), p.Mul(a.s, x))
}

// down takes a vector from the axes of the parent to those of the body, up is the inverse.
func (p *program) down(j joint, v vec) vec {
	v[0], v[1] = p.back(j.beta, v[0], v[1])
	v[1], v[2] = p.back(j.alpha, v[1], v[2])
	v[0], v[1] = p.back(j.theta, v[0], v[1])
	return v
}

func (p *program) up(j joint, v vec) vec {
	v[0], v[1] = p.turn(j.theta, v[0], v[1])
	v[1], v[2] = p.turn(j.alpha, v[1], v[2])
	v[0], v[1] = p.turn(j.beta, v[0], v[1])
	return v
}

// sum adds two arrays of rows.
func sum(rows int) *tape.Tape {
	t := tape.New()
	a, b := t.Input("x", rows), t.Input("y", rows)
	for i := range rows {
		t.Store("sum", i, t.Add(a[i], b[i]))
	}
	return t
}
