package hexapod

import (
	"math"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func newSim(t *testing.T) *simulation {
	t.Helper()
	robot, err := description.Read(os.DirFS("../../.."), urdf, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model(multibody.FloatingBase())
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSimulation(model)
	if err != nil {
		t.Fatal(err)
	}
	s.stiffness, s.damping, s.friction = 60, 1, 0.8
	return s
}

// lift puts the machine into the air.
func (s *simulation) lift(height float64) { s.q[2] = height }

// In the air the centre of mass falls as Galilei says, whatever the legs do.
func TestFalls(t *testing.T) {
	s := newSim(t)
	s.lift(5)
	for i := range s.servos {
		s.servos[i] = servo{target: s.q[baseQ+i] + 0.1, on: true}
	}
	before := multibody.COM(s.data, s.q)
	s.advance(0.5)
	com := multibody.COM(s.data, s.q)
	near(t, "fall", before.Z-com.Z, 0.5*9.81*0.5*0.5, 0.5*9.81*0.5*substep)
	near(t, "drift", math.Hypot(com.X-before.X, com.Y-before.Y), 0, 1e-6)
}

// At rest the ground carries the weight, and nothing pushes it along.
func TestGroundCarriesTheWeight(t *testing.T) {
	s := newSim(t)
	for i := range s.servos {
		s.servos[i] = servo{target: [3]float64{0, 0.6, -1.9}[i%3], on: true}
	}
	s.lift(0.2)
	s.advance(4)
	var sum spatial.Vec3
	for _, c := range s.contacts {
		sum = sum.Add(c.force)
	}
	near(t, "weight", sum.Z, s.model.Mass()*9.81, 0.01)
	near(t, "force along the ground", math.Hypot(sum.X, sum.Y), 0, 0.01)
	for i, v := range s.v {
		near(t, "velocity", v, 0, 1e-3)
		if t.Failed() {
			t.Fatalf("coordinate %d moves", i)
		}
	}
}

// A point on the ground sticks below the cone of friction, slides on its edge, and lets go without pulling.
func TestContactLaw(t *testing.T) {
	const mu, depth = 0.5, 0.001
	c := contact{radius: 0.01}
	at := func(x, z float64, v spatial.Vec3) spatial.Vec3 {
		c.touch(spatial.Vec3{X: x, Z: z}, v, mu)
		return c.force
	}
	f := at(0, 0.01-depth, spatial.Vec3{})
	testkit.AllNear(t, "touching", []float64{f.X, f.Y, f.Z}, []float64{0, 0, groundStiffness * depth}, 1e-12)
	most := mu * groundStiffness * depth
	testkit.Near(t, "sticking", at(0.5*most/gripStiffness, 0.01-depth, spatial.Vec3{}).X, -0.5*most, 1e-12)
	testkit.Near(t, "coming back", at(0, 0.01-depth, spatial.Vec3{}).X, 0, 1e-12)
	testkit.Near(t, "sliding", at(1, 0.01-depth, spatial.Vec3{}).X, -most, 1e-12)
	testkit.Near(t, "held at the new place", at(1-most/gripStiffness, 0.01-depth, spatial.Vec3{}).X, 0, 1e-9)
	if f := at(1, 0.01-depth, spatial.Vec3{Z: 1}); f != (spatial.Vec3{}) {
		t.Errorf("pulled off quickly: the ground holds with %v", f)
	}
	if f := at(1, 0.011, spatial.Vec3{Z: -1}); f != (spatial.Vec3{}) {
		t.Errorf("in the air: %v", f)
	}
	// Sliding takes energy away, in every direction.
	r := testkit.Rand(t)
	for range 1000 {
		v := spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: -r.Float64()}
		c = contact{radius: 0.01}
		f := at(0, 0.01-depth, v)
		if f.X*v.X+f.Y*v.Y > 0 || math.Hypot(f.X, f.Y) > mu*f.Z*(1+1e-12) {
			t.Fatalf("velocity %v: force %v", v, f)
		}
	}
}
