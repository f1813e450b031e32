// Package odometer makes an additional sensor of the encoders of a vehicle, and of its gyroscope where it has one: a [device.Odometer] around the
// device that has them. Dead reckoning is then one sensor among others, as in FAST-Robots (section 3: "library functions for odometry and
// dead-reckoning that are available as additional sensor devices").
package odometer

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/robot/mobile"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Vehicle returns the displacement, and its covariance, while the wheels turned by the given angles (rad), one for each sensor. The vehicles of package
// robot/mobile have it as their method Step:
//
//	func(turned []float64) (mobile.Displacement, mobile.Covariance) { return v.Step(turned[0], turned[1]) }
type Vehicle func(turned []float64) (mobile.Displacement, mobile.Covariance)

// Odometer is the device with the wheels, and besides a [device.Odometer]. It has the life cycle of that device, whose methods are called through
// it alone. Make one with New.
type Odometer struct {
	base    device.Device
	vehicle Vehicle
	wheels  []device.JointPositionSensor
	imu     device.IMU
	gyro    mobile.Gyroscope

	fusion   *mobile.Fusion
	last     []float64
	turned   []float64
	open     bool
	counting bool    // last holds angles
	waited   float64 // since then, but for the present step, s
	velocity mobile.Displacement
	rejected int
}

// New returns an odometer around the device base, whose wheels are given by their sensors. imu is the gyroscope, with its z up; nil stands for
// none, and gyro is not used then. It panics without a base, a vehicle or a wheel, and if an imu is given with a gyro that fails its Check.
func New(base device.Device, vehicle Vehicle, wheels []device.JointPositionSensor, imu device.IMU, gyro mobile.Gyroscope) *Odometer {
	if base == nil || vehicle == nil || len(wheels) == 0 {
		panic("odometer: New: expected a device, a vehicle and at least one wheel")
	}
	if imu == nil {
		gyro = mobile.Gyroscope{Noise: 1} // it is never read
	} else if err := gyro.Check(); err != nil {
		panic(fmt.Sprintf("odometer: New: %v", err))
	}
	o := &Odometer{base: base, vehicle: vehicle, wheels: wheels, imu: imu, gyro: gyro, last: make([]float64, len(wheels)), turned: make([]float64, len(wheels))}
	o.reset()
	return o
}

func (o *Odometer) reset() {
	o.fusion, o.counting, o.velocity, o.rejected = mobile.NewFusion(o.gyro), false, mobile.Displacement{}, 0
}

// Open opens the device and begins at the origin.
func (o *Odometer) Open() error {
	if err := o.base.Open(); err != nil {
		return err
	}
	if !o.open {
		o.open = true
		o.reset()
	}
	return nil
}

// Start starts the device.
func (o *Odometer) Start() error { return o.base.Start() }

// Step exchanges the data of the device and adds the way of its wheels. After an error of the device it counts from the next reading on: the way
// meanwhile is lost. Angles that are not finite, and those with which the vehicle would have turned by more than half a turn, are left out and
// counted by Rejected, as rates of the gyroscope that are not finite are; in place of these the wheels alone count.
func (o *Odometer) Step(dt time.Duration) error {
	if err := o.base.Step(dt); err != nil {
		o.counting = false
		return err
	}
	for _, w := range o.wheels {
		if a := w.JointPosition(); a-a != 0 {
			o.rejected++
			o.waited += dt.Seconds()
			return nil
		}
	}
	for i, w := range o.wheels {
		a := w.JointPosition()
		o.turned[i], o.last[i] = a-o.last[i], a
	}
	if o.counting {
		o.count(o.waited + dt.Seconds())
	}
	o.counting, o.waited = true, 0
	return nil
}

// count adds the way of the wheels during h seconds.
func (o *Odometer) count(h float64) {
	d, q := o.vehicle(o.turned)
	var err error
	if o.imu != nil {
		err = o.fusion.Step(d, q, o.imu.AngularVelocity().Z, h)
	} else {
		err = o.fusion.StepWheels(d, q)
	}
	if err != nil {
		o.rejected++
	}
	if h > 0 && (err == nil || err == mobile.ErrRate) {
		o.velocity = d.Scale(1 / h)
	}
}

// Stop stops the device.
func (o *Odometer) Stop() error { return o.base.Stop() }

// Close closes the device; the next Open begins at the origin.
func (o *Odometer) Close() error {
	o.open = false
	return o.base.Close()
}

// Odometry returns the pose since Open, in the plane, and the velocity of the last step.
func (o *Odometer) Odometry() (pose spatial.Pose, velocity spatial.Motion) {
	return o.fusion.Pose().Spatial(), o.velocity.Spatial()
}

// Covariance returns the covariance of the pose: x, y and heading, m², m rad and rad².
func (o *Odometer) Covariance() mobile.Covariance { return o.fusion.Covariance() }

// Rejected returns how many readings were left out since Open.
func (o *Odometer) Rejected() int { return o.rejected }
