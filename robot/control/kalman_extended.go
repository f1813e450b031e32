package control

import (
	"fmt"
	"math"
)

// ExtendedKalman is the extended Kalman filter: that of a nonlinear system, linearized at each step where the estimate is.
//
//	x[k] = f(x[k-1], u[k]) + w     w ~ N(0, Q)     F = ∂f/∂x
//	z[k] = h(x[k]) + n             n ~ N(0, R)     H = ∂h/∂x
//
// Any number of sensors, each with its own h, R and rate, correct one estimate ([ExtendedKalman.Sensor]). States and measurements that are angles
// are declared as such: differences between them are wrapped, and so are the states, to (-π, π]. Matrices are row by row, as those of [Kalman].
// All memory is allocated by NewExtendedKalman and Sensor; steps allocate nothing if f and h do not.
//
// Predict and Update either succeed or return ErrNotFinite, ErrCovariance or ErrInnovation and leave X and P as they were. After each, P is
// symmetric to the last bit and positive semidefinite; it is updated in Joseph's form.
//
// The filter is not optimal: where f or h bend within the uncertainty of the estimate it is too sure of itself, and it can diverge.
//
// Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and Navigation, 2001, section 10.3.
type ExtendedKalman struct {
	X []float64 // nx, estimate
	P []float64 // nx × nx, covariance of the estimate
	Q []float64 // nx × nx, covariance of the disturbance in one step

	nu       int
	process  Process
	angles   []int
	jacobian []float64
	next     moments
}

// Process computes f: it writes the state that follows x under the input u to next, and F, n × n and row by row, to jacobian, whose
// elements are 0 when it is called.
type Process func(next, jacobian, x, u []float64)

// Observation computes h: it writes what the sensor would measure in the state x to z, and H, nz × n and row by row, to jacobian, whose
// elements are 0 when it is called.
type Observation func(z, jacobian, x []float64)

// Sensor is a source of measurements for an ExtendedKalman. Make one with [ExtendedKalman.Sensor].
type Sensor struct {
	R []float64 // nz × nz, covariance of a measurement; 0 at first, to be set before the first Update

	filter   *ExtendedKalman
	observe  Observation
	angles   []int
	jacobian []float64
	gain     correction
}

// NewExtendedKalman returns a filter with nx states and nu inputs, all of X, P and Q 0. angles are the indices of states that are
// angles (rad). It panics unless nx is at least 1, nu at least 0, f given, and each index below nx.
func NewExtendedKalman(nx, nu int, f Process, angles ...int) *ExtendedKalman {
	if nx < 1 || nu < 0 || f == nil {
		panic(fmt.Sprintf("control: ExtendedKalman: %d states, %d inputs: want ≥ 1, ≥ 0, and a process", nx, nu))
	}
	mustBeIndices("ExtendedKalman", angles, nx)
	v := func(n int) []float64 { return make([]float64, n) }
	return &ExtendedKalman{
		X: v(nx), P: v(nx * nx), Q: v(nx * nx),
		nu: nu, process: f, angles: append([]int(nil), angles...), jacobian: v(nx * nx), next: newMoments(nx),
	}
}

// Sensor returns a sensor with nz measurements. angles are the indices of those that are angles (rad). It panics unless nz is at
// least 1, h given, and each index below nz.
func (f *ExtendedKalman) Sensor(nz int, h Observation, angles ...int) *Sensor {
	if nz < 1 || h == nil {
		panic(fmt.Sprintf("control: ExtendedKalman.Sensor: %d measurements: want ≥ 1, and an observation", nz))
	}
	mustBeIndices("ExtendedKalman.Sensor", angles, nz)
	nx := len(f.X)
	return &Sensor{
		R:      make([]float64, nz*nz),
		filter: f, observe: h, angles: append([]int(nil), angles...), jacobian: make([]float64, nz*nx), gain: newCorrection(nx, nz),
	}
}

// Predict advances the estimate by one step with the input u, of length nu (nil if there is none). It panics if u has another length.
func (f *ExtendedKalman) Predict(u []float64) error {
	if len(u) != f.nu {
		panic(fmt.Sprintf("control: ExtendedKalman.Predict: got %d inputs, expected %d", len(u), f.nu))
	}
	clear(f.jacobian)
	f.process(f.next.x, f.jacobian, f.X, u)
	if err := f.next.predict(f.X, f.P, f.jacobian, f.Q); err != nil {
		return err
	}
	f.wrap()
	return nil
}

// Update corrects the estimate of the sensor's filter with the measurement z, of length nz. It panics if z has another length.
func (s *Sensor) Update(z []float64) error {
	if len(z) != s.gain.nz {
		panic(fmt.Sprintf("control: Sensor.Update: got %d measurements, expected %d", len(z), s.gain.nz))
	}
	f, d := s.filter, s.gain.d
	clear(s.jacobian)
	s.observe(d, s.jacobian, f.X)
	for i, zi := range z {
		d[i] = zi - d[i]
	}
	for _, i := range s.angles {
		d[i] = WrapAngle(d[i])
	}
	if err := f.next.update(&s.gain, f.X, f.P, s.jacobian, s.R); err != nil {
		return err
	}
	f.wrap()
	return nil
}

// Innovation returns z - h(x) of the last Update, before its correction: nz numbers, valid until the next Update.
func (s *Sensor) Innovation() []float64 { return s.gain.d }

func (f *ExtendedKalman) wrap() {
	for _, i := range f.angles {
		f.X[i] = WrapAngle(f.X[i])
	}
}

// WrapAngle returns the angle a (rad) in (-π, π]; NaN for what is not finite.
func WrapAngle(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	if a = math.Remainder(a, 2*math.Pi); a <= -math.Pi {
		return math.Pi
	}
	return a
}

func mustBeIndices(law string, indices []int, n int) {
	for _, i := range indices {
		if i < 0 || i >= n {
			panic(fmt.Sprintf("control: %s: angle %d: want an index from 0 to %d", law, i, n-1))
		}
	}
}
