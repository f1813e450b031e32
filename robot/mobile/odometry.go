package mobile

import (
	"errors"
	"math"
)

// The errors of a step. Only with ErrRate the pose changes.
var (
	ErrRate       = errors.New("odometry: the rate of the gyroscope is not finite: the wheels alone count")
	ErrNotFinite  = errors.New("odometry: a displacement is not finite: the pose stays")
	ErrTurn       = errors.New("odometry: more than half a turn in one step: the pose stays; step more often, or check the angles of the wheels")
	ErrCovariance = errors.New("odometry: the covariance of a displacement, or of the pose, is not one: not finite, not symmetric or not positive semidefinite; the pose stays")
)

// Odometry adds up the displacements of a vehicle: dead reckoning by its wheels.
//
//	pose⁺ = pose · exp(d),   P⁺ = F P Fᵀ + G N Gᵀ,   N = ∫₀¹ Ad(exp(-s d)) Q Ad(exp(-s d))ᵀ ds
//
// Q is the covariance of the displacement d, gathered evenly during the step; N is what it is worth at the end of the step, in the axes of the
// vehicle there, since an early error of the heading carries the rest of the arc sideways. F carries the errors of the pose before over the arc,
// and G turns N into the axes of the pose. This is the closed form of Chong and Kleeman 1997 for any vehicle; with many short steps the sum of
// Siegwart et al. 2011, section 5.2.4, becomes it.
//
// The zero value is at the origin, with certainty.
type Odometry struct {
	Pose       Pose
	Covariance Covariance // of the pose
}

// Step adds a displacement of covariance q. It returns ErrNotFinite, ErrTurn or ErrCovariance and changes nothing if something is wrong.
func (o *Odometry) Step(d Displacement, q Covariance) error {
	var way gathered
	if err := way.gather(d, &q); err != nil {
		return err
	}
	next := o.Pose.Move(d)
	carry, turn := jacobians(o.Pose, next)
	var p Covariance
	p.addCongruent(1, &carry, &o.Covariance)
	p.addCongruent(1, &turn, &way.noise)
	if !finite(next.X) || !finite(next.Y) || !p.isCovariance() {
		return ErrCovariance
	}
	o.Pose, o.Covariance = next, p
	return nil
}

// jacobians returns F and G of Odometry for a motion from one pose to another.
func jacobians(from, to Pose) (carry, turn [9]float64) {
	s, c := math.Sincos(to.Heading)
	return [9]float64{1, 0, from.Y - to.Y, 0, 1, to.X - from.X, 0, 0, 1}, [9]float64{c, -s, 0, s, c, 0, 0, 0, 1}
}

// gathered is the covariance of a displacement at the end of its step, in the axes of the vehicle there.
type gathered struct {
	noise  Covariance // N
	mean   [9]float64 // J = ∫ Ad ds: what an error that is the same during the whole step becomes
	spread Covariance // N - J Q Jᵀ: what is not explained by such an error
}

// gather computes these by Gauss's quadrature with eight points, which is exact to 1e-10 up to half a turn and to rounding up to a quarter of one.
// All sums are of positive semidefinite matrices.
func (g *gathered) gather(d Displacement, q *Covariance) error {
	switch {
	case !d.finite():
		return ErrNotFinite
	case math.Abs(d.Turn) > math.Pi:
		return ErrTurn
	case !q.isCovariance():
		return ErrCovariance
	}
	*g = gathered{}
	var adjoint [len(gauss)][9]float64
	for i, p := range gauss {
		adjoint[i] = adjointOf(d.Scale(-p.at))
		for k, x := range adjoint[i] {
			g.mean[k] += p.weight * x
		}
		g.noise.addCongruent(p.weight, &adjoint[i], q)
	}
	for i, p := range gauss {
		for k := range adjoint[i] {
			adjoint[i][k] -= g.mean[k]
		}
		g.spread.addCongruent(p.weight, &adjoint[i], q)
	}
	return nil
}

// adjointOf returns the matrix that takes small displacements in the axes after d to those before it.
func adjointOf(d Displacement) [9]float64 {
	to := Pose{}.Move(d)
	s, c := math.Sincos(d.Turn)
	return [9]float64{c, -s, to.Y, s, c, -to.X, 0, 0, 1}
}

// gauss is the quadrature of Gauss and Legendre over [0, 1].
var gauss = [8]struct{ at, weight float64 }{
	{0.5 - 0.9602898564975363/2, 0.1012285362903763 / 2},
	{0.5 - 0.7966664774136267/2, 0.2223810344533745 / 2},
	{0.5 - 0.5255324099163290/2, 0.3137066458778873 / 2},
	{0.5 - 0.1834346424956498/2, 0.3626837833783620 / 2},
	{0.5 + 0.1834346424956498/2, 0.3626837833783620 / 2},
	{0.5 + 0.5255324099163290/2, 0.3137066458778873 / 2},
	{0.5 + 0.7966664774136267/2, 0.2223810344533745 / 2},
	{0.5 + 0.9602898564975363/2, 0.1012285362903763 / 2},
}
