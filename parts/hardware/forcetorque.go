package hardware

import (
	"fmt"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/rdt"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ForceTorque is a force-torque sensor:
//
//	┌─────────────┐
//	│ ForceTorque ├─► force  [N, N m]
//	└─────────────┘
//
// Drivers: sim measures the parameter load; rdt is a Net F/T or Axia of ATI at an address such as udp://192.168.1.1:49152. The operation zero makes the present
// load the zero. While the sensor is absent the force is 0 and valid is false, and a warning names the reason.
type ForceTorque struct {
	Driver          block.Const[string]    `default:"sim" doc:"sim, or rdt for sensors of ATI"`
	Address         block.Const[string]    `doc:"of the sensor's channel; sim needs none"`
	Axia            block.Const[bool]      `doc:"the sensor is an Axia, not a Net F/T"`
	CountsPerForce  block.Const[float64]   `unit:"1/N" default:"1000000" min:"0.001" max:"1e12" doc:"of the real sensor, as its web page shows"`
	CountsPerTorque block.Const[float64]   `unit:"1/(N m)" default:"1000000" min:"0.001" max:"1e12" doc:"of the real sensor, as its web page shows"`
	Load            block.Param[[]float64] `unit:"N, N m" default:"[0, 0, 0, 0, 0, 0]" min:"-1e6" max:"1e6" doc:"what acts on the simulated sensor: force, then torque"`

	Force block.Out[[]float64] `unit:"N, N m" safe:"0" watch:"yes" doc:"what acts on the tool in the sensor's frame: force, then torque"`
	Valid block.Out[bool]      `safe:"false" doc:"the force is measured"`

	Zero block.Operation[block.None, block.None] `doc:"make the present load the zero"`

	life
	sensor device.ForceTorqueSensor
	sim    *sim.Instruments // nil: real
	zero   spatial.Force    // of the simulated sensor
}

// Setup makes the device.
func (f *ForceTorque) Setup(s *block.Setup) error {
	if n := len(f.Load.Value()); n != 6 {
		return &port.ParamError{Param: "load", Err: fmt.Errorf("load has length %d: expected force and torque, three each", n)}
	}
	s.Len(6, &f.Force)
	switch driver := f.Driver.Value(); driver {
	case "sim":
		f.sim = sim.NewInstruments(sim.InstrumentOptions{})
		f.device, f.sensor = f.sim, f.sim
		f.Zero.Handle(func(block.None) (block.None, error) {
			f.zero = f.load()
			return block.None{}, nil
		})
	case "rdt":
		d, err := rdt.New(f.Address.Value(), rdt.Options{Axia: f.Axia.Value(), CountsPerForce: f.CountsPerForce.Value(), CountsPerTorque: f.CountsPerTorque.Value()})
		if err != nil {
			return badAddress(err)
		}
		f.device, f.sensor = d, d
		f.Zero.Handle(func(block.None) (block.None, error) {
			d.Zero()
			return block.None{}, nil
		})
	default:
		return unknownDriver(driver, "sim", "rdt")
	}
	return nil
}

// load returns what acts on the simulated sensor.
func (f *ForceTorque) load() spatial.Force {
	x := f.Load.Value()
	return spatial.Force{Linear: spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}, Angular: spatial.Vec3{X: x[3], Y: x[4], Z: x[5]}}
}

// Step writes what is measured.
func (f *ForceTorque) Step(t clock.Tick) error {
	if f.sim != nil {
		load := f.load()
		f.sim.World.Force = spatial.Force{Linear: load.Linear.Sub(f.zero.Linear), Angular: load.Angular.Sub(f.zero.Angular)}
	}
	if ok, err := f.step(t); !ok {
		return err
	}
	m, force := f.sensor.ForceTorque(), *f.Force.Slot()
	force[0], force[1], force[2], force[3], force[4], force[5] = m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X, m.Angular.Y, m.Angular.Z
	f.Force.Commit()
	f.Valid.Write(true)
	return nil
}
