package ik_test

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A UR5 by its Denavit–Hartenberg table: all ways to reach a pose, and the nearest to where the arm is.
func ExampleAnalytic() {
	half := math.Pi / 2
	model, err := multibody.NewModel(multibody.FromDH("ur5", multibody.StandardDH, []multibody.DHLink{
		{Type: multibody.Continuous, D: 0.089159, Alpha: half},
		{Type: multibody.Continuous, A: -0.425},
		{Type: multibody.Continuous, A: -0.39225},
		{Type: multibody.Continuous, D: 0.10915, Alpha: half},
		{Type: multibody.Continuous, D: 0.09465, Alpha: -half},
		{Type: multibody.Continuous, D: 0.0823},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	tool, err := model.Link("link6")
	if err != nil {
		fmt.Println(err)
		return
	}
	arm, err := ik.NewAnalytic(model, tool)
	if err != nil {
		fmt.Println(err)
		return
	}
	target := spatial.Pose{R: spatial.RotX(math.Pi), P: spatial.Vec3{X: 0.4, Y: 0.1, Z: 0.2}}
	solutions, err := arm.Solve(target, 0)
	fmt.Println(arm.Class(), len(solutions), err)

	q := []float64{0, -1.5, 1.5, -1.5, -1.5, 0}
	err = arm.Nearest(target, q, q)
	fmt.Printf("%.3f %v\n", q, err)

	target.P.X = 1
	fmt.Println(arm.Nearest(target, q, q))
	// Output:
	// three parallel axes 8 <nil>
	// [0.513 -3.588 1.736 0.282 -1.571 2.084] <nil>
	// ik: the target is out of reach by 0.108 m
}

// A Franka Panda has seven axes: joint 7 is given, or chosen so that the arm keeps away from its limits.
func ExampleAnalytic_Centered() {
	half := math.Pi / 2
	limits := func(lower, upper float64) *multibody.Limits {
		l := multibody.Unlimited()
		l.Lower, l.Upper = lower, upper
		return &l
	}
	revolute := multibody.Revolute
	model, err := multibody.NewModel(multibody.FromDH("panda", multibody.ModifiedDH, []multibody.DHLink{
		{Type: revolute, D: 0.333, Limits: limits(-2.8973, 2.8973)},
		{Type: revolute, Alpha: -half, Limits: limits(-1.7628, 1.7628)},
		{Type: revolute, D: 0.316, Alpha: half, Limits: limits(-2.8973, 2.8973)},
		{Type: revolute, A: 0.0825, Alpha: half, Limits: limits(-3.0718, -0.0698)},
		{Type: revolute, A: -0.0825, D: 0.384, Alpha: -half, Limits: limits(-2.8973, 2.8973)},
		{Type: revolute, Alpha: half, Limits: limits(-0.0175, 3.7525)},
		{Type: revolute, A: 0.088, Alpha: half, D: 0.107, Limits: limits(-2.8973, 2.8973)},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	tool, err := model.Link("link7")
	if err != nil {
		fmt.Println(err)
		return
	}
	arm, err := ik.NewAnalytic(model, tool)
	if err != nil {
		fmt.Println(err)
		return
	}
	target := spatial.Pose{R: spatial.RotX(math.Pi), P: spatial.Vec3{X: 0.5, Y: 0.2, Z: 0.3}}
	solutions, err := arm.Solve(target, 0.8)
	fmt.Println(arm.Class(), len(solutions), err)

	q := model.Neutral()
	err = arm.Centered(target, q)
	fmt.Printf("%.2f %v\n", q, err)
	// Output:
	// offset wrist 2 <nil>
	// [-0.83 0.45 1.24 -2.21 -0.58 2.28 0.78] <nil>
}
