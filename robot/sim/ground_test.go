package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const boxMass = 2.0

// box is a free box of 0.4 m × 0.2 m × 0.1 m, whose lower corners touch the ground; gravity leans by slope rad about y.
func box(t *testing.T, integrator Integrator, slope, friction float64) (*Simulator, *Ground) {
	t.Helper()
	g := spatial.Vec3{X: 9.81 * math.Sin(slope), Z: -9.81 * math.Cos(slope)}
	s, err := New(multibody.Tree{Name: "box", Links: []multibody.Link{{Name: "box", Inertia: spatial.Inertia{Mass: boxMass,
		Rotational: spatial.SymDiag(boxMass*0.05/12, boxMass*0.17/12, boxMass*0.2/12)}}}},
		Options{Integrator: integrator, Model: []multibody.Option{multibody.FloatingBase(), multibody.WithGravity(g)}})
	if err != nil {
		t.Fatal(err)
	}
	var corners []Point
	for _, x := range []float64{-0.2, 0.2} {
		for _, y := range []float64{-0.1, 0.1} {
			corners = append(corners, Point{Link: "box", At: spatial.Vec3{X: x, Y: y, Z: -0.05}})
		}
	}
	ground, err := NewGround(s.Model(), Surface{Stiffness: 8000, Damping: 60, GripStiffness: 8000, GripDamping: 60, Friction: friction}, corners...)
	if err != nil {
		t.Fatal(err)
	}
	s.AddContact(ground)
	q := s.Model().Neutral()
	q[2] = 0.05
	s.SetState(q, nil)
	return s, ground
}

// weight returns the force of the ground on all points.
func (g *Ground) weight() (sum spatial.Vec3) {
	for i := range g.points {
		_, f := g.Touch(i)
		sum = sum.Add(f)
	}
	return sum
}

func TestGroundCarriesABoxAtRest(t *testing.T) {
	for _, integrator := range []Integrator{Midpoint, Euler} {
		s, g := box(t, integrator, 0, 0.5)
		s.SetState([]float64{0, 0, 0.15, 0, 0, 0, 1}, []float64{0.1, 0, 0, 0, 0, 0.5})
		s.Step(3 * time.Second)
		f := g.weight()
		testkit.AllNear(t, "force of the ground", []float64{f.X, f.Y, f.Z}, []float64{0, 0, boxMass * 9.81}, 1e-4)
		testkit.AllNear(t, "velocity", s.V(), make([]float64, 6), 1e-5)
		testkit.Near(t, "height", s.Q()[2], 0.05-boxMass*9.81/(4*8000), 1e-6)
		before := append([]float64(nil), s.Q()...)
		s.Step(10 * time.Second)
		testkit.AllNear(t, "after 10 s more", s.Q(), before, 1e-6)
	}
}

// On a slope a box sticks below the angle of friction and slides above it with g (sin α - μ cos α).
func TestBoxSlidesAboveTheAngleOfFriction(t *testing.T) {
	const μ = 0.5
	for _, integrator := range []Integrator{Midpoint, Euler} {
		s, _ := box(t, integrator, math.Atan(μ)-0.05, μ)
		s.Step(3 * time.Second)
		testkit.Near(t, "speed below the angle of friction", s.V()[0], 0, 1e-5)
		slope := math.Atan(μ) + 0.1
		s, _ = box(t, integrator, slope, μ)
		s.Step(time.Second)
		before := s.V()[0]
		s.Step(time.Second)
		testkit.Near(t, "acceleration above it", s.V()[0]-before, 9.81*(math.Sin(slope)-μ*math.Cos(slope)), 0.005)
	}
}

// A point on the ground sticks below the cone of friction, slides on its edge, and lets go without pulling.
func TestLawOfAPointOnTheGround(t *testing.T) {
	const depth = 0.001
	rough := Surface{Stiffness: 8000, Damping: 60, GripStiffness: 4000, GripDamping: 60, Friction: 0.5}
	p := groundPoint{radius: 0.01}
	at := func(x, z float64, v spatial.Vec3) spatial.Vec3 {
		p.meet(&rough, spatial.Vec3{X: x, Z: z}, v)
		return p.force
	}
	f := at(0, 0.01-depth, spatial.Vec3{})
	testkit.AllNear(t, "touching", []float64{f.X, f.Y, f.Z}, []float64{0, 0, rough.Stiffness * depth}, 1e-12)
	most, k := rough.Friction*rough.Stiffness*depth, rough.GripStiffness
	testkit.Near(t, "sticking", at(0.5*most/k, 0.01-depth, spatial.Vec3{}).X, -0.5*most, 1e-12)
	testkit.Near(t, "coming back", at(0, 0.01-depth, spatial.Vec3{}).X, 0, 1e-12)
	testkit.Near(t, "sliding", at(1, 0.01-depth, spatial.Vec3{}).X, -most, 1e-12)
	testkit.Near(t, "held at the new place", at(1-most/k, 0.01-depth, spatial.Vec3{}).X, 0, 1e-9)
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
		p = groundPoint{radius: 0.01}
		f := at(0, 0.01-depth, v)
		if f.X*v.X+f.Y*v.Y > 0 || math.Hypot(f.X, f.Y) > rough.Friction*f.Z*(1+1e-12) {
			t.Fatalf("velocity %v: force %v", v, f)
		}
	}
}

// Bouncing on the ground never adds energy beyond the error of the step.
func TestContactTakesEnergyAway(t *testing.T) {
	s, _ := box(t, Euler, 0, 0.5)
	s.SetState([]float64{0, 0, 0.3, 0, 0, 0, 1}, []float64{1, 0, 0, 2, 1, 0})
	first := s.kinetic() + multibody.PotentialEnergy(s.data, s.q)
	for range 300 {
		s.Step(10 * ms)
		if e := s.kinetic() + multibody.PotentialEnergy(s.data, s.q); e > first+1e-2 {
			t.Fatalf("the energy grew from %v to %v J", first, e)
		}
	}
}

func TestImpossibleGroundIsRejected(t *testing.T) {
	s, g := box(t, Euler, 0, 0.5)
	_, err := NewGround(s.Model(), Surface{Stiffness: -1}, Point{Link: "tail"}, Point{Link: "box", Radius: math.NaN()})
	for _, want := range []string{"Stiffness:-1", `no link "tail"`, "radius NaN"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %s: %v", want, err)
		}
	}
	if _, err := NewGround(s.Model(), Surface{Stiffness: 1, Friction: 1}); err == nil || !strings.Contains(err.Error(), "GripStiffness = 0") {
		t.Errorf("friction without a grip: %v", err)
	}
	for what, f := range map[string]func(){
		"friction NaN":     func() { g.SetFriction(math.NaN()) },
		"a stiffness of ∞": func() { s.SetSpring(0, Spring{Stiffness: math.Inf(1)}) },
		"an infinite push": func() { s.SetPush(0, spatial.Force{Linear: spatial.Vec3{X: math.Inf(1)}}) },
		"a push on link 7": func() { s.SetPush(7, spatial.Force{}) },
		"time backwards":   func() { s.Step(-1) },
		"a state too long": func() { s.SetState(make([]float64, 8), nil) },
		"a state of NaN":   func() { s.SetState(s.Q(), []float64{0, 0, 0, 0, 0, math.NaN()}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", what)
				}
			}()
			f()
		}()
	}
}
