package ik_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Chains with every type of joint, with a floating base or joints that follow others, reach poses that they can have.
func TestSolverMovesEveryTypeOfJoint(t *testing.T) {
	const seed = 21
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, kind := range []multibody.JointType{
		multibody.Continuous, multibody.Prismatic, multibody.Helical, multibody.Cylindrical, multibody.Planar,
		multibody.Universal, multibody.Spherical, multibody.Floating,
	} {
		for _, floating := range []bool{false, true} {
			tree := mixedTree(rng, kind)
			var options []multibody.Option
			if floating {
				options = append(options, multibody.FloatingBase())
			}
			m, err := multibody.NewModel(tree, options...)
			if err != nil {
				t.Fatal(err)
			}
			d, s := multibody.NewData(m), ik.NewSolver(m)
			tool := link(t, m, tree.Links[len(tree.Links)-1].Name)
			q, start := m.Neutral(), m.Neutral()
			for _, method := range methods[:3] {
				s.Method = method
				failed := 0
				for range 20 {
					m.Random(rng, q)
					m.Random(rng, start)
					multibody.FK(d, q)
					target := d.Pose(tool)
					if err := s.Solve(start, []ik.Task{ik.Reach(tool, target)}, q); err != nil {
						failed++
						continue
					}
					multibody.FK(d, q)
					testkit.Near(t, "position", d.Pose(tool).P.Sub(target.P).Norm(), 0, s.Linear*1.01)
					testkit.Near(t, "orientation", target.R.Mul(d.Pose(tool).R.T()).Log().Norm(), 0, s.Angular*1.01)
				}
				if failed > 1 {
					t.Errorf("%v, floating base %v, %v, seed %d: %d of 20 failed", kind, floating, method, seed, failed)
				}
			}
		}
	}
}

// mixedTree returns a chain of hinges about random axes and some joints of one type; one hinge follows another.
func mixedTree(rng *rand.Rand, kind multibody.JointType) multibody.Tree {
	tree := multibody.Tree{Name: kind.String(), Links: []multibody.Link{{Name: "link0"}}}
	types := []multibody.JointType{kind, multibody.Revolute, multibody.Revolute, kind, multibody.Revolute, multibody.Revolute, multibody.Revolute, multibody.Revolute}
	for i, k := range types {
		j := multibody.Joint{
			Name: fmt.Sprintf("joint%d", i), Type: k, Parent: tree.Links[i].Name, Child: fmt.Sprintf("link%d", i+1),
			Placement: spatial.Pose{R: randomRotation(rng), P: randomVec(rng, 0.3)},
			Axis:      randomVec(rng, 1).Unit(), Axis2: randomVec(rng, 1), Pitch: 0.1,
		}
		if k == multibody.Revolute || k == multibody.Prismatic {
			limits := multibody.Unlimited()
			limits.Lower, limits.Upper = -2, 2
			j.Limits = &limits
		}
		if i == 6 {
			j.Limits, j.Mimic = nil, &multibody.Mimic{Joint: "joint2", Multiplier: -0.5, Offset: 0.3}
		}
		tree.Joints = append(tree.Joints, j)
		tree.Links = append(tree.Links, multibody.Link{Name: j.Child})
	}
	return tree
}

// Without tasks there is nothing to do; wrong lengths, links and weights are errors of the program.
func TestMisuseIsReported(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s, q := link(t, m, "tool"), ik.NewSolver(m), m.Neutral()
	if err := s.Solve(q, nil, q); err != nil {
		t.Errorf("no tasks: %v", err)
	}
	good := ik.Reach(tool, spatial.IdentityPose())
	weightless, negative, elsewhere, shapeless := good, good, good, good
	weightless.Weight, negative.Weight[2], elsewhere.Link, shapeless.Target = [6]float64{}, -1, 99, spatial.Pose{}
	if err := s.Solve(q, []ik.Task{weightless}, q); err != nil {
		t.Errorf("nothing counts: %v", err)
	}
	v, twist, tired := make([]float64, m.NV()), make([]spatial.Motion, 1), ik.NewSolver(m)
	tired.Method, tired.Rest = ik.PseudoInverse, q[:2]
	for name, f := range map[string]func(){
		"short seed":       func() { _ = s.Solve(q[:3], []ik.Task{good}, q) },
		"short result":     func() { _ = s.Solve(q, []ik.Task{good}, q[:3]) },
		"negative weight":  func() { _ = s.Solve(q, []ik.Task{negative}, q) },
		"no such link":     func() { _ = s.Solve(q, []ik.Task{elsewhere}, q) },
		"zero pose":        func() { _ = s.Solve(q, []ik.Task{shapeless}, q) },
		"short velocity":   func() { s.Velocity(q, []ik.Task{good}, twist, nil, 0.001, v[:2]) },
		"too few twists":   func() { s.Velocity(q, []ik.Task{good}, nil, nil, 0.001, v) },
		"no time":          func() { s.Velocity(q, []ik.Task{good}, twist, nil, 0, v) },
		"no link to move":  func() { s.Velocity(q, []ik.Task{elsewhere}, twist, nil, 0.001, v) },
		"no shape to move": func() { s.Velocity(q, []ik.Task{shapeless}, twist, nil, 0.001, v) },
		"short wish":       func() { s.Velocity(q, []ik.Task{good}, twist, q[:2], 0.001, v) },
		"short rest":       func() { _ = tired.Solve(q, []ik.Task{good}, q) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// A zero weight leaves a direction free: a tool that only points, and one on a line, reach what a full pose could
// not.
func TestZeroWeightsLeaveDirectionsFree(t *testing.T) {
	m, _ := arm(t, "ur5")
	tool, s, d, q := link(t, m, "tool"), ik.NewSolver(m), multibody.NewData(m), m.Neutral()
	turn := ik.Reach(tool, spatial.Pose{R: spatial.RPY(1, 2, 3), P: spatial.Vec3{X: 99}})
	turn.Weight = [6]float64{3: 1, 4: 1, 5: 1}
	if err := s.Solve(q, []ik.Task{turn}, q); err != nil {
		t.Errorf("orientation only: %v", err)
	}
	multibody.FK(d, q)
	testkit.Near(t, "orientation", turn.Target.R.Mul(d.Pose(tool).R.T()).Log().Norm(), 0, s.Angular)

	// Along the target's own x axis the position is free: a line that passes near the base.
	line := ik.Reach(tool, spatial.Pose{R: spatial.RPY(0, 0, 0.4), P: spatial.Vec3{X: 20, Y: 20 * math.Tan(0.4), Z: 0.4}})
	line.Weight[0] = 0
	if err := s.Solve(q, []ik.Task{line}, q); err != nil {
		t.Errorf("on a line: %v", err)
	}
	multibody.FK(d, q)
	off := line.Target.R.TMulVec(d.Pose(tool).P.Sub(line.Target.P))
	testkit.Near(t, "off the line", math.Hypot(off.Y, off.Z), 0, s.Linear*1.01)
}
