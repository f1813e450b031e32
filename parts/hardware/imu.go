package hardware

import (
	"fmt"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/device/vectornav"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// IMU is an inertial measurement unit:
//
//	┌─────┐
//	│     ├─► velocity       [rad/s]
//	│ IMU ├─► acceleration   [m/s²]
//	└─────┘
//
// Both are in the sensor's frame. The acceleration is the specific force: at rest it points up and is 9.81 m/s².
//
// Drivers: sim measures the parameter motion; vectornav is a sensor of VectorNav at an address such as serial:///dev/ttyUSB0?baud=115200. While the sensor is absent both outputs are 0 and valid is
// false, and a warning names the reason.
type IMU struct {
	Driver  block.Const[string]    `default:"sim" doc:"sim, or vectornav for sensors of VectorNav"`
	Address block.Const[string]    `doc:"of the sensor's channel; sim needs none"`
	Rate    block.Const[int]       `unit:"Hz" default:"100" min:"1" max:"200" doc:"measurements of the driver vectornav in a second: 1, 2, 4, 5, 10, 20, 25, 40, 50, 100 or 200"`
	Motion  block.Param[[]float64] `unit:"rad/s, m/s²" default:"[0, 0, 0, 0, 0, 9.81]" min:"-10000" max:"10000" doc:"what the simulated sensor measures: angular velocity, then acceleration"`

	Velocity     block.Out[[]float64] `unit:"rad/s" safe:"0" watch:"yes" doc:"angular velocity"`
	Acceleration block.Out[[]float64] `unit:"m/s²" safe:"0" watch:"yes" doc:"specific force"`
	Valid        block.Out[bool]      `safe:"false" doc:"the outputs are measured"`

	life
	sensor device.IMU
	sim    *sim.Instruments // nil: real
}

// Setup makes the device.
func (m *IMU) Setup(s *block.Setup) error {
	if n := len(m.Motion.Value()); n != 6 {
		return &port.ParamError{Param: "motion", Err: fmt.Errorf("motion has length %d: expected angular velocity and acceleration, three each", n)}
	}
	s.Len(3, &m.Velocity, &m.Acceleration)
	switch driver := m.Driver.Value(); driver {
	case "sim":
		m.sim = sim.NewInstruments(sim.InstrumentOptions{})
		m.device, m.sensor = m.sim, m.sim
	case "vectornav":
		if err := vectornav.CheckRate(m.Rate.Value()); err != nil {
			return &port.ParamError{Param: "rate", Err: fmt.Errorf("rate: %w", err)}
		}
		d, err := vectornav.New(m.Address.Value(), m.Rate.Value())
		if err != nil {
			return badAddress(err)
		}
		m.device, m.sensor = d, d
	default:
		return unknownDriver(driver, "sim", "vectornav")
	}
	return nil
}

// Step writes what is measured.
func (m *IMU) Step(t clock.Tick) error {
	if m.sim != nil {
		x := m.Motion.Value()
		m.sim.World.AngularVelocity, m.sim.World.Acceleration = spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}, spatial.Vec3{X: x[3], Y: x[4], Z: x[5]}
	}
	if ok, err := m.step(t); !ok {
		return err
	}
	v, a := m.sensor.AngularVelocity(), m.sensor.Acceleration()
	velocity, acceleration := *m.Velocity.Slot(), *m.Acceleration.Slot()
	velocity[0], velocity[1], velocity[2] = v.X, v.Y, v.Z
	acceleration[0], acceleration[1], acceleration[2] = a.X, a.Y, a.Z
	m.Velocity.Commit()
	m.Acceleration.Commit()
	m.Valid.Write(true)
	return nil
}
