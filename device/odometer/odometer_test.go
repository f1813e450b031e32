package odometer

import (
	"errors"
	"math"
	"os"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/mobile"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

var vehicle = mobile.Differential{LeftRadius: 0.1, RightRadius: 0.1, Track: 0.4, Noise: 1e-4}

func displacement(turned []float64) (mobile.Displacement, mobile.Covariance) {
	return vehicle.Step(turned[0], turned[1])
}

// The two axes of Janus stand for the wheels.
func TestOdometerConforms(t *testing.T) {
	devicetest.Run(t, func(t testing.TB) devicetest.Subject {
		r, err := sim.Load(os.DirFS("../../models/janus"), "janus.urdf", "drives.yaml")
		if err != nil {
			t.Fatal(err)
		}
		s := devicetest.Subject{}
		for i := range r.Axes() {
			a := r.Axis(i)
			s.Encoders, s.Positions, s.Voltages, s.Powers, s.Brakes = append(s.Encoders, a), append(s.Positions, a), append(s.Voltages, a), append(s.Powers, a), append(s.Brakes, a)
		}
		s.Device = New(r, displacement, s.Positions[:2], nil, mobile.Gyroscope{})
		return s
	})
}

// base is a device with two wheels and a gyroscope that a test moves.
type base struct {
	angle [2]float64
	rate  float64
	err   error
}

func (b *base) Open() error                   { return nil }
func (b *base) Start() error                  { return nil }
func (b *base) Step(time.Duration) error      { return b.err }
func (b *base) Stop() error                   { return nil }
func (b *base) Close() error                  { return nil }
func (b *base) Acceleration() spatial.Vec3    { return spatial.Vec3{Z: 9.81} }
func (b *base) AngularVelocity() spatial.Vec3 { return spatial.Vec3{Z: b.rate} }

type wheel struct{ angle *float64 }

func (w wheel) JointPosition() float64 { return *w.angle }

func newOdometer(t *testing.T, imu bool) (*base, *Odometer, func()) {
	b := &base{}
	wheels := []device.JointPositionSensor{wheel{&b.angle[0]}, wheel{&b.angle[1]}}
	o := New(b, displacement, wheels, nil, mobile.Gyroscope{})
	if imu {
		o = New(b, displacement, wheels, b, mobile.Gyroscope{Noise: 1e-6})
	}
	if err := errors.Join(o.Open(), o.Start()); err != nil {
		t.Fatal(err)
	}
	return b, o, func() {
		t.Helper()
		if err := o.Step(10 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOdometerAddsTheWayOfTheWheels(t *testing.T) {
	b, o, step := newOdometer(t, false)
	b.angle = [2]float64{5, 7}
	step() // from where the wheels are
	left, right := vehicle.Wheels(1.5, 0.5*math.Pi)
	for range 100 {
		b.angle[0] += left / 100
		b.angle[1] += right / 100
		step()
	}
	pose, v := o.Odometry()
	testkit.AllNear(t, "a quarter of a circle", []float64{pose.P.X, pose.P.Y, v.Linear.X, v.Angular.Z}, []float64{3 / math.Pi, 3 / math.Pi, 1.5, math.Pi / 2}, 1e-6)
	if s := o.Covariance(); !(s[0] > 0 && s[8] > 0) {
		t.Errorf("covariance %v", s)
	}
	if err := errors.Join(o.Open(), o.Close(), o.Open()); err != nil {
		t.Fatal(err)
	}
	if pose, _ := o.Odometry(); pose.P != (spatial.Vec3{}) {
		t.Errorf("after the second Open at %v", pose.P)
	}
}

func TestOdometerUsesTheGyroscope(t *testing.T) {
	b, o, step := newOdometer(t, true)
	b.rate = 0.2 // the wheels report no turn: they slip
	for range 101 {
		b.angle[0] += 0.1
		b.angle[1] += 0.1
		step()
	}
	_, _, yaw := func() (float64, float64, float64) { pose, _ := o.Odometry(); return pose.R.RPY() }()
	testkit.Near(t, "heading", yaw, 0.2, 1e-3)
}

func TestOdometerLeavesOutBadReadings(t *testing.T) {
	b, o, step := newOdometer(t, true)
	step()
	at := func() float64 { pose, _ := o.Odometry(); return pose.P.X }
	b.angle = [2]float64{1, math.NaN()}
	step()
	b.angle = [2]float64{2, 2}
	step()
	testkit.Near(t, "made up for", at(), 0.2, 1e-9)
	b.angle[0] = 1000
	step()
	testkit.Near(t, "after a jump", at(), 0.2, 1e-9)
	b.rate = math.NaN()
	b.angle = [2]float64{1001, 3}
	step()
	testkit.Near(t, "without gyroscope", at(), 0.3, 1e-9)
	if o.Rejected() != 3 {
		t.Errorf("%d readings were left out, want 3", o.Rejected())
	}
	b.err, b.rate = errors.New("unplugged"), 0
	if err := o.Step(time.Millisecond); !errors.Is(err, b.err) {
		t.Errorf("Step: %v", err)
	}
	b.err, b.angle = nil, [2]float64{}
	step() // encoders begin again at 0
	testkit.Near(t, "after an error", at(), 0.3, 1e-9)
	testkit.NoAllocs(t, 100, func() {
		b.angle[0] += 0.1
		_ = o.Step(time.Millisecond)
	})
}

func TestNewPanicsOnMisuse(t *testing.T) {
	b := &base{}
	for name, build := range map[string]func(){
		"no wheels":    func() { New(b, displacement, nil, nil, mobile.Gyroscope{}) },
		"no vehicle":   func() { New(b, nil, []device.JointPositionSensor{wheel{}}, nil, mobile.Gyroscope{}) },
		"no gyroscope": func() { New(b, displacement, []device.JointPositionSensor{wheel{}}, b, mobile.Gyroscope{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}
