package sim

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// midpoint is the memory of the integrator Midpoint, for n coordinates and k joints.
type midpoint struct {
	mass    []float64 // n × n row by row: M, then with implicit damping, then the factor L of L Lᵀ
	inverse []float64 // n × n: (M + h D)⁻¹
	force   []float64 // n: h τ - h bias, then M v + that
	damping []float64 // n: h D
	zero    []float64 // n
	next    []float64 // n: v½, then v⁺
	last    []float64 // n: v of the previous substep
	bound   []float64 // k: largest dry impulse
	dry     []float64 // k: dry impulse, kept as the first guess of the next substep
	push    []float64 // k: impulse of the stops
}

func newMidpoint(n, k int) midpoint {
	vec := func(n int) []float64 { return make([]float64, n) }
	return midpoint{mass: vec(n * n), inverse: vec(n * n), force: vec(n), damping: vec(n), zero: vec(n), next: vec(n), last: vec(n),
		bound: vec(k), dry: vec(k), push: vec(k)}
}

// restart forgets the substeps before; the robot now has the velocities v.
func (m *midpoint) restart(v []float64) {
	copy(m.last, v)
	clear(m.dry)
}

// stepMidpoint integrates over one substep of h seconds.
func (s *Simulator) stepMidpoint(h float64) {
	s.begin(h)
	for range sweeps {
		if s.sweep(h) < settled {
			break
		}
	}
	copy(s.midpoint.last, s.v)
	s.end(h)
}

// begin moves the positions to the middle of the substep and finds v⁺ without the impulses of joints.
func (s *Simulator) begin(h float64) {
	m := &s.midpoint
	s.shift(s.v, h/2)
	s.forces()
	s.equations(h)
	if !invert(m.mass, m.inverse, len(s.v)) {
		panic("sim: the mass matrix is not positive definite: a moving link without mass at the end of a chain?")
	}
	s.free()
}

// end takes v⁺ and moves the positions to the end of the substep.
func (s *Simulator) end(h float64) {
	s.stick()
	copy(s.v, s.midpoint.next)
	s.shift(s.v, h/2)
}

// equations sets mass = M + h D, force = M v + h (τ - bias) and the bounds of dry friction.
func (s *Simulator) equations(h float64) {
	m, n := &s.midpoint, len(s.v)
	multibody.CRBA(s.data, s.q, m.mass)
	for i, v := range s.v {
		m.next[i] = v + (v-m.last[i])/2
	}
	multibody.RNEA(s.data, s.q, m.next, m.zero, m.force)
	for k := range s.joint {
		j := &s.joint[k]
		d, v := &j.drive, s.v[j.v]
		damping, motor := d.Friction.Viscous, 0.0
		if nk := d.Gear.Ratio * d.Motor.TorqueConstant; !j.open && nk != 0 {
			r := d.Motor.Resistance
			s.tau[j.v] += nk * j.volts / r
			damping += nk * nk / r
			motor = nk * (j.volts - nk*v) / r
		}
		m.damping[j.v] = h * damping
		m.bound[k] = d.dry(v, motor)
		if j.braking {
			m.bound[k] += d.Brake
		}
		m.bound[k] *= h
	}
	for i := range m.force {
		m.force[i] = h * (s.tau[i] - m.force[i])
		for j, v := range s.v {
			m.force[i] += m.mass[i*n+j] * v
		}
	}
	for i, d := range m.damping {
		m.mass[i*n+i] += d
	}
}

// Constants of the projected Gauss–Seidel iteration.
const (
	settled = 1e-13 // change of velocity at which the iteration of a single robot has settled, rad/s
	sweeps  = 200   // iterations at most; a robot's joints need a handful
)

// free sets next to v⁺ without the impulses of the stops, and with the dry impulses of the substep before as the first guess.
func (s *Simulator) free() {
	m, n := &s.midpoint, len(s.v)
	for k := range s.joint {
		m.dry[k] = min(max(m.dry[k], -m.bound[k]), m.bound[k])
		m.push[k] = 0
		m.force[s.joint[k].v] += m.dry[k]
	}
	for i := range n {
		var v float64
		for j := range n {
			v += m.inverse[i*n+j] * m.force[j]
		}
		m.next[i] = v
	}
}

// sweep is one projected Gauss–Seidel iteration for the impulses of friction, brakes and stops: each joint in turn gets the
// impulse that would stop it (or keep it within its stop), cut to its bounds. It returns the greatest change of a velocity.
func (s *Simulator) sweep(h float64) (change float64) {
	m, n := &s.midpoint, len(s.v)
	for k := range s.joint {
		j := &s.joint[k]
		w, v := m.inverse[j.v*n+j.v], &m.next[j.v]
		dry := min(max(m.dry[k]-*v/w, -m.bound[k]), m.bound[k])
		change = max(change, m.kick(j.v, dry-m.dry[k]))
		m.dry[k] = dry

		// The largest and smallest velocity that ends at or within the stops; inwards only, if beyond already.
		highest, lowest := max(0, 2*(j.upper-s.q[j.q])/h), min(0, 2*(j.lower-s.q[j.q])/h)
		push := 0.0
		if free := *v - m.push[k]*w; free > highest {
			push = (highest - free) / w
		} else if free < lowest {
			push = (lowest - free) / w
		}
		change = max(change, m.kick(j.v, push-m.push[k]))
		m.push[k] = push
	}
	return change
}

// stick stops the joints that dry friction and brakes hold, up to the iteration's rest.
func (s *Simulator) stick() {
	m := &s.midpoint
	for k := range s.joint {
		if math.Abs(m.dry[k]) < m.bound[k] {
			m.next[s.joint[k].v] = 0
		}
	}
}

// kick adds an impulse at coordinate i to v⁺ and returns how much it changed the velocity there.
func (m *midpoint) kick(i int, impulse float64) float64 {
	if impulse == 0 {
		return 0
	}
	n := len(m.next)
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
