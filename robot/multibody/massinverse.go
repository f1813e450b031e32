package multibody

import (
	"errors"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MassInverse computes M(q)⁻¹, nv×nv row by row, both triangles. q has length NQ.
func MassInverse(d *Data, q, Minv []float64) {
	n := d.model.nv
	want("MassInverse", "Minv", len(Minv), n*n)
	CRBA(d, q, d.square)
	e := &d.model.order
	e.factorize(d.square)
	e.invertFactor(d.square)
	e.inverse(d.square, Minv, d.vector)
}

// ErrSingular means that the operational-space inertia of a link is infinite in a direction: the link cannot move there.
var ErrSingular = errors.New("multibody: the link cannot move in all directions here, its operational-space inertia is infinite")

// OperationalInertia computes the operational-space inertia of a link, Λ = (J M⁻¹ Jᵀ)⁻¹ (Khatib 1987), 6×6 with the
// linear part first: f = Λ times the acceleration of the link. Reference selects the frame as in [Jacobian]. q has length NQ.
// It returns [ErrSingular] where Λ does not exist: in singular configurations and for fewer than 6 degrees of freedom.
func OperationalInertia(d *Data, q []float64, link int, ref Reference, lambda *[6][6]float64) error {
	n := d.model.nv
	J, M := d.jac, d.square
	Jacobian(d, q, link, ref, J)
	CRBA(d, q, M)
	d.model.order.factorize(M)
	var s [36]float64
	for c := range 6 {
		x := d.vector
		copy(x, J[c*n:(c+1)*n])
		d.model.order.solve(M, x)
		for r := range 6 {
			for k, y := range J[r*n : (r+1)*n] {
				s[r*6+c] += y * x[k]
			}
		}
	}
	var scale float64
	for i := range 6 {
		scale = max(scale, s[i*6+i])
	}
	six.factorize(s[:])
	for i := range 6 {
		if !(s[i*6+i] > 1e-12*scale) {
			return ErrSingular
		}
	}
	six.invertFactor(s[:])
	var inv [36]float64
	var column [6]float64
	six.inverse(s[:], inv[:], column[:])
	for i := range lambda {
		copy(lambda[i][:], inv[i*6:])
	}
	return nil
}

// six is the order for full 6×6 matrices.
var six = dense(6)

// BaseForce returns the force (N) and moment (N m) that the world exerts on the root of the robot, in the world frame about its
// origin, as of the last RNEA.
func (d *Data) BaseForce() spatial.Force {
	w := &d.node[0]
	return spatial.Force{
		Linear:  spatial.Vec3{X: w.fx, Y: w.fy, Z: w.fz},
		Angular: spatial.Vec3{X: w.nx, Y: w.ny, Z: w.nz},
	}
}
