package sim

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// solver is the memory of one substep, for n joints.
type solver struct {
	mass    []float64 // n × n row by row: M, then with implicit damping, then the factor L of L Lᵀ
	inverse []float64 // n × n: (M + h D)⁻¹
	force   []float64 // n: h τ - h bias, then M v + that
	bound   []float64 // n: largest dry impulse
	impulse []float64 // n: dry impulse, kept as the first guess of the next substep
	push    []float64 // n: impulse of the stops
	zero    []float64 // n
	next    []float64 // n: v⁺
	last    []float64 // n: v of the previous substep
}

func newSolver(n int) solver {
	vec := func() []float64 { return make([]float64, n) }
	return solver{mass: make([]float64, n*n), inverse: make([]float64, n*n),
		force: vec(), bound: vec(), impulse: vec(), push: vec(), zero: vec(), next: vec(), last: vec()}
}

// advance integrates over one substep of h seconds; the package's documentation tells the equations.
func (m *Mechanism) advance(h float64) {
	for i, v := range m.v {
		m.q[i] += h / 2 * v
	}
	m.equations(h)
	if !invert(m.mass, m.inverse, len(m.q)) {
		panic("sim: the mass matrix is not positive definite: a moving link without mass at the end of a chain?")
	}
	m.project(h)
	for i, v := range m.next {
		m.last[i], m.v[i] = m.v[i], v
		m.q[i] += h / 2 * v
	}
}

// equations sets mass = M + h D, force = M v + h (τ - bias) and the bounds of dry friction.
func (m *Mechanism) equations(h float64) {
	n := len(m.q)
	multibody.CRBA(m.data, m.q, m.mass)
	for i, v := range m.v {
		m.next[i] = v + (v-m.last[i])/2
	}
	multibody.RNEA(m.data, m.q, m.next, m.zero, m.force)
	for i := range m.axis {
		a := &m.axis[i]
		damping, motor, torque := a.drive.Friction.Viscous, 0.0, 0.0
		if !a.open && a.nk != 0 {
			r := a.drive.Motor.Resistance
			torque = a.nk * a.volts / r
			damping += a.nk * a.nk / r
			motor = a.nk * (a.volts - a.nk*m.v[i]) / r
		}
		m.force[i] = h * (torque - m.force[i])
		m.bound[i] = a.drive.dry(m.v[i], motor)
		if a.braking {
			m.bound[i] += a.drive.Brake
		}
		m.bound[i] *= h
		for j, v := range m.v {
			m.force[i] += m.mass[i*n+j] * v
		}
		m.next[i] = h * damping // added below, once M has been multiplied
	}
	for i, d := range m.next {
		m.mass[i*n+i] += d
	}
}

// project finds v⁺ and the impulses of friction, brakes and stops by projected Gauss–Seidel: each joint in turn gets the
// impulse that would stop it (or keep it within its stop), cut to what it may be.
func (m *Mechanism) project(h float64) {
	const (
		tolerance = 1e-13 // change of velocity at which the iteration has settled, rad/s
		most      = 200   // iterations; a robot's joints need a handful
	)
	n := len(m.q)
	for i := range n {
		m.impulse[i] = min(max(m.impulse[i], -m.bound[i]), m.bound[i])
		m.push[i] = 0
	}
	for i := range n {
		var v float64
		for j := range n {
			v += m.inverse[i*n+j] * (m.force[j] + m.impulse[j])
		}
		m.next[i] = v
	}
	for range most {
		change := 0.0
		for i := range n {
			w := m.inverse[i*n+i]
			dry := min(max(m.impulse[i]-m.next[i]/w, -m.bound[i]), m.bound[i])
			change = max(change, m.kick(i, dry-m.impulse[i]))
			m.impulse[i] = dry

			// The largest and smallest velocity that ends at or within the stops; inwards only, if beyond already.
			a := &m.axis[i]
			highest, lowest := max(0, 2*(a.upper-m.q[i])/h), min(0, 2*(a.lower-m.q[i])/h)
			push := 0.0
			if free := m.next[i] - m.push[i]*w; free > highest {
				push = (highest - free) / w
			} else if free < lowest {
				push = (lowest - free) / w
			}
			change = max(change, m.kick(i, push-m.push[i]))
			m.push[i] = push
		}
		if change < tolerance {
			break
		}
	}
	for i := range n {
		if math.Abs(m.impulse[i]) < m.bound[i] { // it sticks, up to the iteration's rest
			m.next[i] = 0
		}
	}
}

// kick adds an impulse at joint i to v⁺ and returns how much it changed the velocity of that joint.
func (m *Mechanism) kick(i int, impulse float64) float64 {
	if impulse == 0 {
		return 0
	}
	n := len(m.q)
	for j := range n {
		m.next[j] += m.inverse[j*n+i] * impulse
	}
	return math.Abs(m.inverse[i*n+i] * impulse)
}

// invert sets out to the inverse of the symmetric matrix a, whose lower triangle it overwrites with its Cholesky factor;
// false if a is not positive definite.
func invert(a, out []float64, n int) bool {
	for j := range n {
		for i := j; i < n; i++ {
			s := a[i*n+j]
			for k := range j {
				s -= a[i*n+k] * a[j*n+k]
			}
			if i > j {
				a[i*n+j] = s / a[j*n+j]
			} else if s > 0 {
				a[j*n+j] = math.Sqrt(s)
			} else {
				return false
			}
		}
	}
	for j := range n { // column j of the inverse: L Lᵀ x = e
		for i := j; i < n; i++ {
			s := 0.0
			if i == j {
				s = 1
			}
			for k := j; k < i; k++ {
				s -= a[i*n+k] * out[k*n+j]
			}
			out[i*n+j] = s / a[i*n+i]
		}
		for i := n - 1; i >= j; i-- {
			s := out[i*n+j]
			for k := i + 1; k < n; k++ {
				s -= a[k*n+i] * out[k*n+j]
			}
			out[i*n+j] = s / a[i*n+i]
			out[j*n+i] = out[i*n+j]
		}
	}
	return true
}
