package ik_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A planar arm of two links, 1 m each, reaches for a point; then for one that is too far.
func ExampleSolver() {
	model, err := multibody.NewModel(multibody.FromDH("arm", multibody.StandardDH, []multibody.DHLink{
		{Type: multibody.Revolute, A: 1}, {Type: multibody.Revolute, A: 1},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	links := model.Links()
	hand := len(links) - 1
	solver, q := ik.NewSolver(model), []float64{0.1, 0.1}
	if err := solver.Solve(q, []ik.Task{ik.ReachPoint(hand, spatial.Vec3{X: 1, Y: 1})}, q); err != nil {
		fmt.Println(err)
	}
	data := multibody.NewData(model)
	multibody.FK(data, q)
	fmt.Printf("%.3f\n", data.Pose(hand).P)
	fmt.Println(solver.Solve(q, []ik.Task{ik.ReachPoint(hand, spatial.Vec3{X: 3})}, q))
	// Output:
	// {1.000 1.000 0.000}
	// ik: the target is out of reach by 1 m; the nearest configuration misses it by 1 m and 0 rad
}
