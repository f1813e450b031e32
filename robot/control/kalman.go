package control

import "fmt"

// Kalman is the Kalman filter of a linear system in discrete time:
//
//	x[k] = A x[k-1] + B u[k] + w    w ~ N(0, Q)
//	z[k] = C x[k] + n               n ~ N(0, R)
//
// Matrices are dense and row by row: element (i, j) of a matrix with c columns is at index i·c + j. They may be changed
// between steps (a linearized model, a changing sampling period). All memory is allocated by NewKalman.
//
// R. E. Kalman, A New Approach to Linear Filtering and Prediction Problems, 1960. The covariance is updated in Joseph's
// form, P = (I-KC) P (I-KC)ᵀ + K R Kᵀ, which stays symmetric and positive where the short form does not.
type Kalman struct {
	A []float64 // nx × nx, transition; the identity at first
	B []float64 // nx × nu, input
	C []float64 // nz × nx, measurement
	Q []float64 // nx × nx, covariance of the disturbance
	R []float64 // nz × nz, covariance of the measurement
	X []float64 // nx, estimate
	P []float64 // nx × nx, covariance of the estimate

	nx, nu, nz int

	x1, d     []float64 // nx; nz
	k, pc     []float64 // nx × nz
	s         []float64 // nz × nz
	t1, t2, t []float64 // nx × nx
}

// NewKalman returns a filter with nx states, nu inputs and nz measurements. A is the identity, everything else 0. It
// panics unless nx and nz are at least 1 and nu at least 0.
func NewKalman(nx, nu, nz int) *Kalman {
	if nx < 1 || nu < 0 || nz < 1 {
		panic(fmt.Sprintf("control: Kalman: %d states, %d inputs, %d measurements: want ≥ 1, ≥ 0, ≥ 1", nx, nu, nz))
	}
	f := &Kalman{nx: nx, nu: nu, nz: nz}
	// The public matrices are separate, so that nobody's append reaches into the next one.
	for _, m := range []struct {
		to   *[]float64
		size int
	}{
		{&f.A, nx * nx}, {&f.B, nx * nu}, {&f.C, nz * nx}, {&f.Q, nx * nx}, {&f.R, nz * nz}, {&f.X, nx}, {&f.P, nx * nx},
		{&f.x1, nx}, {&f.d, nz}, {&f.k, nx * nz}, {&f.pc, nx * nz}, {&f.s, nz * nz},
		{&f.t, nx * nx}, {&f.t1, nx * nx}, {&f.t2, nx * nx},
	} {
		*m.to = make([]float64, m.size)
	}
	for i := range nx {
		f.A[i*nx+i] = 1
	}
	return f
}

// Predict advances the estimate by one sampling period with the input u, of length nu (nil if there is none). If u is
// not finite it counts as 0 and Predict returns false.
func (f *Kalman) Predict(u []float64) (ok bool) {
	if len(u) != f.nu {
		panic(fmt.Sprintf("control: Kalman.Predict: got %d inputs, expected %d", len(u), f.nu))
	}
	n := f.nx
	mul(f.x1, f.A, f.X, n, n, 1)
	copy(f.X, f.x1)
	if ok = allFinite(u); ok && f.nu > 0 {
		mul(f.x1, f.B, u, n, f.nu, 1)
		add(f.X, f.x1)
	}
	mul(f.t, f.A, f.P, n, n, n)
	mulT(f.P, f.t, f.A, n, n, n)
	add(f.P, f.Q)
	return ok
}

// Update corrects the estimate with the measurement z, of length nz. If z is not finite or the covariance of the
// innovation C P Cᵀ + R is not positive definite, the estimate stays as it is and Update returns false.
func (f *Kalman) Update(z []float64) (ok bool) {
	if len(z) != f.nz {
		panic(fmt.Sprintf("control: Kalman.Update: got %d measurements, expected %d", len(z), f.nz))
	}
	if !allFinite(z) {
		return false
	}
	nx, nz := f.nx, f.nz
	mulT(f.pc, f.P, f.C, nx, nx, nz)
	mul(f.s, f.C, f.pc, nz, nx, nz)
	add(f.s, f.R)
	if !cholesky(f.s, nz) {
		return false
	}
	// K S = P Cᵀ, solved row by row of K.
	copy(f.k, f.pc)
	for i := range nx {
		choleskySolve(f.s, f.k[i*nz:(i+1)*nz])
	}
	mul(f.d, f.C, f.X, nz, nx, 1)
	for i, zi := range z {
		f.d[i] = zi - f.d[i]
	}
	mul(f.x1, f.k, f.d, nx, nz, 1)
	add(f.X, f.x1)

	mul(f.t, f.k, f.C, nx, nz, nx) // I - K C
	for i := range f.t {
		f.t[i] = -f.t[i]
	}
	for i := range nx {
		f.t[i*nx+i]++
	}
	mul(f.t1, f.t, f.P, nx, nx, nx)
	mulT(f.P, f.t1, f.t, nx, nx, nx)
	mul(f.pc, f.k, f.R, nx, nz, nz)
	mulT(f.t2, f.pc, f.k, nx, nz, nx)
	add(f.P, f.t2)
	return true
}
