package control_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/control"
)

// A PID drives a mass with friction, which is pushed with at most 24 N, to 1 m.
func ExamplePID() {
	const h = 0.01
	pid := control.PID{Kp: 60, Ki: 0.6, Kd: 1200, UMin: -24, UMax: 24}
	var p, v float64
	for range 1000 {
		u, _ := pid.Step(1 - p)
		v += h * (u - 2*v)
		p += h * v
	}
	fmt.Printf("%.3f m\n", p)
	// Output: 1.000 m
}

func ExampleEncoderScale() {
	e := control.EncoderScale{CountsPerTurn: 4 * 500, Gear: 100, Sign: -1}
	fmt.Printf("%.4f rad\n", e.Position(-50000))
	// Output: 1.5708 rad
}
