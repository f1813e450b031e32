package control

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// pendulum2 is two links in a vertical plane.
func pendulum2(t *testing.T) *multibody.Model {
	t.Helper()
	tree := multibody.Tree{Name: "two", Links: []multibody.Link{{Name: "base"}}}
	last := "base"
	for _, name := range []string{"a", "b"} {
		tree.Links = append(tree.Links, multibody.Link{Name: name, Inertia: spatial.Inertia{Mass: 1.5, COM: spatial.Vec3{X: 0.2}, Rotational: spatial.Sym3{XX: 0.01, YY: 0.02, ZZ: 0.02}}})
		j := multibody.Joint{Name: name, Type: multibody.Continuous, Parent: last, Child: name, Axis: spatial.Vec3{Y: 1}, Placement: spatial.IdentityPose()}
		if last != "base" {
			j.Placement = spatial.Translation(spatial.Vec3{X: 0.4})
		}
		tree.Joints = append(tree.Joints, j)
		last = name
	}
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The accelerations that follow from the law are those of the linear error equation, at any state: forward dynamics undo it.
func TestComputedTorqueMakesTheErrorLinear(t *testing.T) {
	r := testkit.Rand(t)
	m := pendulum2(t)
	law, data := NewComputedTorque(m), multibody.NewData(m)
	law.Bandwidth, law.Damping = []float64{20, 35}, []float64{1, 0.7}
	random := func() []float64 { return []float64{r.NormFloat64(), r.NormFloat64()} }
	tau, a := make([]float64, 2), make([]float64, 2)
	for range 100 {
		q, v, qd, vd, ad := random(), random(), random(), random(), random()
		law.Step(q, v, qd, vd, ad, tau)
		multibody.ABA(data, q, v, tau, a)
		for i := range a {
			w, z := law.Bandwidth[i], law.Damping[i]
			testkit.Near(t, "error equation", (ad[i]-a[i])+2*z*w*(vd[i]-v[i])+w*w*(qd[i]-q[i]), 0, 1e-8)
		}
	}
	q := random()
	testkit.NoAllocs(t, 100, func() { law.Step(q, q, q, q, q, tau) })
}

// A mass under a load that is not known: the integral takes the error away, and after a long time at the limit it answers at once.
func TestPositionPIDHoldsALoadAndDoesNotWindUp(t *testing.T) {
	const h = 0.001
	p := PositionPID{Kp: 200, Ki: 400, Kd: 30, Limit: 20}
	x, v := 0.0, 0.0
	run := func(seconds, target, load float64) (most float64) {
		for range int(seconds / h) {
			u, _ := p.Step(target-x, -v, h)
			most = max(most, math.Abs(u))
			v += h * (u - load)
			x += h * v
		}
		return most
	}
	run(6, 0.1, 10)
	testkit.Near(t, "held under a load of 10 N", x, 0.1, 1e-4)
	if most := run(5, 0.1, 30); most > 20 { // stronger than the limit
		t.Errorf("the command exceeds its limit: %v", most)
	}
	if p.integral > 20+1e-9 {
		t.Errorf("the integral wound up to %v", p.integral)
	}
	if u, ok := p.Step(math.NaN(), 0, h); ok || u != p.u {
		t.Errorf("an error of NaN gave %v, %v", u, ok)
	}
	p.Reset()
	if u, _ := p.Step(0, 0, h); u != 0 {
		t.Errorf("after Reset %v", u)
	}
}
