package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const ms = time.Millisecond

// chain is a pendulum of n equal links (rods of 0.5 m and 1 kg) on axes along y, hanging down at q = 0.
func chain(n int) multibody.Tree {
	t := multibody.Tree{Name: "chain", Links: []multibody.Link{{Name: "base"}}}
	for i := range n {
		t.Links = append(t.Links, multibody.Link{Name: fmt.Sprint("link", i+1), Inertia: spatial.Inertia{
			Mass: 1, COM: spatial.Vec3{Z: -0.25}, Rotational: spatial.SymDiag(0.02, 0.02, 0.001)}})
		j := multibody.Joint{Name: fmt.Sprint("joint", i+1), Type: multibody.Continuous, Axis: spatial.Vec3{Y: 1},
			Parent: t.Links[i].Name, Child: t.Links[i+1].Name, Placement: spatial.IdentityPose()}
		if i > 0 {
			j.Placement.P.Z = -0.5
		}
		t.Joints = append(t.Joints, j)
	}
	return t
}

// geared is a motor with all the losses that a Drive knows.
func geared() Drive {
	return Drive{
		Motor:    Motor{Resistance: 2, TorqueConstant: 0.02, RotorInertia: 1e-6},
		Gear:     Gear{Ratio: 100, Efficiency: 0.8},
		Friction: Friction{Viscous: 0.05, Coulomb: 0.3, Static: 0.4, StribeckVelocity: 0.05},
		Brake:    20, Supply: 24,
	}
}

func build(t testing.TB, tree multibody.Tree, drives map[string]Drive, substep time.Duration, o ...multibody.Option) *Simulator {
	t.Helper()
	m, err := New(tree, Options{Substep: substep, Drives: drives, Model: o})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// turntable is one joint without gravity, of the chain's inertia 0.0825 kg m² about its axis.
func turntable(t testing.TB, d Drive) *Simulator {
	return build(t, chain(1), map[string]Drive{"joint1": d}, 0, multibody.WithGravity(spatial.Vec3{}))
}

const turntableInertia = 0.02 + 0.25*0.25

func TestEnergyIsConservedToSecondOrder(t *testing.T) {
	drift := func(h time.Duration) float64 {
		m := build(t, chain(2), nil, h)
		m.SetState([]float64{2, -1}, []float64{1, 3})
		start, worst := m.total(), 0.0
		for range 100 {
			m.Step(10 * ms)
			worst = max(worst, math.Abs(m.total()-start))
		}
		return worst
	}
	a, b := drift(200*time.Microsecond), drift(50*time.Microsecond)
	t.Logf("worst error of energy in 1 s: %.2e J at 200 µs, %.2e J at 50 µs", a, b)
	if a > 0.002 || b > a/12 {
		t.Errorf("energy drifts by %v J at 200 µs and %v J at 50 µs: not of second order", a, b)
	}
}

func TestEnergyNeverGrowsWithoutVoltage(t *testing.T) {
	rng := testkit.Rand(t)
	for range 3 {
		drives := map[string]Drive{"joint1": geared(), "joint2": geared(), "joint3": {Friction: Friction{Coulomb: 0.1}}}
		tree := chain(3)
		tree.Joints[1].Type = multibody.Revolute
		tree.Joints[1].Limits = &multibody.Limits{Lower: -1, Upper: 0.5, Velocity: 100, Effort: 100}
		m := build(t, tree, drives, 0)
		m.SetState([]float64{6*rng.Float64() - 3, 0, 6*rng.Float64() - 3}, []float64{6*rng.Float64() - 3, 3, 6*rng.Float64() - 3})
		last := m.total()
		for k := range 500 {
			m.SetBrake(0, k > 100)
			m.SetPower(1, k%100 > 50)
			m.Step(5 * ms)
			now := m.total()
			if now > last+2e-4 {
				t.Fatalf("after %d ms the energy grew from %v to %v J", 5*k, last, now)
			}
			last = now
		}
	}
}

func TestTerminalVelocityBalancesVoltageAndFriction(t *testing.T) {
	d := geared()
	m := turntable(t, d)
	m.SetVoltage(0, 12)
	m.Step(2 * time.Second)
	nk, R, eta := 100*0.02, 2.0, 0.8
	want := (eta*nk*12/R - d.Friction.Coulomb) / (d.Friction.Viscous + eta*nk*nk/R)
	testkit.Near(t, "terminal velocity", m.Velocity(0), want, 1e-9)
	testkit.Near(t, "current", m.Current(0), (12-nk*want)/R, 1e-9)
	testkit.Near(t, "voltage for the friction that is left", d.Voltage(0.3+0.05*want, want), 12, 1e-9)
}

// Without dry friction the velocity under constant voltage is an exponential.
func TestStepResponseIsExponential(t *testing.T) {
	d := geared()
	d.Gear.Efficiency, d.Friction = 1, Friction{Viscous: 0.2}
	m := turntable(t, d)
	m.SetVoltage(0, -6)
	m.Step(40 * ms)
	b := 0.2 + 2*2/2.0
	v := -2 * 6 / 2.0 / b * (1 - math.Exp(-0.04*b/(turntableInertia+0.01)))
	testkit.Near(t, "velocity after 40 ms", m.Velocity(0), v, 2e-3*math.Abs(v))
}

func TestSpinDownStopsDead(t *testing.T) {
	m := turntable(t, Drive{Friction: Friction{Coulomb: 0.165}})
	m.SetState([]float64{0}, []float64{1})
	m.Step(400 * ms) // decelerates with 2 rad/s²
	testkit.Near(t, "velocity after 0.4 s", m.Velocity(0), 0.2, 1e-9)
	m.Step(200 * ms)
	testkit.Near(t, "angle when it stopped", m.Position(0), 0.25, 1e-4)
	if q := m.Position(0); m.Velocity(0) != 0 {
		t.Errorf("still moves with %v rad/s", m.Velocity(0))
	} else if m.Step(time.Second); m.Position(0) != q {
		t.Errorf("crept by %v rad in 1 s", m.Position(0)-q)
	}
}

func TestHoldsExactlyStill(t *testing.T) {
	weight := 9.81 * 0.25 // of one link held level
	for name, c := range map[string]struct {
		drive Drive
		brake bool
		holds bool
	}{
		"brake":         {Drive{Brake: weight + 0.01}, true, true},
		"weak brake":    {Drive{Brake: weight - 0.01}, true, false},
		"released":      {Drive{Brake: 50}, false, false},
		"stiction":      {Drive{Friction: Friction{Coulomb: 1, Static: 2.5, StribeckVelocity: 0.01}}, false, true},
		"weak stiction": {Drive{Friction: Friction{Coulomb: 1, Static: 2.4, StribeckVelocity: 0.01}}, false, false},
	} {
		m := build(t, chain(1), map[string]Drive{"joint1": c.drive}, 0)
		m.SetState([]float64{math.Pi / 2}, nil)
		m.SetBrake(0, c.brake)
		m.Step(time.Second)
		if still := m.Position(0) == math.Pi/2; still != c.holds {
			t.Errorf("%s: at %v after 1 s; holds: %v, want %v", name, m.Position(0), still, c.holds)
		}
	}
	m := build(t, chain(2), map[string]Drive{"joint1": {Brake: 30}, "joint2": {Brake: 30}}, 0)
	m.SetState([]float64{1.2, -0.4}, nil)
	m.SetBrake(0, true)
	m.SetBrake(1, true)
	m.Step(time.Second)
	if m.Position(0) != 1.2 || m.Position(1) != -0.4 {
		t.Errorf("two braked joints crept to %v, %v", m.Position(0), m.Position(1))
	}
}

func TestStopsAreNotPassed(t *testing.T) {
	tree := chain(2)
	for i := range tree.Joints {
		tree.Joints[i].Type = multibody.Revolute
		tree.Joints[i].Limits = &multibody.Limits{Lower: -0.5, Upper: 0.7, Velocity: 100, Effort: 100}
	}
	m := build(t, tree, nil, 0)
	m.SetState([]float64{0.6, -0.4}, []float64{5, -8})
	for range 2000 {
		m.Step(ms)
		for i := range 2 {
			if q := m.Position(i); q < -0.5-1e-3 || q > 0.7+1e-3 {
				t.Fatalf("joint %d at %v", i+1, q)
			}
		}
	}
	d := geared()
	d.Gear.Efficiency = 1
	m = build(t, tree, map[string]Drive{"joint1": d}, 0)
	m.SetVoltage(0, 24)
	m.Step(time.Second)
	testkit.Near(t, "driven against its stop", m.Position(0), 0.7, 1e-3)
	m.SetVoltage(0, -1)
	m.Step(500 * ms)
	if m.Position(0) > 0.6 {
		t.Errorf("joint1 stuck to its stop: %v", m.Position(0))
	}
}

func TestOpenCircuitCoasts(t *testing.T) {
	d := geared()
	d.Gear.Efficiency, d.Friction = 1, Friction{}
	m := turntable(t, d)
	m.SetVoltage(0, 24)
	m.SetPower(0, false)
	m.SetState([]float64{0}, []float64{3})
	m.Step(time.Second)
	testkit.Near(t, "coasting", m.Velocity(0), 3, 1e-9)
	m.SetPower(0, true)
	m.SetVoltage(0, math.NaN())
	m.Step(time.Second)
	testkit.Near(t, "short-circuited at 0 V", m.Velocity(0), 0, 1e-6)
}

func TestDeterministicAndWithoutAllocation(t *testing.T) {
	run := func() []float64 {
		m := build(t, chain(3), map[string]Drive{"joint1": geared(), "joint3": geared()}, 0)
		k := 0
		step := func() {
			m.SetVoltage(0, 10*math.Sin(float64(k)))
			m.SetVoltage(2, float64(k%7-3))
			m.SetBrake(2, k%50 > 40)
			m.Step(2 * ms)
			k++
		}
		for range 200 {
			step()
		}
		after := append(append([]float64(nil), m.q...), m.v...)
		testkit.NoAllocs(t, 200, step) // which repeats them where another goroutine has allocated
		return after
	}
	if a, b := fmt.Sprintf("%x", run()), fmt.Sprintf("%x", run()); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func TestEverythingWrongIsReported(t *testing.T) {
	tree := chain(2)
	tree.Joints[1].Type = multibody.Spherical
	_, err := New(tree, Options{Drives: map[string]Drive{
		"joint1": {Motor: Motor{TorqueConstant: -1}, Gear: Gear{Efficiency: 1.5}, Friction: Friction{Coulomb: 2, Static: 1}},
		"joint2": {},
		"elbow":  {},
	}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"TorqueConstant = -1", "Efficiency = 1.5", "below Coulomb", `"elbow"`, `drive of joint "joint2", which is spherical`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error does not mention %s:\n%v", want, err)
		}
	}
}

func TestMasslessLinkIsRejected(t *testing.T) {
	tree := chain(1)
	tree.Links[1].Inertia = spatial.Inertia{}
	if _, err := New(tree, Options{}); err == nil || !strings.Contains(err.Error(), "nothing that it moves resists") {
		t.Errorf("a joint that moves nothing: %v", err)
	}
}

func BenchmarkTwoJoints10ms(b *testing.B) {
	m := build(b, chain(2), map[string]Drive{"joint1": geared(), "joint2": geared()}, 0)
	m.SetVoltage(0, 5)
	m.SetVoltage(1, -3)
	for b.Loop() {
		m.Step(10 * ms)
	}
}
