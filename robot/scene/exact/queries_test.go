package exact_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestQueriesAreThoseOfAllParts compares distances of sets of bodies and rays with those of all parts, one by one.
func TestQueriesAreThoseOfAllParts(t *testing.T) {
	s := armBesideBox(t)
	e, placer, r, q := exact.New(s), scene.NewPlacer(s), testkit.Rand(t), make([]float64, s.NQ())
	var query geometry.Query
	arm, rest := s.OfModel(0), s.OfModel(-1)
	if len(arm)+len(rest) != len(s.Bodies()) || len(rest) != 1 {
		t.Fatalf("%d bodies of the arm and %d at rest", len(arm), len(rest))
	}
	apart, hits := 0, 0
	for range 300 {
		s.Models()[0].Model.Random(r, q)
		if err := placer.Place(q); err != nil {
			t.Fatal(err)
		}
		ray := geometry.Ray{Origin: spatial.Vec3{X: 2 * r.NormFloat64(), Y: r.NormFloat64(), Z: 2 * r.Float64()}, Length: 5 * r.Float64()}
		ray.Direction = spatial.Vec3{X: 0.3 * r.NormFloat64(), Y: 0.3 * r.NormFloat64(), Z: 0.5}.Sub(ray.Origin).Scale(0.1 + r.Float64())
		least, first, body := math.Inf(1), math.Inf(1), ""
		for i, b := range s.Bodies() {
			for _, x := range b.Parts {
				px := placer.Poses[i].Mul(x.Pose)
				if h, ok, err := query.Raycast(x.Shape, &px, ray); err != nil {
					t.Fatal(err)
				} else if ok && h.Distance < first {
					first, body = h.Distance, b.Name
				}
				for _, y := range s.Bodies()[rest[0]].Parts {
					py := placer.Poses[rest[0]].Mul(y.Pose)
					c, err := query.Distance(x.Shape, &px, y.Shape, &py, nil)
					if err != nil {
						t.Fatal(err)
					}
					if i != rest[0] {
						least = min(least, c.Distance)
					}
				}
			}
		}
		c, err := e.Between(q, arm, rest)
		if err != nil || math.Abs(c.Distance-least) > 1e-9 || c.Pair.B != "box" {
			t.Errorf("between %v: %g, want %g: %v", c.Pair, c.Distance, least, err)
		}
		if c.Distance > 0 {
			apart++
		}
		hit, ok, err := e.Raycast(q, ray, nil)
		if err != nil || ok != !math.IsInf(first, 1) || ok && (math.Abs(hit.Distance-first) > 1e-9 || hit.Body != body) {
			t.Errorf("ray meets %q at %g, %t, want %q at %g: %v", hit.Body, hit.Distance, ok, body, first, err)
		}
		if ok {
			hits++
		}
		if only, ok, _ := e.Raycast(q, ray, rest); ok && (only.Body != "box" || only.Distance < hit.Distance) {
			t.Errorf("a ray for the box meets %q at %g, one for all %q at %g", only.Body, only.Distance, hit.Body, hit.Distance)
		}
	}
	if apart == 0 || apart == 300 || hits < 50 || hits == 300 {
		t.Errorf("%d of 300 apart, %d hits: the cases are one-sided", apart, hits)
	}
}

func TestQueriesRefuseWhatTheyCannotAnswer(t *testing.T) {
	s := armBesideBox(t)
	e, q := exact.New(s), make([]float64, s.NQ())
	if _, err := s.Find("bax"); err == nil || !strings.Contains(err.Error(), `"box"`) {
		t.Errorf("a body that is not there: %v", err)
	}
	for name, ray := range map[string]geometry.Ray{
		"no direction":    {Length: 1},
		"negative length": {Direction: spatial.Vec3{X: 1}, Length: -1},
		"NaN":             {Origin: spatial.Vec3{X: math.NaN()}, Direction: spatial.Vec3{X: 1}, Length: 1},
	} {
		if _, _, err := e.Raycast(q, ray, nil); !errors.Is(err, geometry.ErrRay) {
			t.Errorf("a ray with %s: %v", name, err)
		}
	}
	q[0] = math.NaN()
	_, err := e.Between(q, s.OfModel(0), s.OfModel(-1))
	_, _, err2 := e.Raycast(q, geometry.Ray{Direction: spatial.Vec3{X: 1}, Length: 1}, nil)
	if !errors.Is(err, scene.ErrNotFinite) || !errors.Is(err2, scene.ErrNotFinite) {
		t.Errorf("a configuration that is not finite: %v, %v", err, err2)
	}
	q[0] = 0
	if c, err := e.Between(q, s.OfModel(-1), s.OfModel(-1)); err != nil || !math.IsInf(c.Distance, 1) {
		t.Errorf("the box and itself: %g, %v", c.Distance, err)
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	s := armBesideBox(t)
	e, q := exact.New(s), make([]float64, s.NQ())
	arm, rest := s.OfModel(0), s.OfModel(-1)
	ray := geometry.Ray{Origin: spatial.Vec3{X: 2, Z: 0.5}, Direction: spatial.Vec3{X: -1}, Length: 5}
	round := func() {
		_, err := e.Between(q, arm, rest)
		_, _, err2 := e.Raycast(q, ray, nil)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
	}
	round()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 {
		round()
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 20 { // other goroutines of the test binary may allocate a few
		t.Errorf("1000 rounds made %d allocations", n)
	}
}
