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

// Laws that both integrators obey; how well is the tolerance of the order of each.

func with(t *testing.T, integrator Integrator, tree multibody.Tree, o ...multibody.Option) *Simulator {
	t.Helper()
	s, err := New(tree, Options{Integrator: integrator, Model: o})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// half returns how long the joint takes from one passage of rest to the next, in s.
func half(s *Simulator) float64 {
	var crossings []float64
	const dt = 0.5e-3
	for k := 0; len(crossings) < 2; k++ {
		before := s.Position(0)
		s.Step(500 * time.Microsecond)
		if after := s.Position(0); before*after < 0 {
			crossings = append(crossings, dt*(float64(k)+before/(before-after)))
		}
	}
	return crossings[1] - crossings[0]
}

// The period of a pendulum that swings by θ is 2π/(ω agm(1, cos θ/2)), with ω² = m g c/I (Gauss).
func TestPeriodOfAPendulum(t *testing.T) {
	const θ = 2.0
	a, g := 1.0, math.Cos(θ/2)
	for range 6 {
		a, g = (a+g)/2, math.Sqrt(a*g)
	}
	want := math.Pi / (math.Sqrt(9.81*0.25/turntableInertia) * a)
	for integrator, tolerance := range map[Integrator]float64{Midpoint: 1e-6, Euler: 1e-4} {
		s := with(t, integrator, chain(1))
		s.SetState([]float64{θ}, nil)
		testkit.Near(t, "half a period", half(s), want, tolerance)
	}
}

// A spring at a joint without gravity swings with √(K/I), and rests where it balances the torque.
func TestSpringSwings(t *testing.T) {
	const k = 50.0
	for integrator, tolerance := range map[Integrator]float64{Midpoint: 1e-5, Euler: 1e-4} {
		s := with(t, integrator, chain(1), multibody.WithGravity(spatial.Vec3{}))
		s.SetSpring(0, Spring{Stiffness: k})
		s.SetState([]float64{0.3}, nil)
		testkit.Near(t, "half a period", half(s), math.Pi*math.Sqrt(turntableInertia/k), tolerance)
		s.SetSpring(0, Spring{Rest: 0.5, Stiffness: k, Damping: 3})
		s.SetTorque(0, 10)
		s.Step(2 * time.Second)
		testkit.Near(t, "rest", s.Position(0), 0.5+10/k, 1e-9)
	}
}

// Forces between the joints of a free robot leave its momentum, up to the error of the substep.
func TestMomentumOfAFreeRobot(t *testing.T) {
	for integrator, order := range map[Integrator]float64{Midpoint: 2, Euler: 1} {
		drift := func(substep time.Duration) float64 {
			tree := chain(3)
			tree.Links[0].Inertia = spatial.Inertia{Mass: 2, Rotational: spatial.SymDiag(0.02, 0.03, 0.04)}
			s, err := New(tree, Options{Integrator: integrator, Substep: substep,
				Model: []multibody.Option{multibody.FloatingBase(), multibody.WithGravity(spatial.Vec3{})}})
			if err != nil {
				t.Fatal(err)
			}
			s.SetState(s.Q(), []float64{0.3, -0.2, 0.1, 0.4, 0.2, -0.3, 1, -2, 1.5})
			for i := range s.Joints() {
				s.SetSpring(i, Spring{Rest: 0.5, Stiffness: 2})
				s.SetTorque(i, 0.3)
			}
			first := multibody.CentroidalMomentum(s.data, s.q, s.v)
			s.Step(time.Second)
			last := multibody.CentroidalMomentum(s.data, s.q, s.v)
			return max(last.Linear.Sub(first.Linear).Norm(), last.Angular.Sub(first.Angular).Norm())
		}
		a, b := drift(2*ms), drift(ms/2)
		t.Logf("integrator %d: the momentum drifts by %.2e at 2 ms, %.2e at 0.5 ms", integrator, a, b)
		if a > 0.05 || b > 1.3*a*math.Pow(0.25, order) {
			t.Errorf("integrator %d: the momentum drifts by %v at 2 ms and %v at 0.5 ms", integrator, a, b)
		}
	}
}

// A force on a free body accelerates it by F/m, and stops doing so when it ends.
func TestPushAcceleratesAFreeBody(t *testing.T) {
	s, _ := box(t, Euler, 0, 0)
	s.touch = nil
	weightless := spatial.Vec3{X: 3, Z: boxMass * 9.81}
	s.SetPush(0, spatial.Force{Linear: weightless})
	s.Step(time.Second)
	testkit.AllNear(t, "velocity after 1 s", s.V(), []float64{3 / boxMass, 0, 0, 0, 0, 0}, 1e-9)
	weightless.X = 0
	s.SetPush(0, spatial.Force{Linear: weightless})
	s.Step(time.Second)
	testkit.Near(t, "velocity after 2 s", s.V()[0], 3/boxMass, 1e-9)
	s.SetPush(0, spatial.Force{})
	s.Step(time.Second)
	testkit.Near(t, "falling", s.V()[2], -9.81, 1e-9)
}

// Viscous friction of any size stops a joint and never makes it swing.
func TestStrongFrictionIsStable(t *testing.T) {
	for _, integrator := range []Integrator{Midpoint, Euler} {
		tree := chain(2)
		tree.Joints[0].Damping, tree.Joints[1].Damping = 1e6, 1e-3
		s := with(t, integrator, tree)
		s.SetState([]float64{1, 1}, []float64{10, 0})
		s.Step(time.Second)
		if v := s.Velocity(0); !(math.Abs(v) < 1e-4) {
			t.Errorf("integrator %d: %v rad/s", integrator, v)
		}
	}
}

func TestTorqueIsCutToTheEffort(t *testing.T) {
	tree := chain(1)
	limits := multibody.Unlimited()
	limits.Effort = 2
	tree.Joints[0].Limits = &limits
	for torque, want := range map[float64]float64{1: 1, -5: -2, math.Inf(1): 2, math.NaN(): 0} {
		s := with(t, Euler, tree, multibody.WithGravity(spatial.Vec3{}))
		s.SetTorque(0, torque)
		s.Step(100 * ms)
		testkit.Near(t, "torque", s.Velocity(0)*turntableInertia/0.1, want, 1e-9)
	}
}

func TestEulerAllocatesNothing(t *testing.T) {
	s, _ := box(t, Euler, 0.1, 0.5)
	k := 0
	testkit.NoAllocs(t, 200, func() {
		s.SetPush(0, spatial.Force{Linear: spatial.Vec3{Y: float64(k%3 - 1)}})
		s.Step(5 * ms)
		k++
	})
}

func TestEulerRejectsWhatNeedsMidpoint(t *testing.T) {
	tree := chain(2)
	tree.Joints[1].Friction = 0.1
	_, err := New(tree, Options{Integrator: Euler, Drives: map[string]Drive{"joint1": geared()}})
	for _, want := range []string{`drive of joint "joint1" needs the integrator Midpoint`, `joint "joint2" has dry friction`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %s: %v", want, err)
		}
	}
}
