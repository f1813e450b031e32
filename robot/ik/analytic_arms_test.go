package ik_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// row is a joint as a URDF file writes it.
type row struct {
	xyz, rpy     [3]float64
	axis         [3]float64
	lower, upper float64
}

// The published kinematics of real arms.
var arms = []struct {
	name  string
	class ik.Class
	rows  []row
	tool  [3]float64
}{
	{"ur5", ik.ThreeParallel, []row{ // Universal Robots UR5, ur_description of ROS-Industrial
		{[3]float64{0, 0, 0.089159}, [3]float64{}, [3]float64{0, 0, 1}, -2 * math.Pi, 2 * math.Pi},
		{[3]float64{0, 0.13585, 0}, [3]float64{0, math.Pi / 2, 0}, [3]float64{0, 1, 0}, -2 * math.Pi, 2 * math.Pi},
		{[3]float64{0, -0.1197, 0.425}, [3]float64{}, [3]float64{0, 1, 0}, -math.Pi, math.Pi},
		{[3]float64{0, 0, 0.39225}, [3]float64{0, math.Pi / 2, 0}, [3]float64{0, 1, 0}, -2 * math.Pi, 2 * math.Pi},
		{[3]float64{0, 0.093, 0}, [3]float64{}, [3]float64{0, 0, 1}, -2 * math.Pi, 2 * math.Pi},
		{[3]float64{0, 0, 0.09465}, [3]float64{}, [3]float64{0, 1, 0}, -2 * math.Pi, 2 * math.Pi},
	}, [3]float64{0, 0.0823, 0}},
	{"kr6", ik.SphericalWrist, []row{ // KUKA KR 6 R900 sixx, kuka_kr6_support of ROS-Industrial
		{[3]float64{0, 0, 0.4}, [3]float64{}, [3]float64{0, 0, -1}, -2.96706, 2.96706},
		{[3]float64{0.025, 0, 0}, [3]float64{}, [3]float64{0, 1, 0}, -3.316126, 0.785398},
		{[3]float64{0.455, 0, 0}, [3]float64{}, [3]float64{0, 1, 0}, -2.094395, 2.722714},
		{[3]float64{0, 0, 0.035}, [3]float64{}, [3]float64{-1, 0, 0}, -3.228859, 3.228859},
		{[3]float64{0.42, 0, 0}, [3]float64{}, [3]float64{0, 1, 0}, -2.094395, 2.094395},
		{[3]float64{0.08, 0, 0}, [3]float64{}, [3]float64{-1, 0, 0}, -6.108652, 6.108652},
	}, [3]float64{}},
	{"puma560", ik.SphericalWrist, []row{ // Unimation Puma 560, rlmdl/unimation-puma560.xml of the Robotics Library
		{[3]float64{}, [3]float64{}, [3]float64{0, 0, 1}, -2.7925, 2.7925},
		{[3]float64{0, 0, 0.6604}, [3]float64{-math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -3.9270, 0.7854},
		{[3]float64{0.4318, 0, 0.1291}, [3]float64{}, [3]float64{0, 0, 1}, -0.7854, 3.9270},
		{[3]float64{-0.0203, 0, 0}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -1.9199, 2.9671},
		{[3]float64{0, 0, 0.4331}, [3]float64{-math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -1.7453, 1.7453},
		{[3]float64{}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -4.6426, 4.6426},
	}, [3]float64{0, 0, 0.04125}},
	{"iiwa14", ik.SwivelElbow, []row{ // KUKA LBR iiwa 14 R820, iiwa_description of the iiwa_stack
		{[3]float64{0, 0, 0.1575}, [3]float64{}, [3]float64{0, 0, 1}, -2.96705972839, 2.96705972839},
		{[3]float64{0, 0, 0.2025}, [3]float64{math.Pi / 2, 0, math.Pi}, [3]float64{0, 0, 1}, -2.09439510239, 2.09439510239},
		{[3]float64{0, 0.2045, 0}, [3]float64{math.Pi / 2, 0, math.Pi}, [3]float64{0, 0, 1}, -2.96705972839, 2.96705972839},
		{[3]float64{0, 0, 0.2155}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -2.09439510239, 2.09439510239},
		{[3]float64{0, 0.1845, 0}, [3]float64{-math.Pi / 2, math.Pi, 0}, [3]float64{0, 0, 1}, -2.96705972839, 2.96705972839},
		{[3]float64{0, 0, 0.2155}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -2.09439510239, 2.09439510239},
		{[3]float64{0, 0.081, 0}, [3]float64{-math.Pi / 2, math.Pi, 0}, [3]float64{0, 0, 1}, -3.05432619099, 3.05432619099},
	}, [3]float64{0, 0, 0.045}},
	{"panda", ik.OffsetWrist, []row{ // Franka Emika Panda, franka_description
		{[3]float64{0, 0, 0.333}, [3]float64{}, [3]float64{0, 0, 1}, -2.8973, 2.8973},
		{[3]float64{}, [3]float64{-math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -1.7628, 1.7628},
		{[3]float64{0, -0.316, 0}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -2.8973, 2.8973},
		{[3]float64{0.0825, 0, 0}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -3.0718, -0.0698},
		{[3]float64{-0.0825, 0.384, 0}, [3]float64{-math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -2.8973, 2.8973},
		{[3]float64{}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -0.0175, 3.7525},
		{[3]float64{0.088, 0, 0}, [3]float64{math.Pi / 2, 0, 0}, [3]float64{0, 0, 1}, -2.8973, 2.8973},
	}, [3]float64{0, 0, 0.107}},
}

func vec(x [3]float64) spatial.Vec3 { return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]} }

// arm compiles one of arms. The link of the tool is "tool".
func arm(t testing.TB, name string) (*multibody.Model, *ik.Analytic) {
	t.Helper()
	for _, a := range arms {
		if a.name == name {
			return compile(t, rowTree(name, a.rows, a.tool))
		}
	}
	t.Fatalf("no arm %q", name)
	return nil, nil
}

func rowTree(name string, rows []row, tool [3]float64) multibody.Tree {
	tree := multibody.Tree{Name: name, Links: []multibody.Link{{Name: "base"}}}
	parent := "base"
	for i, r := range rows {
		child := fmt.Sprintf("link%d", i+1)
		tree.Links = append(tree.Links, multibody.Link{Name: child})
		tree.Joints = append(tree.Joints, multibody.Joint{
			Name: fmt.Sprintf("joint%d", i+1), Type: multibody.Revolute, Parent: parent, Child: child,
			Placement: spatial.Pose{R: spatial.RPY(r.rpy[0], r.rpy[1], r.rpy[2]), P: vec(r.xyz)}, Axis: vec(r.axis),
			Limits: &multibody.Limits{Lower: r.lower, Upper: r.upper, Velocity: 1, Effort: 1},
		})
		parent = child
	}
	tree.Links = append(tree.Links, multibody.Link{Name: "tool"})
	tree.Joints = append(tree.Joints, multibody.Joint{
		Name: "tool_joint", Parent: parent, Child: "tool", Placement: spatial.Translation(vec(tool)),
	})
	return tree
}

func compile(t testing.TB, tree multibody.Tree) (*multibody.Model, *ik.Analytic) {
	t.Helper()
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ik.NewAnalytic(m, link(t, m, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	return m, a
}

func link(t testing.TB, m *multibody.Model, name string) int {
	t.Helper()
	i, err := m.Link(name)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// line is an axis in space.
type line struct{ h, p spatial.Vec3 }

// lineTree builds an arm from its axes at zero, with random link frames and tool, and limits of nearly a turn.
func lineTree(rng *rand.Rand, lines []line) multibody.Tree {
	tree := multibody.Tree{Name: "random", Links: []multibody.Link{{Name: "link0"}}}
	at := spatial.IdentityPose()
	for i, l := range lines {
		x := spatial.Pose{R: randomRotation(rng), P: l.p.Add(l.h.Scale(rng.NormFloat64()))}
		child := fmt.Sprintf("link%d", i+1)
		tree.Links = append(tree.Links, multibody.Link{Name: child})
		tree.Joints = append(tree.Joints, multibody.Joint{
			Name: fmt.Sprintf("joint%d", i+1), Type: multibody.Revolute, Parent: tree.Links[i].Name, Child: child,
			Placement: at.InvMul(x), Axis: x.R.TMulVec(l.h),
			Limits: &multibody.Limits{Lower: -3.1, Upper: 3.1, Velocity: 1, Effort: 1},
		})
		at = x
	}
	tree.Links = append(tree.Links, multibody.Link{Name: "tool"})
	tree.Joints = append(tree.Joints, multibody.Joint{
		Name: "tool_joint", Parent: tree.Links[len(lines)].Name, Child: "tool",
		Placement: spatial.Pose{R: randomRotation(rng), P: randomVec(rng, 0.3)},
	})
	return tree
}

func randomVec(rng *rand.Rand, scale float64) spatial.Vec3 {
	return spatial.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(scale)
}

func randomRotation(rng *rand.Rand) spatial.Mat3 { return spatial.Exp(randomVec(rng, 2)) }

// randomLines draws the axes of an arm of a class: nothing is square that need not be.
func randomLines(rng *rand.Rand, class ik.Class) []line {
	var h, p [7]spatial.Vec3
	for i := range h {
		for ok := false; !ok; ok = i == 0 || h[i].Cross(h[i-1]).Norm() > 0.5 {
			h[i] = randomVec(rng, 1).Unit()
		}
		p[i] = randomVec(rng, 0.5)
	}
	n := class.Axes()
	switch class {
	case ik.SphericalWrist:
		h[2] = h[1].Neg()
		h[3] = h[4].Cross(h[2]).Unit()
		p[4], p[5] = p[3], p[3]
	case ik.ThreeParallel:
		h[2], h[3] = h[1].Neg(), h[1]
		h[4] = randomVec(rng, 1).Cross(h[1]).Unit()
		h[5] = h[4].Cross(h[1]).Add(randomVec(rng, 0.1)).Unit()
		p[5] = p[4]
	case ik.SwivelElbow:
		p[1], p[2], p[5], p[6] = p[0], p[0], p[4], p[4]
	case ik.OffsetWrist:
		p[1], p[2], p[5] = p[0], p[0], p[4]
	}
	lines := make([]line, n)
	for i := range lines {
		lines[i] = line{h[i], p[i]}
	}
	return lines
}
