package batch

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// kernels are the functions in assembly of one instruction set.
type kernels struct {
	steps
	quarters bool // there are kernels for α = 0 and α = π/2
}

// classify returns the class that serves a body best.
func (k *kernels) classify(b *multibody.Body) class {
	straight := b.SinBeta == 0 && b.CosBeta == 1
	switch {
	case b.Kind == multibody.FreelyFloating:
		return floating
	case b.Kind != multibody.Turning || b.Armature != 0:
		return axis
	case k.quarters && straight && b.SinAlpha == 0 && b.CosAlpha == 1:
		return flat
	case k.quarters && straight && b.CosAlpha == 0 && b.SinAlpha == 1:
		return quarter
	}
	return turning
}

// steps are the kernels of each step by class.
type steps struct {
	sincos             func(x, shift, sin, cos *float64, rows, from, to int) (tame bool)
	place              func(link, frame, pose, scratch *float64)
	column             func(body, frame, pose, columns, scratch *float64)
	columnFloating     func(body, frame, pose, columns, scratch *float64)
	addForce           func(x, y, sum, scratch *float64)
	addArticulated     func(x, y, sum, scratch *float64)
	addComposite       func(x, y, sum, scratch *float64)
	balanceBase        func(body, angle, q, a, force, children, tau, carried, scratch *float64)
	articulateBase     func(body, angle, q, tau, bias, force, children, joint, carried, scratch *float64)
	accelerateFloating func(body, q, v, tau, parent, force, children, a, acc, scratch *float64)

	step       [classes]func(body, angle, q, parent, frame, scratch *float64)
	move       [classes]func(body, angle, q, parent, v, a, motion, force, scratch *float64)
	balance    [classes]func(body, angle, q, a, force, children, tau, carried, scratch *float64)
	bias       [classes]func(body, angle, q, parent, v, bias, velocity, force, scratch *float64)
	articulate [classes]func(body, angle, q, tau, bias, force, children, joint, carried, scratch *float64)
	accelerate [classes]func(body, angle, q, parent, bias, joint, a, acc, scratch *float64)
	compose    [classes]func(body, angle, q, children, diagonal, force, carried, scratch *float64)
	walk       [classes]func(body, angle, q, force, carried, scratch *float64)
}

// add adds what a body hands on to what its siblings did.
func (l *load) add(kernel func(x, y, sum, scratch *float64), scratch *float64) {
	if l.sum != nil {
		kernel(l.before, l.carried, l.sum, scratch)
	}
}

// scratchLen is the scratch area of the kernels, numbers.
const scratchLen = 512

// setAngles computes sine and cosine of all angles of the states s … s+7 of n.
func (b *Batch) setAngles(q []float64, n, s int) {
	for i := range b.spins {
		p := &b.spins[i]
		x := q[p.q*n+s:]
		if !b.steps.sincos(&x[0], &p.shift[0], &p.sin[0], &p.cos[0], p.rows, n, 2*Lanes) {
			p.wild(x, n)
		}
	}
}

// wild computes sine and cosine of angles that the kernel does not serve.
func (p *spin) wild(x []float64, n int) {
	for row, shift := range p.shift {
		for s := range Lanes {
			if a := x[row*n+s] + shift; !(math.Abs(a) < 1e5) {
				p.sin[2*Lanes*row+s], p.cos[2*Lanes*row+s] = math.Sincos(a)
			}
		}
	}
}
