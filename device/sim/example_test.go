package sim_test

import (
	"fmt"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/curve"
)

// Both joints of Janus go to 1 rad in 2 s, each under its own PID, which sees counts and commands volts.
func Example() {
	robot, err := sim.Load(os.DirFS("../../models/janus"), "janus.urdf", "drives.yaml")
	if err != nil {
		panic(err)
	}
	defer robot.Close()
	_ = robot.Open()
	_ = robot.Start()

	const period = 10 * time.Millisecond
	sign := [2]float64{1, -1} // joint 2 is mounted mirrored
	var pid [2]control.PID
	var encoder [2]control.EncoderScale
	for i := range pid {
		pid[i] = control.PID{Kp: 70, Ki: 3, Kd: 200, UMin: -24, UMax: 24}
		encoder[i] = control.EncoderScale{CountsPerTurn: 2000, Gear: 100, Sign: sign[i]}
		robot.Axis(i).SetPower(true)
		robot.Axis(i).SetBrake(false)
	}
	move := curve.MinimumJerk(2, curve.State{}, curve.State{Position: 1})
	for t := 0.0; t < 4; t += period.Seconds() {
		for i := range pid {
			axis := robot.Axis(i)
			u, _ := pid[i].Step(move.At(min(t, 2), 0) - encoder[i].Position(axis.Counts()))
			_ = axis.SetVoltage(sign[i] * u)
		}
		_ = robot.Step(period)
	}
	for i := range pid {
		fmt.Printf("%s at %.2f rad\n", robot.Axis(i).Name(), robot.Axis(i).JointPosition())
	}
	// Output:
	// joint1 at 1.00 rad
	// joint2 at 1.00 rad
}
