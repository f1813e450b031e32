package control

import "errors"

// The errors that Kalman filters report instead of changing their estimate.
var (
	ErrNotFinite  = errors.New("Kalman filter: a measurement, an input or an element of the model is not finite: the estimate stays")
	ErrCovariance = errors.New("Kalman filter: the covariance of the disturbance, of the measurement or of the estimate is not positive semidefinite: the estimate stays; check Q, R and P")
	ErrInnovation = errors.New("Kalman filter: the covariance of the innovation is not positive definite: the estimate stays; give each measurement a variance above 0 in R")
)

// moments is the next mean and covariance of an estimate with n states, computed beside the present ones, which it replaces only if
// everything is right.
type moments struct {
	n     int
	x     []float64 // n
	p     []float64 // n × n
	t, t1 []float64 // n × n
}

func newMoments(n int) moments {
	return moments{n: n, x: make([]float64, n), p: make([]float64, n*n), t: make([]float64, n*n), t1: make([]float64, n*n)}
}

// correction is the memory of a correction by nz measurements.
type correction struct {
	nz    int
	d     []float64 // nz, innovation
	k, pc []float64 // nx × nz
	s     []float64 // nz × nz
}

func newCorrection(nx, nz int) correction {
	return correction{nz: nz, d: make([]float64, nz), k: make([]float64, nx*nz), pc: make([]float64, nx*nz), s: make([]float64, nz*nz)}
}

// predict replaces x by m.x, which its caller has computed, and p by F P Fᵀ + Q.
func (m *moments) predict(x, p, f, q []float64) error {
	n := m.n
	mul(m.t, f, p, n, n, n)
	mulT(m.p, m.t, f, n, n, n)
	add(m.p, q)
	if !allFinite(m.x) || !allFinite(m.p) {
		return ErrNotFinite
	}
	if !semidefinite(q, m.t, n) {
		return ErrCovariance
	}
	return m.commit(x, p)
}

// update corrects x and p with the innovation g.d of measurements whose matrix is h and whose covariance is r.
func (m *moments) update(g *correction, x, p, h, r []float64) error {
	nx, nz := m.n, g.nz
	mulT(g.pc, p, h, nx, nx, nz)
	mul(g.s, h, g.pc, nz, nx, nz)
	add(g.s, r)
	if !allFinite(g.d) || !allFinite(g.s) {
		return ErrNotFinite
	}
	if !cholesky(g.s, nz) {
		return ErrInnovation
	}
	// K S = P Hᵀ, solved row by row of K.
	copy(g.k, g.pc)
	for i := range nx {
		choleskySolve(g.s, g.k[i*nz:(i+1)*nz])
	}
	if !semidefinite(r, g.s, nz) {
		return ErrCovariance
	}
	mul(m.x, g.k, g.d, nx, nz, 1)
	add(m.x, x)

	mul(m.t, g.k, h, nx, nz, nx) // I - K H
	for i := range m.t {
		m.t[i] = -m.t[i]
	}
	for i := range nx {
		m.t[i*nx+i]++
	}
	mul(m.t1, m.t, p, nx, nx, nx)
	mulT(m.p, m.t1, m.t, nx, nx, nx)
	mul(g.pc, g.k, r, nx, nz, nz)
	mulT(m.t, g.pc, g.k, nx, nz, nx)
	add(m.p, m.t)
	if !allFinite(m.x) || !allFinite(m.p) {
		return ErrNotFinite
	}
	return m.commit(x, p)
}

// commit makes the new covariance symmetric and, if it is positive semidefinite, replaces x and p.
func (m *moments) commit(x, p []float64) error {
	symmetrize(m.p, m.n)
	if !semidefinite(m.p, m.t, m.n) {
		return ErrCovariance
	}
	copy(x, m.x)
	copy(p, m.p)
	return nil
}
