package spatial_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Rickert and Gaschler, Robotics Library, 2017, line 98 of the text: the quaternion has "power and exponential functions of quaternion types, as well as
// conversion to angular velocity and acceleration", slerp "and its derivative", and squad, which "can satisfy a smooth interpolation with valid
// quaternions". Turns about one axis are known by hand: their angles are numbers.
func TestQuaternionsHaveThePublishedFunctions(t *testing.T) {
	axis := spatial.Vec3{X: 2, Y: -1, Z: 2}.Scale(1. / 3)
	turn := func(angle float64) spatial.Quat { return spatial.ExpQuat(axis.Scale(angle)) }
	same := func(what string, got, want spatial.Quat) {
		t.Helper()
		testkit.Near(t, what, got.Sub(want).Norm(), 0, 1e-12)
	}
	sin, cos := math.Sincos(0.4)
	testkit.Near(t, "exponential: the scalar part is the cosine of half the angle", turn(0.8).Sub(spatial.Quat{W: cos, X: axis.X * sin, Y: axis.Y * sin, Z: axis.Z * sin}).Norm(), 0, 1e-12)
	same("power", turn(0.8).Pow(1.5), turn(1.2))
	same("slerp", turn(0.2).Slerp(turn(1.2), 0.25), turn(0.45))
	// From 0.2 to 1.2 rad in 1 s: the derivative belongs to an angular velocity of 1 rad/s.
	testkit.Near(t, "derivative of slerp", turn(0.45).AngularVelocity(turn(0.2).SlerpDerivative(turn(1.2), 0.25)).Sub(axis).Norm(), 0, 1e-12)
	// An angle of t + t² at t = 0.3: q' = q·(axis/2)(1 + 2t), q” = q·(axis/2)·2 + q'·(axis/2)(1 + 2t), as all turn about one axis.
	rate := spatial.Quat{X: axis.X / 2, Y: axis.Y / 2, Z: axis.Z / 2}
	q := turn(0.39)
	dq := q.Mul(rate).Scale(1.6)
	ddq := q.Mul(rate).Scale(2).Add(dq.Mul(rate).Scale(1.6))
	testkit.Near(t, "angular velocity", q.AngularVelocity(dq).Sub(axis.Scale(1.6)).Norm(), 0, 1e-12)
	testkit.Near(t, "angular acceleration", q.AngularAcceleration(dq, ddq).Sub(axis.Scale(2)).Norm(), 0, 1e-12)
	// squad(p, a, b, q, t) = slerp(slerp(p, q, t), slerp(a, b, t), 2t(1-t)): by hand for angles 0, 0.5, 0.7, 1 at t = 0.25.
	same("squad", turn(0).Squad(turn(0.5), turn(0.7), turn(1), 0.25), turn(0.25+(0.55-0.25)*0.375))
	middle := turn(0).Squad(spatial.ExpQuat(spatial.Vec3{X: 0.7}), spatial.ExpQuat(spatial.Vec3{Y: 0.5}), turn(1), 0.4)
	testkit.Near(t, "squad gives valid quaternions", middle.Norm(), 1, 1e-12)
}

// Line 118: "A spatial vector is defined as a six-dimensional vector that may either be a motion vector [...] or a force vector", "with the dot product being
// defined only between a motion and a force vector": it is the power, which is the same in all frames.
func TestPowerIsTheSameInAllFrames(t *testing.T) {
	x := spatial.Translation(spatial.Vec3{X: 1, Y: 2, Z: 3})
	m := spatial.MotionOf([6]float64{0, 0, 2, 1, 0, 0})
	f := spatial.ForceOf([6]float64{0, 0, 5, 7, 0, 0})
	testkit.Near(t, "power of 5 N m at 2 rad/s and 7 N at 1 m/s", m.Dot(f), 17, 1e-12)
	testkit.Near(t, "power in another frame", x.Motion(m).Dot(x.Force(f)), 17, 1e-12)
}
