package program

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// drive executes a motion by a player at 500 Hz, and requires speeds and torques below the limits of the description at every step. It returns the greatest
// share of a torque that the robot uses.
func drive(t *testing.T, a arm, m *Motion) (most float64) {
	t.Helper()
	n := m.Axes()
	speed, effort := make([]float64, n), make([]float64, n)
	a.Model.VelocityLimits(speed)
	a.Model.EffortLimits(effort)
	d := multibody.NewData(a.Model)
	q, v, acc, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	states := make([]trajectory.State, n)
	p := NewPlayer(m)
	for k := 0; ; k++ {
		status := p.Step(2e-3, states)
		for i, s := range states {
			q[i], v[i], acc[i] = s.Position, s.Velocity, s.Acceleration
		}
		multibody.RNEA(d, q, v, acc, tau)
		for i := range tau {
			most = max(most, math.Abs(tau[i])/effort[i])
			if math.Abs(v[i]) > speed[i] || math.Abs(tau[i]) > effort[i] {
				t.Fatalf("joint %d at step %d: %g of %g rad/s, %g of %g Nm", i, k, v[i], speed[i], tau[i], effort[i])
			}
		}
		if status == Ended {
			return most
		}
		if float64(k)*2e-3 > 2*m.Duration()+1 {
			t.Fatalf("the motion of %g s has not ended", m.Duration())
		}
	}
}

// Fifty published problems, planned and shortened, as one movePath each, on two arms. The judges are the efforts and velocities that the makers state.
func TestArmsDriveFiftyPlannedPaths(t *testing.T) {
	for _, c := range []struct {
		arm  func(testing.TB) arm
		name string
		sets []string
	}{
		{panda, "panda", []string{"table_pick", "bookshelf_small"}},
		{ur5, "ur5", []string{"table_pick", "bookshelf_small"}},
	} {
		a := c.arm(t)
		driven, most := 0, 0.0
		for _, set := range c.sets {
			b := planningtest.New(t, c.name, set, 20_000)
			b.Planner.Near = true
			within(b.Space, a) // the limits of the problems are wider than those of the robot's description
			simplifier := planning.NewSimplifier(b.Planner.Verifier())
			for i := 0; i < len(b.Set.Problems) && driven < 50; i++ {
				problem, _ := b.Problem(t, i)
				if !*problem.Valid {
					continue
				}
				path, err := b.Planner.Plan(problem.Start, problem.Goal)
				if err != nil {
					t.Errorf("%s %s %d: %v", c.name, set, problem.Index, err)
					continue
				}
				simplifier.Simplify(path)
				move := Move{Kind: MovePath, Speed: 1, Acceleration: 1, Jerk: 1, Blend: 0.05, Tool: Tool{Link: a.tip, Pose: spatial.IdentityPose()}, Names: b.Set.Joints}
				for k := range path.Len() {
					move.Points = append(move.Points, slices.Clone(path.At(k)))
				}
				m, err := Compile(&Program{Moves: []Move{move}}, a.Robot, problem.Start)
				if err != nil {
					t.Errorf("%s %s %d: %v", c.name, set, problem.Index, err)
					continue
				}
				checkLimits(t, m)
				most = max(most, drive(t, a, m))
				states := make([]trajectory.State, m.Axes())
				m.At(m.Duration(), states)
				for j, s := range states {
					testkit.Near(t, "goal", s.Position, problem.Goal[j], 1e-9)
				}
				if len(m.Stops()) != 2 {
					t.Errorf("%s %s %d: it stops at %v", c.name, set, problem.Index, m.Stops())
				}
				driven++
			}
		}
		if driven < 50 {
			t.Errorf("%s drives %d paths, want 50", c.name, driven)
		}
		t.Logf("%s uses at most %.0f %% of a torque", c.name, 100*most)
	}
}

// within narrows the limits of a space to those of an arm.
func within(s *space.Joints, a arm) {
	lower, upper := make([]float64, a.Model.NQ()), make([]float64, a.Model.NQ())
	a.Model.PositionLimits(lower, upper)
	for i := range s.Lower {
		s.Lower[i], s.Upper[i] = max(s.Lower[i], lower[i]), min(s.Upper[i], upper[i])
	}
}

// A square with rounded corners, a circle and a letter, on two arms.
func TestArmsDriveFiguresBelowTorqueAndSpeed(t *testing.T) {
	const head = "tools: {tool: {link: TIP}}\ndefaults:\n  moveL: {speed: 250 mm/s, acceleration: 2, jerk: 20, tool: tool, blend: 30 mm}\n  moveC: {speed: 250 mm/s, acceleration: 2, jerk: 20, tool: tool}\nmoves:\n"
	figures := map[string]string{
		"square": "  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 0]}\n  - moveL: {xyz: [0.6, 0.15, 0.45]}\n  - moveL: {xyz: [0.6, -0.15, 0.45]}\n  - moveL: {xyz: [0.45, -0.15, 0.45]}\n  - moveL: {xyz: [0.45, 0.15, 0.45]}\n    blend: 0\n",
		"circle": "  - moveL: {xyz: [0.5, 0.1, 0.45], rpy: [180 deg, 0, 0]}\n    blend: 0\n  - moveC: {via: [0.6, 0, 0.45], xyz: [0.5, -0.1, 0.45]}\n  - moveC: {via: [0.4, 0, 0.45], xyz: [0.5, 0.1, 0.45]}\n",
	}
	for name, a := range map[string]arm{"panda": panda(t), "ur5": ur5(t)} {
		for figure, moves := range figures {
			drive(t, a, compile(t, a, strings.Replace(head, "TIP", a.tip, 1)+moves))
			t.Logf("%s draws the %s", name, figure)
		}
		p, err := Read(os.DirFS("../../examples/arm"), "letter.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Moves {
			p.Moves[i].Tool.Link = a.tip
		}
		last := &p.Moves[len(p.Moves)-1] // back home, by joints
		last.Joints = nil
		for _, x := range a.home {
			last.Joints = append(last.Joints, JointValue{Position: x})
		}
		m, err := Compile(p, a.Robot, a.home)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		drive(t, a, m)
	}
}
