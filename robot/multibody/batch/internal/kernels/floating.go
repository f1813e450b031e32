package main

import (
	"github.com/sinew-robotics/sinew/internal/tape"
	"github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"
)

// The kernels of a body that floats freely in the world. Its coordinates are position and quaternion (x, y, z, w); its
// velocity, acceleration and force are linear and angular, in its own axes.

// axes returns the rotation from the body to the world, for a quaternion of any length but zero.
func (p *program) axes() mat {
	q := p.Input("q", 7)
	x, y, z, w := q[3], q[4], q[5], q[6]
	one := p.Const(1)
	s := p.Div(p.Const(2), p.dot(x, x, y, y, z, z, w, w))
	sx, sy, sz := p.Mul(s, x), p.Mul(s, y), p.Mul(s, z)
	entry := func(a, b, c, d value, minus bool) value {
		if minus {
			return p.Sub(p.Mul(a, b), p.Mul(c, d))
		}
		return p.Add(p.Mul(a, b), p.Mul(c, d))
	}
	r := mat{
		p.Sub(one, entry(sy, y, sz, z, false)), entry(sx, y, sz, w, true), entry(sx, z, sy, w, false),
		entry(sx, y, sz, w, false), p.Sub(one, entry(sx, x, sz, z, false)), entry(sy, z, sx, w, true),
		entry(sx, z, sy, w, true), entry(sy, z, sx, w, false), p.Sub(one, entry(sx, x, sy, y, false)),
	}
	return p.mulMat(mat(p.body[record.Rotation:record.Rotation+9]), r)
}

func stepFloating() *tape.Tape {
	p := newStep(7)
	r := p.axes().transposed()
	for i := range 9 {
		p.Store("frame", i, r[i])
	}
	turn := mat(p.body[record.Rotation : record.Rotation+9])
	p.storeVec("frame", 9, p.addMul(p.constants(record.Origin), turn, p.vector("q", 7, 0)))
	return p.Tape
}

func moveFloating() *tape.Tape {
	p := newMove(7, 6)
	e := p.axes().transposed()
	u, w := p.vector("v", 6, 0), p.vector("v", 6, 3)
	du, dw := p.vector("a", 6, 0), p.vector("a", 6, 3)
	acc := p.addCross(p.addMul(du, e, p.vector("parent", record.Motion, 15)), w, u)
	p.load(w, dw, acc)
	return p.Tape
}

func balanceFloating() *tape.Tape {
	p := newBalance(7, 6)
	f, n := p.total()
	p.storeVec("tau", 0, f)
	p.storeVec("tau", 3, n)
	return p.Tape
}

func biasFloating() *tape.Tape {
	p := newBias(7, 6)
	p.gyrate(p.vector("v", 6, 3))
	return p.Tape
}

// accelerateFloating solves for the acceleration of the body by the decomposition L D Lᵀ of its articulated inertia.
func accelerateFloating() *tape.Tape {
	p := newRelease()
	e := p.axes().transposed()
	t := p.articulated()
	f, n := p.sub(p.vector("tau", 6, 0), t.f), p.sub(p.vector("tau", 6, 3), t.n)
	i, h, m := t.i, t.h, t.m
	s := [6][]value{
		{i[0]},
		{i[1], i[3]},
		{i[2], i[4], i[5]},
		{h[0], h[3], h[6], m[0]},
		{h[1], h[4], h[7], m[1], m[3]},
		{h[2], h[5], h[8], m[2], m[4], m[5]},
	}
	x := [6]value{n[0], n[1], n[2], f[0], f[1], f[2]}
	var inverse [6]value
	for k, row := range s {
		for j := range k {
			for i := range j {
				row[j] = p.Sub(row[j], p.Mul(row[i], s[j][i])) // becomes L D
			}
		}
		for j := range k {
			y := row[j]
			row[j] = p.Mul(y, inverse[j])
			row[k] = p.Sub(row[k], p.Mul(y, row[j]))
			x[k] = p.Sub(x[k], p.Mul(row[j], x[j]))
		}
		inverse[k] = p.Div(p.Const(1), row[k])
	}
	for k := 5; k >= 0; k-- {
		x[k] = p.Mul(x[k], inverse[k])
		for i := k + 1; i < 6; i++ {
			x[k] = p.Sub(x[k], p.Mul(s[i][k], x[i]))
		}
	}
	l, a := vec(x[0:3]), vec(x[3:6])
	p.storeVec("acc", 0, l)
	p.storeVec("acc", 3, a)
	u, w := p.vector("v", 6, 0), p.vector("v", 6, 3)
	given := p.addMul(p.cross(w, u), e, p.vector("parent", record.Acc, 3))
	p.storeVec("a", 0, p.sub(a, given))
	p.storeVec("a", 3, l)
	return p.Tape
}
