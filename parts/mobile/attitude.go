package mobile

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Attitude estimates how an IMU is turned in space: the complementary filter of Mahony et al. 2008 ([control.Attitude]).
//
//	R' = R [rate - b + kp e]×,   b' = -ki e,   e = force × Rᵀ z (+ field × Rᵀ m₀)      force and field of length 1
//
//	 rate ─► ┌──────────┐
//	force ─► │ Attitude ├─► orientation, angles, bias
//	field ─► └──────────┘
//
// The world's z is up, and with a magnetometer its y is magnetic north; without one the heading drifts. The accelerometer is taken to measure
// gravity alone: a long acceleration tilts the estimate. Readings that are not finite are left out, and rejected counts them.
type Attitude struct {
	Kp block.Param[float64] `unit:"1/s" default:"1" min:"0" max:"100" doc:"how fast accelerometer and magnetometer correct"`
	Ki block.Param[float64] `unit:"1/s²" default:"0.3" min:"0" max:"100" doc:"how fast the bias is learned"`

	Rate  block.In[[3]float64] `required:"yes" trigger:"yes" unit:"rad/s" doc:"of the gyroscope, in the axes of the IMU"`
	Force block.In[[3]float64] `required:"yes" unit:"m/s²" doc:"of the accelerometer: at rest 9.81 upwards"`
	Field block.In[[3]float64] `doc:"of the magnetometer, in any unit; not linked: none"`

	Orientation block.Out[[4]float64] `show:"base_orientation" doc:"quaternion x y z w, from the IMU to the world"`
	Angles      block.Out[[3]float64] `unit:"rad" watch:"yes" doc:"roll, pitch and yaw"`
	Bias        block.Out[[3]float64] `unit:"rad/s" doc:"estimated bias of the gyroscope"`
	Rejected    block.Out[int64]      `doc:"number of readings that were left out"`

	law      control.Attitude
	rejected int64
}

// Start begins level.
func (a *Attitude) Start() error {
	a.law, a.rejected = control.NewAttitude(a.Kp.Value(), a.Ki.Value()), 0
	return nil
}

// Step writes the rotation.
func (a *Attitude) Step(t clock.Tick) error {
	rate, _ := a.Rate.Read()
	force, _ := a.Force.Read()
	field, _ := a.Field.Read()
	a.law.KP, a.law.KI = a.Kp.Value(), a.Ki.Value()
	q, ok := a.law.Step(vec(rate), vec(force), vec(field), t.Seconds())
	if !ok {
		a.rejected++
	}
	roll, pitch, yaw := q.Mat3().RPY()
	b := a.law.Bias()
	a.Orientation.Write([4]float64{q.X, q.Y, q.Z, q.W})
	a.Angles.Write([3]float64{roll, pitch, yaw})
	a.Bias.Write([3]float64{b.X, b.Y, b.Z})
	a.Rejected.Write(a.rejected)
	return nil
}

func vec(x [3]float64) spatial.Vec3 { return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]} }
