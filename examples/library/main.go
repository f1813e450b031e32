// Library uses the mathematics alone, without the runtime: it reads a robot, computes the pose of its hand, a
// configuration with the hand lower, the torques that hold it there, and a motion to that configuration. Run it from
// the root of the repository.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

func main() {
	robot := must(description.Read(os.DirFS("."), "bench/robots/panda.urdf", description.Options{}))
	model := must(robot.Model())
	hand := must(model.Link("panda_hand"))
	q, rest := []float64{0, -0.4, 0, -2, 0, 1.6, 0.8}, make([]float64, 7)
	data, goal, tau := multibody.NewData(model), make([]float64, 7), make([]float64, 7)
	multibody.FK(data, q)
	target := data.Pose(hand) // forward kinematics
	target.P.Z -= 0.2
	must(goal, ik.NewSolver(model).Solve(q, []ik.Task{ik.Reach(hand, target)}, goal)) // inverse kinematics
	multibody.RNEA(data, goal, rest, rest, tau)                                       // inverse dynamics: the torques that hold it there
	motion := trajectory.NewOnline(7)                                                 // jerk-limited
	for i := range q {
		motion.Input.Axes[i] = trajectory.Axis{Start: trajectory.State{Position: q[i]},
			Target: trajectory.State{Position: goal[i]}, Limits: trajectory.Limits{Velocity: 2, Acceleration: 10, Jerk: 100}}
	}
	steps := 1
	for !must(motion.Step(0.001)) { // command motion.Input.Axes[i].Start
		steps++
	}
	fmt.Printf("goal %.3f rad\ntorques %.2f N m\narrived after %d ms\n", goal, tau, steps)
}

// must ends the program with the error; for a file, the error lists every mistake with line and column.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
