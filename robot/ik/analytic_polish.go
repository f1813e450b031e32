package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// polish takes the candidates of a chain that is not quite of its class to the true geometry, by Newton steps of least
// change. It drops those that do not get there, as near singularities and the border of the reach.
func (a *Analytic) polish(target *spatial.Pose) {
	n := 0
	for i := range a.out.n {
		s := a.out.at[i]
		if miss := a.newton(target, &s.Q); miss <= closed {
			a.out.at[n] = s
			n++
		} else {
			a.out.excess = math.Min(a.out.excess, miss)
		}
	}
	a.out.n = n
}

// newton returns by how much the tool misses the target in the end (m or rad).
func (a *Analytic) newton(target *spatial.Pose, q *[7]float64) (miss float64) {
	const steps = 8
	n := len(a.chain.axes)
	if a.class == OffsetWrist {
		n-- // q7 is given
	}
	for range steps {
		var jac [7][6]float64
		x := a.chain.jacobian(q, &jac)
		p := target.P.Sub(x.P)
		r := target.R.Mul(x.R.T()).Log()
		miss = math.Max(p.Norm(), r.Norm())
		if !(miss > closed/10) || miss > 0.1 {
			return miss
		}
		e := [6]float64{p.X, p.Y, p.Z, r.X, r.Y, r.Z}
		var m [6][6]float64
		for i := range 6 {
			for j := range i + 1 {
				for k := range n {
					m[i][j] += jac[k][i] * jac[k][j]
				}
			}
		}
		if !cholesky(&m, &e) {
			return miss
		}
		for k := range n {
			for i := range 6 {
				q[k] += jac[k][i] * e[i]
			}
		}
	}
	return miss
}

// jacobian returns the pose of the tool and, in the rows of jac, by how much each joint moves its origin and turns it.
func (c *chain) jacobian(q *[7]float64, jac *[7][6]float64) spatial.Pose {
	x := spatial.IdentityPose()
	var p [7]spatial.Vec3
	var h [7]spatial.Vec3
	for i := range c.axes {
		a := &c.axes[i]
		h[i], p[i] = x.R.MulVec(a.h), x.Apply(a.p)
		r := spatial.AngleAxis(q[i], a.h)
		x = x.Mul(spatial.Pose{R: r, P: a.p.Sub(r.MulVec(a.p))})
	}
	x = x.Mul(c.home)
	for i := range c.axes {
		v := h[i].Cross(x.P.Sub(p[i]))
		jac[i] = [6]float64{v.X, v.Y, v.Z, h[i].X, h[i].Y, h[i].Z}
	}
	return x
}

// cholesky replaces e by the solution of m x = e, where the lower triangle of m counts and is destroyed. It fails
// unless m is positive definite.
func cholesky(m *[6][6]float64, e *[6]float64) bool {
	for i := range 6 {
		for j := range i + 1 {
			v := m[i][j]
			for k := range j {
				v -= m[i][k] * m[j][k]
			}
			if i > j {
				m[i][j] = v / m[j][j]
				continue
			}
			if !(v > 1e-18) {
				return false
			}
			m[i][i] = math.Sqrt(v)
		}
	}
	for i := range 6 {
		for k := range i {
			e[i] -= m[i][k] * e[k]
		}
		e[i] /= m[i][i]
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			e[i] -= m[k][i] * e[k]
		}
		e[i] /= m[i][i]
	}
	return true
}
