package multibody

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestLimitsIncludeThoseOfFollowingJoints(t *testing.T) {
	tree := mimicTree(testkit.Rand(t))
	j := tree.Joints
	j[0].Limits = &Limits{Lower: -2, Upper: 2, Velocity: 3, Effort: 10}
	j[1].Limits = &Limits{Lower: 0, Upper: 1, Velocity: 1, Effort: 1}  // follows with -0.5 q + 0.3
	j[4].Limits = &Limits{Lower: -1, Upper: 1, Velocity: 2, Effort: 5} // continuous: no position limits
	m := mustModel(t, tree)
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	vel, eff := make([]float64, m.NV()), make([]float64, m.NV())
	m.PositionLimits(lower, upper)
	m.VelocityLimits(vel)
	m.EffortLimits(eff)
	a, _ := m.Joint(j[0].Name)
	near(t, "limits", []float64{lower[a.Q], upper[a.Q], vel[a.V], eff[a.V]}, []float64{-1.4, 0.6, 2, 10}, 1e-14)
	c, _ := m.Joint(j[4].Name)
	if !math.IsInf(lower[c.Q], -1) || !math.IsInf(upper[c.Q], 1) || vel[c.V] != 2 {
		t.Errorf("continuous joint: limits %g, %g, %g", lower[c.Q], upper[c.Q], vel[c.V])
	}
	s, _ := m.Joint(j[2].Name)
	if !math.IsInf(upper[s.Q+3], 1) || !math.IsInf(eff[s.V+2], 1) {
		t.Error("the spherical joint is limited")
	}
}

func TestCheckPositionsNamesJointsBeyondTheirLimits(t *testing.T) {
	tree := mimicTree(testkit.Rand(t))
	j := tree.Joints
	j[0].Limits = &Limits{Lower: -2, Upper: 2, Velocity: 3, Effort: 10}
	j[1].Limits = &Limits{Lower: 0, Upper: 1, Velocity: 1, Effort: 1} // follows with -0.5 q + 0.3
	m := mustModel(t, tree)
	a, _ := m.Joint(j[0].Name)
	for q, inside := range map[float64]bool{-1.4: true, 0: true, 0.6: true, 0.7: false, -1.5: false} {
		at := m.Neutral()
		at[a.Q] = q
		err := m.CheckPositions(at)
		if inside != (err == nil) || err != nil && (!strings.Contains(err.Error(), j[0].Name) || !strings.Contains(err.Error(), "-1.4 … 0.6")) {
			t.Errorf("position %g: error %v", q, err)
		}
	}
}

func TestCheckInertiaNamesJointsWithoutInertia(t *testing.T) {
	r := testkit.Rand(t)
	tree := randomTree(r, Revolute, Universal, Spherical, Revolute)
	if err := mustModel(t, tree, FloatingBase()).CheckInertia(); err != nil {
		t.Fatal(err)
	}
	last := &tree.Joints[3]
	last.Armature = 0
	tree.Links[4].Inertia = spatial.Inertia{}
	err := mustModel(t, tree).CheckInertia()
	if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.Contains(err.Error(), last.Name) {
		t.Errorf("error %v, want one that names %s", err, last.Name)
	}
	last.Armature = 0.1
	if err := mustModel(t, tree).CheckInertia(); err != nil {
		t.Error(err)
	}
}
