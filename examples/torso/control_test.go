package torso

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// In a minute, three rounds of the pose sequence, no joint comes near instability.
func TestTourIsFollowed(t *testing.T) {
	_, model := readModel(t)
	n := model.NV()
	lower, upper, fastest := make([]float64, n), make([]float64, n), make([]float64, n)
	model.PositionLimits(lower, upper)
	model.VelocityLimits(fastest)
	worst, way := 0.0, make([]float64, n)
	try(t, func(r *trial) {
		start := r.read("robot.position")
		for s := 0.1; s < 60; s += 0.1 {
			r.until(s)
			q, v, target := r.read("robot.position"), r.read("robot.velocity"), r.all("target")
			for i := range q {
				way[i] = max(way[i], math.Abs(q[i]-start[i]))
				worst = max(worst, math.Abs(q[i]-target[i]))
				if !(q[i] > lower[i] && q[i] < upper[i] && math.Abs(v[i]) < fastest[i]) {
					t.Errorf("at %.1f s joint %d is at %g rad with %g rad/s: its limits are %g to %g and %g", s, i, q[i], v[i], lower[i], upper[i], fastest[i])
					return
				}
			}
		}
	})
	t.Logf("farthest from the desired position: %.1f mrad", 1e3*worst)
	if worst > 0.05 {
		t.Errorf("a joint was %g rad from where it should be", worst)
	}
	for i, w := range way {
		if w < 0.1 {
			t.Errorf("joint %d goes only %g rad: the motion shows too little", i, w)
		}
	}
}

// Without springs, gravity compensation alone holds the robot; nothing but friction keeps it in place.
func TestGravityCompensationHoldsWithoutDrift(t *testing.T) {
	try(t, func(r *trial) {
		r.stay()
		for _, limb := range limbs {
			r.set(limb, map[string]any{"stiffness": make([]float64, len(r.read(limb+".target")))})
		}
		before := r.read("robot.position")
		r.until(20)
		testkit.AllNear(t, "position after 12 s", r.read("robot.position"), before, 1e-4)
	})
}

// Pushed at the left hand, all joints yield according to their springs: K (q - qd) = Jᵀ f.
func TestImpedanceActsLikeSprings(t *testing.T) {
	_, model := readModel(t)
	hand, err := model.Link("left_palm")
	if err != nil {
		t.Fatal(err)
	}
	n, data := model.NV(), multibody.NewData(model)
	J, want, got := make([]float64, 6*n), make([]float64, n), make([]float64, n)
	try(t, func(r *trial) {
		r.stay()
		for k, push := range [][]float64{{30, 0, 0}, {0, -20, 10}, {0, 0, -40}, {0, 0, 0}} {
			r.push(push)
			r.until(11 + 3*float64(k))
			q, target := r.read("robot.position"), r.all("target")
			var stiffness []float64
			for _, limb := range limbs {
				stiffness = append(stiffness, r.param(limb+".stiffness")...)
			}
			multibody.Jacobian(data, q, hand, multibody.Mixed, J)
			size := 0.0
			for i := range n {
				want[i] = J[i]*push[0] + J[n+i]*push[1] + J[2*n+i]*push[2]
				got[i] = stiffness[i] * (q[i] - target[i])
				size = max(size, math.Abs(want[i]))
			}
			testkit.AllNear(t, "torques of the springs", got, want, 1e-4+1e-4*size)
			t.Logf("push %v N: up to %.1f N m", push, size)
		}
	})
}

// Released after a push, the robot swings back, and the energy of motion and springs only decreases: the controller
// is passive.
func TestEnergyDecreasesAfterAPush(t *testing.T) {
	_, model := readModel(t)
	n, data := model.NV(), multibody.NewData(model)
	try(t, func(r *trial) {
		r.stay()
		var stiffness []float64
		for _, limb := range limbs {
			stiffness = append(stiffness, r.param(limb+".stiffness")...)
		}
		r.push([]float64{60, -30, 40})
		r.until(10)
		r.push([]float64{0, 0, 0})
		r.until(10.002)
		first, before := 0.0, 0.0
		for k := range 200 {
			r.until(10.002 + 0.01*float64(k))
			q, v, target := r.read("robot.position"), r.read("robot.velocity"), r.all("target")
			e := multibody.KineticEnergy(data, q, v)
			for i := range n {
				e += stiffness[i] * (q[i] - target[i]) * (q[i] - target[i]) / 2
			}
			switch {
			case k == 0:
				first = e
			case e > before+1e-4*first:
				t.Errorf("at %.2f s the energy grows from %g to %g J", 10+0.01*float64(k), before, e)
			}
			before = e
		}
		t.Logf("%.3f J fade to %.3g J in 2 s", first, before)
		if before > 1e-3*first || first < 0.5 {
			t.Errorf("of %g J there are %g J left after 2 s", first, before)
		}
	})
}
