package space_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// crane returns a scene of a robot that turns without limits, lifts, and has a joint that mimics the lift, a rail without limits and a ball joint.
func crane(t *testing.T) *scene.Scene {
	t.Helper()
	z := spatial.Vec3{Z: 1}
	m, err := multibody.NewModel(multibody.Tree{
		Name:  "crane",
		Links: []multibody.Link{{Name: "foot"}, {Name: "post"}, {Name: "arm"}, {Name: "hook"}, {Name: "rail"}, {Name: "ball"}},
		Joints: []multibody.Joint{
			{Name: "turn", Type: multibody.Continuous, Parent: "foot", Child: "post", Axis: z},
			{Name: "lift", Type: multibody.Prismatic, Parent: "post", Child: "arm", Axis: z, Limits: &multibody.Limits{Lower: 0, Upper: 2}},
			{Name: "rope", Type: multibody.Prismatic, Parent: "arm", Child: "hook", Axis: z, Mimic: &multibody.Mimic{Joint: "lift", Multiplier: 1}},
			{Name: "slide", Type: multibody.Prismatic, Parent: "hook", Child: "rail", Axis: z},
			{Name: "swing", Type: multibody.Spherical, Parent: "hook", Child: "ball"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: m, Prefix: "a/", Shapes: map[string][]geometry.Part{"arm": {{Shape: &geometry.Shape{}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJointsGoTheShorterWayRoundACircle(t *testing.T) {
	j, err := space.NewJoints(crane(t), []string{"a/lift", "a/turn"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b, d := []float64{1, 3}, []float64{1.5, -3}, make([]float64, 2)
	j.Interpolate(a, b, 0.5, d)
	testkit.AllNear(t, "half way", d, []float64{1.25, math.Pi}, 1e-12)
	testkit.Near(t, "distance", j.Distance(a, b), math.Hypot(0.5, 2*math.Pi-6), 1e-12)
	if j.Outside([]float64{2, 100}) != -1 || j.Outside([]float64{2.1, 0}) != 0 || j.Outside([]float64{0, math.NaN()}) != 1 {
		t.Error("limits: a circle has none, the lift 0 to 2 m")
	}
	q := make([]float64, j.NQ())
	j.Configuration([]float64{1.5, 0.5}, q)
	model := crane(t).Models()[0].Model
	for name, want := range map[string]float64{"lift": 1.5, "turn": 0.5} {
		if joint, err := model.Joint(name); err != nil || q[joint.Q] != want {
			t.Errorf("%s is %g in the configuration, want %g", name, q[joint.Q], want)
		}
	}
}

func TestJointsRefusesWhatCannotBeSampled(t *testing.T) {
	_, err := space.NewJoints(crane(t), []string{"a/lfit", "a/rope", "a/slide", "a/swing", "a/lift", "a/lift"}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	testkit.LinesBegin(t, err.Error(),
		`plan with joint "a/lfit": no robot of the scene has it; did you mean "a/lift"?`,
		`plan with joint "a/rope": it mimics "lift"`,
		`plan with joint "a/slide": its limits are -Inf and +Inf`,
		`plan with joint "a/swing": it is spherical with 4 coordinates`,
		`plan with joint "a/lift": it is named twice`,
	)
	if _, err := space.NewJoints(crane(t), []string{"a/lift"}, []float64{1}); err == nil || !strings.Contains(err.Error(), "1 values are held") {
		t.Errorf("held values: %v", err)
	}
}

func TestHaltonMatchesItsDefinition(t *testing.T) {
	var h space.Halton
	h.Reset(0)
	for _, want := range [][]float64{{1. / 2, 1. / 3, 1. / 5}, {1. / 4, 2. / 3, 2. / 5}, {3. / 4, 1. / 9, 3. / 5}, {1. / 8, 4. / 9, 4. / 5}, {5. / 8, 7. / 9, 1. / 25}} {
		p := make([]float64, 3)
		h.Next(p)
		testkit.AllNear(t, "Halton", p, want, 1e-15)
	}
}

// TestHaltonCountsInEachBase compares a long sequence with the definition: the digits of the number of the point, mirrored behind the point.
func TestHaltonCountsInEachBase(t *testing.T) {
	var h space.Halton
	bases := [...]int{2, 3, 5, 7, 11, 13, 17, 19}
	p := make([]float64, 64)
	for n := 1; n <= 20_000; n++ {
		h.Next(p)
		for i, base := range bases {
			want, place := 0.0, 1.0
			for rest := n; rest > 0; rest /= base {
				place /= float64(base)
				want += place * float64(rest%base)
			}
			testkit.Near(t, fmt.Sprintf("point %d in base %d", n, base), p[i], want, 1e-15)
		}
	}
	testkit.NoAllocs(t, 100, func() { h.Next(p) })
}

func TestSamplersRepeatASeedWithinTheCube(t *testing.T) {
	for _, s := range []space.Sampler{&space.Uniform{}, &space.Halton{}} {
		for _, seed := range []uint64{0, 1, 77} {
			first := make([][4]float64, 1000)
			s.Reset(seed)
			mean := 0.0
			for i := range first {
				s.Next(first[i][:])
				for _, x := range first[i] {
					if !(x >= 0 && x < 1) {
						t.Fatalf("%T returns %g", s, x)
					}
					mean += x / 4000
				}
			}
			s.Reset(seed)
			for i := range first {
				var p [4]float64
				if s.Next(p[:]); p != first[i] {
					t.Fatalf("%T with seed %d does not repeat point %d", s, seed, i)
				}
			}
			testkit.Near(t, "mean", mean, 0.5, 0.03)
		}
	}
}
