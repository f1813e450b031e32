package sim_test

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// An arm of 1 kg is held level by the voltage that its weight needs, sinks without it, and stops when the brake falls in.
func ExampleSimulator() {
	tree := multibody.Tree{
		Name:  "arm",
		Links: []multibody.Link{{Name: "base"}, {Name: "arm", Inertia: spatial.Inertia{Mass: 1, COM: spatial.Vec3{X: 0.2}}}},
		Joints: []multibody.Joint{{Name: "shoulder", Type: multibody.Continuous, Parent: "base", Child: "arm",
			Placement: spatial.IdentityPose(), Axis: spatial.Vec3{Y: -1}}},
	}
	drive := sim.Drive{
		Motor:    sim.Motor{Resistance: 2.3, TorqueConstant: 0.0235, RotorInertia: 1e-6},
		Gear:     sim.Gear{Ratio: 100, Efficiency: 0.8},
		Friction: sim.Friction{Coulomb: 0.1},
		Supply:   24, Brake: 5,
	}
	arm, err := sim.New(tree, sim.Options{Drives: map[string]sim.Drive{"shoulder": drive}})
	if err != nil {
		panic(err)
	}
	say := func(what string) {
		fmt.Printf("%s: %.1f degrees\n", what, arm.Position(0)*180/math.Pi)
	}
	arm.SetVoltage(0, drive.Voltage(9.81*0.2, 0))
	arm.Step(time.Second)
	say("held")
	arm.SetVoltage(0, 0)
	arm.Step(time.Second)
	say("at 0 V")
	arm.SetBrake(0, true)
	arm.Step(time.Second)
	say("braked")
	// Output:
	// held: 0.0 degrees
	// at 0 V: -34.2 degrees
	// braked: -34.2 degrees
}
