package hardware

import (
	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/robotiq"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Gripper is a gripper with two fingers:
//
//	             ┌─────────┐
//	opening ───► │ Gripper ├─► measured  [m]
//	             │         ├─► holding
//	             └─────────┘
//
// It stands still until there is an opening, and when the system stops. Openings are limited to its stroke.
//
// Drivers: sim is a gripper that moves at once; robotiq is one of Robotiq at an address such as serial:///dev/ttyUSB0, or
// tcp://192.168.0.11:502 behind a gateway. Its first command activates it, which closes and opens it. While the gripper is absent
// holding is false, measured is 0, and a warning names the reason; afterwards it follows the opening again.
type Gripper struct {
	Driver  block.Const[string]  `default:"sim" doc:"sim, or robotiq"`
	Address block.Const[string]  `doc:"of the gripper's channel; sim needs none"`
	Model   block.Const[string]  `default:"2f-85" doc:"2f-85, 2f-140 or hand-e"`
	Object  block.Const[float64] `unit:"m" default:"0" min:"0" max:"1" doc:"width of what the simulated gripper closes on; 0: nothing"`
	Force   block.Param[float64] `unit:"N" default:"40" min:"0" max:"1000" doc:"with which to grip, limited to what the gripper can do"`

	Opening  block.In[float64]  `unit:"m" doc:"distance of the fingers to reach"`
	Measured block.Out[float64] `unit:"m" safe:"0" watch:"yes" doc:"distance of the fingers"`
	Holding  block.Out[bool]    `safe:"false" doc:"an object keeps the fingers from the opening"`

	life
	gripper device.Gripper
}

// Setup makes the device.
func (g *Gripper) Setup(*block.Setup) error {
	model, err := robotiq.ModelOf(g.Model.Value())
	if err != nil {
		return &port.ParamError{Param: "model", Err: err}
	}
	switch driver := g.Driver.Value(); driver {
	case "sim":
		d := sim.NewInstruments(sim.InstrumentOptions{MaxOpening: model.Stroke})
		d.World.Object = min(g.Object.Value(), model.Stroke)
		g.device, g.gripper = d, d
	case "robotiq":
		d, err := robotiq.New(g.Address.Value(), model)
		if err != nil {
			return badAddress(err)
		}
		g.device, g.gripper = d, d
	default:
		return unknownDriver(driver, "sim", "robotiq")
	}
	return nil
}

// Step commands the opening and writes what the gripper measures.
func (g *Gripper) Step(t clock.Tick) error {
	if opening, status := g.Opening.Read(); status != block.NoData {
		if err := g.gripper.SetGrip(opening, g.Force.Value()); err != nil {
			return err
		}
	}
	if ok, err := g.step(t); !ok {
		return err
	}
	opening, holding := g.gripper.Grip()
	g.Measured.Write(opening)
	g.Holding.Write(holding)
	return nil
}
