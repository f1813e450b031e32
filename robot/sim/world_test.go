package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// one returns the shape as the only part of a body.
func one(t testing.TB) func(s *geometry.Shape, err error) []geometry.Part {
	return func(s *geometry.Shape, err error) []geometry.Part {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return []geometry.Part{{Shape: s}}
	}
}

// level is the ground, the half-space below z = 0, and slope the same turned about y.
func level(m sim.Material) sim.Body { return slope(0, m) }

func slope(angle float64, m sim.Material) sim.Body {
	return sim.Body{Name: "ground", Fixed: true, Pose: spatial.Rotation(spatial.RotY(angle)), Parts: []geometry.Part{{Shape: geometry.NewPlane()}}, Material: m}
}

// box returns a homogeneous box.
func box(t testing.TB, name string, mass float64, sizes, at spatial.Vec3, m sim.Material) sim.Body {
	x, y, z := sizes.X*sizes.X, sizes.Y*sizes.Y, sizes.Z*sizes.Z
	return sim.Body{Name: name, Pose: spatial.Translation(at), Parts: one(t)(geometry.NewBox(sizes)), Material: m,
		Inertia: spatial.Inertia{Mass: mass, Rotational: spatial.SymDiag(mass/12*(y+z), mass/12*(x+z), mass/12*(x+y))}}
}

func ball(t testing.TB, name string, mass, radius float64, at spatial.Vec3, m sim.Material) sim.Body {
	i := 0.4 * mass * radius * radius
	return sim.Body{Name: name, Pose: spatial.Translation(at), Parts: one(t)(geometry.NewSphere(radius)), Material: m,
		Inertia: spatial.Inertia{Mass: mass, Rotational: spatial.SymDiag(i, i, i)}}
}

func world(t testing.TB, robots []sim.Robot, bodies ...sim.Body) *sim.World {
	t.Helper()
	w, err := sim.NewWorld(sim.WorldOptions{}, robots, bodies)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestBoxRestsWithTheDepthOfItsSprings(t *testing.T) {
	w := world(t, nil, level(sim.Hard(0.5)), box(t, "box", 2, spatial.Vec3{X: 0.2, Y: 0.3, Z: 0.1}, spatial.Vec3{Z: 0.05}, sim.Hard(0.5)))
	w.Step(2 * time.Second)
	testkit.Near(t, "height", w.Pose(1).P.Z, 0.05-2*9.81/(4*1e5), 1e-9)
	touches := w.Touches(nil)
	if len(touches) != 4 {
		t.Fatalf("%d points of contact, want 4", len(touches))
	}
	var sum spatial.Vec3
	for _, c := range touches {
		sum = sum.Add(c.Force)
	}
	if touches[0].B != 1 {
		sum = sum.Neg()
	}
	testkit.Near(t, "weight", sum.Z, 2*9.81, 1e-6)
}

// Coulomb: a box stays on a slope up to tan θ = μ, and then slides with g (sin θ - μ cos θ).
func TestBoxSlipsAtItsAngle(t *testing.T) {
	const μ = 0.5
	for _, c := range []struct {
		angle float64
		slips bool
	}{{math.Atan(μ) * 0.5, false}, {math.Atan(μ) * 0.999, false}, {math.Atan(μ) * 1.001, true}, {math.Atan(μ) * 1.3, true}} {
		b := box(t, "box", 1, spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.1}, spatial.Vec3{}, sim.Hard(μ))
		r := spatial.RotY(c.angle)
		b.Pose = spatial.Pose{R: r, P: r.MulVec(spatial.Vec3{Z: 0.05})}
		w := world(t, nil, slope(c.angle, sim.Hard(μ)), b)
		w.Step(time.Second) // settles
		along := func() float64 { return r.TMulVec(w.Pose(1).P).X }
		x, v := along(), r.TMulVec(w.Velocity(1).Linear).X
		w.Step(time.Second)
		moved := along() - x
		if !c.slips {
			if math.Abs(moved) > 1e-7 {
				t.Errorf("angle %v: the box creeps by %g m in a second", c.angle, moved)
			}
			continue
		}
		a := 9.81 * (math.Sin(c.angle) - μ*math.Cos(c.angle))
		testkit.Near(t, "way", moved, v+a/2, 1e-4*(v+a))
		testkit.Near(t, "acceleration", r.TMulVec(w.Velocity(1).Linear).X-v, a, 1e-4)
	}
}

func TestSlidingBoxStopsAfterTheWayOfItsFriction(t *testing.T) {
	b := box(t, "box", 1, spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.05}, spatial.Vec3{Z: 0.025 - 9.81/4e5}, sim.Hard(0.4))
	b.Velocity.Linear = spatial.Vec3{X: 1.2, Y: 1.6}
	w := world(t, nil, level(sim.Hard(0.4)), b)
	w.Step(3 * time.Second)
	p := w.Pose(1).P
	testkit.Near(t, "way", math.Hypot(p.X, p.Y), 4/(2*0.4*9.81), 2e-3)
	if v := w.Velocity(1).Linear.Norm(); v > 1e-8 {
		t.Errorf("it still moves with %g m/s", v)
	}
}

func TestStackOfThreeStandsForAMinute(t *testing.T) {
	size := spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}
	w := world(t, nil, level(sim.Hard(0.5)), box(t, "1", 1, size, spatial.Vec3{Z: 0.05}, sim.Hard(0.5)),
		box(t, "2", 1, size, spatial.Vec3{X: 0.02, Z: 0.15}, sim.Hard(0.5)), box(t, "3", 1, size, spatial.Vec3{Y: 0.03, Z: 0.25}, sim.Hard(0.5)))
	w.Step(time.Second)
	var at [3]spatial.Pose
	for i := range at {
		at[i] = w.Pose(i + 1)
	}
	w.Step(time.Minute)
	for i := range at {
		now := w.Pose(i + 1)
		if d := now.P.Sub(at[i].P).Norm(); d > 1e-6 {
			t.Errorf("box %d moved by %g m", i+1, d)
		}
		if a := at[i].R.T().Mul(now.R).Log().Norm(); a > 1e-5 {
			t.Errorf("box %d turned by %g rad", i+1, a)
		}
	}
}

// A ball that slides with v₀ rolls when friction has left 5/7 of it.
func TestBallRollsWithoutSlipping(t *testing.T) {
	b := ball(t, "ball", 1, 0.1, spatial.Vec3{Z: 0.1 - 9.81/1e5}, sim.Hard(0.3))
	b.Velocity.Linear.X = 2
	w := world(t, nil, level(sim.Hard(0.3)), b)
	w.Step(2 * time.Second)
	v := w.Velocity(1)
	testkit.Near(t, "v", v.Linear.X, 2*5./7, 1e-3)
	testkit.Near(t, "v - ω r", v.Linear.X-v.Angular.Y*0.1, 0, 2e-3)
	p := w.Pose(1).P.X
	w.Step(time.Second)
	testkit.Near(t, "a second's way", w.Pose(1).P.X-p, v.Linear.X, 2e-3)
}

func TestContactsBetweenBodiesKeepTheirMomentum(t *testing.T) {
	r := testkit.Rand(t)
	for range 20 {
		bodies := []sim.Body{}
		for i, s := range throwables(t, r) {
			s.Pose.P = spatial.Vec3{X: 0.5 * float64(i), Y: 0.2 * r.NormFloat64(), Z: 0.2 * r.NormFloat64()}
			s.Velocity.Linear.X = 3 * float64(2-i)
			bodies = append(bodies, s)
		}
		none := spatial.Vec3{}
		w, err := sim.NewWorld(sim.WorldOptions{Gravity: &none}, nil, bodies)
		if err != nil {
			t.Fatal(err)
		}
		momentum := func() (p, l spatial.Vec3) {
			for i, b := range bodies {
				v := w.Velocity(i)
				r := w.Pose(i).R
				pi := v.Linear.Scale(b.Inertia.Mass)
				p = p.Add(pi)
				l = l.Add(w.Pose(i).P.Cross(pi)).Add(r.MulVec(b.Inertia.Rotational.MulVec(r.TMulVec(v.Angular))))
			}
			return p, l
		}
		p0, l0 := momentum()
		e := w.Energy()
		w.Step(time.Second)
		p1, l1 := momentum()
		if d := p1.Sub(p0).Norm(); d > 1e-11 {
			t.Errorf("momentum changed by %g N s", d)
		}
		if d := l1.Sub(l0).Norm(); d > 2e-3*(1+l0.Norm()) {
			t.Errorf("angular momentum changed by %g of %g N m s", d, l0.Norm())
		}
		if w.Energy() > e*(1+1e-9) {
			t.Errorf("energy grew from %g to %g J", e, w.Energy())
		}
	}
}

// throwables returns a body of each convex kind, with random sizes, orientations and spins.
func throwables(t testing.TB, r *rand.Rand) []sim.Body {
	x := func() float64 { return 0.05 + 0.1*r.Float64() }
	points := make([]spatial.Vec3, 20)
	for i := range points {
		points[i] = spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Unit().Scale(0.12)
	}
	bodies := []sim.Body{
		{Name: "box", Parts: one(t)(geometry.NewBox(spatial.Vec3{X: 2 * x(), Y: 2 * x(), Z: 2 * x()}))},
		{Name: "sphere", Parts: one(t)(geometry.NewSphere(x()))},
		{Name: "capsule", Parts: one(t)(geometry.NewCapsule(x()/2, 2*x()))},
		{Name: "cylinder", Parts: one(t)(geometry.NewCylinder(x(), 2*x()))},
		{Name: "cone", Parts: one(t)(geometry.NewCone(x(), 2*x()))},
		{Name: "hull", Parts: one(t)(geometry.NewHull(points))},
	}
	for i := range bodies {
		b := &bodies[i]
		mass := 0.2 + 2*r.Float64()
		k := mass * 0.004
		b.Inertia = spatial.Inertia{Mass: mass, Rotational: spatial.SymDiag(k*(1+r.Float64()), k*(1+r.Float64()), k*(1+0.5*r.Float64()))}
		b.Pose.R = spatial.Exp(spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(2))
		b.Velocity.Angular = spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(5)
		b.Material = sim.Hard(r.Float64())
	}
	return bodies
}

// In flight energy is constant, so a contact may lend energy of its springs only until it ends. In most throws nothing of it remains. Of
// 14,400 throws with substeps of 1 ms one in a hundred was left with more than 1e-6 of its first energy, and a cone that landed on its
// edge with 3.5e-4, the most.
func TestEnergyNeverGrowsByAContact(t *testing.T) {
	r := testkit.Rand(t)
	for range 12 {
		for _, b := range throwables(t, r) {
			b.Pose.P.Z = 0.5 + r.Float64()
			b.Velocity.Linear = spatial.Vec3{X: 2 * r.NormFloat64(), Y: 2 * r.NormFloat64(), Z: -2}
			w := world(t, nil, level(sim.Hard(r.Float64())), b)
			first := w.Energy()
			flight := first // least of a flight so far
			for range 2000 {
				w.Step(time.Millisecond)
				if len(w.Touches(nil)) > 0 {
					continue
				}
				e := w.Energy()
				if e > flight+1e-3*first {
					t.Errorf("%s: energy of a flight was %.9g J, now %.9g J", b.Name, flight, e)
					break
				}
				flight = min(flight, e)
			}
			if w.Pose(1).P.Z < -0.1 { // the origin of a hull of random points may lie outside of it
				t.Errorf("%s fell through the ground", b.Name)
			}
		}
	}
}

func TestWorldReportsAllThatIsWrong(t *testing.T) {
	hard := sim.Hard(0.5)
	size := spatial.Vec3{X: 1, Y: 1, Z: 1}
	light, nan, soft, bare := box(t, "light", 0, size, spatial.Vec3{}, hard), box(t, "nan", 1, size, spatial.Vec3{X: math.NaN()}, hard),
		box(t, "soft", 1, size, spatial.Vec3{}, sim.Material{}), box(t, "bare", 1, size, spatial.Vec3{}, hard)
	bare.Parts = nil
	flying := level(hard)
	flying.Name, flying.Fixed, flying.Inertia = "flying", false, light.Inertia
	_, err := sim.NewWorld(sim.WorldOptions{}, []sim.Robot{{Name: "ghost", Material: hard}}, []sim.Body{light, nan, soft, bare, flying, light})
	for _, want := range []string{
		`body "light" has the mass 0 kg`, `body "nan": the pose`, `body "soft" cannot touch anything`, `body "bare" has no shape`,
		`a plane cannot move`, `robot "ghost" has no simulator`, `two parts have the name "light"`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	if _, err = sim.NewWorld(sim.WorldOptions{}, nil, []sim.Body{level(hard), box(t, "low", 1, size, spatial.Vec3{}, hard)}); err == nil ||
		!strings.Contains(err.Error(), `"ground" and "low" overlap by 0.5 m at the start`) || !errors.Is(err, sim.ErrOverlap) {
		t.Errorf("error of an overlap: %v", err)
	}
	if _, err = sim.NewWorld(sim.WorldOptions{}, nil, nil); err == nil {
		t.Error("an empty world is accepted")
	}
}

func TestWorldStepsAllocateNothingAndRepeat(t *testing.T) {
	build := func() *sim.World {
		w := world(t, []sim.Robot{pusher(t, "a", spatial.Vec3{X: -0.5})}, level(sim.Hard(0.5)),
			box(t, "1", 1, spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}, spatial.Vec3{Z: 0.05}, sim.Hard(0.5)),
			box(t, "2", 1, spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}, spatial.Vec3{X: 0.01, Z: 0.16}, sim.Hard(0.5)))
		return w
	}
	a, b := build(), build()
	ranges := make([]float64, 31)
	a.Step(200 * time.Millisecond)
	testkit.NoAllocs(t, 50, func() {
		a.Step(2 * time.Millisecond)
		_ = a.Scan(sim.Scanner{Pose: spatial.Translation(spatial.Vec3{X: 1, Z: 0.1}), From: 2, To: 4, Range: 5}, func(part int) bool { return part == 0 }, ranges)
	})
	b.Step(200 * time.Millisecond)
	c := build()
	c.Step(200 * time.Millisecond)
	for i := range b.Parts() {
		if b.Pose(i) != c.Pose(i) {
			t.Errorf("two runs differ at %q", b.Parts()[i])
		}
	}
}

// pusher returns a robot with a block on a rail along x, 1 kg, 0.1 m high above the ground, whose end is at x.
func pusher(t testing.TB, name string, at spatial.Vec3) sim.Robot {
	tree := multibody.Tree{
		Name: name, Links: []multibody.Link{{Name: "base"}, {Name: "hand", Inertia: spatial.Inertia{Mass: 1, Rotational: spatial.SymDiag(0.01, 0.01, 0.01)}}},
		Joints: []multibody.Joint{{Name: "rail", Type: multibody.Prismatic, Parent: "base", Child: "hand", Axis: spatial.Vec3{X: 1}}},
	}
	s, err := sim.New(tree, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at.Z = 0.06
	return sim.Robot{Simulator: s, Base: spatial.Translation(at), Material: sim.Hard(0.5),
		Shapes: map[string][]geometry.Part{"hand": one(t)(geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1}))}}
}

func TestRobotPushesABox(t *testing.T) {
	r := pusher(t, "pusher", spatial.Vec3{X: -0.5})
	r.Material = sim.Hard(0)
	w := world(t, []sim.Robot{r}, level(sim.Hard(0.5)), box(t, "box", 2, spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.2}, spatial.Vec3{Z: 0.1}, sim.Hard(0.5)))
	// 12 N accelerate 3 kg against the friction 0.5 · 2 kg · g of the box; the hand is smooth, so that it carries none of its weight
	r.Simulator.SetTorque(0, 12)
	w.Step(time.Second)
	v := r.Simulator.Velocity(0)
	w.Step(500 * time.Millisecond)
	testkit.Near(t, "acceleration", (r.Simulator.Velocity(0)-v)/0.5, (12-9.81)/3, 5e-3)
	testkit.Near(t, "velocity of the box", w.Velocity(2).Linear.X, r.Simulator.Velocity(0), 1e-3)
	r.Simulator.SetTorque(0, 0)
	w.Step(2 * time.Second)
	if v := w.Velocity(2).Linear.Norm(); v > 1e-6 {
		t.Errorf("the box still moves with %g m/s", v)
	}
}

func TestTwoRobotsOfOneWorldMeet(t *testing.T) {
	a, b := pusher(t, "a", spatial.Vec3{X: -0.5}), pusher(t, "b", spatial.Vec3{X: 0.5})
	b.Base.R = spatial.RotZ(math.Pi)
	w := world(t, []sim.Robot{a, b})
	a.Simulator.SetTorque(0, 3)
	b.Simulator.SetTorque(0, 3)
	w.Step(3 * time.Second)
	testkit.Near(t, "a's end", a.Simulator.Position(0), 0.45, 1e-4)
	testkit.Near(t, "b's end", b.Simulator.Position(0), 0.45, 1e-4)
	testkit.Near(t, "force", w.Touches(nil)[0].Normal.X*w.Touches(nil)[0].Force.X*float64(len(w.Touches(nil))), 3, 0.01)
}

func TestScanSeesTheWorldAsItMoves(t *testing.T) {
	r := pusher(t, "robot", spatial.Vec3{})
	wall := box(t, "wall", 1, spatial.Vec3{X: 0.2, Y: 4, Z: 1}, spatial.Vec3{X: 2}, sim.Hard(0.5))
	wall.Fixed = true
	w := world(t, []sim.Robot{r}, wall, ball(t, "ball", 1, 0.25, spatial.Vec3{X: -1, Z: 0.06}, sim.Hard(0.5)))
	ranges := make([]float64, 3)
	s := sim.Scanner{Pose: w.Pose(0), From: -math.Pi, To: math.Pi, Range: 1.8}
	s.To = 0
	own := func(part int) bool { return part == 0 }
	if err := w.Scan(s, own, ranges); err != nil {
		t.Fatal(err)
	}
	testkit.AllNear(t, "ranges", ranges, []float64{0.75, math.Inf(1), math.Inf(1)}, 1e-12)
	s.Range = 5
	if err := w.Scan(s, own, ranges); err != nil {
		t.Fatal(err)
	}
	testkit.AllNear(t, "ranges", ranges, []float64{0.75, math.Inf(1), 1.9}, 1e-12)
	w.SetBody(2, spatial.Translation(spatial.Vec3{Y: -1, Z: 0.06}), spatial.Motion{})
	if err := w.Scan(s, own, ranges); err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "beam to the ball", ranges[1], 0.75, 1e-12)
	hit, ok, err := w.Cast(geometry.Ray{Origin: spatial.Vec3{Z: 0.06, Y: -5}, Direction: spatial.Vec3{Y: 1}, Length: 10}, nil)
	if err != nil || !ok || w.Parts()[hit.Part] != "ball" {
		t.Errorf("the ray hits %v (%v, %v), want the ball", hit, ok, err)
	}
	if _, _, err := w.Cast(geometry.Ray{Length: 1}, nil); err == nil {
		t.Error("a ray without direction is accepted")
	}
}
