package control

import "math"

// ModalDamping designs the damping of springs between coupled inertias, so that every mode of motion has the same damping
// ratio: double diagonalization of the inertia matrix M and the stiffness matrix K,
//
//	M = Q Qᵀ,   K = Q K₀ Qᵀ  with K₀ diagonal,   D = 2 ζ Q K₀^½ Qᵀ
//
// In the coordinates z = Qᵀ q the motion M q” + D q' + K q = 0 falls apart into z[k]” + 2 ζ √K₀[k] z[k]' + K₀[k] z[k] = 0.
// A damping taken from the diagonal of M alone has no such bound: where joints share their inertia, as the first and third of a
// stretched arm do, it is many times too strong for the motion in which one gives way to the other, and a sampled loop becomes
// unstable.
//
// Here K is diagonal, and the ratio may differ between joints: D[i,j] is then multiplied by √(ζ[i] ζ[j]) instead of ζ. Make one
// with NewModalDamping.
//
// A. Albu-Schäffer, C. Ott, U. Frese, G. Hirzinger, "Cartesian Impedance Control of Redundant Robots: Recent Results with the
// DLR-Light-Weight-Arms", IEEE ICRA 2003, section IV.
type ModalDamping struct {
	n       int
	l       []float64 // Cholesky factor of M
	modes   []float64 // U, orthogonal: the modes of L⁻¹ K L⁻ᵀ = U K₀ Uᵀ in its columns; kept as a first guess for the next time
	reduced []float64
	scratch []float64
	damping []float64
}

// NewModalDamping returns a design for n joints; D is 0 until Design succeeds. It panics unless n is positive.
func NewModalDamping(n int) *ModalDamping {
	if n <= 0 {
		panic("control: ModalDamping: expected at least one joint")
	}
	m := func() []float64 { return make([]float64, n*n) }
	d := &ModalDamping{n: n, l: m(), modes: m(), reduced: m(), scratch: m(), damping: m()}
	for i := range n {
		d.modes[i*n+i] = 1
	}
	return d
}

// Design computes D for the inertia matrix (n × n, row by row, symmetric; kg m², or kg), the stiffness of each joint (not
// negative; N m/rad, or N/m) and the damping ratio of each (not negative). It costs about 10 µs for seven joints. Where the
// inertia is not positive definite, or something is not finite, it returns false and leaves D as it was.
func (d *ModalDamping) Design(inertia, stiffness, ratio []float64) bool {
	n := d.n
	if !allFinite(inertia) || !allFinite(stiffness) || !allFinite(ratio) {
		return false
	}
	copy(d.scratch, inertia)
	if !cholesky(d.scratch, n) {
		return false
	}
	copy(d.l, d.scratch)
	d.reduce(stiffness)
	d.orthonormalize()
	d.diagonalize()
	// D = Σ √K₀[k] (L u[k]) (L u[k])ᵀ, with the ratios on both sides
	q := d.scratch
	for i := range n {
		for k := range n {
			s := 0.0
			for j := range i + 1 {
				s += d.l[i*n+j] * d.modes[j*n+k]
			}
			q[i*n+k] = s * math.Sqrt(math.Sqrt(max(d.reduced[k*n+k], 0)))
		}
	}
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for k := range n {
				s += q[i*n+k] * q[j*n+k]
			}
			s *= 2 * math.Sqrt(ratio[i]*ratio[j])
			d.damping[i*n+j], d.damping[j*n+i] = s, s
		}
	}
	return true
}

// Matrix returns D, n × n row by row, in N m s/rad, or N s/m. It is valid until the next Design.
func (d *ModalDamping) Matrix() []float64 { return d.damping }

// reduce sets reduced to L⁻¹ K L⁻ᵀ, from the columns of L⁻¹ √K.
func (d *ModalDamping) reduce(stiffness []float64) {
	n := d.n
	clear(d.scratch)
	for j := range n { // column j of L⁻¹ diag(√K), which is 0 above j
		for i := j; i < n; i++ {
			s := 0.0
			if i == j {
				s = math.Sqrt(max(stiffness[j], 0))
			}
			for k := j; k < i; k++ {
				s -= d.l[i*n+k] * d.scratch[k*n+j]
			}
			d.scratch[i*n+j] = s / d.l[i*n+i]
		}
	}
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for k := range j + 1 {
				s += d.scratch[i*n+k] * d.scratch[j*n+k]
			}
			d.reduced[i*n+j], d.reduced[j*n+i] = s, s
		}
	}
}

// orthonormalize makes the columns of modes orthonormal again: after many steps their rounding adds up.
func (d *ModalDamping) orthonormalize() {
	n, u := d.n, d.modes
	for k := range n {
		for j := range k {
			s := 0.0
			for i := range n {
				s += u[i*n+j] * u[i*n+k]
			}
			for i := range n {
				u[i*n+k] -= s * u[i*n+j]
			}
		}
		s := 0.0
		for i := range n {
			s += u[i*n+k] * u[i*n+k]
		}
		s = 1 / math.Sqrt(s)
		for i := range n {
			u[i*n+k] *= s
		}
	}
}

// diagonalize finds the modes by the cyclic method of Jacobi, from the modes of the last time, which are close: one or two
// sweeps are enough then.
func (d *ModalDamping) diagonalize() {
	n, a, u := d.n, d.reduced, d.modes
	mul(d.scratch, a, u, n, n, n)
	for i := range n { // a = uᵀ (a u)
		for j := range n {
			s := 0.0
			for k := range n {
				s += u[k*n+i] * d.scratch[k*n+j]
			}
			a[i*n+j] = s
		}
	}
	for range 30 {
		off, trace := 0.0, 0.0
		for i := range n {
			trace += math.Abs(a[i*n+i])
			for j := range i {
				off = max(off, math.Abs(a[i*n+j]))
			}
		}
		if off <= 1e-12*trace {
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				d.rotate(p, q)
			}
		}
	}
}

// rotate makes reduced[p,q] zero (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. 2013, section 8.5.2).
func (d *ModalDamping) rotate(p, q int) {
	n, a, u := d.n, d.reduced, d.modes
	if a[p*n+q] == 0 {
		return
	}
	tau := (a[q*n+q] - a[p*n+p]) / (2 * a[p*n+q])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+t*t)
	s := t * c
	for k := range n {
		x, y := a[k*n+p], a[k*n+q]
		a[k*n+p], a[k*n+q] = c*x-s*y, s*x+c*y
	}
	for k := range n {
		x, y := a[p*n+k], a[q*n+k]
		a[p*n+k], a[q*n+k] = c*x-s*y, s*x+c*y
	}
	for k := range n {
		x, y := u[k*n+p], u[k*n+q]
		u[k*n+p], u[k*n+q] = c*x-s*y, s*x+c*y
	}
}
