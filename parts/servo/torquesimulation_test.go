package servo

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// torsoSimulation is the torso in models/, with all friction multiplied by a factor.
func torsoSimulation(t *testing.T, friction float64) *torqueSimulation {
	t.Helper()
	tree, err := readTree(os.DirFS(filepath.Join(testkit.Root(t), "models", "torso")), "torso.urdf", "torso.srdf")
	if err != nil {
		t.Fatal(err)
	}
	for i := range tree.Joints {
		tree.Joints[i].Damping *= friction
	}
	s, err := newTorqueSimulation(tree)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// energy returns that of motion, weight and stops.
func (s *torqueSimulation) energy() float64 {
	e := multibody.KineticEnergy(s.data, s.q, s.v) + multibody.PotentialEnergy(s.data, s.q)
	for i, j := range s.joints {
		over := max(0, s.q[i]-j.upper, j.lower-s.q[i])
		e += j.stopSpring * over * over / 2
	}
	return e
}

// Left alone, the robot collapses; its energy goes into friction and stops and never grows.
func TestEnergyOfALimpRobotDoesNotGrow(t *testing.T) {
	s := torsoSimulation(t, 1)
	none := make([]float64, len(s.q))
	for i := range s.q {
		s.q[i] = (s.joints[i].lower + s.joints[i].upper) / 2
	}
	first := s.energy()
	least, most, moving := first, 0.0, 0.0
	for range 20_000 {
		s.advance(none, 0.001)
		e := s.energy()
		most = max(most, e-least)
		least = min(least, e)
		moving = multibody.KineticEnergy(s.data, s.q, s.v)
	}
	lost := first - least
	t.Logf("lost %.1f J; the worst rise by discrete steps %.3f J; %.3f J left in motion", lost, most, moving)
	if most > 5e-3*lost {
		t.Errorf("the energy rises by %g J; in all %g J are lost", most, lost)
	}
	if moving > 1e-2*lost {
		t.Errorf("after 20 s there are %g J left in motion; in all %g J are lost", moving, lost)
	}
}

// With no friction and torques against gravity it keeps its energy while it coasts.
func TestCoastingKeepsItsEnergy(t *testing.T) {
	s := torsoSimulation(t, 0)
	random, torque := testkit.Rand(t), make([]float64, len(s.q))
	for i := range s.q {
		s.q[i] = (s.joints[i].lower + s.joints[i].upper) / 2
		s.v[i] = 0.2 * random.NormFloat64()
	}
	before := multibody.KineticEnergy(s.data, s.q, s.v)
	for range 400 {
		multibody.Gravity(s.data, s.q, torque)
		s.advance(torque, torqueSubstep)
	}
	testkit.Near(t, "energy of motion", multibody.KineticEnergy(s.data, s.q, s.v), before, 0.02*before)
}

// A joint that is pushed beyond its way is held by the stop, however long.
func TestStopsHold(t *testing.T) {
	s := torsoSimulation(t, 1)
	torque := make([]float64, len(s.q))
	for i := range torque {
		torque[i] = math.Inf(1) // cut to the effort
	}
	s.advance(torque, 4)
	for i, j := range s.joints {
		if over := s.q[i] - j.upper; over > 0.1 || !(math.Abs(s.v[i]) < 0.05) {
			t.Errorf("joint %d is %g rad beyond its stop, with %g rad/s", i, over, s.v[i])
		}
	}
}

// A pushed robot in balance obeys torque + Jᵀ f = g(q).
func TestPushIsAForce(t *testing.T) {
	s := torsoSimulation(t, 1)
	hand, err := s.model.Link("right_palm")
	if err != nil {
		t.Fatal(err)
	}
	s.push[0].Link, s.push[0].Force.Linear = hand, spatial.Vec3{X: 5, Y: -3, Z: 8}
	torque := make([]float64, len(s.q))
	for range 1000 {
		multibody.Gravity(s.data, s.q, torque)
		J := make([]float64, 6*len(s.q))
		multibody.Jacobian(s.data, s.q, hand, multibody.Mixed, J)
		for i := range torque {
			torque[i] -= 5*J[i] - 3*J[len(s.q)+i] + 8*J[2*len(s.q)+i]
		}
		s.advance(torque, 0.001)
	}
	testkit.AllNear(t, "position", s.q, make([]float64, len(s.q)), 1e-9)
}
