package sim

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// torso is the torso in models/ with its rotors, under Euler, with all friction multiplied by a factor.
func torso(t *testing.T, friction float64) *Simulator {
	t.Helper()
	files := os.DirFS(filepath.Join(testkit.Root(t), "models", "torso"))
	robot, err := description.Read(files, "torso.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	semantic, err := description.ReadSRDF(files, "torso.srdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rotors := map[string]float64{}
	for _, r := range semantic.Rotors {
		rotors[r.Joint] = r.Inertia * r.GearRatio * r.GearRatio
	}
	tree := robot.Tree()
	for i := range tree.Joints {
		tree.Joints[i].Damping *= friction
		tree.Joints[i].Armature += rotors[tree.Joints[i].Name]
	}
	s, err := New(tree, Options{Integrator: Euler})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// middle returns the middle of each joint's range.
func (s *Simulator) middle() []float64 {
	q := s.model.Neutral()
	for _, j := range s.joint {
		q[j.q] = (j.lower + j.upper) / 2
	}
	return q
}

// kinetic and total return energies, the latter with that of weight and compliant stops.
func (s *Simulator) kinetic() float64 { return multibody.KineticEnergy(s.data, s.q, s.v) }

func (s *Simulator) total() float64 {
	e := s.kinetic() + multibody.PotentialEnergy(s.data, s.q)
	for _, j := range s.joint {
		over := max(0, s.q[j.q]-j.upper, j.lower-s.q[j.q])
		e += j.stop.stiffness * over * over / 2
	}
	return e
}

// command sets the torques of all joints.
func (s *Simulator) command(torque []float64) {
	for i, x := range torque {
		s.SetTorque(i, x)
	}
}

// Left alone, the robot collapses; its energy goes into friction and stops and never grows.
func TestEnergyOfALimpRobotDoesNotGrow(t *testing.T) {
	s := torso(t, 1)
	s.SetState(s.middle(), nil)
	first := s.total()
	least, most, moving := first, 0.0, 0.0
	for range 20_000 {
		s.Step(ms)
		e := s.total()
		most = max(most, e-least)
		least = min(least, e)
		moving = s.kinetic()
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
	s := torso(t, 0)
	random, torque, v := testkit.Rand(t), make([]float64, len(s.v)), make([]float64, len(s.v))
	for i := range v {
		v[i] = 0.2 * random.NormFloat64()
	}
	s.SetState(s.middle(), v)
	before := s.kinetic()
	for range 400 {
		multibody.Gravity(s.data, s.q, torque)
		s.command(torque)
		s.Step(s.substep)
	}
	testkit.Near(t, "energy of motion", s.kinetic(), before, 0.02*before)
}

// A joint that is pushed beyond its way is held by the stop, however long.
func TestCompliantStopsHold(t *testing.T) {
	s := torso(t, 1)
	for i := range s.joint {
		s.SetTorque(i, math.Inf(1)) // cut to the effort
	}
	s.Step(4 * time.Second)
	for i, j := range s.joint {
		if over := s.Position(i) - j.upper; over > 0.1 || !(math.Abs(s.Velocity(i)) < 0.05) {
			t.Errorf("joint %d is %g rad beyond its stop, with %g rad/s", i, over, s.Velocity(i))
		}
	}
}

// A pushed robot in balance obeys torque + Jᵀ f = g(q).
func TestPushIsAForce(t *testing.T) {
	s := torso(t, 1)
	hand, err := s.model.Link("right_palm")
	if err != nil {
		t.Fatal(err)
	}
	s.SetPush(hand, spatial.Force{Linear: spatial.Vec3{X: 5, Y: -3, Z: 8}})
	torque := make([]float64, len(s.q))
	for range 1000 {
		multibody.Gravity(s.data, s.q, torque)
		J := make([]float64, 6*len(s.q))
		multibody.Jacobian(s.data, s.q, hand, multibody.Mixed, J)
		for i := range torque {
			torque[i] -= 5*J[i] - 3*J[len(s.q)+i] + 8*J[2*len(s.q)+i]
		}
		s.command(torque)
		s.Step(ms)
	}
	testkit.AllNear(t, "position", s.q, make([]float64, len(s.q)), 1e-9)
}
