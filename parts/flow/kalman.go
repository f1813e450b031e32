package flow

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Kalman estimates the state of a linear system from what is measured of it: the Kalman filter ([control.Kalman]).
//
//	x[k] = a x[k-1] + b u[k] + w,   w of covariance q
//	z[k] = c x[k] + n,              n of covariance r
//
//	       ┌────────┐
//	u ───► │ Kalman ├─► x, p
//	z ───► │        ├─► innovation, rejected
//	       └────────┘
//
// Matrices are row by row; the numbers of states, inputs and measurements follow from their lengths. A step predicts, with an input of 0 while u
// is not linked, and corrects if a measurement is new: so the model is that of one period of the thread. A measurement or an input with an element
// that is not finite is left out and counted by rejected. Covariances that are none (not symmetric, or not positive semidefinite) stop the block
// with an error. Nonlinear systems need code: [control.ExtendedKalman].
type Kalman struct {
	A  block.Const[[]float64] `default:"[1]" doc:"transition of one period, n × n"`
	B  block.Const[[]float64] `doc:"input, n × m; default: no input"`
	C  block.Const[[]float64] `default:"[1]" doc:"measurement, l × n"`
	X0 block.Const[[]float64] `doc:"first estimate, n; default: 0"`
	P0 block.Const[[]float64] `default:"[1]" doc:"its covariance, n × n; or n variances, or one for all states"`

	Q block.Param[[]float64] `default:"[0.01]" doc:"covariance of the disturbance in one period, n × n; or n variances, or one for all"`
	R block.Param[[]float64] `default:"[1]" doc:"covariance of a measurement, l × l; or l variances, or one for all"`

	U          block.In[[]float64]  `missing:"0" doc:"input of the system"`
	Z          block.In[[]float64]  `required:"yes" doc:"what is measured"`
	X          block.Out[[]float64] `doc:"estimated state"`
	P          block.Out[[]float64] `doc:"its covariance, row by row"`
	Innovation block.Out[[]float64] `doc:"measurement less its prediction"`
	Rejected   block.Out[int64]     `watch:"yes" doc:"number of inputs and measurements that were left out"`

	law      *control.Kalman
	rejected int64
	zero     []float64
}

// Setup finds the sizes of the matrices.
func (f *Kalman) Setup(s *block.Setup) error {
	nx := 1
	for nx*nx < len(f.A.Value()) {
		nx++
	}
	nu, nz := len(f.B.Value())/nx, len(f.C.Value())/nx
	var errs []error
	for _, m := range []struct {
		name           string
		have, row, col int
	}{{"a", len(f.A.Value()), nx, nx}, {"b", len(f.B.Value()), nx, nu}, {"c", len(f.C.Value()), nz, nx}} {
		if m.have != m.row*m.col || m.name != "b" && m.have == 0 {
			errs = append(errs, fmt.Errorf("%s has length %d: wants %s", m.name, m.have,
				map[string]string{"a": "n² for n states", "b": fmt.Sprintf("a multiple of the %d states", nx), "c": fmt.Sprintf("a multiple of the %d states, at least one", nx)}[m.name]))
		}
	}
	if n := len(f.X0.Value()); n != 0 && n != nx {
		errs = append(errs, fmt.Errorf("x0 has length %d: wants one element for each of the states (%d)", n, nx))
	}
	errs = append(errs, square("p0", f.P0.Value(), nx), square("q", f.Q.Value(), nx), square("r", f.R.Value(), nz))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	f.law, f.zero = control.NewKalman(nx, nu, nz), make([]float64, nu)
	if nu > 0 {
		s.Len(nu, &f.U)
	} else {
		s.Omit("b has no elements", &f.U)
	}
	s.Len(nx, &f.X)
	s.Len(nx*nx, &f.P)
	s.Len(nz, &f.Z, &f.Innovation)
	return nil
}

// square checks that a list is an n × n matrix, or its diagonal, or one number for the diagonal.
func square(name string, list []float64, n int) error {
	if m := len(list); m != 1 && m != n && m != n*n {
		return fmt.Errorf("%s has length %d: wants a matrix of %d × %d, its diagonal, or one number for the diagonal", name, m, n, n)
	}
	return nil
}

// spread writes what square accepts into an n × n matrix.
func spread(to, list []float64) {
	n := 1
	for n*n < len(to) {
		n++
	}
	if len(list) == n*n {
		copy(to, list)
		return
	}
	clear(to)
	for i := range n {
		to[i*n+i] = element(list, i)
	}
}

// Start begins at the first estimate.
func (f *Kalman) Start() error {
	copy(f.law.A, f.A.Value())
	copy(f.law.B, f.B.Value())
	copy(f.law.C, f.C.Value())
	clear(f.law.X)
	copy(f.law.X, f.X0.Value())
	spread(f.law.P, f.P0.Value())
	f.rejected = 0
	return nil
}

// Step writes the estimate.
func (f *Kalman) Step(clock.Tick) error {
	spread(f.law.Q, f.Q.Value())
	spread(f.law.R, f.R.Value())
	u := f.zero
	if len(u) > 0 {
		if in, status := f.U.Read(); status != block.NoData {
			u = in
		}
	}
	if err := f.law.Predict(u); err == control.ErrNotFinite {
		f.rejected++
	} else if err != nil {
		return err
	}
	if z, status := f.Z.Read(); status == block.NewData {
		if err := f.law.Update(z); err == control.ErrNotFinite {
			f.rejected++
		} else if err != nil {
			return err
		} else {
			f.Innovation.Write(f.law.Innovation())
		}
	}
	f.X.Write(f.law.X)
	f.P.Write(f.law.P)
	f.Rejected.Write(f.rejected)
	return nil
}
