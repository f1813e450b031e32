package generate

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// value is a number of the program; vec and mat are made of them.
type (
	value = tape.Value
	vec   [3]value
	mat   [3][3]value // row by row
)

// program is a tape and the robot that it is recorded for.
type program struct {
	*tape.Tape
	model    *multibody.Model
	bodies   []multibody.Body
	sin, cos []value // of γ + q, by body; of bodies that do not turn the sine and cosine of γ
	q        []value
	turned   []mat // placement rotation of floating bodies, by body
	origin   []vec // of the body in its parent's frame
	zero     value
}

// newProgram begins a program that reads the configuration.
func newProgram(m *multibody.Model) *program {
	p := &program{Tape: tape.New(), model: m, bodies: m.Bodies()}
	p.zero = p.Const(0)
	p.q = p.Input("q", m.NQ())
	n := len(turning(p.bodies))
	var sines, cosines []value
	if n > 0 { // a gantry has none
		sines, cosines = p.Input("s", n), p.Input("c", n)
	}
	p.sin, p.cos = make([]value, len(p.bodies)), make([]value, len(p.bodies))
	p.turned, p.origin = make([]mat, len(p.bodies)), make([]vec, len(p.bodies))
	next := 0
	for i := 1; i < len(p.bodies); i++ {
		b := &p.bodies[i]
		p.origin[i] = p.vec(b.Origin)
		switch b.Kind {
		case multibody.Turning, multibody.Screwing:
			p.sin[i], p.cos[i] = sines[next], cosines[next]
			next++
		case multibody.Sliding:
			s, c := sincosOf(b.Gamma)
			p.sin[i], p.cos[i] = p.Const(s), p.Const(c)
		}
		switch b.Kind {
		case multibody.Sliding:
			p.origin[i] = p.add(p.origin[i], p.scale(p.q[b.Q], p.vec(b.Axis)))
		case multibody.Screwing:
			p.origin[i] = p.add(p.origin[i], p.scale(p.Mul(p.Const(b.Pitch), p.q[b.Q]), p.vec(b.Axis)))
		case multibody.FreelyFloating:
			at := vec{p.q[b.Q], p.q[b.Q+1], p.q[b.Q+2]}
			p.origin[i] = p.add(p.origin[i], p.mulVec(p.mat(b.Rotation), at))
			p.turned[i] = p.mulMat(p.mat(b.Rotation), p.rotation(p.q[b.Q+3:b.Q+7]))
		}
	}
	return p
}

// turning returns the bodies whose sine and cosine a program needs.
func turning(bodies []multibody.Body) (list []int) {
	for i := 1; i < len(bodies); i++ {
		if k := bodies[i].Kind; k == multibody.Turning || k == multibody.Screwing {
			list = append(list, i)
		}
	}
	return list
}

func (p *program) vec(v spatial.Vec3) vec { return vec{p.Const(v.X), p.Const(v.Y), p.Const(v.Z)} }

func (p *program) mat(m spatial.Mat3) (r mat) {
	for i := range m {
		for j := range m[i] {
			r[i][j] = p.Const(m[i][j])
		}
	}
	return r
}

func (p *program) zeros() vec { return vec{p.zero, p.zero, p.zero} }

func (p *program) add(a, b vec) vec {
	return vec{p.Add(a[0], b[0]), p.Add(a[1], b[1]), p.Add(a[2], b[2])}
}

func (p *program) sub(a, b vec) vec {
	return vec{p.Sub(a[0], b[0]), p.Sub(a[1], b[1]), p.Sub(a[2], b[2])}
}

func (p *program) scale(k value, a vec) vec {
	return vec{p.Mul(k, a[0]), p.Mul(k, a[1]), p.Mul(k, a[2])}
}

func (p *program) dot(a, b vec) value {
	return p.Add(p.Add(p.Mul(a[0], b[0]), p.Mul(a[1], b[1])), p.Mul(a[2], b[2]))
}

func (p *program) cross(a, b vec) vec {
	return vec{
		p.Sub(p.Mul(a[1], b[2]), p.Mul(a[2], b[1])),
		p.Sub(p.Mul(a[2], b[0]), p.Mul(a[0], b[2])),
		p.Sub(p.Mul(a[0], b[1]), p.Mul(a[1], b[0])),
	}
}

func (p *program) mulVec(m mat, a vec) vec {
	return vec{p.dot(m[0], a), p.dot(m[1], a), p.dot(m[2], a)}
}

func transpose(m mat) (t mat) {
	for i := range m {
		for j := range m {
			t[j][i] = m[i][j]
		}
	}
	return t
}

func (p *program) mulMat(a, b mat) (r mat) {
	t := transpose(b)
	for i := range a {
		for j := range t {
			r[i][j] = p.dot(a[i], t[j])
		}
	}
	return r
}

// rotation returns the rotation of the quaternion (x, y, z, w) of any length.
func (p *program) rotation(q []value) mat {
	x, y, z, w := q[0], q[1], q[2], q[3]
	v := vec{x, y, z}
	k := p.Div(p.Const(2), p.Add(p.dot(v, v), p.Mul(w, w)))
	kx, ky, kz := p.Mul(k, x), p.Mul(k, y), p.Mul(k, z)
	xx, yy, zz := p.Mul(kx, x), p.Mul(ky, y), p.Mul(kz, z)
	xy, xz, yz := p.Mul(kx, y), p.Mul(kx, z), p.Mul(ky, z)
	wx, wy, wz := p.Mul(kx, w), p.Mul(ky, w), p.Mul(kz, w)
	one := p.Const(1)
	return mat{
		{p.Sub(one, p.Add(yy, zz)), p.Sub(xy, wz), p.Add(xz, wy)},
		{p.Add(xy, wz), p.Sub(one, p.Add(xx, zz)), p.Sub(yz, wx)},
		{p.Sub(xz, wy), p.Add(yz, wx), p.Sub(one, p.Add(xx, yy))},
	}
}

// plane turns (a, b) by the angle whose sine and cosine are s and c.
func (p *program) plane(a, b, s, c value) (value, value) {
	return p.Sub(p.Mul(c, a), p.Mul(s, b)), p.Add(p.Mul(s, a), p.Mul(c, b))
}

// up turns a vector from the axes of body i to those of its parent: Rz(β) Rx(α) Rz(γ+q).
func (p *program) up(i int, a vec) vec {
	b := &p.bodies[i]
	if b.Kind >= multibody.BallMounted {
		return p.mulVec(p.turned[i], a)
	}
	a[0], a[1] = p.plane(a[0], a[1], p.sin[i], p.cos[i])
	a[1], a[2] = p.plane(a[1], a[2], p.Const(b.SinAlpha), p.Const(b.CosAlpha))
	a[0], a[1] = p.plane(a[0], a[1], p.Const(b.SinBeta), p.Const(b.CosBeta))
	return a
}

// down turns a vector from the axes of the parent to those of body i.
func (p *program) down(i int, a vec) vec {
	b := &p.bodies[i]
	if b.Kind >= multibody.BallMounted {
		return p.mulVec(transpose(p.turned[i]), a)
	}
	a[0], a[1] = p.plane(a[0], a[1], p.Const(-b.SinBeta), p.Const(b.CosBeta))
	a[1], a[2] = p.plane(a[1], a[2], p.Const(-b.SinAlpha), p.Const(b.CosAlpha))
	a[0], a[1] = p.plane(a[0], a[1], p.Neg(p.sin[i]), p.cos[i])
	return a
}
