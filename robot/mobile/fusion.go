package mobile

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/control"
)

// Fusion joins the wheels of a vehicle and a gyroscope, and where there are any a compass and positions from outside, into one pose: an extended
// Kalman filter. Its states are the pose, the bias b of the gyroscope, and the displacement d of the present step:
//
//	d  ~ N(displacement of the wheels, Q)            predicted
//	z  = d.Turn + b h + n,  n ~ N(0, σ² h)           measured by the gyroscope, whose rate is z/h
//	pose⁺ = pose · exp(d),  b⁺ = b + w               predicted
//
// So a turn that the wheels report and the gyroscope does not, as when a track slips, counts as much as the covariance of the wheels gives it, and
// the gyroscope also corrects the way, which shares the error of the wheels. Without a gyroscope it is [Odometry], with the same pose and covariance.
//
// The bias is learned as far as the wheels are trusted: with certainty only where the vehicle stands, where Q is 0. Make one with NewFusion.
type Fusion struct {
	filter             *control.ExtendedKalman
	rate, head, place  *control.Sensor
	noise, walk        float64
	way                gathered
	h                  float64
	moving             bool
	input              [3]float64
	one                [1]float64
	two                [2]float64
	pose, displacement Covariance
}

// Gyroscope describes the random errors of a gyroscope, as a data sheet does.
type Gyroscope struct {
	Noise float64 // σ, angle random walk, rad/√s; positive
	Bias  float64 // standard deviation of the bias at first, rad/s; not negative
	Walk  float64 // how the bias wanders, rate random walk, rad/s/√s; not negative
}

const (
	bias   = 3 // states: x, y and heading before it
	moved  = 4 // forward, left and turn of the step
	states = 7
)

// Check reports all that is wrong with the gyroscope.
func (g Gyroscope) Check() error {
	var errs []error
	if !finite(g.Noise) || g.Noise <= 0 {
		errs = append(errs, fmt.Errorf("noise of the gyroscope %v rad/√s: must be finite and positive", g.Noise))
	}
	return errors.Join(append(errs, notNegative("bias of the gyroscope", g.Bias), notNegative("walk of the gyroscope's bias", g.Walk))...)
}

// NewFusion returns a filter at the origin, with certainty. It panics if the gyroscope fails its Check.
func NewFusion(g Gyroscope) *Fusion {
	if err := g.Check(); err != nil {
		panic("mobile: Fusion: " + err.Error())
	}
	f := &Fusion{noise: g.Noise * g.Noise, walk: g.Walk * g.Walk}
	f.filter = control.NewExtendedKalman(states, 3, f.process, 2)
	f.filter.P[bias*states+bias] = g.Bias * g.Bias
	f.rate = f.filter.Sensor(1, func(z, jacobian, x []float64) {
		z[0] = x[moved+2] + x[bias]*f.h
		jacobian[bias], jacobian[moved+2] = f.h, 1
	})
	f.head = f.filter.Sensor(1, func(z, jacobian, x []float64) { z[0], jacobian[2] = x[2], 1 }, 0)
	f.place = f.filter.Sensor(2, func(z, jacobian, x []float64) {
		z[0], z[1] = x[0], x[1]
		jacobian[0], jacobian[states+1] = 1, 1
	})
	return f
}

// Set replaces the pose and its covariance, and forgets what connects them with the bias. It returns ErrNotFinite or ErrCovariance and changes
// nothing if one of them is wrong.
func (f *Fusion) Set(p Pose, c Covariance) error {
	if !finite(p.X) || !finite(p.Y) || !finite(p.Heading) {
		return ErrNotFinite
	}
	if !c.isCovariance() {
		return ErrCovariance
	}
	f.filter.X[0], f.filter.X[1], f.filter.X[2] = p.X, p.Y, control.WrapAngle(p.Heading)
	for i := range 3 {
		for j := range states {
			f.filter.P[i*states+j], f.filter.P[j*states+i] = 0, 0
		}
	}
	for i := range 3 {
		copy(f.filter.P[i*states:i*states+3], c[3*i:3*i+3])
	}
	return nil
}

// Pose returns the pose.
func (f *Fusion) Pose() Pose {
	return Pose{f.filter.X[0], f.filter.X[1], f.filter.X[2]}
}

// Covariance returns the covariance of the pose.
func (f *Fusion) Covariance() (c Covariance) {
	for i := range 3 {
		copy(c[3*i:3*i+3], f.filter.P[i*states:i*states+3])
	}
	return c
}

// Bias returns the estimated bias of the gyroscope and its standard deviation, rad/s.
func (f *Fusion) Bias() (b, sigma float64) {
	c := Covariance{f.filter.P[bias*states+bias]}
	return f.filter.X[bias], c.Sigma()[0]
}

// Step adds the displacement d, of covariance q, of the wheels during h seconds, in which the gyroscope measured a mean rate (rad/s,
// counter-clockwise). A displacement that is wrong gives ErrNotFinite, ErrTurn or ErrCovariance, as an h that is negative or not finite does, and
// changes nothing. A rate that is not finite is left out: the wheels alone count, and the error is ErrRate.
func (f *Fusion) Step(d Displacement, q Covariance, rate, h float64) error {
	if !finite(h) || h < 0 {
		return ErrNotFinite
	}
	return f.step(d, q, rate, h, h > 0)
}

// StepWheels adds a displacement as Step does, without a gyroscope: as while it has failed.
func (f *Fusion) StepWheels(d Displacement, q Covariance) error { return f.step(d, q, 0, 0, false) }

func (f *Fusion) step(d Displacement, q Covariance, rate, h float64, measured bool) error {
	if err := f.way.gather(d, &q); err != nil {
		return err
	}
	f.h, f.input = h, [3]float64{d.Forward, d.Left, d.Turn}
	f.displacement, f.moving = q, false
	if err := f.predict(); err != nil {
		return err
	}
	var wrong error
	if measured {
		f.one[0], f.rate.R[0] = rate*h, f.noise*h
		if f.rate.Update(f.one[:]) != nil {
			wrong = ErrRate
		}
		_ = f.way.gather(f.next(), &q) // along the corrected arc, unless that is more than half a turn
	}
	f.moving = true
	if err := f.predict(); err != nil {
		return err
	}
	return wrong
}

// Heading corrects the heading by one measured from outside (rad), with a standard deviation (rad, positive), as a compass does. It returns
// control.ErrNotFinite or control.ErrInnovation and changes nothing if they are wrong.
func (f *Fusion) Heading(angle, sigma float64) error {
	f.one[0], f.head.R[0] = angle, sigma*sigma
	return f.head.Update(f.one[:])
}

// Position corrects the position by one measured from outside (m), with a standard deviation of each coordinate (m, positive), as satellites or a
// landmark give it. It returns control.ErrNotFinite or control.ErrInnovation and changes nothing if they are wrong.
func (f *Fusion) Position(x, y, sigma float64) error {
	f.two, f.place.R[0], f.place.R[3] = [2]float64{x, y}, sigma*sigma, sigma*sigma
	return f.place.Update(f.two[:])
}

// predict runs one of the two predictions of a step, with its disturbance.
func (f *Fusion) predict() error {
	clear(f.filter.Q)
	if !f.moving {
		f.filter.Q[bias*states+bias] = f.walk * f.h
		f.block(moved, &f.displacement)
		return f.filter.Predict(f.input[:])
	}
	to := f.Pose().Move(f.next())
	_, turn := jacobians(f.Pose(), to)
	f.pose = Covariance{}
	f.pose.addCongruent(1, &turn, &f.way.spread)
	f.block(0, &f.pose)
	return f.filter.Predict(f.input[:])
}

// block puts c into the disturbance of three states.
func (f *Fusion) block(at int, c *Covariance) {
	for i := range 3 {
		copy(f.filter.Q[(at+i)*states+at:(at+i)*states+at+3], c[3*i:3*i+3])
	}
}

// next returns the displacement of the present step.
func (f *Fusion) next() Displacement {
	return Displacement{f.filter.X[moved], f.filter.X[moved+1], f.filter.X[moved+2]}
}

// process is the first prediction of a step, in which the displacement of the wheels replaces the one before, or the second, in which the vehicle
// moves.
func (f *Fusion) process(next, jacobian, x, u []float64) {
	copy(next, x)
	for i := range moved {
		jacobian[i*states+i] = 1
	}
	if !f.moving {
		copy(next[moved:], u)
		return
	}
	from := Pose{x[0], x[1], x[2]}
	to := from.Move(Displacement{x[moved], x[moved+1], x[moved+2]})
	next[0], next[1], next[2] = to.X, to.Y, to.Heading
	carry, turn := jacobians(from, to)
	for i := range 3 {
		for j := range 3 {
			jacobian[i*states+j] = carry[3*i+j]
			for k := range 3 {
				jacobian[i*states+moved+j] += turn[3*i+k] * f.way.mean[3*k+j]
			}
		}
		jacobian[(moved+i)*states+moved+i] = 1
	}
}
