package hardware

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/canopen"
	"github.com/sinew-robotics/sinew/device/dynamixel"
	"github.com/sinew-robotics/sinew/device/feetech"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/device/ur"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Joints is the joints of an arm, or a chain of servos, that are commanded positions:
//
//	           ┌────────┐
//	desired ─► │ Joints ├─► position  [rad]
//	           │        ├─► velocity  [rad/s]
//	           │        ├─► force     [N, N m]
//	           └────────┘
//
// They stand still until there is a desired position, and when the system stops. The desired position must begin where the joints are and not leap: an
// element that is further from the measured one, or later from the one before, than the parameter step is an error.
//
// Drivers: sim is ideal joints that follow at once, as many as initial has elements. ur is an arm of Universal Robots (RTDE 2) at an address such as
// tcp://192.168.0.10:30004, in a thread with a period of 2 ms. dynamixel is servos of the X series (protocol 2.0) at an address such as
// serial:///dev/ttyUSB0?baud=57600, and feetech is servos of the STS series at one such as serial:///dev/ttyACM0?baud=1000000; they have no
// torque until there is a desired position, and when the system stops. canopen is drives of CiA 402 on a bus such as can://can0, in the mode
// cyclic synchronous position; they have no power until there is a desired position, and when the system stops.
//
// While the device is absent a warning names the reason, and the outputs keep their last values; afterwards it follows again, if the desired position is
// still near.
type Joints struct {
	Driver  block.Const[string]    `default:"sim" doc:"sim, ur for arms of Universal Robots, dynamixel or feetech for servos, or canopen for drives"`
	Address block.Const[string]    `doc:"of the device's channel; sim needs none"`
	Initial block.Const[[]float64] `unit:"rad" default:"[0, -1.57, 1.57, -1.57, -1.57, 0]" min:"-6.28" max:"6.28" doc:"positions of the simulated joints at first"`
	Servos  block.Const[[]int64]   `default:"[1]" min:"0" max:"253" doc:"numbers of the servos (dynamixel, to 252; feetech) or nodes (canopen, from 1 to 126), in the order of the joints"`
	Fast    block.Const[bool]      `doc:"servos of the driver dynamixel answer in one packet (fast sync read); they need firmware 45, those of the X330 series 46"`
	Counts  block.Const[float64]   `name:"increments" default:"65536" min:"1" max:"1e9" doc:"of the driver canopen: increments of position in a turn of the joint, and of velocity in a turn per second"`
	Leap    block.Param[float64]   `name:"step" unit:"rad" default:"0.1" min:"0.001" max:"7" doc:"greatest distance of the first desired position from the measured one, and of each later one from the one before"`

	Desired  block.In[[]float64]  `unit:"rad" doc:"positions of the joints to follow"`
	Position block.Out[[]float64] `unit:"rad" watch:"yes" doc:"of the joints"`
	Velocity block.Out[[]float64] `unit:"rad/s" doc:"of the joints"`
	Force    block.Out[[]float64] `unit:"N, N m" safe:"0" doc:"what acts on the tool, force then torque; 0 without a sensor"`

	life
	axes    []axis
	force   device.ForceTorqueSensor // nil: none
	known   bool                     // where the joints are
	engaged bool                     // they follow
	last    []float64                // what was desired
}

// axis is a joint with the facets that the block needs.
type axis interface {
	device.JointPositionSensor
	device.JointVelocitySensor
	device.JointPositionActuator
}

// Setup makes the device.
func (a *Joints) Setup(s *block.Setup) error {
	d, err := a.create()
	if err != nil {
		return err
	}
	a.device = d
	a.force, _ = d.(device.ForceTorqueSensor)
	n := d.Axes()
	a.axes, a.last = make([]axis, n), make([]float64, n)
	for i := range a.axes {
		a.axes[i] = d.AxisPart(i).(axis)
	}
	s.Len(n, &a.Desired, &a.Position, &a.Velocity)
	s.Len(6, &a.Force)
	return nil
}

// axes is a device of several joints.
type axes interface {
	device.Device
	device.AxisController
}

// create makes the device that the parameters name.
func (a *Joints) create() (axes, error) {
	switch name := a.Driver.Value(); name {
	case "sim":
		initial := a.Initial.Value()
		if len(initial) == 0 {
			return nil, &port.ParamError{Param: "initial", Err: errors.New("initial is empty: expected a position for each joint")}
		}
		d := sim.NewJoints(len(initial), sim.JointOptions{Lower: -2 * math.Pi, Upper: 2 * math.Pi, MaxVelocity: 1000, MaxTorque: 1e6, Inertia: 1, TorqueConstant: 1})
		for i, q := range initial {
			d.Joint(i).Place(q)
		}
		return d, nil
	case "ur":
		d, err := ur.New(a.Address.Value())
		if err != nil {
			return nil, badAddress(err)
		}
		return d, nil
	case "dynamixel":
		return chain(a, dynamixel.CheckIDs, func(address string, ids ...int) (*dynamixel.Chain, error) {
			d, err := dynamixel.New(address, ids...)
			if err == nil {
				d.Fast = a.Fast.Value()
			}
			return d, err
		})
	case "feetech":
		return chain(a, feetech.CheckIDs, feetech.New)
	case "canopen":
		return chain(a, canopen.CheckNodes, func(address string, nodes ...int) (*canopen.Drives, error) {
			return canopen.New(address, canopen.Options{Increments: a.Counts.Value()}, nodes...)
		})
	default:
		return nil, unknownDriver(name, "sim", "ur", "dynamixel", "feetech", "canopen")
	}
}

// chain makes a chain of servos.
func chain[D axes](a *Joints, check func(ids []int) error, create func(address string, ids ...int) (D, error)) (axes, error) {
	ids := make([]int, len(a.Servos.Value()))
	for i, id := range a.Servos.Value() {
		ids[i] = int(id)
	}
	if err := check(ids); err != nil {
		return nil, &port.ParamError{Param: "servos", Err: fmt.Errorf("servos: %w", err)}
	}
	d, err := create(a.Address.Value(), ids...)
	if err != nil {
		return nil, badAddress(err)
	}
	return d, nil
}

// Start opens and starts the device.
func (a *Joints) Start() error {
	a.known, a.engaged = false, false
	return a.life.Start()
}

var errLeap = errors.New("desired is further from the measured position, or from the last one desired, than the parameter step: begin where the joints are")

// Step commands the desired position and writes what is measured.
func (a *Joints) Step(t clock.Tick) error {
	if a.known {
		if err := a.follow(); err != nil {
			return err
		}
	}
	ok, err := a.step(t)
	if a.known = ok; !ok {
		a.engaged = false
		return err
	}
	position, velocity := *a.Position.Slot(), *a.Velocity.Slot()
	for i := range a.axes {
		position[i], velocity[i] = a.axes[i].JointPosition(), a.axes[i].JointVelocity()
	}
	a.Position.Commit()
	a.Velocity.Commit()
	force := *a.Force.Slot()
	clear(force)
	if a.force != nil {
		f := a.force.ForceTorque()
		force[0], force[1], force[2], force[3], force[4], force[5] = f.Linear.X, f.Linear.Y, f.Linear.Z, f.Angular.X, f.Angular.Y, f.Angular.Z
	}
	a.Force.Commit()
	return nil
}

// follow commands the desired position, if there is one.
func (a *Joints) follow() error {
	desired, status := a.Desired.Read()
	if status == block.NoData {
		return nil
	}
	for i, q := range desired {
		from := a.last[i]
		if !a.engaged {
			from = a.axes[i].JointPosition()
		}
		if !(math.Abs(q-from) <= a.Leap.Value()) {
			return errLeap
		}
	}
	for i, q := range desired {
		if err := a.axes[i].SetJointPosition(q); err != nil {
			return err
		}
		a.last[i] = q
	}
	a.engaged = true
	return nil
}
