package hexapod

import (
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func newSim(t *testing.T) *simulation {
	t.Helper()
	robot, err := description.Read(os.DirFS("../../.."), urdf, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSimulation(robot.Tree())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lift puts the machine into the air, where it is at rest.
func (s *simulation) lift(height float64) {
	q := slices.Clone(s.Q())
	q[2] = height
	s.SetState(q, nil)
}

// In the air the centre of mass is in free fall, whatever the legs do.
func TestCentreOfMassFallsFreely(t *testing.T) {
	s := newSim(t)
	s.lift(5)
	for i := range s.servos {
		s.servos[i] = servo{target: s.Position(i) + 0.1, on: true}
	}
	s.drive(60, 1)
	data := multibody.NewData(s.Model())
	before := multibody.COM(data, s.Q())
	s.Step(500 * time.Millisecond)
	com := multibody.COM(data, s.Q())
	near(t, "fall", before.Z-com.Z, 0.5*9.81*0.5*0.5, 0.5*9.81*0.5*sim.Euler.DefaultSubstep().Seconds())
	near(t, "drift", math.Hypot(com.X-before.X, com.Y-before.Y), 0, 1e-6)
}

// At rest the ground carries the weight, and nothing pushes it along.
func TestGroundCarriesTheWeight(t *testing.T) {
	s := newSim(t)
	for i := range s.servos {
		s.servos[i] = servo{target: [3]float64{0, 0.6, -1.9}[i%3], on: true}
	}
	s.drive(60, 1)
	s.lift(0.2)
	s.Step(4 * time.Second)
	var sum spatial.Vec3
	for i := range s.points {
		_, force := s.ground.Touch(i)
		sum = sum.Add(force)
	}
	near(t, "weight", sum.Z, s.Model().Mass()*9.81, 0.01)
	near(t, "force along the ground", math.Hypot(sum.X, sum.Y), 0, 0.01)
	for i, v := range s.V() {
		near(t, "velocity", v, 0, 1e-3)
		if t.Failed() {
			t.Fatalf("coordinate %d moves", i)
		}
	}
}
