package space_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// The tests of this file hold spaces and joints against the text of Rickert and Gaschler, Robotics Library, 2017.

// Line 199 of the text: "A prismatic or revolute joint with upper and lower bounds is represented by R1, a revolute joint with no limits however by S1.
// Spherical joints represent the real projective space RP3 and the correct manifold for free-flying objects is given by R3 × RP3."
func TestJointsAreManifoldsAsPublished(t *testing.T) {
	line, err := space.NewAxes(space.Axis{Name: "bounded", Lower: -3, Upper: 3})
	if err != nil {
		t.Fatal(err)
	}
	circle, err := space.NewAxes(space.Axis{Name: "free", Circle: true})
	if err != nil {
		t.Fatal(err)
	}
	a, b := []float64{-3}, []float64{3}
	testkit.Near(t, "R1", line.Distance(a, b), 6, 1e-12)
	testkit.Near(t, "S1", circle.Distance(a, b), 2*math.Pi-6, 1e-12) // the short way
	half := math.Sqrt(0.5)
	turned := []float64{0, 0, half, half} // by 90° about z
	opposite := []float64{0, 0, -half, -half}
	still := []float64{0, 0, 0, 1}
	testkit.Near(t, "RP3: q and -q are one point", space.Rotations{}.Distance(turned, opposite), 0, 1e-12)
	testkit.Near(t, "RP3: 90°", space.Rotations{}.Distance(still, opposite), math.Pi/2, 1e-12)
	poses, err := space.NewPoses("body", [3]float64{-9, -9, -9}, [3]float64{9, 9, 9}, 1)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "R3 × RP3", poses.Distance([]float64{0, 0, 0, 0, 0, 0, 1}, []float64{3, 4, 0, 0, 0, -half, -half}), math.Hypot(5, math.Pi/2), 1e-12)
	testkit.Near(t, "R3 × RP3: dimension of its values", float64(poses.Dim()), 3+4, 0)
}

// Lines 120 and 163: the n degrees of freedom of a joint are a 6-by-n matrix "for all general types of joints, including revolute, prismatic, spherical,
// and helical joints", and of cylindrical, planar and 6-DOF joints.
func TestJointsHaveTheirDegreesOfFreedom(t *testing.T) {
	for kind, n := range map[multibody.JointType]int{
		multibody.Revolute: 1, multibody.Prismatic: 1, multibody.Helical: 1, multibody.Cylindrical: 2,
		multibody.Spherical: 3, multibody.Planar: 3, multibody.Floating: 6,
	} {
		if kind.NV() != n {
			t.Errorf("%v has %d degrees of freedom, want %d", kind, kind.NV(), n)
		}
	}
}
