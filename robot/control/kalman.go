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
// Predict and Update either succeed or return ErrNotFinite, ErrCovariance or ErrInnovation and leave X and P as they were. After each, P is
// symmetric to the last bit and positive semidefinite. Nonlinear systems: [ExtendedKalman].
//
// R. E. Kalman, A New Approach to Linear Filtering and Prediction Problems, 1960. The covariance is updated in Joseph's
// form, P = (I-KC) P (I-KC)ᵀ + K R Kᵀ, which stays positive where the short form does not.
type Kalman struct {
	A []float64 // nx × nx, transition; the identity at first
	B []float64 // nx × nu, input
	C []float64 // nz × nx, measurement
	Q []float64 // nx × nx, covariance of the disturbance
	R []float64 // nz × nz, covariance of the measurement
	X []float64 // nx, estimate
	P []float64 // nx × nx, covariance of the estimate

	nu    int
	input []float64 // B u
	next  moments
	gain  correction
}

// NewKalman returns a filter with nx states, nu inputs and nz measurements. A is the identity, everything else 0. It
// panics unless nx and nz are at least 1 and nu at least 0.
func NewKalman(nx, nu, nz int) *Kalman {
	if nx < 1 || nu < 0 || nz < 1 {
		panic(fmt.Sprintf("control: Kalman: %d states, %d inputs, %d measurements: want ≥ 1, ≥ 0, ≥ 1", nx, nu, nz))
	}
	// The public matrices are separate, so that an append does not reach into the next one.
	v := func(n int) []float64 { return make([]float64, n) }
	f := &Kalman{
		A: v(nx * nx), B: v(nx * nu), C: v(nz * nx), Q: v(nx * nx), R: v(nz * nz), X: v(nx), P: v(nx * nx),
		nu: nu, input: v(nx), next: newMoments(nx), gain: newCorrection(nx, nz),
	}
	for i := range nx {
		f.A[i*nx+i] = 1
	}
	return f
}

// Predict advances the estimate by one sampling period with the input u, of length nu (nil if there is none). It panics if u has
// another length. It returns [ErrNotFinite], or [ErrCovariance] if Q is no covariance, and changes nothing then.
func (f *Kalman) Predict(u []float64) error {
	if len(u) != f.nu {
		panic(fmt.Sprintf("control: Kalman.Predict: got %d inputs, expected %d", len(u), f.nu))
	}
	n := len(f.X)
	mul(f.next.x, f.A, f.X, n, n, 1)
	if f.nu > 0 {
		mul(f.input, f.B, u, n, f.nu, 1)
		add(f.next.x, f.input)
	}
	return f.next.predict(f.X, f.P, f.A, f.Q)
}

// Update corrects the estimate with the measurement z, of length nz. It panics if z has another length. It returns [ErrNotFinite], [ErrInnovation], or
// [ErrCovariance] if R is no covariance, and changes nothing then.
func (f *Kalman) Update(z []float64) error {
	if len(z) != f.gain.nz {
		panic(fmt.Sprintf("control: Kalman.Update: got %d measurements, expected %d", len(z), f.gain.nz))
	}
	mul(f.gain.d, f.C, f.X, f.gain.nz, len(f.X), 1)
	for i, zi := range z {
		f.gain.d[i] = zi - f.gain.d[i]
	}
	return f.next.update(&f.gain, f.X, f.P, f.C, f.R)
}

// Innovation returns z - C x of the last Update, before its correction: nz numbers, valid until the next Update.
func (f *Kalman) Innovation() []float64 { return f.gain.d }
