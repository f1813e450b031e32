package control

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Attitude estimates how a body is turned from its gyroscope, accelerometer and, where there is one, magnetometer: the explicit
// complementary filter on the group of rotations, with the bias of the gyroscope.
//
//	R' = R [ω - b + kP e]×,   b' = -kI e,   e = a × Rᵀ z (+ m × Rᵀ m₀)
//
// R turns the axes of the body into those of the world, whose z is up. a is the measured specific force divided by its length: at rest it points
// up. m is the measured field divided by its length and m₀ what it would be in the world: its horizontal part points along y, to magnetic north,
// so x is east. Without a magnetometer the heading is the integral of the gyroscope and drifts.
//
// The accelerometer is taken to measure gravity alone; a long acceleration tilts the estimate. A step turns R exactly, by the
// exponential of the rate. Make one with NewAttitude.
//
// R. Mahony, T. Hamel, J.-M. Pflimlin, Nonlinear complementary filters on the special orthogonal group, IEEE Transactions on Automatic
// Control 53, 2008, equations 32 and 48.
type Attitude struct {
	KP float64 // 1/s, not negative: how fast the accelerometer corrects
	KI float64 // 1/s², not negative: how fast the bias is learned

	q    spatial.Quat
	bias spatial.Vec3
}

// NewAttitude returns a filter whose body is aligned with the world, with no bias. It panics unless kP and kI are finite and not negative.
func NewAttitude(kP, kI float64) Attitude {
	if !finite(kP) || !finite(kI) || kP < 0 || kI < 0 {
		panic("control: Attitude: gains must be finite and not negative")
	}
	return Attitude{KP: kP, KI: kI, q: spatial.IdentityQuat()}
}

// Set replaces the rotation and the bias (rad/s).
func (f *Attitude) Set(q spatial.Quat, bias spatial.Vec3) { f.q, f.bias = q.Unit(), bias }

// Bias returns the estimated bias of the gyroscope, rad/s in the axes of the body.
func (f *Attitude) Bias() spatial.Vec3 { return f.bias }

// Step returns the rotation after the measured rate (rad/s), specific force (m/s², at rest 9.81 upwards) and field (any unit), all in the
// axes of the body, h seconds after the previous step. A force or field of 0 is left out. If one of the numbers is not finite, or h is
// negative, Step returns the previous rotation and false.
func (f *Attitude) Step(rate, force, field spatial.Vec3, h float64) (q spatial.Quat, ok bool) {
	if !short(rate) || !short(force) || !short(field) || !finite(h) || h < 0 {
		return f.q, false
	}
	toBody := f.q.Conj()
	var e spatial.Vec3
	if force != (spatial.Vec3{}) {
		e = force.Unit().Cross(toBody.Rotate(spatial.Vec3{Z: 1}))
		if field != (spatial.Vec3{}) {
			m := field.Unit()
			w := f.q.Rotate(m)
			e = e.Add(m.Cross(toBody.Rotate(spatial.Vec3{Y: spatial.Vec3{X: w.X, Y: w.Y}.Norm(), Z: w.Z})))
		}
	}
	f.bias = f.bias.Sub(e.Scale(f.KI * h))
	f.q = f.q.Mul(spatial.ExpQuat(rate.Sub(f.bias).Add(e.Scale(f.KP)).Scale(h))).Unit()
	return f.q, true
}

// short reports whether a is finite and short enough for its square to be.
func short(a spatial.Vec3) bool { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) < 1e150 }
