package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// crane returns two arms with turning, sliding, fixed and mimic joints among boxes; the first carries a box.
func crane(t *testing.T, r *rand.Rand) *scene.Scene {
	t.Helper()
	vector := func(size float64) spatial.Vec3 {
		return spatial.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
	}
	pose := func(size float64) spatial.Pose { return spatial.Pose{R: spatial.Exp(vector(3)), P: vector(size)} }
	box := func(size float64) []geometry.Part {
		b, err := geometry.NewBox(spatial.Vec3{X: size, Y: size / 2, Z: size / 3})
		if err != nil {
			t.Fatal(err)
		}
		return []geometry.Part{{Shape: b, Pose: pose(size)}}
	}
	limits := &multibody.Limits{Lower: -0.1, Upper: 0.3}
	tree := multibody.Tree{Name: "crane", Links: []multibody.Link{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "f"}}, Joints: []multibody.Joint{
		{Name: "turn", Type: multibody.Revolute, Parent: "a", Child: "b", Placement: pose(0.3), Axis: vector(1)},
		{Name: "slide", Type: multibody.Prismatic, Parent: "b", Child: "c", Placement: pose(0.3), Axis: vector(1), Limits: limits},
		{Name: "rigid", Type: multibody.Fixed, Parent: "c", Child: "d", Placement: pose(0.3)},
		{Name: "bend", Type: multibody.Continuous, Parent: "d", Child: "e", Placement: pose(0.3), Axis: vector(1)},
		{Name: "follow", Type: multibody.Revolute, Parent: "e", Child: "f", Axis: vector(1), Mimic: &multibody.Mimic{Joint: "turn", Multiplier: -1.5, Offset: 0.2}},
	}}
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string][]geometry.Part{"b": box(0.2), "c": box(0.1), "d": box(0.2), "f": append(box(0.1), box(0.2)...)}
	s, err := scene.New(scene.Model{Model: m, Shapes: shapes, Base: pose(0.4)}, scene.Model{Model: m, Shapes: shapes, Prefix: "second/"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Add(scene.Object{Name: "stone", Pose: pose(1), Parts: box(0.3)}, scene.Object{Name: "load", Pose: pose(0.3), Parts: box(0.1)}); err != nil {
		t.Fatal(err)
	}
	if s, err = s.Attach("load", "f", make([]float64, s.NQ())); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestClearanceIsRight compares proofs with what the engine finds on random motions in the interval, and hits with what it finds in its middle.
func TestClearanceIsRight(t *testing.T) {
	r := testkit.Rand(t)
	proved, hits := 0, 0
	for range 60 {
		s := crane(t, r)
		e, c := exact.New(s), exact.NewClearance(s)
		n := s.NQ()
		x := exact.Interval{Q: make([]float64, n), V: make([]float64, n), Speed: make([]float64, n), Acceleration: make([]float64, n)}
		a, q := make([]float64, n), make([]float64, n)
		for range 60 {
			x.Half = math.Pow(10, -3*r.Float64())
			for i := range q {
				x.Q[i], x.Speed[i], x.Acceleration[i] = 6*r.Float64()-3, float64(r.IntN(2))*r.Float64(), math.Pow(10, 2*r.Float64()-1)
				if x.V[i] = x.Speed[i] * (2*r.Float64() - 1); x.Speed[i] == 0 {
					x.Acceleration[i] = 0
				}
			}
			for _, i := range []int{1, 4} { // both slides, within their limits
				x.Q[i], x.Speed[i], x.V[i] = 0.4*r.Float64()-0.1, x.Speed[i]/50, x.V[i]/50
			}
			left, pair, hit, err := c.Test(&x, c.Pairs())
			if err != nil {
				t.Fatal(err)
			}
			if _, found, _ := e.Collide(x.Q); found != hit {
				t.Fatalf("touch %t (%s), the engine finds %t", hit, pair, found)
			}
			if hit {
				hits++
				continue
			}
			if left > 0 {
				x.Half /= 8
				if left, _, _, err = c.Test(&x, left); left > 0 || err != nil {
					continue
				}
			}
			proved++
			for range 40 {
				for i := range a { // a constant acceleration that keeps the speed
					most := min(x.Acceleration[i], (x.Speed[i]-math.Abs(x.V[i]))/x.Half)
					a[i] = most * float64(r.IntN(3)-1)
				}
				h := x.Half * (2*r.Float64() - 1)
				if r.IntN(3) == 0 {
					h = math.Copysign(x.Half, h)
				}
				for i := range q {
					q[i] = x.Q[i] + h*(x.V[i]+h*a[i]/2)
				}
				if pair, found, _ := e.Collide(q); found {
					t.Fatalf("%s touch at %v, %g s from the middle of %+v", pair, q, h, x)
				}
			}
		}
	}
	t.Logf("%d intervals proved, %d collisions", proved, hits)
	if proved < 300 || hits < 100 {
		t.Error("too few of either kind")
	}
}

// TestClearanceLeversAreTight has a ball at a distance of 1 m from the only axis and one beside its circle: the proof reaches as far as the arc.
func TestClearanceLeversAreTight(t *testing.T) {
	m, err := multibody.NewModel(multibody.Tree{Name: "arm", Links: []multibody.Link{{Name: "base"}, {Name: "hand"}}, Joints: []multibody.Joint{
		{Name: "turn", Type: multibody.Continuous, Parent: "base", Child: "hand", Axis: spatial.Vec3{Z: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	ball, err := geometry.NewSphere(0.01)
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y float64) []geometry.Part {
		return []geometry.Part{{Shape: ball, Pose: spatial.Translation(spatial.Vec3{X: x, Y: y, Z: 5})}}
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"hand": at(1, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Add(scene.Object{Name: "stone", Parts: at(math.Cos(0.1), math.Sin(0.1))}); err != nil {
		t.Fatal(err)
	}
	c := exact.NewClearance(s)
	test := func(travel float64) (left int) {
		x := exact.Interval{Half: 1, Q: []float64{0}, V: []float64{0}, Speed: []float64{travel}, Acceleration: []float64{1}}
		left, _, hit, err := c.Test(&x, 1)
		if hit || err != nil {
			t.Errorf("travel %g: hit %t, %v", travel, hit, err)
		}
		return left
	}
	for travel, want := range map[float64]int{0.0793: 1, 0.0791: 0} { // the gap 2 sin 0.05 - 0.02 over a lever of 1.01 is 0.07917
		if left := test(travel); left != want {
			t.Errorf("travel %g: %d pairs left, want %d", travel, left, want)
		}
	}
	testkit.NoAllocs(t, 100, func() { test(0.05) })
}

// TestClearanceSeesJointsThatMakeUpForEachOther turns two joints of one axis against each other: the ball on the second rests, and is proved far longer
// than by levers alone.
func TestClearanceSeesJointsThatMakeUpForEachOther(t *testing.T) {
	z := spatial.Vec3{Z: 1}
	m, err := multibody.NewModel(multibody.Tree{Name: "arm", Links: []multibody.Link{{Name: "base"}, {Name: "arm"}, {Name: "hand"}}, Joints: []multibody.Joint{
		{Name: "turn", Type: multibody.Continuous, Parent: "base", Child: "arm", Axis: z}, {Name: "back", Type: multibody.Continuous, Parent: "arm", Child: "hand", Axis: z}}})
	if err != nil {
		t.Fatal(err)
	}
	ball, err := geometry.NewSphere(0.01)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"hand": {{Shape: ball, Pose: spatial.Translation(spatial.Vec3{X: 1})}}}})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Add(scene.Object{Name: "stone", Pose: spatial.Translation(spatial.Vec3{X: 1, Y: 0.1}), Parts: []geometry.Part{{Shape: ball}}}); err != nil {
		t.Fatal(err)
	}
	c := exact.NewClearance(s)
	for half, want := range map[float64]int{0.1: 0, 0.3: 1} { // levers: 2.02 h > 0.08 beyond 0.04 s; this bound: 1.01 · 4 h²/2 beyond 0.2 s
		x := exact.Interval{Half: half, Q: []float64{0, 0}, V: []float64{1, -1}, Speed: []float64{1, 1}, Acceleration: []float64{0, 0}}
		if left, _, hit, err := c.Test(&x, 1); left != want || hit || err != nil {
			t.Errorf("half %g s: %d left, want %d; %t, %v", half, left, want, hit, err)
		}
	}
}
