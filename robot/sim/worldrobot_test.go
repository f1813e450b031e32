package sim_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// doll returns a free robot of 5 kg with four limbs, each of a capsule on a ball joint of two axes.
func doll(t *testing.T) sim.Robot {
	tree := multibody.Tree{Name: "doll", Links: []multibody.Link{{Name: "trunk", Inertia: spatial.Inertia{Mass: 3, Rotational: spatial.SymDiag(0.03, 0.02, 0.03)}}}}
	shapes := map[string][]geometry.Part{"trunk": one(t)(geometry.NewBox(spatial.Vec3{X: 0.2, Y: 0.1, Z: 0.3}))}
	for i, name := range []string{"a", "b", "c", "d"} {
		side, end := float64(i%2*2-1), float64(i/2*2-1)
		tree.Links = append(tree.Links, multibody.Link{Name: name, Inertia: spatial.Inertia{Mass: 0.5, COM: spatial.Vec3{Z: 0.12 * end}, Rotational: spatial.SymDiag(0.003, 0.003, 0.001)}})
		tree.Joints = append(tree.Joints, multibody.Joint{Name: name, Type: multibody.Universal, Parent: "trunk", Child: name, Axis: spatial.Vec3{X: 1}, Axis2: spatial.Vec3{Y: 1},
			Placement: spatial.Translation(spatial.Vec3{X: 0.16 * side, Z: 0.2 * end}), Armature: 0.002})
		limb := one(t)(geometry.NewCapsule(0.03, 0.24))
		limb[0].Pose = spatial.Translation(spatial.Vec3{Z: 0.12 * end})
		shapes[name] = limb
	}
	s, err := sim.New(tree, sim.Options{Model: []multibody.Option{multibody.FloatingBase()}})
	if err != nil {
		t.Fatal(err)
	}
	return sim.Robot{Simulator: s, Shapes: shapes, Material: sim.Hard(0.6)}
}

// As of free bodies: what a flight has, the next one does not exceed, but for the drift of integrating a robot.
func TestFallingRobotLosesEnergyAndComesToRest(t *testing.T) {
	r := testkit.Rand(t)
	for range 3 {
		d := doll(t)
		model := d.Simulator.Model()
		q, v := model.Neutral(), make([]float64, model.NV())
		model.Random(r, q)
		copy(q, []float64{0, 0, 1.2})
		for i := range v {
			v[i] = 2 * r.NormFloat64()
		}
		for i := 7; i < len(q); i++ {
			q[i] = r.NormFloat64()
		}
		d.Simulator.SetState(q, v)
		w := world(t, []sim.Robot{d}, level(sim.Hard(0.6)))
		first := w.Energy()
		least := first
		for k := range 4000 {
			w.Step(time.Millisecond)
			if len(w.Touches(nil)) > 0 {
				continue
			}
			e := w.Energy()
			if e > least+2e-3*first {
				t.Fatalf("after %d ms: energy %g J, was %g J", k, e, least)
			}
			least = min(least, e)
		}
		testkit.NoAllocs(t, 20, func() { w.Step(time.Millisecond) })
		if e := w.Energy(); e > 0.35*first {
			t.Errorf("%g of %g J are left on the ground", e, first)
		}
		for i := range w.Parts()[:5] {
			if z := w.Pose(i).P.Z; z < -0.05 || z > 0.6 {
				t.Errorf("%s is at z = %g m", w.Parts()[i], z)
			}
		}
	}
}

// An arm of two links falls onto a box and stays there: the weights on shoulder, box and ground balance.
func TestArmLeansOnABox(t *testing.T) {
	rod := spatial.Inertia{Mass: 1, COM: spatial.Vec3{X: 0.25}, Rotational: spatial.SymDiag(0.001, 0.02, 0.02)}
	tree := multibody.Tree{
		Name: "arm", Links: []multibody.Link{{Name: "base"}, {Name: "upper", Inertia: rod}, {Name: "lower", Inertia: rod}},
		Joints: []multibody.Joint{
			{Name: "shoulder", Type: multibody.Revolute, Parent: "base", Child: "upper", Axis: spatial.Vec3{Y: 1}, Damping: 0.1},
			{Name: "elbow", Type: multibody.Revolute, Parent: "upper", Child: "lower", Axis: spatial.Vec3{Y: 1}, Damping: 0.1,
				Placement: spatial.Translation(spatial.Vec3{X: 0.5}), Limits: &multibody.Limits{Lower: 0, Upper: 0.001, Velocity: 100, Effort: 100}},
		},
	}
	s, err := sim.New(tree, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.SetState([]float64{-0.5, 0}, nil)
	rod2 := one(t)(geometry.NewCapsule(0.04, 0.5))
	rod2[0].Pose = spatial.Pose{R: spatial.RotY(math.Pi / 2), P: spatial.Vec3{X: 0.25}}
	crate := box(t, "crate", 3, spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.2}, spatial.Vec3{X: 0.9, Z: 0.1}, sim.Hard(0.5))
	w := world(t, []sim.Robot{{Simulator: s, Base: spatial.Translation(spatial.Vec3{Z: 0.4}), Shapes: map[string][]geometry.Part{"upper": rod2, "lower": rod2}, Material: sim.Hard(0.5)}},
		level(sim.Hard(0.5)), crate)
	w.Step(4 * time.Second)
	if v := s.Velocity(0); v*v > 1e-12 {
		t.Errorf("the arm still moves with %g rad/s", v)
	}
	// moments about the shoulder, and all that the ground carries
	var moment, ground float64
	for _, c := range w.Touches(nil) {
		switch f := c.Force; {
		case w.Parts()[c.A] == "arm/lower" && w.Parts()[c.B] == "crate":
			moment += c.At.X*f.Z - (c.At.Z-0.4)*f.X
		case w.Parts()[c.A] == "ground":
			ground += f.Z
		}
	}
	load := 0.0
	for _, link := range []string{"arm/upper", "arm/lower"} {
		i, err := w.Part(link)
		if err != nil {
			t.Fatal(err)
		}
		load -= 9.81 * w.Pose(i).Apply(rod.COM).X
	}
	testkit.Near(t, "moment of the crate's force about the shoulder", moment, load, 1e-3)
	if ground <= 3*9.81 || ground >= 5*9.81 {
		t.Errorf("the ground carries %g N: want the crate's weight and some of the arm's", ground)
	}
}

// cart returns a free chassis of 8 kg on four driven wheels of 1 kg and 0.1 m.
func cart(t *testing.T) sim.Robot {
	tree := multibody.Tree{Name: "cart", Links: []multibody.Link{{Name: "chassis", Inertia: spatial.Inertia{Mass: 8, Rotational: spatial.SymDiag(0.1, 0.2, 0.25)}}}}
	shapes := map[string][]geometry.Part{"chassis": one(t)(geometry.NewBox(spatial.Vec3{X: 0.5, Y: 0.3, Z: 0.1}))}
	for i, name := range []string{"front left", "front right", "rear left", "rear right"} {
		wheel, err := geometry.NewCylinder(0.1, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		inertia, err := wheel.Inertia(1)
		if err != nil {
			t.Fatal(err)
		}
		tree.Links = append(tree.Links, multibody.Link{Name: name, Inertia: inertia})
		tree.Joints = append(tree.Joints, multibody.Joint{Name: name, Type: multibody.Continuous, Parent: "chassis", Child: name, Axis: spatial.Vec3{Z: 1},
			Placement: spatial.Pose{R: spatial.RotX(-math.Pi / 2), P: spatial.Vec3{X: 0.2 * float64(1-i/2*2), Y: 0.2 * float64(1-i%2*2), Z: -0.05}}})
		shapes[name] = []geometry.Part{{Shape: wheel}}
	}
	s, err := sim.New(tree, sim.Options{Model: []multibody.Option{multibody.FloatingBase()}})
	if err != nil {
		t.Fatal(err)
	}
	q := s.Model().Neutral()
	q[2] = 0.15
	s.SetState(q, nil)
	return sim.Robot{Simulator: s, Shapes: shapes, Material: sim.Hard(0.8)}
}

// Four torques τ move a cart with 4 τ/r = (m + 4 I/r²) a; its wheels roll, and turn it on the spot when the sides work against each other.
func TestCartDrivesOnItsWheels(t *testing.T) {
	c := cart(t)
	w := world(t, []sim.Robot{c}, level(sim.Hard(0.8)))
	w.Step(500 * time.Millisecond)
	drive := func(left, right float64) {
		for i, name := range c.Simulator.Joints() {
			if strings.HasSuffix(name, "left") {
				c.Simulator.SetTorque(i, left)
			} else {
				c.Simulator.SetTorque(i, right)
			}
		}
	}
	const τ = 0.5
	drive(τ, τ)
	w.Step(time.Second)
	a := 4 * τ / 0.1 / (12 + 4*0.005/0.01)
	v := c.Simulator.V()
	testkit.Near(t, "velocity after a second", v[0], a, 0.01*a)
	for i := range 4 {
		testkit.Near(t, "rim of a wheel", c.Simulator.Velocity(i)*0.1, v[0], 0.005*a)
	}
	testkit.Near(t, "way", w.Pose(0).P.X, a/2, 0.01*a)
	testkit.Near(t, "drift", w.Pose(0).P.Y, 0, 1e-6)
	drive(-τ, -τ)
	w.Step(time.Second)
	drive(-5, 5) // wheels that scrub need more than the grip allows: they spin
	at := w.Pose(0).P
	w.Step(time.Second)
	if turn := w.Pose(0).R.Log().Z; turn < 0.3 {
		t.Errorf("the cart turned by %g rad", turn)
	}
	if d := w.Pose(0).P.Sub(at).Norm(); d > 0.05 {
		t.Errorf("the cart left its place by %g m", d)
	}
}
